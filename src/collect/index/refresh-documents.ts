import type { Artifact } from '../../model/artifact.ts'
import type { Increment, Known } from '../../store/increment.ts'
import type { Writer } from '../../store/store.ts'
import type { Discovery } from '../discover.ts'
import { knownOf } from './plan.ts'
import { readDocument } from './read-document.ts'
import { PARSER_VERSION } from './read-increment.ts'

/** What was read, and what could not be. */
export interface RefreshedDocuments {
  read: number
  bytes: number
  gone: number
  faults: { path: string; fault: string }[]
}

/** Brings memory documents up to date. A changed one is read whole and stored as a new version. */
export function refreshDocuments(
  store: Writer,
  all: ReadonlyMap<string, Known>,
  { roots, documents }: Discovery,
  { now, rebuild, faultOf }: { now: number; rebuild?: boolean; faultOf(error: unknown): string },
): RefreshedDocuments {
  const result: RefreshedDocuments = { read: 0, bytes: 0, gone: 0, faults: [] }
  const known = knownOf('memory', all)
  const written: Increment[] = []
  const returned: number[] = []
  for (const artifact of documents) {
    const before = known.get(artifact.path)
    known.delete(artifact.path)
    if (before?.goneMs !== undefined) returned.push(before.id)
    if (before && !rebuild && isSame(artifact, before)) continue
    try {
      const next = readDocument(artifact, before)
      // Only the modification time changed.
      if (before?.checkpoint.tail === next.checkpoint.tail && !rebuild) {
        next.checkpoint.generation = before.checkpoint.generation
        next.messages = []
      }
      written.push(next)
      result.read++
      result.bytes += artifact.bytes
    } catch (error) {
      result.faults.push({ path: artifact.path, fault: faultOf(error) })
    }
  }
  const looked = new Set(roots.filter(({ found }) => found).map(({ path }) => path))
  const gone = [...known.values()].filter(
    ({ artifact, goneMs }) => goneMs === undefined && looked.has(artifact.root),
  )
  result.gone = gone.length
  if (returned.length > 0) store.markGone(returned, undefined)
  if (written.length > 0) store.write(written.map((each) => revised(each, store, returned)))
  if (gone.length > 0)
    store.markGone(
      gone.map(({ id }) => id),
      now,
    )
  return result
}

const isSame = ({ bytes, modifiedMs, identity }: Artifact, { checkpoint }: Known): boolean =>
  checkpoint.size === bytes &&
  checkpoint.modifiedMs === modifiedMs &&
  checkpoint.identity === identity &&
  checkpoint.parser === PARSER_VERSION &&
  !checkpoint.racy

/** A document that was marked as returned has a new revision since. */
function revised(increment: Increment, store: Writer, returned: readonly number[]): Increment {
  if (!increment.base || !returned.includes(increment.base.id)) return increment
  const { id, revision } = store.knownFile({ path: increment.artifact.path })!
  return { ...increment, base: { id, revision } }
}
