import { estimateTokens } from '../condense/tokens.ts'
import type { Steps } from '../model/iteration.ts'
import { quoteMarkdown } from '../render/markdown.ts'
import { counted } from '../render/table.ts'
import { printable } from '../render/terminal.ts'
import { cite, markOf } from './citation.ts'
import type { Citation, Dynamic, Evidence } from './evidence.ts'
import { callsLine, type Exchange, exchangesOf } from './exchanges.ts'
import {
  type BriefOptions,
  type FrameOptions,
  frameOf,
  nameIn,
  type Part,
  plainIn,
  spanOf,
  titleOf,
} from './frame.ts'
import { countWords, cutText, GAP, shortTitle } from './sentences.ts'
import { COURSE, days } from './summary.ts'
import type { SourceSession } from './turns.ts'

/** What a story is written from, in Markdown. */
export interface Brief {
  /** The number of the part, from 1, or 0 for the whole project. */
  part: number
  title: string
  from: string
  to: string
  tokens: number
  /** How much of the messages is in it: those shown whole, those cut, and those left out. */
  messages: { whole: number; cut: number; leftOut: number }
  text: string
}

/** The budget is too small for the guide and a few messages. */
export class BudgetTooSmall extends Error {}

/** A project is also told in parts if its messages exceed the room in one brief this many times. */
const MOST_CUT = 1.5
const MOST_PARTS = 12
/** Trials until the text fits exactly. */
const TRIALS = 12
/** Less room, in tokens, is not enough for a message. */
const LEAST_ROOM = 200

/** The brief about the whole selection, and one about each part if much had to be left out, in steps. */
export function* briefsOf(
  sources: readonly SourceSession[],
  evidence: Evidence,
  options: BriefOptions,
): Steps<Brief[]> {
  const own = evidenceBySession(evidence)
  const exchanges: Pieces[] = []
  for (const exchange of exchangesOf(sources)) {
    exchanges.push(piecesOf(exchange, own, options))
    yield
  }
  const all = exchanges.reduce((sum, each) => sum + each.tokens, 0)
  const { frame = frameOf } = options
  const room = options.budget - estimateTokens(frame([], evidence, options, undefined))
  const parts = Math.min(MOST_PARTS, Math.ceil(all / Math.max(room, 1)))
  const isWhole =
    all <= room * MOST_CUT || parts < 2 || options.chapters !== undefined || options.frame !== undefined
  const groups = isWhole ? [] : partsOf(exchanges, parts, all)
  const briefs = [yield* fitted(exchanges, evidence, { ...options, parts: groups.length }, undefined)]
  for (const [index, part] of groups.entries())
    briefs.push(yield* fitted(part, evidence, options, { number: index + 1, of: groups.length }))
  return briefs
}

/** A message with its length. */
interface Message {
  head: string
  text: string
  tokens: number
}

/** An exchange as pieces of text, with what they cost. */
interface Pieces {
  exchange: Exchange
  human: Message
  conclusion: Message | undefined
  messages: Message[]
  /** Lines of ours about calls, errors, commits. */
  calls: string
  events: string[]
  /** Tokens of those lines, and of everything but the other messages. */
  lines: number
  tokens: number
  importance: number
}

/** Tokens of a message's head. */
const HEAD = 24
const ERROR_LENGTH = 160
const LEAST_DETAILED = 2
const MOST_COMMITS = 3

/** The lists of the evidence that exchanges are told with, by the ids of sessions. */
type OwnEvidence = (session: string) => Pick<Evidence, 'dynamics' | 'commits' | 'errors'>

function evidenceBySession({ dynamics, commits, errors }: Evidence): OwnEvidence {
  const own = {
    dynamics: Map.groupBy(dynamics, ({ citations }) => citations[0]!.session),
    commits: Map.groupBy(commits, ({ commit }) => commit.session),
    errors: Map.groupBy(errors, ({ error }) => error.session),
  }
  return (session) => ({
    dynamics: own.dynamics.get(session) ?? [],
    commits: own.commits.get(session) ?? [],
    errors: own.errors.get(session) ?? [],
  })
}

