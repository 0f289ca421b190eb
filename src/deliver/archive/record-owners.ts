import type { Envelope, RecordKind } from '../../model/delivery.ts'
import { asArray, asObject } from '../../model/json.ts'
import { platforms } from '../../platforms/index.ts'
import { ownerOf, rowFor } from '../delivery/inventory.ts'
import { splitRoot } from './layout.ts'

/** Whose a record is: its own session, and the one that started that. */
interface RecordOwner {
  session?: string
  parent?: string
}

/** Many records come from one file. */
const MOST_KNOWN = 10_000

/**
 * Says whose a record is. The path says it, too: earlier versions delivered files of one session without it,
 * or with the name of the file, and no record has the session that started its own.
 */
export function createOwners(): (envelope: Envelope) => RecordOwner {
  const known = new Map<string, RecordOwner>()
  return ({ platform, kind, path, session }) => {
    const name = `${platform} ${kind} ${path}`
    let found = known.get(name)
    if (!found) {
      if (known.size >= MOST_KNOWN) known.clear()
      found = ownerIn(platform, kind, path)
      known.set(name, found)
    }
    return typeof session !== 'string' || session === '' ? found : { session, ...found }
  }
}

/** What the path says. A transcript says itself whose it is. */
function ownerIn(platform: string, kind: RecordKind, path: string): RecordOwner {
  const delivery = platforms.find(({ id }) => id === platform)?.delivery
  const below = delivery && splitRoot(platform, path)?.[1]
  if (below === undefined) return {}
  const row = rowFor(below, delivery!.table, kind === 'artifact' ? undefined : [kind])
  if (!row) return {}
  const { session, parent } = ownerOf(row, below, delivery!)
  return {
    ...(session !== null && row.kind !== 'transcript' && { session }),
    ...(parent !== undefined && { parent }),
  }
}

/** Kinds whose records are about sessions. A memory or a job may mention one. */
const ABOUT_SESSIONS: ReadonlySet<RecordKind> = new Set([
  ...(['session-index', 'subagent-runs', 'subagent-meta', 'todo'] as const),
])

/**
 * Whether a record without a session names one of these: earlier versions delivered an index as a whole, and
 * a damaged file is delivered as its text.
 */
export function namesOneOf({ kind, raw }: Envelope, wanted: ReadonlySet<string>): boolean {
  if (wanted.size === 0 || !ABOUT_SESSIONS.has(kind)) return false
  const content = asObject(raw)?.content
  const damaged = typeof raw === 'string' ? raw : typeof content === 'string' ? content : undefined
  if (damaged !== undefined) return [...wanted].some((id) => damaged.includes(id))
  const left: unknown[] = [raw]
  while (left.length > 0) {
    const each = left.pop()
    if (typeof each === 'string' && wanted.has(each)) return true
    for (const [name, inner] of Object.entries(asObject(each) ?? {})) {
      if (wanted.has(name)) return true
      left.push(inner)
    }
    for (const inner of asArray(each) ?? []) left.push(inner)
  }
  return false
}
