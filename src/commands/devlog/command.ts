import { draftMarkdown } from '../../devlog/draft/markdown.ts'
import { shortPath } from '../../devlog/draft/parts.ts'
import type { Evidence } from '../../devlog/evidence/evidence.ts'
import { gather } from '../../devlog/evidence/gather.ts'
import { countWords } from '../../devlog/evidence/words.ts'
import type { Leak } from '../../devlog/leaks/leaks.ts'
import { replaceIn, replacer } from '../../devlog/leaks/replace.ts'
import { ScrollbackError } from '../../errors.ts'
import { type Context, defineCommand } from '../kit/command.ts'
import { type DevlogAnswer, output } from './answer.ts'
import { checkFile } from './check.ts'
import { type Composed, citationsIn, compose } from './compose.ts'
import { factsText, refusedText } from './facts-text.ts'
import { type DevlogInput, input } from './input.ts'
import { leaksOf } from './leak-check.ts'
import { loadSources, type Sources } from './sources.ts'
import { checkText, leakText, reportText } from './text.ts'
import { requestedSpan } from './time.ts'
import { outputPath, writeText } from './write.ts'
import { type Written, write } from './written.ts'

const MOST_KEY_FILES = 5

export const devlog = defineCommand({
  name: 'devlog',
  summary: 'draft the story of a project from its sessions, with a citation for every quote',
  details:
    'Counts and quotes; nothing is invented or summarized. Shows which sessions are used and why, what the draft covers, and marks where ' +
    'prose is needed. Each footnote names session, line, time and a digest of the record, so that --check says later which citations still ' +
    'hold. With --writer, a command-line model writes the prose, and every fact in it is looked up in the transcripts. standup and changelog ' +
    'need no further writing. See docs/guides/devlog.md.',
  examples: [
    { command: 'scrollback devlog api --yes', tells: 'draft the story of a project' },
    {
      command: 'scrollback devlog api --topic refund --yes --out devlog.md',
      tells: 'write one about a topic',
    },
    {
      command: 'scrollback devlog api --sessions 640ab4c7,7122ceb8 --style deep-dive',
      tells: 'use two sessions, with everything that happened',
    },
    {
      command: 'scrollback devlog api --yes --evidence --json',
      tells: 'get the evidence for your own story',
    },
    {
      command: 'scrollback devlog --style standup --since 2026-11-05',
      tells: 'list what was done, per project',
    },
    {
      command: `scrollback devlog api --yes --writer 'ollama run qwen3' --strict --out devlog.md`,
      tells: 'have it written by a model, and refuse what the transcripts do not show',
    },
    { command: 'scrollback devlog api --style changelog', tells: 'list what users notice, with the commits' },
  ],
  input,
  output,
  needs: 'words',
  async run(given: DevlogInput, context: Context): Promise<DevlogAnswer> {
    const { style } = given
    if (given.check !== undefined) return { version: 1, style, check: checkFile(given.check, context) }
    refuseCombinations(given)
    const path = given.out === undefined ? undefined : outputPath(given.out, given.force, context)
    // What a writer reads may leave this machine, so it is made from redacted transcripts.
    const reading = given.writer === undefined ? context : { ...context, redact: true }
    const sources = await loadSources(given, requestedSpan(given, context), reading)
    const { evidence, composed, leaks } = await draftFrom(sources, given, reading)
    const facts = composed.facts && { writer: given.writer!, ...composed.facts }
    const refused = given.strict && (facts?.findings.length ?? 0) > 0
    if (refused) context.partly?.()
    const written = path === undefined || refused ? undefined : writeText(path, composed.text, context)
    if (!written && !refused) noteLeaks(leaks, context)
    if (!written && !refused && facts) noteFacts(facts, context)
    return {
      ...{ version: 1, style },
      selection: selectionJson(sources),
      evidence: evidence as DevlogAnswer['evidence'],
      ...(refused ? {} : written ? { file: written } : { draft: composed.text }),
      report: reportOf(evidence, composed, given),
      ...(facts ? { facts } : {}),
      leaks,
    }
  },
  *render(answer, screen) {
    const { check, draft, file, report, leaks, facts } = answer
    if (check) yield* checkText(check, screen)
    if (draft !== undefined) yield draft
    else if (facts && !file) yield* refusedText(facts, screen)
    if (!file || !report) return
    yield* reportText(file, report, screen)
    if (facts) yield* factsText(facts, screen)
    yield* leakText(leaks ?? [])
  },
  isVerbatim: ({ draft }) => draft !== undefined,
})

