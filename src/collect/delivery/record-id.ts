import { hash } from 'node:crypto'
import { asText, type JsonObject } from '../../model/json.ts'
import { type Anchor, BEGINNING } from './checkpoint.ts'
import type { Source } from './source.ts'

/** Distinct lines without id and time in a row before they are counted from a new place. */
const MOST_SEEN = 1000

/** 128 bits of a hash over parts that no other parts give. */
export const idOf = (...parts: readonly (string | number)[]): string =>
  hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32)

/** Whose records these are, wherever they lie: a session keeps its name when its file is renamed, packed or moved into a database. */
export const scopeOf = ({ platform, row, agent, session, name }: Source): string =>
  row.kind === 'transcript' ? `${platform} ${agent} ${session}` : `${platform} ${row.kind} ${name}`

/**
 * The ids of the records of a source, in order. A record's own id makes it, with its time where ids are short; without one its bytes do,
 * with its time or with the record it follows. Copies of a record in another session are records of that.
 */
export function createIds(source: Source, from: Anchor = BEGINNING) {
  const scope = scopeOf(source)
  let { after } = from
  let seen = new Map(Object.entries(from.seen))
  return {
    /** `bytes`: of the whole line; `part`: which of several records of the line. */
    next(entry: JsonObject | undefined, bytes: Uint8Array, timed: boolean, part: number): string {
      const own = ownIdOf(entry)
      if (own !== undefined) {
        const id = idOf(scope, own, part)
        after = id
        if (seen.size > 0) seen = new Map()
        return id
      }
      const digest = hash('sha256', bytes, 'base64url').slice(0, 22)
      if (timed) return idOf(scope, 'bytes', digest, part)
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

/** Claude Code's are unique; OpenClaw's have eight digits, and the header has that of its session. */
export function ownIdOf(entry: JsonObject | undefined): string | undefined {
  const unique = asText(entry?.uuid)
  if (unique !== undefined) return unique
  const id = asText(entry?.id)
  return id === undefined ? undefined : `${String(entry?.type)} ${id} ${String(entry?.timestamp)}`
}
