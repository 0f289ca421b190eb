import { append } from '../model/iteration.ts'
import { filesWritten } from '../model/written-files.ts'
import { oneLine } from '../render/markdown.ts'
import { cite } from './citation.ts'
import { reportedError } from './commands.ts'
import { reactionOf } from './dynamics.ts'
import type { Citation, CommitEvidence, Dynamic, ErrorEvidence, HardPart, Phase } from './evidence.ts'
import { countWords, proseOf, sentencesOf, shortTitle } from './sentences.ts'
import { type Call, failed, isEdit, type Turn } from './turns.ts'

const HOUR = 3_600_000
/** From this pause on, a new phase begins. A compaction and another session count like a pause. */
const CUT = 4 * HOUR
const COMPACTION = 3 * HOUR
const OTHER_SESSION = 2 * HOUR

/** How much speaks for a new phase between two turns, as a pause in ms. */
const boundary = (before: Turn, after: Turn): number =>
  Math.max(0, after.at - before.end) +
  (after.compacted ? COMPACTION : 0) +
  (after.source === before.source ? 0 : OTHER_SESSION)

/** Cuts the turns of one session. A prompt of a program does not begin a phase. */
function segmentsOf(turns: readonly Turn[]): Turn[][] {
  const segments: Turn[][] = []
  for (const turn of turns) {
    const before = segments.at(-1)?.at(-1)
    if (!before || (turn.prompt.who === 'human' && boundary(before, turn) >= CUT)) segments.push([turn])
    else segments.at(-1)!.push(turn)
  }
  return segments
}

/**
 * Joins segments of consecutive sessions where nothing speaks for a new phase, then the neighbors with the
 * weakest boundary until there are few enough. Segments are in chronological order.
 */
function joinSegments(segments: readonly (readonly Turn[])[], most: number): Turn[][] {
  const scores = segments
    .slice(1)
    .map((later, at) => ({ at: at + 1, score: boundary(segments[at]!.at(-1)!, later[0]!) }))
  const excess = segments.length - most
  const weak = scores
    .toSorted((one, other) => one.score - other.score)
    .filter(({ score }, rank) => rank < excess || score < CUT)
  const joined = new Set(weak.map(({ at }) => at))
  const parts: Turn[][] = []
  for (const [at, turns] of segments.entries())
    if (joined.has(at)) append(parts.at(-1)!, turns)
    else parts.push([...turns])
  return parts
}

/** A phase with more turns is split. */
const LONGEST = 12
const LEAST_PART = 3

/** Splits long phases, unless there would be too many. A split takes time in proportion to the phase. */
function splitLong(phases: readonly Turn[][]): readonly Turn[][] {
  const open = phases.toReversed()
  const done: Turn[][] = []
  for (let turns = open.pop(); turns; turns = open.pop()) {
    const at = longestPause(turns)
    if (at === undefined) done.push(turns)
    else open.push(turns.slice(at), turns.slice(0, at))
    if (done.length + open.length > MOST_PHASES) return phases
  }
  return done
}

/** Where a long phase is split: before the turn for which the human paused longest. */
function longestPause(turns: readonly Turn[]): number | undefined {
  if (turns.length <= LONGEST) return undefined
  let longest = { at: -1, pause: -1 }
  for (let at = LEAST_PART; at <= turns.length - LEAST_PART; at++) {
    const pause = turns[at]!.at - turns[at - 1]!.end
    if (turns[at]!.prompt.who === 'human' && pause > longest.pause) longest = { at, pause }
  }
  return longest.at < 0 ? undefined : longest.at
}

const MOST_PHASES = 16
const MOST_FILES = 8
const TITLE = 70
const LEAST_WORDS = 3

/** A command of the client or a word or two says nothing about what was wanted. */
const saysNothing = (text: string | undefined): boolean =>
  !text || /^(?:\/[a-z][\w:-]*\s*$|! ?\S)/.test(text) || countWords(text) < LEAST_WORDS

/** What phases are made of, besides turns. */
interface Happened {
  calls: readonly Call[]
  dynamics: readonly Dynamic[]
  errors: readonly ErrorEvidence[]
  commits: readonly CommitEvidence[]
}

/** The time line of main sessions, cut into phases. The turns of a session are in order. */
export function phasesOf(sessions: readonly (readonly Turn[])[], happened: Happened): Phase[] {
  const segments = sessions
    .flatMap(segmentsOf)
    .filter((turns) => turns.some(({ prompt }) => prompt.who === 'human'))
    .sort((a, b) => a[0]!.at - b[0]!.at)
  const counts = new Map(sessions.map((turns) => [turns[0]?.source, turns.length]))
  const parts = joinSegments(segments, MOST_PHASES)
  // With many phases, splitting would exceed the limit.
  const smaller = parts.length > MOST_PHASES / 2 ? parts : splitLong(parts)
  return smaller.map((turns) => phaseOf(turns, counts, happened))
}

