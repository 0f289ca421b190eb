import { scannedLines } from '../../context/scanned.ts'
import { isoTime } from '../../context/time.ts'
import { conversationOf } from '../../model/conversation.ts'
import { shownName } from '../../model/hidden.ts'
import { largest } from '../../model/iteration.ts'
import { identityOf } from '../../platforms/identities.ts'
import { agentName } from '../../platforms/identity.ts'
import type { Printed } from '../../render/gate.ts'
import { counted, grouped } from '../../render/table.ts'
import { printableJson, type Screen } from '../../render/terminal.ts'
import { dated, finishSession, titleOf as sessionTitle } from '../../render/text.ts'
import { wantedTerms } from '../../search/match.ts'
import { snippetOf } from '../../search/snippet.ts'
import type { SearchAnswer, SearchHit } from '../../store/search.ts'
import type { StoredMessage, StoredSession } from '../../store/stored.ts'
import { emphasis, fitted, type HitEntry, paint, speakerOf } from '../hit-line.ts'
import type { Found, HitJson } from './ask.ts'
import type { OutputSearch, OutputsOfOne } from './outputs.ts'

/** Yields one hit after another. Hits in tool output are yielded as they are found. */
export function* jsonPieces(found: Found): Generator<Printed> {
  const { query, limit, outputs } = found
  const head = { version: 1, query: query.text, ...headOf(found) }
  yield `${printableJson(JSON.stringify(head, null, 2)).slice(0, -2)},\n  "hits": [`
  let first = true
  const piece = (hit: HitJson): string => {
    const text = `${first ? '' : ','}\n    ${printableJson(JSON.stringify(hit))}`
    first = false
    return text
  }
  for (const hit of hitsOf(found)) yield piece(hit)
  if (outputs) {
    let left = limit
    for (const one of outputs.found(limit)) {
      const hits = outputHits(one, found).slice(0, left)
      left -= hits.length
      // Bytes are written immediately.
      yield Buffer.from(hits.map(piece).join(''))
    }
  }
  yield first ? ']' : '\n  ]'
  yield outputs ? `,\n  "outputs": ${JSON.stringify(outputs.sums)}\n}\n` : '\n}\n'
}

/** What applies to all matches. */
export function headOf(found: Found) {
  const { total, more, widened, relaxed = false, corrected = false, corrections = [] } = found.answer
  return {
    total,
    more,
    widened,
    relaxed,
    ...(found.answer.words && { words: found.answer.words.count }),
    remarks: found.query.remarks,
    ...(found.incomplete && { incomplete: found.incomplete }),
    ...(corrections.length > 0 ? { corrections, corrected } : {}),
    // Distinguishes no matches from nothing to search.
    ...(total === 0 ? { searched: found.searched() } : {}),
  }
}

/** The shown matches, without those in tool output. Loaded lazily. */
export function hitsOf(found: Found): IteratorObject<HitJson> {
  const titles = new Map<string, Titled>()
  const titled = (hit: SearchHit): Titled => {
    let known = titles.get(hit.path)
    if (!known) {
      known = titleOf(found.rowsOf([hit]).get(hit.path), found)
      titles.set(hit.path, known)
    }
    return known
  }
  return Iterator.from(found.answer.hits)
    .take(found.limit)
    .map((hit) => ({ ...storedHit(hit, found), ...titled(hit) }))
}

type Titled = Pick<HitJson, 'title' | 'name'>

/** The title of a session, and the name that the user gave it. */
function titleOf(row: StoredSession | undefined, found: Found): Titled {
  if (!row) return {}
  const { id, title, subagent } = finishSession(row.session)
  const shown = title ?? subagent?.description
  const name = found.ownName(id)
  return { ...(shown === undefined ? {} : { title: shown }), ...(name === undefined ? {} : { name }) }
}

