import { hash } from 'node:crypto'
import type { RecordFacts } from '../../../model/delivery.ts'
import type { Source } from '../source.ts'
import { type Anchor, BEGINNING } from '../state/checkpoint.ts'

/** After this many distinct lines in a row without id and time, the anchor advances. */
const MOST_SEEN = 1000

/** A 128-bit hash of the parts. Different parts have different hashes. */
export const idOf = (...parts: readonly (string | number)[]): string =>
  hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32)

/**
 * The scope of record ids. It does not depend on the path, so a session keeps its ids when its file is
 * renamed, compressed or moved into a database.
 */
export const scopeOf = ({ platform, row, agent, session, name }: Source): string =>
  row.kind === 'transcript' ? `${platform} ${agent} ${session}` : `${platform} ${row.kind} ${name}`

/**
 * Creates the ids of a source's records, in order. An id comes from the record's own id, as its platform
 * reads it. A record without one is identified by its bytes, with its time or the preceding record. A copy in
 * another session has another id.
 */
export function createIds(source: Source, from: Anchor = BEGINNING) {
  const scope = scopeOf(source)
  let { after } = from
  let seen = new Map(Object.entries(from.seen))
  return {
    /** `bytes`: the whole line. `part`: position among several records of the line. */
    next({ id: own, at }: RecordFacts, bytes: Uint8Array, part: number): string {
      if (own !== undefined) {
        const id = idOf(scope, own, part)
        after = id
        if (seen.size > 0) seen = new Map()
        return id
      }
      const digest = hash('sha256', bytes, 'base64url').slice(0, 22)
      if (at !== undefined) return idOf(scope, 'bytes', digest, part)
      if (seen.size >= MOST_SEEN) {
        after = idOf(after, digest)
        seen = new Map()
      }
      const count = seen.get(digest) ?? 0
      if (part === 0) seen.set(digest, count + 1)
      return idOf(scope, after, digest, part === 0 ? count : count - 1, part)
    },
    anchor: (): Anchor => ({ after, seen: seen.size === 0 ? {} : Object.fromEntries(seen) }),
  }
}
