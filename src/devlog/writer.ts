import { estimateTokens } from '../condense/tokens.ts'
import { finish } from '../model/iteration.ts'
import { printable } from '../render/terminal.ts'
import { type Brief, BudgetTooSmall, briefsOf } from './brief.ts'
import type { Evidence } from './evidence.ts'
import type { BriefOptions } from './frame.ts'
import type { SourceSession } from './turns.ts'

const FENCED = /^\s*(```+|~~~+)(?:markdown|md)?[ \t]*\n([\s\S]*?)\n\1\s*$/i
const LONGEST_PREFACE = 400
const DEFINITION = /^\[\^[^\]]+\]:.*(?:\n(?!\n|\[\^).*)*\n?/gm

/**
 * Has a text written from the brief: in one call if the brief leaves little out, else part by part, and then
 * once more over the texts of the parts with the most important messages.
 *
 * @returns the text without definitions of marks, and how often the writer was asked
 */
export async function writeStory(
  sources: readonly SourceSession[],
  evidence: Evidence,
  options: BriefOptions,
  ask: (brief: string) => Promise<string>,
): Promise<{ text: string; asked: number }> {
  const [whole, ...parts] = finish(briefsOf(sources, evidence, options))
  const answers: string[] = []
  const write = async ({ text }: Brief): Promise<string> => {
    const answer = answerText(await ask(text))
    answers.push(answer)
    return answer
  }
  for (const part of parts) await write(part)
  const last = parts.length === 0 ? whole! : joining(sources, evidence, options, answers)
  const text = await write(last)
  const titled = /^# /.test(text) ? text : `# ${evidence.project ?? 'Story'}\n\n${text}`
  return { text: titled, asked: answers.length }
}

/** Shares of the budget that the texts of the parts may have, tried in this order. */
const SHARES = [0.6, 0.4, 0.25, 0.1]

/** The brief with the texts of the parts, cut where they leave no room for messages. */
function joining(
  sources: readonly SourceSession[],
  evidence: Evidence,
  options: BriefOptions,
  texts: readonly string[],
): Brief {
  for (const share of SHARES) {
    const most = (options.budget * share) / texts.length
    const chapters = texts.map((text) => {
      const tokens = estimateTokens(text)
      return tokens <= most ? text : text.slice(0, Math.floor((text.length * most) / tokens)).toWellFormed()
    })
    try {
      return finish(briefsOf(sources, evidence, { ...options, chapters }))[0]!
    } catch (error) {
      if (!(error instanceof BudgetTooSmall)) throw error
    }
  }
  throw new BudgetTooSmall()
}

/**
 * The Markdown in an answer: without a fence around it, control codes, definitions, or a preface before the
 * title.
 */
function answerText(answer: string): string {
  const clean = printable(answer.replace(/\r\n?/g, '\n').replace(/\x1b\[[\d;?]*[a-z]/gi, '')).trim()
  const inner = FENCED.exec(clean)?.[2] ?? clean
  const title = inner.search(/^# /m)
  const text = title > 0 && title <= LONGEST_PREFACE ? inner.slice(title) : inner
  return text.replace(DEFINITION, '').trim()
}