function storedHit(hit: SearchHit, found: Found): HitJson {
  const snippet = snippetOf(shownText(hit), found.query)
  const around = found.around?.(hit)
  const { words } = found.answer
  const reasons = reasonsFor(hit, found.answer)
  return {
    session: hit.session,
    project: hit.project ?? null,
    who: hit.who,
    at: isoTime(hit.at),
    snippet: snippet.text,
    text: hit.text || null,
    path: hit.path,
    line: hit.line,
    offset: hit.offset,
    score: hit.score,
    platform: hit.platform,
    agent: hit.agent,
    tool: toolOf(hit),
    marks: snippet.marks,
    ...(hit.label === undefined ? {} : { label: hit.label }),
    ...(hit.offBranch ? { offBranch: true } : {}),
    ...(hit.copies.length === 0 ? {} : { copies: hit.copies }),
    ...(hit.goneMs === undefined ? {} : { goneSince: isoTime(hit.goneMs)! }),
    ...(words && { words: words.in(hit)?.words ?? words.count }),
    ...(reasons && { by: reasons.by }),
    ...(reasons?.similarity !== undefined && { similarity: Math.round(reasons.similarity * 1000) / 1000 }),
    ...(around
      ? { context: { before: around.before.map(neighbor), after: around.after.map(neighbor) } }
      : {}),
  }
}

/** Why a message was found, where sentences are also searched by meaning. */
function reasonsFor(
  hit: SearchHit,
  { words, meaning }: SearchAnswer,
): { by: ('words' | 'meaning')[]; similarity: number | undefined } | undefined {
  if (!words || !meaning) return undefined
  const similarity = meaning.in(hit)
  const byWords = words.in(hit)?.words !== 0
  return {
    by: [...(byWords ? ['words' as const] : []), ...(similarity === undefined ? [] : ['meaning' as const])],
    similarity,
  }
}

const neighbor = (message: StoredMessage): NonNullable<HitJson['context']>['before'][number] => ({
  who: message.who,
  at: isoTime(message.at),
  text: message.text || null,
  tool: toolOf(message),
  line: message.line,
  ...(message.sure === false && { sure: false }),
})

const toolOf = ({ tool }: Pick<StoredMessage, 'tool'>): HitJson['tool'] =>
  tool ? { name: tool.name, target: tool.target ?? null } : null

/** The text that represents a match: the message, or the target of a tool call. */
export const shownText = ({ text, tool }: Pick<StoredMessage, 'text' | 'tool'>): string =>
  text || tool?.target || tool?.name || ''

const outputHits = ({ artifact, stored, hits }: OutputsOfOne, found: Found): HitJson[] =>
  hits.map(({ line, offset, at, tool, snippet }) => ({
    session: artifact.sessionId,
    project: stored?.project ?? null,
    who: 'output',
    at: isoTime(at),
    snippet: snippet?.text ?? '',
    text: null,
    path: artifact.path,
    line,
    offset,
    score: 0,
    platform: artifact.platform,
    agent: artifact.agent,
    tool: toolOf({ tool }),
    marks: snippet?.marks ?? [],
    raw: true,
    ...titleOf(stored, found),
  }))

/** The number of matches in each session, by path. */
type MatchCounts = ReturnType<SearchAnswer['sessions']>

/** The hits of one conversation, in the order in which they are shown. */
interface Group {
  /** The session that a person would resume, where hits are grouped and their file is not a memory. */
  row: StoredSession | undefined
  hits: SearchHit[]
  /** The files of its hits, also of those that are not shown. */
  paths: Set<string>
  /** The files of the session itself, its forks and its copies. */
  copies: Set<string>
}

/**
 * The shown hits: the best ones, and only a few of each conversation, which is a session with its subagents,
 * forks and copies. Memory follows the words of people.
 */
export function groupsOf(found: Found): Group[] {
  const { answer, limit, flat } = found
  const groups = new Map<string, Group>()
  let shown = 0
  for (const hit of answer.hits) {
    if (shown === limit) break
    const row = flat ? undefined : found.rowsOf([hit]).get(hit.path)
    const head = row && (found.parentOf(row) ?? row)
    const key = head === undefined ? hit.path : conversationOf(head.session)
    const group = groups.get(key) ?? { row: head, hits: [], paths: new Set(), copies: new Set() }
    groups.set(key, group)
    group.paths.add(hit.path)
    if (head === row) group.copies.add(hit.path)
    for (const { path } of hit.copies) group.copies.add(path)
    if (head && lastOf(head) > lastOf(group.row)) group.row = head
    if (!flat && group.hits.length === OF_ONE) continue
    group.hits.push(hit)
    shown++
  }
  const all = [...groups.values()]
  // A sentence ranks sessions and memory by how much they say of it.
  if (flat || (found.answer.words && found.answer.relaxed)) return all
  const isMemory = ({ hits }: Group): boolean => hits[0]?.who === 'memory'
  const spoken = all.findLastIndex(({ hits }) => hits.some(({ who }) => who === 'human'))
  const before = all.slice(0, spoken + 1)
  return [...before.filter((group) => !isMemory(group)), ...before.filter(isMemory), ...all.slice(spoken + 1)]
}