function piecesOf(exchange: Exchange, evidenceOf: OwnEvidence, options: BriefOptions): Pieces {
  const { source, prompt, conclusion, messages, repeats, compacted, counted: skipped } = exchange
  const { clean = (text: string) => text } = options
  const session = source.session
  const mark = (citation: Citation): string => markOf(citation, options.nameOf)
  const message = (speaker: string, item: Exchange['prompt']): Message => {
    const text = quotable(clean(item.text ?? item.media?.map((name) => `[${name}]`).join(' ') ?? ''))
    const at = item.at === undefined ? '' : ` ${timeOf(item.at, source)}`
    return {
      head: `**${speaker}**${at} ${mark(cite(session, item))}`,
      text,
      tokens: estimateTokens(text) + HEAD,
    }
  }
  const human = message('Human', prompt)
  if (repeats) Object.assign(human, { text: '> (the same prompt as before)', tokens: HEAD })
  const to = lastLineOf(exchange)
  const isOwn = ({ line }: Citation): boolean => line >= prompt.line && line <= to
  const evidence = evidenceOf(session.id)
  const dynamics = evidence.dynamics.filter(({ citations }) => isOwn(citations[0]!))
  const commits = evidence.commits.filter(({ commit }) => isOwn(commit))
  const errors = evidence.errors.filter(
    ({ error, times, ending, tool }) =>
      tool !== null && isOwn(error) && (times >= LEAST_DETAILED || ending === 'fixed'),
  )
  const quoted = (text: string): string => `“${plainIn(options, cutText(text, ERROR_LENGTH))}”`
  const events = [
    ...dynamics.flatMap(({ kind, detail, citations }) =>
      kind === 'course' && detail !== null ? [`- ${COURSE[detail] ?? detail} ${mark(citations[0]!)}`] : [],
    ),
    ...errors.map(
      ({ error, times, ending }) =>
        `- error${times > 1 ? `, ${times} times` : ''}, ${ENDING[ending]}: ${quoted(error.quote)} ${mark(error)}`,
    ),
    ...(commits.length > 0
      ? [
          `- ${counted(commits.length, 'commit')}: ${commits
            .slice(0, MOST_COMMITS)
            .map(({ subject, commit }) => `${quoted(subject)} ${mark(commit)}`)
            .join(', ')}${commits.length > MOST_COMMITS ? ` and ${commits.length - MOST_COMMITS} more` : ''}`,
        ]
      : []),
    ...(compacted ? [`- the session was compacted here ${mark(cite(session, compacted))}`] : []),
    ...(skipped.empty + skipped.program > 0
      ? [
          `- ${[
            ...(skipped.empty > 0 ? [`${counted(skipped.empty, 'prompt')} to go on`] : []),
            ...(skipped.program > 0 ? [`${counted(skipped.program, 'message')} of programs`] : []),
          ].join(', ')}`,
        ]
      : []),
  ]
  const line = callsLine(exchange)
  const calls = line === '' ? '' : `- tools: ${plainIn(options, line)}`
  const pieces = {
    exchange,
    human,
    calls,
    events,
    conclusion: conclusion && message('Agent', conclusion),
    messages: messages.map((each) => message('Agent', each)),
    importance: importanceOf(exchange, dynamics, commits.length, errors.length),
  }
  const lines = estimateTokens([calls, ...events].join('\n'))
  return { ...pieces, lines, tokens: human.tokens + (pieces.conclusion?.tokens ?? 0) + lines }
}

/** The time of day, with the day if it is not that of the session's heading. */
function timeOf(at: number, { session }: SourceSession): string {
  const time = new Date(at).toISOString()
  const first = new Date(session.startedMs ?? at).toISOString()
  return `${time.slice(0, 10) === first.slice(0, 10) ? '' : `${time.slice(0, 10)} `}${time.slice(11, 16)}`
}

const ENDING = {
  fixed: 'then it worked',
  'still-failing': 'not solved',
  'not-repeated': 'not tried again',
} as const

function lastLineOf({ conclusion, calls, messages, prompt }: Exchange): number {
  const last = calls.at(-1)
  return Math.max(
    prompt.line,
    conclusion?.line ?? 0,
    messages.at(-1)?.line ?? 0,
    last?.item.line ?? 0,
    last?.error?.line ?? 0,
  )
}

/** Text of a transcript as a quotation, in which nothing looks like a mark or a heading of ours. */
const quotable = (text: string): string => quoteMarkdown(printable(text.trim()).replaceAll('[^', '\\[^'))

