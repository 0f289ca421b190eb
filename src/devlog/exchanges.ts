import type { Item } from '../model/session.ts'
import { oneLine } from '../render/markdown.ts'
import { commandKind } from './commands.ts'
import { countWords } from './sentences.ts'
import {
  type Call,
  callsOf,
  failed,
  isCommand,
  isEdit,
  type SourceSession,
  shownPath,
  turnsOf,
} from './turns.ts'

/**
 * A prompt that says something, and everything up to the next one. A prompt that says nothing continues the
 * exchange before it.
 */
export interface Exchange {
  source: SourceSession
  prompt: Item
  /** In ms. */
  at: number
  end: number
  /** The same prompt came before, so often that it is a template. */
  repeats: boolean
  calls: Call[]
  /** The messages of the agent but the last. */
  messages: Item[]
  /** The last message of the agent before the human says something again. */
  conclusion: Item | undefined
  /** The marker of a compaction. */
  compacted: Item | undefined
  /** Prompts in it that say nothing, and messages of programs. */
  counted: { empty: number; program: number }
}

/** What people type to go on, in the languages that they use most. It says nothing about the work. */
const GO_ON =
  /^(?:(?:please |just |ok(?:ay)?,? )?(?:keep going|continue|go on|carry on|proceed|resume|next)(?: please)?|exit|quit|clear|test|warm ?up|hi|hello|hey|(?:mach(?:e)? )?weiter(?: so)?|sigue|continúa|continua|continue[rz]?|vas-y|继续|繼續|接着|続けて|계속)[\s.!。！]*$/i
const CLIENT = /^(?:\/[\w:-]+\s*$|! ?\S)/

/** Whether a prompt says nothing: a mark, a command of the client or of the shell, an order to go on. */
const isEmptyPrompt = (text: string | undefined): boolean =>
  text !== undefined && (CLIENT.test(text.trim()) || !/[\p{L}\p{N}]/u.test(text) || GO_ON.test(text.trim()))

/** Prompts that occur this often are templates. */
const TEMPLATE = 3
const TEMPLATE_LENGTH = 200
/** Short answers such as "yes" repeat anyway. */
const LEAST_TEMPLATE_WORDS = 6

const templateKey = (text: string | undefined): string | undefined =>
  text !== undefined && countWords(text) >= LEAST_TEMPLATE_WORDS
    ? oneLine(text).slice(0, TEMPLATE_LENGTH).replace(/\d+/g, 'n').toLowerCase()
    : undefined

/** The exchanges of main sessions, session by session. */
export function exchangesOf(sources: readonly SourceSession[]): Exchange[] {
  const exchanges = sources.filter(({ main }) => main).flatMap(exchangesIn)
  const times = new Map<string, number>()
  for (const { prompt } of exchanges) {
    const key = templateKey(prompt.text)
    if (key !== undefined) times.set(key, (times.get(key) ?? 0) + 1)
  }
  const known = new Set<string>()
  for (const exchange of exchanges) {
    const key = templateKey(exchange.prompt.text)
    if (key === undefined || times.get(key)! < TEMPLATE) continue
    exchange.repeats = known.has(key)
    known.add(key)
  }
  return exchanges
}

function exchangesIn(source: SourceSession): Exchange[] {
  const exchanges: Exchange[] = []
  const calls = Map.groupBy(callsOf(source), ({ prompt }) => prompt)
  // What comes before the first exchange is counted in it.
  let before = { empty: 0, program: 0 }
  for (const { prompt, items, at, end, compacted } of turnsOf(source)) {
    const begins = exchanges.length === 0 && calls.has(prompt)
    const isNew = prompt.who === 'human' && (begins || !isEmptyPrompt(prompt.text))
    if (isNew) {
      exchanges.push({
        source,
        prompt,
        at,
        end,
        repeats: false,
        calls: [],
        messages: [],
        conclusion: undefined,
        compacted: undefined,
        counted: before,
      })
      before = { empty: 0, program: 0 }
    }
    const exchange = exchanges.at(-1)
    if (!isNew) (exchange?.counted ?? before)[prompt.who === 'human' ? 'empty' : 'program']++
    if (!exchange) continue
    exchange.end = Math.max(exchange.end, end)
    exchange.compacted ??= compacted
    for (const call of calls.get(prompt) ?? []) exchange.calls.push(call)
    const replies = items.filter(({ who, text }) => who === 'agent' && text?.trim())
    if (replies.length === 0) continue
    if (exchange.conclusion) exchange.messages.push(exchange.conclusion)
    for (const reply of replies.slice(0, -1)) exchange.messages.push(reply)
    exchange.conclusion = replies.at(-1)
  }
  return exchanges
}

const MOST_TOOLS = 6
const COMMAND_LENGTH = 60

/** The calls of an exchange in one line: `Edit src/a.ts (3), Read (2), ran npm test (2, 1 failed)`. */
export function callsLine({ calls, source }: Pick<Exchange, 'calls' | 'source'>): string {
  const groups = new Map<string, { count: number; failed: number }>()
  for (const call of calls) {
    const name = nameOf(call, source)
    const group = groups.get(name) ?? { count: 0, failed: 0 }
    group.count++
    if (failed(call)) group.failed++
    groups.set(name, group)
  }
  const rows = [...groups].sort((a, b) => rank(b[0]) - rank(a[0]) || b[1].count - a[1].count)
  const rest = rows.slice(MOST_TOOLS).reduce((sum, [, { count }]) => sum + count, 0)
  return [
    ...rows.slice(0, MOST_TOOLS).map(([name, { count, failed: bad }]) => {
      const figures = [...(count > 1 ? [`${count}`] : []), ...(bad > 0 ? [`${bad} failed`] : [])]
      return figures.length > 0 ? `${name} (${figures.join(', ')})` : name
    }),
    ...(rest > 0 ? [`${rest} more`] : []),
  ].join(', ')
}

const rank = (name: string): number => (/^(?:Read|Grep|Glob|LS|read|looked)/.test(name) ? 0 : 1)

function nameOf(call: Call, { session }: SourceSession): string {
  if (isEdit(call)) return `${call.name} ${shownPath(call.target, session)}`
  if (!isCommand(call)) return call.name
  const kind = commandKind(call.target)
  if (kind === 'look') return 'looked around'
  const line = oneLine(call.target.replace(/^(?:cd\s+\S+\s*(?:&&|;)\s*)+/, ''))
  return kind === 'commit' ? 'git commit' : `ran ${line.slice(0, COMMAND_LENGTH).toWellFormed()}`
}