const lastOf = (row: StoredSession | undefined): number => row?.session.lastActivityMs ?? 0

export function* textPieces(found: Found, screen: Screen): Generator<Printed> {
  const { answer, flat, outputs } = found
  if (answer.total === 0) yield* nothingFound(found, screen)
  else {
    const groups = groupsOf(found)
    const counts = answer.sessions()
    for (const { word, instead } of answer.corrected ? (answer.corrections ?? []) : [])
      yield `“${shownName(word)}” is nowhere; this is what “${shownName(instead)}” finds.\n`
    if (answer.corrected) yield '\n'
    if (flat) yield* flatPieces(found, screen)
    else yield* groupPieces(found, groups, counts, screen)
    yield `\n${summary(found, groups, counts)}\n`
    if (!answer.corrected) yield* didYouMean(found, screen)
  }
  if (!outputs) return
  yield* outputPieces(found, outputs, screen)
}

function* groupPieces(
  found: Found,
  groups: readonly Group[],
  counts: MatchCounts,
  screen: Screen,
): Generator<string> {
  let first = true
  for (const { hits, row, paths, copies } of groups) {
    yield `${first ? '' : '\n'}${headerLine(hits[0]!, row, screen)}\n`
    first = false
    const path = row?.session.path ?? hits[0]!.path
    // A subagent and a copy have lines of their own.
    const locations = hits.map(
      (hit) => `${hit.path === path ? '' : screen.suggest.id(hit.session)}:${hit.line}`,
    )
    const width = largest(
      locations.map(({ length }) => length),
      0,
    )
    for (const [index, hit] of hits.entries()) {
      const location = paint('cyan', locations[index]!.padEnd(width), screen)
      yield* hitPieces(hit, found, { before: `  ${location} `, width: width + 3, row }, screen)
    }
    const matching = [...paths].reduce((sum, each) => sum + (counts.get(each) ?? 0), 0)
    copies.delete(path)
    const about = [
      ...(matching > hits.length ? [`+ ${grouped(matching - hits.length)} more in this session`] : []),
      ...(copies.size > 0 ? [`also in ${copies.size === 1 ? 'one copy' : `${copies.size} copies`}`] : []),
      ...(found.answer.words && found.answer.relaxed ? [reasonOf(hits, found.answer)] : []),
    ].join(', ')
    yield `  ${paint('dim', `${about === '' ? '' : `${about}: `}${readOn(hits[0]!, found, screen)}`, screen)}\n`
  }
}

/** Why a session was found: how many of the words its best passage contains, or meaning. */
function reasonOf(hits: readonly SearchHit[], answer: SearchAnswer): string {
  const { count, in: wordsIn } = answer.words!
  const most = largest(hits.map((hit) => wordsIn(hit)?.words ?? count))
  const by = new Set(hits.flatMap((hit) => reasonsFor(hit, answer)?.by ?? []))
  if (by.size === 0) return most < count ? `${most} of ${count} words` : 'all of your words'
  const words = `by words (${most < count ? `${most} of ${count}` : 'all'})`
  return [...(by.has('words') ? [words] : []), ...(by.has('meaning') ? ['by meaning'] : [])].join(' and ')
}

/** The command that reads a hit and what follows it. */
const readOn = (hit: SearchHit, { ownerOf }: Found, { suggest }: Screen): string =>
  hit.who === 'memory'
    ? suggest('memory', [ownerOf(hit), hit.session])
    : suggest('read', [`${suggest.id(hit.session)}:${hit.line}`])