/** How much a story would miss an exchange. */
function importanceOf(
  { prompt, repeats, compacted, calls }: Exchange,
  dynamics: readonly Dynamic[],
  commits: number,
  errors: number,
): number {
  const words = countWords(prompt.text ?? '')
  const kinds = new Set(dynamics.map(({ kind }) => kind))
  return (
    Math.min(3, words / 40) +
    (kinds.has('correction') ? 4 : 0) +
    (kinds.has('course') ? 4 : 0) +
    (kinds.has('debugging') || errors > 0 ? 2 : 0) +
    (kinds.has('agreement') ? 1 : 0) +
    (commits > 0 ? 2 : 0) +
    (compacted ? 1 : 0) +
    Math.min(1, calls.length / 20) -
    (repeats ? 4 : 0)
  )
}

/** Cuts exchanges into parts of about the same length, where a session or a day ends if one does nearby. */
function partsOf(exchanges: readonly Pieces[], count: number, all: number): Pieces[][] {
  const size = all / count
  const parts: Pieces[][] = [[]]
  let filled = 0
  for (const [index, each] of exchanges.entries()) {
    const before = exchanges[index - 1]
    const current = parts.at(-1)!
    const isBoundary =
      before &&
      (before.exchange.source !== each.exchange.source ||
        each.exchange.at - before.exchange.end > 6 * 3_600_000)
    const isFull = filled >= size * 1.25 || (isBoundary && filled >= size * 0.75)
    if (isFull && current.length > 0 && parts.length < count) {
      parts.push([])
      filled = 0
    }
    parts.at(-1)!.push(each)
    filled += each.tokens
  }
  return parts
}

/** Finds the largest text within the budget. */
function* fitted(
  exchanges: readonly Pieces[],
  evidence: Evidence,
  options: FrameOptions,
  part: Part | undefined,
): Steps<Brief> {
  const { budget, frame: framed = frameOf } = options
  const all = exchanges.map(({ exchange }) => exchange)
  const frame = estimateTokens(framed(all, evidence, options, part))
  if (frame + (exchanges.length > 0 ? LEAST_ROOM : 0) > budget) throw new BudgetTooSmall()
  const compose = (room: number): { text: string; messages: Brief['messages'] } => {
    const { lines, messages } = conversationOf(exchanges, room, options)
    return { text: framed(all, evidence, options, part, lines.join('\n\n')), messages }
  }
  let [low, high] = [0, (budget - frame) * 2]
  let best = compose(high)
  let tokens = estimateTokens(best.text)
  if (tokens > budget) {
    best = compose(0)
    tokens = estimateTokens(best.text)
    for (let trial = 0; trial < TRIALS && tokens < budget * 0.99; trial++) {
      const room = (low + high) / 2
      const tried = compose(room)
      yield
      const used = estimateTokens(tried.text)
      if (used > budget) high = room
      else {
        low = room
        best = tried
        tokens = used
      }
    }
    if (tokens > budget) throw new BudgetTooSmall()
  }
  const [from, to] = spanOf(all)
  return { part: part?.number ?? 0, title: titleOf(evidence, options, part), from, to, tokens, ...best }
}

/** The shortest message that still says something, in tokens. */
const LEAST_MESSAGE = 40
const HUMAN_SHARE = 0.6

/**
 * The conversation in about so many tokens. All messages of the human and conclusions of the agent are whole
 * if there is room, and then the agent's other messages. If not, the longest are cut first; if even short
 * ones exceed the room, the least important exchanges are left out.
 */
function conversationOf(
  exchanges: readonly Pieces[],
  room: number,
  options: BriefOptions,
): { lines: string[]; messages: Brief['messages'] } {
  const shown = mostImportant(exchanges, room)
  let rest = room - [...shown].reduce((sum, each) => sum + each.lines + 2 * HEAD, 0)
  const human = [...shown].map((each) => each.human.tokens - HEAD)
  const ends = [...shown].map((each) => (each.conclusion ? each.conclusion.tokens - HEAD : 0))
  const more = [...shown].flatMap((each) => each.messages)
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  const forHuman = Math.min(sum(human), Math.max(rest * HUMAN_SHARE, rest - sum(ends)))
  const humanCap = capFor(human, forHuman)
  rest -= forHuman
  const endCap = capFor(ends, Math.min(sum(ends), rest))
  rest -= Math.min(sum(ends), rest)
  const others = new Set<Message>()
  for (const message of more.sort((a, b) => a.tokens - b.tokens)) {
    if (message.tokens > rest) break
    rest -= message.tokens
    others.add(message)
  }
  const figures = { whole: 0, cut: 0, leftOut: more.length - others.size }
  const text: string[] = []
  let skipped: Pieces[] = []
  let source: SourceSession | undefined
  const say = ({ head, text: words, tokens }: Message, cap: number): string => {
    const isWhole = tokens - HEAD <= cap
    figures[isWhole ? 'whole' : 'cut']++
    return `${head}\n${isWhole ? words : cutQuotation(words, (words.length * cap) / Math.max(tokens - HEAD, 1))}`
  }
  const skip = (): void => {
    if (skipped.length > 0) text.push(leftOutLine(skipped))
    skipped = []
  }
  for (const each of exchanges) {
    const { exchange } = each
    if (!shown.has(each)) {
      if (skipped.length > 0 && skipped[0]!.exchange.source !== exchange.source) skip()
      skipped.push(each)
      figures.leftOut += each.conclusion ? 2 : 1
      continue
    }
    skip()
    if (exchange.source !== source) {
      source = exchange.source
      text.push(sessionHeading(source, source.session.startedMs ?? exchange.at, options))
    }
    text.push(say(each.human, humanCap))
    const notes = [each.calls, ...each.events].filter(Boolean).join('\n')
    for (const message of each.messages) if (others.has(message)) text.push(say(message, Infinity))
    if (notes) text.push(notes)
    if (each.conclusion) text.push(say(each.conclusion, endCap))
  }
  skip()
  return { lines: text, messages: figures }
}

