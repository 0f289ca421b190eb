import type { Artifact } from '../../model/artifact.ts'
import { counted } from '../../render/counted.ts'
import { noFilters } from '../../search/filters.ts'
import type { Query } from '../../search/query.ts'
import { hasSessionFilter, type SessionFacts, selectsSession } from '../../search/session-filters.ts'
import type { SearchRequest } from '../../store/search.ts'
import type { StoredSession } from '../../store/stored.ts'
import type { FreshStore, ReadingContext } from '../kit/context.ts'
import { searchFiles } from '../kit/read-files.ts'
import { createOutputSearch, type OutputHit } from './outputs-job.ts'

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
    annotation: annotations?.get(artifact.sessionId),
    modifiedMs: artifact.modifiedMs,
    startedMs: stored?.session.startedMs ?? 0,
  })
  const mayHold = (session: Candidate): boolean => {
    const { after, before, without } = query.filters
    if (after !== undefined && session.modifiedMs < after) return false
    if (before !== undefined && session.startedMs >= before) return false
    return (
      selectsSession(query.filters, session) &&
      !(hasSessionFilter(without) && selectsSession(without, session))
    )
  }
  return {
    sums,
    *found(most) {
      const problem = whyNot(query)
      if (problem !== undefined) return context.note(`--raw found nothing: ${problem}`)
      const rows = new Map(store.sessions(roots).map((row) => [row.session.path, row]))
      const tasks = found.artifacts
        .filter(
          (artifact) => roots.includes(artifact.root) && mayHold(factsOf(artifact, rows.get(artifact.path))),
        )
        .sort((one, other) => other.modifiedMs - one.modifiedMs)
      const gone = [...rows.values()].filter(
        (row) => row.goneMs !== undefined && mayHold(factsOf(asArtifact(row.session), row)),
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
        // The progress bar is hidden while something is printed.
        context.progress?.stop()
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