function* flatPieces(found: Found, screen: Screen): Generator<string> {
  for (const hit of Iterator.from(found.answer.hits).take(found.limit)) {
    const where = `${screen.suggest.id(hit.session)}:${hit.line} `
    const project = hit.project === undefined ? '' : `${shownName(hit.project)} `
    const before = `${paint('cyan', where, screen)}${project}`
    yield* hitPieces(hit, found, { before, width: where.length + project.length }, screen)
  }
}

/**
 * Prints a hit on one line, or on two if the screen is narrow, with its context on lines of its own. `row`:
 * the session of the header above it.
 */
function* hitPieces(
  hit: SearchHit,
  found: Found,
  { before, width, row }: { before: string; width: number; row?: StoredSession | undefined },
  screen: Screen,
): Generator<string> {
  const around = found.around?.(hit)
  const entryOf = (message: StoredMessage): HitEntry => ({
    who: speakerOf(message, hit),
    at: message.at,
    text: message.text || message.tool?.target || message.media?.join(' ') || '',
  })
  const lead = ' '.repeat(width)
  for (const each of around?.before ?? []) yield neighborLine(entryOf(each), lead, screen)
  const { who, ...rest } = entryOf(hit)
  const left = hit.offBranch ? ' (abandoned branch)' : ''
  const gone = hit.goneMs === undefined || row?.goneMs !== undefined ? '' : ' (gone)'
  yield fitted({ ...rest, who: `${who}${left}${gone}` }, found.query, { lead: before, width }, screen)
  for (const each of around?.after ?? []) yield neighborLine(entryOf(each), lead, screen)
}

const neighborLine = (entryOf: HitEntry, lead: string, screen: Screen): string =>
  `${paint('dim', fitted(entryOf, undefined, { lead, width: lead.length }, { ...screen, color: false }).trimEnd(), screen)}\n`

/** The session, so that a person recognizes it. */
function headerLine(hit: SearchHit, row: StoredSession | undefined, screen: Screen): string {
  const session = row?.session
  const began = session?.startedMs ?? hit.at
  const state = session && session.state !== 'live' ? `[${session.state}] ` : ''
  const kind = session?.kind && session.kind !== 'human' ? `[${session.kind}] ` : ''
  const tags = `${row?.goneMs === undefined ? '' : '[file gone] '}${state}${kind}`
  const title =
    (session && sessionTitle(session)) ?? session?.subagent?.description ?? screen.suggest.id(hit.session)
  return emphasis(
    {
      date: began === undefined ? undefined : dated(began).slice(0, 10),
      project: hit.project,
      agent: agentName(identityOf(hit.platform), hit.agent),
      title: `${tags}${title}`,
    },
    screen,
  )
}

const matches = (count: number): string => `${grouped(count)} ${count === 1 ? 'match' : 'matches'}`

function summary({ answer, limit, flat }: Found, groups: readonly Group[], counts: MatchCounts): string {
  const { total, more, widened, relaxed, meaning } = answer
  const weighed = [...counts.values()].reduce((sum, each) => sum + each, 0)
  // Subagents, forks and copies are in one group.
  const merged = groups.reduce((sum, { paths }) => sum + paths.size - 1, 0)
  const sessions = counts.size - (flat ? 0 : merged)
  const all = `${more ? 'more than ' : ''}${matches(total)} in ${counted(sessions, 'session')}${weighed < total ? ' or more' : ''}`
  const shown = groups.reduce((sum, { hits }) => sum + hits.length, 0)
  const notes: string[] = []
  if (flat ? shown < total : groups.length < sessions)
    notes.push(
      `${flat ? shown : counted(groups.length, 'session')} shown${limit < 10_000 ? ' (--limit 0 shows all)' : ''}`,
    )
  if (widened) notes.push('few matches of whole words, so parts of words were searched too')
  if (relaxed)
    notes.push(
      meaning
        ? 'best sessions first, by your words and by meaning'
        : 'best sessions first, with any of your words',
    )
  return [all, ...notes].join('; ')
}

