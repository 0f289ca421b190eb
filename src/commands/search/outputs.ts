import { existsSync } from 'node:fs'
import type { FreshStore, ReadingContext } from '../../context/context.ts'
import { faultOf, searchFiles } from '../../context/read-files.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Part } from '../../model/event.ts'
import { shownTarget, toolTarget } from '../../model/fold/tool-arguments.ts'
import { recordKey } from '../../model/item-key.ts'
import { type SessionFacts, selecting, selectingAny } from '../../model/session-filter.ts'
import { redact } from '../../redact/redact.ts'
import { counted } from '../../render/table.ts'
import { fold } from '../../search/characters.ts'
import { createMatcher, createSieve } from '../../search/match.ts'
import { type Filters, noFilters, type Query } from '../../search/query.ts'
import { type Snippet, snippetOf } from '../../search/snippet.ts'
import { type FileCall, fileCalls } from '../../search/tool-filter.ts'
import type { SearchRequest } from '../../store/search.ts'
import type { StoredSession } from '../../store/stored.ts'
import { bodyText } from '../../sync/read/read-detail.ts'
import { ANYTHING, draftsOf, inBlocks, linesWith, mayHold, patternsFor } from './raw-search.ts'

/** The matches in the tool output of one transcript. */
export interface OutputsOfOne {
  artifact: Artifact
  stored?: StoredSession
  /** The returned hits. There may be more. */
  hits: OutputHit[]
  found: number
}

interface OutputSums {
  total: number
  sessions: number
  files: number
  bytes: number
}

/**
 * The search through tool output, which is not in the store: reads the transcripts that match the filters.
 */
export interface OutputSearch {
  /** Can be consumed once. Yields the newest transcript first and updates the sums. */
  found(most: number): Generator<OutputsOfOne>
  sums: OutputSums
}

/** A session whose file may have to be searched. */
type Candidate = SessionFacts & { modifiedMs: number; startedMs: number }

export function searchOutputs(
  { store, found }: FreshStore,
  query: Query,
  { roots, annotations }: Required<Pick<SearchRequest, 'roots'>> & Pick<SearchRequest, 'annotations'>,
  context: ReadingContext,
): OutputSearch {
  const sums: OutputSums = { total: 0, sessions: 0, files: 0, bytes: 0 }
  const factsOf = (artifact: Artifact, stored: StoredSession | undefined): Candidate => ({
    session: artifact.sessionId,
    platform: artifact.platform,
    agent: artifact.agent,
    project: stored?.project,
    folder: stored?.folder,
    branches: stored?.session.branches,
    kind: stored?.session.kind,
    model: stored?.session.model,
    annotation: annotations?.get(artifact.sessionId),
    modifiedMs: artifact.modifiedMs,
    startedMs: stored?.session.startedMs ?? 0,
  })
  const matching = (all: readonly SessionFacts[]): ((session: Candidate) => boolean) => {
    const { after, before, without } = query.filters
    const isSelected = selecting(query.filters, all)
    const isOutside = selectingAny(without, all)
    return (session) =>
      (after === undefined || session.modifiedMs >= after) &&
      (before === undefined || session.startedMs < before) &&
      isSelected(session) &&
      !isOutside(session)
  }
  return {
    sums,
    *found(most) {
      const problem = whyNot(query)
      if (problem !== undefined) return context.note(`--raw found nothing: ${problem}`)
      const rows = new Map(store.sessions(roots).map((row) => [row.session.path, row]))
      const mayMatch = matching([...rows.values()].map((row) => factsOf(asArtifact(row.session), row)))
      const matches = found.artifacts.filter(
        (artifact) => roots.includes(artifact.root) && mayMatch(factsOf(artifact, rows.get(artifact.path))),
      )
      const elsewhere = Map.groupBy(matches, ({ path }) => machineOf(path, rows.get(path)))
      const tasks = (elsewhere.get(undefined) ?? []).sort((one, other) => other.modifiedMs - one.modifiedMs)
      const gone = [...rows.values()].filter(
        (row) => row.goneMs !== undefined && mayMatch(factsOf(asArtifact(row.session), row)),
      )
      elsewhere.delete(undefined)
      for (const [device, { length }] of elsewhere)
        context.note(
          `${counted(length, 'transcript is', 'transcripts are')} on ${device}, and tool output is only there: run the command there.`,
        )
      if (gone.length > 0)
        context.note(
          `${counted(gone.length, 'session')} have no tool output to search, because their files are gone`,
        )
      sums.files = tasks.length
      sums.bytes = tasks.reduce((sum, { bytes }) => sum + bytes, 0)
      const settings = { query, exactTools: hasTools(store, query), most }
      const job = { job: 'outputs', settings, run: createOutputSearch(settings) }
      const seen = new Set<number>()
      for (const { artifact, found: result } of searchFiles(tasks, job, context)) {
        const hits = result.hits.filter(({ key }) => key === undefined || !seen.has(key))
        for (const { key } of hits) if (key !== undefined) seen.add(key)
        if (hits.length === 0) continue
        sums.total += hits.length
        sums.sessions++
        yield {
          artifact,
          stored: rows.get(artifact.path),
          hits: hits.filter(({ snippet }) => snippet),
          found: hits.length,
        }
      }
    },
  }
}

