import { inOrder } from '../collect/pool.ts'
import type { Artifact } from '../model/artifact.ts'
import { noFilters } from '../search/filters.ts'
import { isPlaced, wantsPlace } from '../search/placed.ts'
import type { Query } from '../search/query.ts'
import type { StoredSession } from '../store/store.ts'
import type { Context } from './command.ts'
import type { FreshStore } from './fresh-store.ts'
import { createOutputSearch, type OutputHit, type OutputResult } from './search-outputs-job.ts'
import { counted } from './table.ts'
import { threadsFor, workerUrl } from './threads.ts'

/** What was found in the outputs of one transcript. */
export interface OutputsOfOne {
  artifact: Artifact
  stored?: StoredSession
  /** Those that are told whole; there may be more of them. */
  hits: OutputHit[]
  found: number
}

interface OutputSums {
  total: number
  sessions: number
  files: number
  bytes: number
}

/** The search through what tools gave back, which no store holds: reads the transcripts that the filters leave. */
export interface OutputSearch {
  /** Consumed once, newest transcript first; makes the sums. */
  found(most: number): Generator<OutputsOfOne>
  sums: OutputSums
}

export function searchOutputs(
  { store, found }: FreshStore,
  query: Query,
  roots: readonly string[],
  context: Context,
): OutputSearch {
  const sums: OutputSums = { total: 0, sessions: 0, files: 0, bytes: 0 }
  return {
    sums,
    *found(most) {
      const problem = whyNot(query)
      if (problem !== undefined) return context.note(`--raw finds nothing here: ${problem}`)
      const rows = new Map(store.sessions(roots).map((row) => [row.session.path, row]))
      const tasks = found.artifacts
        .filter(
          (artifact) => roots.includes(artifact.root) && mayHold(artifact, rows.get(artifact.path), query),
        )
        .sort((one, other) => other.modifiedMs - one.modifiedMs)
      const gone = [...rows.values()].filter(
        (row) => row.goneMs !== undefined && mayHold(asArtifact(row.session), row, query),
      )
      if (gone.length > 0)
        context.note(`${counted(gone.length, 'session')} cannot be searched for outputs: the files are gone`)
      sums.files = tasks.length
      sums.bytes = tasks.reduce((sum, { bytes }) => sum + bytes, 0)
      const threads = threadsFor(tasks, context.threads)
      const settings = { query, exactTools: hasTools(store, query), most }
      const search = createOutputSearch(settings)
      context.progress?.start('Searching', sums.bytes)
      const seen = new Set<number>()
      let index = 0
      for (const result of inOrder<Artifact, OutputResult>({
        tasks,
        run: search,
        threads,
        worker: threads > 1 ? workerUrl() : undefined,
        settings: { job: 'outputs', settings },
      })) {
        const artifact = tasks[index++]!
        context.progress?.advance(artifact.bytes)
        if ('fault' in result) {
          context.note(`${result.path} ${result.fault}`, 'partly')
          continue
        }
        if (result.tooLong > 0)
          context.note(`${result.path}: ${counted(result.tooLong, 'line')} too long to be searched`, 'partly')
        const hits = result.hits.filter(({ key }) => key === undefined || !seen.has(key))
        for (const { key } of hits) if (key !== undefined) seen.add(key)
        if (hits.length === 0) continue
        sums.total += hits.length
        sums.sessions++
        // The bar gives way to what is printed.
        context.progress?.stop()
        yield {
          artifact,
          stored: rows.get(artifact.path),
          hits: hits.filter(({ snippet }) => snippet),
          found: hits.length,
        }
      }
      context.progress?.stop()
    },
  }
}

/** Why no output of a tool can be what is asked for; undefined when it can. */
function whyNot({ words, filters }: Query): string | undefined {
  if (!words) return 'there are no words to look for'
  if (filters.who.length > 0 && !filters.who.includes('tool')) return 'outputs are of tools'
  if (filters.without.who.includes('tool')) return 'outputs are of tools'
  if (filters.question) return 'outputs ask no questions'
  return undefined
}

function mayHold(artifact: Artifact, stored: StoredSession | undefined, { filters }: Query): boolean {
  const placed = {
    session: artifact.sessionId,
    platform: artifact.platform,
    agent: artifact.agent,
    project: stored?.project,
    folder: stored?.folder,
    branches: stored?.session.branches,
  }
  const { after, before, without } = filters
  if (after !== undefined && artifact.modifiedMs < after) return false
  if (before !== undefined && (stored?.session.startedMs ?? 0) >= before) return false
  return isPlaced(filters, placed) && !(wantsPlace(without) && isPlaced(without, placed))
}

const asArtifact = (session: StoredSession['session']): Artifact => ({
  ...session,
  kind: 'transcript',
  sessionId: session.id,
})

/** Whether tools are called exactly as the query says: then those are meant, and not any whose name holds it. */
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