/** Evidence, draft and what the text reveals. With --anonymize, the second draft is made without it. */
async function draftFrom(
  { sources, coverage }: Sources,
  given: DevlogInput,
  context: Context,
): Promise<{ evidence: Evidence; composed: Composed; leaks: Leak[] }> {
  const names = new Set(sources.flatMap(({ project }) => project ?? []))
  const project = names.size === 1 ? [...names][0]! : (given.project ?? null)
  let evidence = gather(sources, { project, topic: given.topic ?? null, coverage })
  let composed = await compose(evidence, given, context.now)
  let clean: ((text: string) => string) | undefined
  let leaks = leaksOf(markdownOf(composed, given), sources, context)
  if (given.anonymize && leaks.length > 0) {
    const values = leaks.flatMap(({ value }) => value ?? [])
    evidence = replaceIn(evidence, values)
    clean = replacer(values)
    composed = await compose(evidence, given, context.now)
    leaks = leaksOf(markdownOf(composed, given), sources, context)
  }
  if (given.writer === undefined) return { evidence, composed, leaks }
  const written = await write({ evidence, draft: composed.draft, sources, clean }, given, context)
  return {
    evidence,
    composed: withStory(composed, written),
    leaks: leaksOf(written.text, sources, context),
  }
}

/** The text of a draft in Markdown, whatever its format. */
const markdownOf = ({ draft, text }: Composed, { format }: DevlogInput): string =>
  format === 'md' ? text : draftMarkdown(draft)

/** A written text instead of the draft. */
function withStory(composed: Composed, { text, tokens, asked, findings }: Written): Composed {
  const budget = composed.budget && { ...composed.budget, used: tokens }
  return { ...composed, text, budget, facts: { asked, findings } }
}

/** A writer writes Markdown about a draft. */
function refuseCombinations({ writer, strict, format, evidence }: DevlogInput): void {
  const refuse = (what: string, wayOut: string): never => {
    throw new ScrollbackError('bad-option', what, wayOut)
  }
  if (writer === undefined && strict)
    refuse('--strict needs --writer', 'A draft without a writer only quotes.')
  if (writer !== undefined && format === 'html')
    refuse('--writer and --format html exclude each other', 'A writer writes Markdown.')
  if (writer !== undefined && evidence)
    refuse('--writer and --evidence exclude each other', 'The writer is given the evidence anyway.')
}

const selectionJson = ({ rows }: Sources): DevlogAnswer['selection'] =>
  rows.map(({ session, isIn, main, why }) => ({
    ...{ id: session.id, path: session.path, isIn, main, why, title: session.title ?? null },
    startedAt: session.startedMs === undefined ? null : new Date(session.startedMs).toISOString(),
  }))

function reportOf(
  { span, coverage, sessions, files }: Evidence,
  { draft, text, budget, facts }: Composed,
  { format }: DevlogInput,
): DevlogAnswer['report'] {
  const plain = format === 'html' ? text.replace(/<style>[\s\S]*?<\/style>|<[^>]+>/g, ' ') : text
  return {
    ...{
      title: draft.title,
      words: countWords(plain),
      citations: facts ? citedIn(text) : citationsIn(draft),
    },
    ...{ sessions: sessions.length, coverage, span },
    keyFiles: files.slice(0, MOST_KEY_FILES).map(({ path }) => shortPath(path)),
    ...(budget ? { budget } : {}),
  }
}

/** The number of footnotes of a written text. */
const citedIn = (text: string): number => text.match(/^\[\^\d+\]:/gm)?.length ?? 0

/** The text goes to standard output, so the findings are reported as notes. */
function noteLeaks(leaks: readonly Leak[], context: Context): void {
  if (leaks.length === 0) return
  const shown = leaks.map(({ kind, value, times }) => `  ${kind}: ${value ?? '(not shown)'}, ${times}`)
  context.note(['Before you publish this, look at (replace all of them: --anonymize)', ...shown].join('\n'))
}

function noteFacts(facts: NonNullable<DevlogAnswer['facts']>, context: Context): void {
  if (facts.findings.length === 0) return
  context.note([...factsText(facts, undefined)].join('').trim())
}
