import { oneLine } from '../render/markdown.ts'
import { cite } from './citation.ts'
import { reportedError } from './commands.ts'
import { reactionOf } from './dynamics.ts'
import type { Citation, CommitEvidence, Dynamic, ErrorEvidence, HardPart, Phase } from './evidence.ts'
import { countWords, proseOf, sentencesOf, shortTitle } from './sentences.ts'
import { isEdit, type Turn } from './turns.ts'

const WORD = /[\p{L}\p{N}_./-]{4,}/gu
/** Pairs of characters stand for words in scripts without spaces. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/gu
const MAYBE_DENSE = /[\u3040-\u9fff]/
const SEARCHED = 2000
const COMMON = new Set(
  'about after again also another because been before being both came cannot could does done each else even every file files first from good have here into just like look made make more most much need next only other over please really same should show some still such sure take than thank thanks that their them then there these they thing think this those time under update using very want well were what when where which while will with work would write your aber alle auch beim bitte dann dass dein diese einen eine einem einer gibt haben hast kann machen mach mehr mein nicht noch oder schon sein sich sind soll über warum wenn werden wird para pero este esta esto como cuando donde todo todos hace hacer favor'.split(
    ' ',
  ),
)

/** The words of a text that tell topics apart. */
function keywordsOf(text: string): Set<string> {
  const searched = text.slice(0, SEARCHED).toLowerCase()
  const dense = MAYBE_DENSE.test(searched) ? (searched.match(DENSE) ?? []) : []
  const words = [...(searched.match(WORD) ?? []), ...dense]
  return new Set(words.filter((word) => !COMMON.has(word)))
}

/** Consecutive turns that belong together. */
interface Segment {
  turns: Turn[]
  /** The changed files and their folders. */
  files: Set<string>
  folders: Set<string>
  words: Set<string>
}

const HOUR = 3_600_000
/** From this score on, a new segment begins. */
const CUT = 0.8
const COMPACTION = 0.5
const OTHER_FILES = 0.4
const OTHER_WORDS = 0.2
const OTHER_SESSION = 0.4
/** A prompt with fewer words says nothing about its topic. */
const LEAST_KEYWORDS = 4

const filesOf = ({ items }: Turn): string[] =>
  items.flatMap(({ who, tool }) =>
    who === 'tool' && tool?.target && isEdit({ name: tool.name, target: tool.target }) ? tool.target : [],
  )

const folderOf = (path: string): string =>
  path.slice(0, Math.max(0, path.lastIndexOf('/'), path.lastIndexOf('\\')))

/** The files and words of a turn, which are compared several times. */
interface Traits {
  files: ReadonlySet<string>
  words: ReadonlySet<string>
}

const known = new WeakMap<Turn, Traits>()

function traitsOf(turn: Turn): Traits {
  let traits = known.get(turn)
  if (!traits) {
    traits = { files: new Set(filesOf(turn)), words: keywordsOf(turn.prompt.text ?? '') }
    known.set(turn, traits)
  }
  return traits
}

function segmentOf(turn: Turn): Segment {
  const { files, words } = traitsOf(turn)
  const folders = new Set([...files].map(folderOf))
  return { turns: [turn], files: new Set(files), folders, words: new Set(words) }
}

/** Adds a later segment to an earlier one. */
function append(segment: Segment, later: Segment): void {
  for (const turn of later.turns) segment.turns.push(turn)
  for (const path of later.files) segment.files.add(path)
  for (const folder of later.folders) segment.folders.add(folder)
  for (const word of later.words) segment.words.add(word)
}

/** One segment of consecutive turns. */
function joined([first, ...rest]: readonly Turn[]): Segment {
  const segment = segmentOf(first!)
  for (const later of rest) append(segment, segmentOf(later))
  return segment
}

/** Looks up the members of the smaller set in the larger one. */
function areDisjoint(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  for (const member of small) if (large.has(member)) return false
  return true
}

function pauseScore(ms: number): number {
  if (ms > 12 * HOUR) return 0.8
  if (ms > 4 * HOUR) return 0.6
  if (ms > HOUR) return 0.4
  return ms > HOUR / 2 ? 0.2 : 0
}

/**
 * How much speaks for a new phase between two segments: a pause, other files, other words, another session.
 */
function boundary(before: Segment, after: Segment): number {
  const [first] = after.turns
  const last = before.turns.at(-1)!
  const movesOn =
    before.files.size > 0 &&
    after.files.size > 0 &&
    areDisjoint(before.folders, after.folders) &&
    areDisjoint(before.files, after.files)
  const newWords = after.words.size >= LEAST_KEYWORDS && areDisjoint(before.words, after.words)
  return (
    pauseScore(first!.at - last.end) +
    (first!.compacted ? COMPACTION : 0) +
    (movesOn ? OTHER_FILES : 0) +
    (newWords ? OTHER_WORDS : 0) +
    (first!.source === last.source ? 0 : OTHER_SESSION)
  )
}

/** Cuts the turns of one session. A prompt of a program does not begin a phase. */
function segmentsOf(turns: readonly Turn[]): Segment[] {
  const segments: Segment[] = []
  for (const turn of turns) {
    const current = segments.at(-1)
    const next = segmentOf(turn)
    const isNew = turn.prompt.who === 'human' && current && boundary(current, next) >= CUT
    if (!current || isNew) segments.push(next)
    else append(current, next)
  }
  return segments
}