/** Suggests the query with corrected words. */
function* didYouMean({ query, answer }: Found, screen: Screen): Generator<string> {
  const corrections = answer.corrections ?? []
  if (corrections.length === 0) return
  const meant = corrections.reduce((text, { word, instead }) => text.replace(word, () => instead), query.text)
  yield `Did you mean: ${screen.suggest.again({ arguments: [shownName(meant)] })}\n`
}

/** Distinguishes no matches from nothing to search. */
function* nothingFound(found: Found, screen: Screen): Generator<string> {
  const { sessions, messages, calls } = found.searched()
  if (sessions === 0 && !found.incomplete) {
    yield 'No transcripts to search. Searched:\n'
    yield* scannedLines(found.scanned, screen.home)
    yield `Try it on invented ones: ${screen.suggest('search', ['postgres'], '--demo')}\n`
    return
  }
  yield `Nothing matches ${shownName(found.query.text)}${found.incomplete ? ' in what is indexed so far' : ''}\n`
  yield `Searched ${counted(messages, 'message')} and ${counted(calls, 'tool call')} in ${counted(sessions, 'session')}.\n`
  yield* didYouMean(found, screen)
  const { words, filters } = found.query
  const { before, after, without, ...lists } = filters
  const filtered =
    before !== undefined ||
    after !== undefined ||
    [lists, without].some((each) =>
      Object.values(each).some((value) => value === true || (Array.isArray(value) && value.length > 0)),
    )
  const ways = [
    ...(filtered ? ['without a filter'] : []),
    ...(words?.all.some((node) => 'not' in node) ? ['without a minus, which leaves out messages'] : []),
    ...((words?.all.length ?? 0) > 1 ? ['with fewer words, or OR between them'] : []),
    ...(wantedTerms(words).some(({ phrase }) => phrase) ? ['without the quotes'] : []),
    ...(found.outputs || !words ? [] : ['with --raw, in tool output']),
  ]
  if (ways.length > 0) yield `Try it ${ways.join('; ')}.\n`
  if (found.file !== undefined)
    yield `What changed a file, however calls state its path: ${screen.suggest('why', [found.file])}\n`
}

/** How many hits of one session are shown. */
const OF_ONE = 3

/** Matches in tool output, by session, as they are found. Bytes are written immediately. */
function* outputPieces(
  { query, limit, flat }: Found,
  outputs: OutputSearch,
  screen: Screen,
): Generator<Printed> {
  yield Buffer.from(`\n${paint('dim', 'In tool output:', screen)}\n`)
  let left = limit
  for (const one of outputs.found(limit)) {
    const hits = one.hits.slice(0, Math.min(left, flat ? left : OF_ONE))
    if (hits.length === 0) continue
    left -= hits.length
    const id = screen.suggest.id(one.artifact.sessionId)
    let text = flat ? '' : `\n${headerOf(one, screen)}\n`
    for (const { at, tool, snippet, line } of hits) {
      const lead = flat ? `${id}:${line} ` : '  '
      text += fitted(
        { who: `← ${tool?.name ?? 'output'}`, at, text: '', snippet },
        query,
        { lead: flat ? paint('cyan', lead, screen) : lead, width: lead.length },
        screen,
      )
    }
    const further = one.found - hits.length
    if (!flat)
      text += `  ${paint('dim', `${further > 0 ? `+ ${further.toLocaleString('en')} more in this session: ` : ''}${screen.suggest('read', [id], '--full')}`, screen)}\n`
    yield Buffer.from(text)
  }
  const { total, sessions, files } = outputs.sums
  const shown = limit - left
  const all = total === 0 ? '  Nothing' : `\n${counted(total, 'output')} in ${counted(sessions, 'session')}`
  yield `${all}; ${counted(files, 'transcript')} searched${shown < total ? `, ${shown.toLocaleString('en')} shown` : ''}\n`
}

function headerOf({ artifact, stored }: OutputsOfOne, screen: Screen): string {
  const session = stored?.session
  return emphasis(
    {
      date: session?.startedMs === undefined ? undefined : dated(session.startedMs).slice(0, 10),
      project: stored?.project,
      agent: agentName(identityOf(artifact.platform), artifact.agent),
      title:
        (session && sessionTitle(session)) ??
        session?.subagent?.description ??
        screen.suggest.id(artifact.sessionId),
    },
    screen,
  )
}