/** The other machine that has a transcript. The files of this one may be in a team store, too. */
const machineOf = (path: string, stored: StoredSession | undefined): string | undefined =>
  stored?.session.device === undefined || existsSync(path) ? undefined : stored.session.device

/** Why no tool output can match the query. Undefined if it can. */
function whyNot({ words, filters }: Query): string | undefined {
  if (!words) return 'the query has no words'
  if (filters.who.length > 0 && !filters.who.includes('tool')) return 'outputs are of tools'
  if (filters.without.who.includes('tool')) return 'outputs are of tools'
  if (filters.question) return 'outputs ask no questions'
  return undefined
}

const asArtifact = (session: StoredSession['session']): Artifact => ({
  ...session,
  kind: 'transcript',
  sessionId: session.id,
})

/**
 * Whether tools have exactly the names of the query. If so, tools whose names only contain them do not match.
 */
function hasTools(store: FreshStore['store'], { text, filters }: Query): boolean {
  const names = [...filters.tool, ...filters.without.tool]
  if (names.length === 0) return true
  const [hit] = store.search({
    query: { text, filters: { ...noFilters(), tool: names }, remarks: [] },
    limit: 1,
    now: 0,
    deleted: true,
  }).hits
  return names.some((name) => name.toLowerCase() === hit?.tool?.name.toLowerCase())
}

export interface OutputSettings {
  query: Query
  /** Whether tool names must match exactly or only contain the text, see `isTool`. */
  exactTools: boolean
  /** How many matches of a file are returned. The others are counted. */
  most: number
}

/** A match in tool output. */
interface OutputHit {
  line: number
  offset: number
  at?: number
  tool?: { name: string; target?: string }
  /** Absent if the match is only counted. */
  snippet?: Snippet
  /** The same in every copy of the record. */
  key?: number
}

type OutputResult = { path: string; hits: OutputHit[]; tooLong: number } | { path: string; fault: string }

type Found = OutputHit & { callId?: string }
type Result = Extract<Part, { type: 'tool-result' }>

/** With more calls than this to look for, every line is checked. */
const MANY_CALLS = 200