/**
 * Joins segments of consecutive sessions where nothing speaks for a new phase, then the neighbors with the
 * weakest boundary until there are few enough. Segments are in chronological order and are changed.
 */
function joinSegments(segments: readonly Segment[], most: number): Segment[] {
  const parts: Segment[] = []
  for (const segment of segments) {
    const before = parts.at(-1)
    if (before && boundary(before, segment) < CUT) append(before, segment)
    else parts.push(segment)
  }
  /** The score of the boundary before each segment but the first. */
  const scores = parts.slice(1).map((segment, index) => boundary(parts[index]!, segment))
  while (parts.length > most) {
    let weakest = 0
    for (let at = 1; at < scores.length; at++) if (scores[at]! < scores[weakest]!) weakest = at
    append(parts[weakest]!, parts[weakest + 1]!)
    parts.splice(weakest + 1, 1)
    scores.splice(weakest, 1)
    for (const at of [weakest - 1, weakest])
      if (at >= 0 && at < scores.length) scores[at] = boundary(parts[at]!, parts[at + 1]!)
  }
  return parts
}

/** A segment with more turns is split where the work changes most. */
const LONGEST = 12
/** Turns on both sides of a boundary that are compared. */
const WINDOW = 4
const LEAST_PART = 3
const LEAST_CHANGE = 0.5
const FILES_CHANGE = 0.6
const FIRST_FILES = 0.6
const WORDS_CHANGE = 0.2

/** Splits a long segment in which no pause or compaction marks a boundary, where its files change most. */
function splitLong(segment: Segment): Segment[] {
  const { turns } = segment
  if (turns.length <= LONGEST) return [segment]
  let best = { at: -1, score: LEAST_CHANGE }
  for (let at = LEAST_PART; at <= turns.length - LEAST_PART; at++) {
    // A phase begins with words of the human that say something.
    if (turns[at]!.prompt.who !== 'human') continue
    const before = turns.slice(Math.max(0, at - WINDOW), at)
    const after = turns.slice(at, at + WINDOW)
    const files = fileChange(before, after)
    // Words are only compared where they can decide.
    const score = files + WORDS_CHANGE < best.score ? files : files + wordChange(before, after)
    // Of equal boundaries, the one nearest to the middle makes the more even parts.
    const isNearer = Math.abs(at - turns.length / 2) < Math.abs(best.at - turns.length / 2)
    if (score > best.score || (score === best.score && best.at >= 0 && isNearer)) best = { at, score }
  }
  if (best.at < 0) return [segment]
  return [turns.slice(0, best.at), turns.slice(best.at)].flatMap((part) => splitLong(joined(part)))
}

/** How much the files of two windows differ. They count by the share that both have. */
function fileChange(before: readonly Turn[], after: readonly Turn[]): number {
  const [old, own] = [before, after].map(
    (turns) => new Set(turns.flatMap((turn) => [...traitsOf(turn).files])),
  )
  if (old!.size === 0) return own!.size > 1 ? FIRST_FILES : 0
  return own!.size === 0 ? 0 : FILES_CHANGE * (1 - shareOf(old!, own!))
}

/** Whether two windows have no word in common. */
function wordChange(before: readonly Turn[], after: readonly Turn[]): number {
  const own = after.map((turn) => traitsOf(turn).words).filter(({ size }) => size > 0)
  const isOther = before.every((turn) => own.every((words) => areDisjoint(traitsOf(turn).words, words)))
  return own.length > 0 && isOther ? WORDS_CHANGE : 0
}

/** The share of the smaller set that is also in the larger one. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let count = 0
  for (const each of small) if (large.has(each)) count++
  return small.size === 0 ? 0 : count / small.size
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
  dynamics: readonly Dynamic[]
  errors: readonly ErrorEvidence[]
  commits: readonly CommitEvidence[]
}

/** The time line of main sessions, cut into phases. The turns of a session are in order. */
export function phasesOf(sessions: readonly (readonly Turn[])[], happened: Happened): Phase[] {
  const segments = sessions
    .flatMap(segmentsOf)
    .filter(({ turns }) => turns.some(({ prompt }) => prompt.who === 'human'))
    .sort((a, b) => a.turns[0]!.at - b.turns[0]!.at)
  const counts = new Map(sessions.map((turns) => [turns[0]?.source, turns.length]))
  const parts = joinSegments(segments, MOST_PHASES)
  // With many phases, splitting would exceed the limit.
  const smaller = parts.length > MOST_PHASES / 2 ? parts : parts.flatMap(splitLong)
  return (smaller.length <= MOST_PHASES ? smaller : parts).map((segment) =>
    phaseOf(segment, counts, happened),
  )
}

function phaseOf(
  { turns }: Segment,
  counts: ReadonlyMap<Turn['source'] | undefined, number>,
  { dynamics, errors, commits }: Happened,
): Phase {
  const edits = new Map<string, number>()
  for (const { items } of turns)
    for (const { tool } of items)
      if (tool?.target && isEdit({ name: tool.name, target: tool.target }))
        edits.set(tool.target, (edits.get(tool.target) ?? 0) + 1)
  const contains = spanOf(turns)
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