function phaseOf(
  turns: readonly Turn[],
  counts: ReadonlyMap<Turn['source'] | undefined, number>,
  { calls, dynamics, errors, commits }: Happened,
): Phase {
  const edits = new Map<string, number>()
  const contains = spanOf(turns)
  const items = new Set(turns.flatMap((turn) => turn.items))
  for (const call of calls)
    if (items.has(call.item) && isEdit(call) && !failed(call))
      for (const file of filesWritten(call)) edits.set(file, (edits.get(file) ?? 0) + 1)
  const human = turns.filter(({ prompt }) => prompt.who === 'human')
  const first = human.find(({ prompt }) => !saysNothing(prompt.text)) ?? human[0]!
  const end = turns.reduce((latest, turn) => (turn.end > latest.end ? turn : latest))
  const reply = end.items.findLast(({ who, text }) => who === 'agent' && text)
  const own = dynamics.filter(({ citations }) => contains(citations[0]!))
  const failures = errors.filter(({ error }) => contains(error))
  return {
    title: titleOf(turns, first, counts),
    from: new Date(turns[0]!.at).toISOString(),
    to: new Date(end.end).toISOString(),
    sessions: [...new Set(turns.map(({ source }) => source.session.id))],
    turns: turns.length,
    files: [...edits]
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST_FILES)
      .map(([path, count]) => ({ path, edits: count })),
    changedFiles: edits.size,
    errors: failures.length,
    asked: cite(first.source.session, first.prompt),
    result: reply ? cite(end.source.session, reply) : null,
    hardPart: hardPartOf(turns, own, failures),
    commits: commits.filter(({ commit }) => contains(commit)).length,
  }
}

const MOST_CITATIONS = 5
/** One turn of the human is worth several attempts of the agent. */
const TURN = 3

/**
 * What took the most: an error that came back, a repair of several attempts, or turns of the human in a row
 * that correct, report an error or ask for the same again.
 */
function hardPartOf(
  turns: readonly Turn[],
  dynamics: readonly Dynamic[],
  errors: readonly ErrorEvidence[],
): HardPart | null {
  let most: { effort: number; part: HardPart } | undefined
  const consider = (effort: number, why: string, citations: readonly Citation[]): void => {
    if (effort > (most?.effort ?? 1))
      most = { effort, part: { why, citations: citations.slice(0, MOST_CITATIONS) } }
  }
  for (const { ending, times, error, tool } of errors)
    if (ending === 'still-failing' && tool !== null)
      consider(times, `an error that came ${times} times and was not solved`, [error])
  for (const { kind, detail, citations } of dynamics)
    if (kind === 'debugging')
      consider(Number.parseInt(detail!, 10), `an error and its repair: ${detail}`, citations)
  for (const chain of chainsOf(turns)) {
    const [wish, ...more] = chain.map(({ source, prompt }) => cite(source.session, prompt, lead(prompt.text)))
    consider(TURN * more.length, `a request that took ${chain.length} turns`, [wish!, ...more])
  }
  return most?.part ?? null
}

/** The first sentence that says what is wrong or wanted. */
const lead = (text: string | undefined): string | undefined =>
  reportedError(text) ?? reactionOf(text)?.sentence ?? sentencesOf(text)[0]

/** A request of the human and the turns right after it in which they were not satisfied. */
function chainsOf(turns: readonly Turn[]): Turn[][] {
  const chains: Turn[][] = []
  let chain: Turn[] = []
  for (const turn of turns) {
    if (turn.prompt.who !== 'human') continue
    const { text } = turn.prompt
    const before = chain.at(-1)
    const isSame = before && !saysNothing(text) && oneLine(before.prompt.text ?? '') === oneLine(text!)
    const unsatisfied =
      before?.source === turn.source &&
      (isSame || reportedError(text) !== undefined || reactionOf(text)?.kind === 'correction')
    if (unsatisfied) chain.push(turn)
    else {
      chains.push(chain)
      chain = [turn]
    }
  }
  return [...chains, chain].filter(({ length }) => length > 1)
}

/** Whether a citation is within these turns. */
function spanOf(turns: readonly Turn[]): (citation: Citation) => boolean {
  const spans = new Map<string, { from: number; to: number }>()
  for (const { source, prompt, items } of turns) {
    const { path } = source.session
    const to = items.at(-1)?.line ?? prompt.line
    const span = spans.get(path)
    if (!span) spans.set(path, { from: prompt.line, to })
    else spans.set(path, { from: Math.min(span.from, prompt.line), to: Math.max(span.to, to) })
  }
  return ({ path, line }) => {
    const span = spans.get(path)
    return span !== undefined && line >= span.from && line <= span.to
  }
}

/** The title of the session if the phase is all of it, else the beginning of the first prompt. */
function titleOf(
  turns: readonly Turn[],
  { source, prompt }: Turn,
  counts: ReadonlyMap<Turn['source'] | undefined, number>,
): string {
  const own = turns.filter((turn) => turn.source === source)
  const { title, annotation } = source.session
  const given = annotation?.name ?? title
  const isWhole = own.length === turns.length && own.length === counts.get(source)
  if (isWhole && given) return shortTitle(given.replace(/^\[\w+\] /, ''), TITLE)
  // A greeting or a short answer is no title.
  const texts = own.filter(({ prompt: each }) => each.who === 'human').map(({ prompt: each }) => each.text)
  const sentence =
    texts.flatMap(proseOf).find((each) => countWords(each) > LEAST_WORDS) ??
    texts.flatMap(sentencesOf).find((each) => countWords(each) >= LEAST_WORDS) ??
    sentencesOf(texts[0])[0]
  return shortTitle(sentence ?? prompt.media?.[0] ?? 'Without words', TITLE)
}