/** Creates the search through tool output in one transcript. Lines without the words are never parsed. */
export function createOutputSearch({
  query,
  exactTools,
  most,
}: OutputSettings): (artifact: Artifact) => OutputResult {
  const words = query.words!
  const { filters } = query
  const { holds, anchors } = createSieve(words)
  const matches = createMatcher(words, { loose: true })
  const patterns = patternsFor(anchors)
  const byTool = [filters, filters.without].some(({ tool, file }) => tool.length + file.length > 0)

  function inLine(
    bytes: Buffer,
    start: number,
    end: number,
    artifact: Artifact,
    tell: (hit: Omit<Found, 'line' | 'offset'>, snippet: () => Snippet) => void,
  ): void {
    const line = bytes.toString('utf8', start, end)
    if (!mayHold(holds, line)) return
    for (const draft of draftsOf(bytes, start, end, artifact)) {
      if (draft.payload.type !== 'message' || !isInTime(draft.at, filters)) continue
      for (const part of draft.payload.parts) {
        if (part.type !== 'tool-result' || part.body === undefined || !isWanted(part, filters)) continue
        const raw = bodyText(part.body)
        if (!holds(fold(raw).text)) continue
        // Never matches inside a secret, because even the fact of a match would leak it.
        const text = redact(raw).toWellFormed()
        if (!matches(text)) continue
        const { callId } = part
        const hit = {
          ...(draft.at === undefined ? {} : { at: draft.at }),
          ...(part.toolName === undefined ? {} : { tool: { name: part.toolName } }),
          ...(callId === undefined ? {} : { callId }),
          key: recordKey({ ...PLACELESS, id: draft.id, at: draft.at, callId }),
        }
        tell(hit, () => snippetOf(text, query))
      }
    }
  }

  return (artifact) => {
    const hits: Found[] = []
    try {
      const tooLong = inBlocks(artifact, (block) => {
        for (const [start, end, number] of linesWith(block, patterns))
          inLine(block.bytes, start, end, artifact, (hit, snippet) => {
            const shown = byTool || hits.length < most ? { snippet: snippet() } : {}
            hits.push({ ...hit, ...shown, line: number, offset: block.offset + start })
          })
      })
      if (hits.length > 0) nameTools(artifact, hits)
      const matching = byTool ? hits.filter((hit) => isTool(hit, filters, exactTools)) : hits
      return { path: artifact.path, tooLong, hits: matching.map(({ callId: _, ...hit }) => hit) }
    } catch (error) {
      return { path: artifact.path, fault: faultOf(error) }
    }
  }
}

const PLACELESS = { who: 'tool', line: 0, offset: 0, length: 0, order: 0 } as const

function isInTime(at: number | undefined, { before, after }: Filters): boolean {
  if (before === undefined && after === undefined) return true
  return at !== undefined && at >= (after ?? at) && (before === undefined || at < before)
}

const isWanted = ({ error }: Result, filters: Filters): boolean =>
  (!filters.error || error !== undefined) && (!filters.without.error || error === undefined)

/** Adds the tool and its target to hits. Both are in the tool call, some lines earlier. */
function nameTools(artifact: Artifact, hits: readonly Found[]): void {
  const wanted = new Map<string, Found[]>()
  for (const hit of hits)
    if (hit.callId !== undefined && hit.snippet)
      wanted.set(hit.callId, [...(wanted.get(hit.callId) ?? []), hit])
  if (wanted.size === 0) return
  const ids = [...wanted.keys()].map((id) => id.replace(/[^\w]/g, '.'))
  const pattern = wanted.size > MANY_CALLS ? ANYTHING : new RegExp(ids.join('|'), 'g')
  inBlocks(artifact, (block) => {
    for (const [start, end] of linesWith(block, [pattern]))
      for (const { payload } of draftsOf(block.bytes, start, end, artifact))
        for (const part of payload.type === 'message' ? payload.parts : [])
          if (part.type === 'tool-call' && part.callId !== undefined)
            for (const hit of wanted.get(part.callId) ?? []) hit.tool = toolOf(part)
  })
}

function toolOf({ name, input }: Extract<Part, { type: 'tool-call' }>): NonNullable<OutputHit['tool']> {
  const target = toolTarget(name, input)
  if (target === undefined) return { name }
  const clean = shownTarget(redact(target.text)).toWellFormed()
  const { shown } = target
  return {
    name,
    target: clean.length > shown ? `${clean.slice(0, shown - 1)}…`.toWellFormed() : clean,
  }
}

function isTool({ tool }: OutputHit, filters: Filters, exact: boolean): boolean {
  const name = tool?.name.toLowerCase() ?? ''
  const target = tool?.target?.toLowerCase() ?? ''
  const isNamed = (wanted: string): boolean =>
    exact ? name === wanted.toLowerCase() : name.includes(wanted.toLowerCase())
  const isUsedOn = (wanted: string): boolean => target.includes(wanted.toLowerCase())
  const isCall = ({ isTool, files }: FileCall): boolean => isTool(tool?.name ?? '') && files.some(isUsedOn)
  const { without } = filters
  return (
    (filters.tool.length === 0 || filters.tool.some(isNamed)) &&
    (filters.file.length === 0 || filters.file.some(isUsedOn)) &&
    !without.tool.some(isNamed) &&
    fileCalls(filters).every(isCall) &&
    !without.file.some(isUsedOn) &&
    !fileCalls(without).some(isCall)
  )
}