/** The exchanges that are shown: all of them, or the most important that fit with short messages. */
function mostImportant(exchanges: readonly Pieces[], room: number): Set<Pieces> {
  const least = (each: Pieces): number =>
    Math.min(each.human.tokens, LEAST_MESSAGE + HEAD) +
    Math.min(each.conclusion?.tokens ?? 0, LEAST_MESSAGE + HEAD) +
    each.lines
  const shown = new Set<Pieces>()
  const bonus = new Map<Pieces, number>()
  for (const own of Map.groupBy(exchanges, ({ exchange }) => exchange.source).values()) {
    // How a session begins and ends says what it was about.
    bonus.set(own[0]!, 2)
    bonus.set(own.at(-1)!, Math.max(bonus.get(own.at(-1)!) ?? 0, 1.5))
  }
  const ranked = [...exchanges].sort(
    (a, b) => b.importance + (bonus.get(b) ?? 0) - (a.importance + (bonus.get(a) ?? 0)),
  )
  let used = 0
  for (const each of ranked) {
    const cost = least(each)
    if (used + cost > room) continue
    used += cost
    shown.add(each)
  }
  return shown
}

/** The length to which messages are cut so that together they have so many tokens. */
function capFor(lengths: readonly number[], room: number): number {
  let rest = room
  const sorted = [...lengths].sort((a, b) => a - b)
  for (const [index, length] of sorted.entries()) {
    const share = rest / (sorted.length - index)
    if (length > share) return share
    rest -= length
  }
  return Infinity
}

/** Cuts the middle out of a quotation, between lines or words. */
function cutQuotation(text: string, length: number): string {
  const head = text.slice(0, Math.ceil(length * 0.65))
  const tail = text.slice(text.length - Math.floor(length * 0.3))
  const from = head.slice(0, Math.max(head.search(/\S*$/), 1)).trimEnd()
  const to = tail.slice(Math.max(tail.search(/\s/), 0)).replace(/^[\s>]+/, '')
  // A fence that was opened in what is shown must not swallow the rest.
  const fences = from.match(/^> {0,4}(?:`{3,}|~{3,})/gm)?.length ?? 0
  return `${from.replace(/\n>?\s*$/, '')}${fences % 2 === 1 ? '\n> ```\n>' : ''} ${GAP}\n> ${to}`.toWellFormed()
}

function leftOutLine(skipped: readonly Pieces[]): string {
  const calls = skipped.reduce((sum, { exchange }) => sum + exchange.calls.length, 0)
  const [from, to] = spanOf(skipped.map(({ exchange }) => exchange))
  return `*Left out here: ${counted(skipped.length, 'exchange')}, ${counted(calls, 'tool call')}, ${days(from, to)}.*`
}

function sessionHeading(
  { session, project }: SourceSession,
  at: number,
  options: Pick<BriefOptions, 'clean' | 'nameOf'>,
): string {
  const title = shortTitle(session.annotation?.name ?? session.title ?? 'Untitled', 60)
  const owner = project === undefined ? '' : ` in ${nameIn(options, project)}`
  return `### ${new Date(at).toISOString().slice(0, 10)} · ${nameIn(options, title)} · session ${options.nameOf(session.id)}${owner}`
}
