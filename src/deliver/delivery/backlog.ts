import { isAbsent } from '../../io/directories.ts'
import { isPacked, openSource, unpackedName } from '../../io/source.ts'
import { asObject, asTime } from '../../model/json.ts'
import { openArtifact } from '../../sync/read/read-session.ts'
import { scopeOf } from './envelope.ts'
import { type Inventory, keyOf, type Source } from './inventory.ts'
import { prepareSlice } from './prepare.ts'
import { type Checkpoint, isUnchanged, type RecordSettings } from './slice.ts'
import type { Delivered, SourceFacts } from './state.ts'

/** A source with something new, possibly known under another name. */
export interface Todo {
  source: Source
  key: string
  checkpoint?: Checkpoint
  /** Its former name. */
  from?: string
}

interface Plan {
  todo: Todo[]
  unchanged: number
  /** Known sources that no longer exist, although their folder was listed. */
  gone: { key: string; delivered: Delivered }[]
}

const URGENCY = { P0: 0, P1: 1, P2: 2 }

/** Compares the sources with the checkpoints by size, time and identity. Unchanged files are not opened. */
export function planDelivery(found: Inventory, known: ReadonlyMap<string, Delivered>): Plan {
  const present = new Set(found.sources.map(keyOf))
  /** Sources that no longer exist, by the identity of the file, and by its name without compression. */
  const vanished = new Map<string, string>()
  const unpacked = new Map<string, string>()
  for (const [key, { facts, checkpoint }] of known)
    if (!present.has(key) && !checkpoint.gone) {
      vanished.set(identityOf(facts, checkpoint.identity), key)
      unpacked.set(identityOf(facts, unpackedName(facts.path)), key)
    }
  const plan: Plan = { todo: [], unchanged: 0, gone: [] }
  const moved = new Set<string>()
  for (const source of found.sources) {
    const key = keyOf(source)
    const own = known.get(key)?.checkpoint
    if (own && !own.gone && isUnchanged(source, own)) {
      plan.unchanged++
      continue
    }
    const renamed = own ? undefined : vanished.get(identityOf(source, source.identity))
    // The client has compressed it, or unpacked it. Its bytes are compared when it is read.
    const packed = own || renamed ? undefined : unpacked.get(identityOf(source, unpackedName(source.path)))
    const from = renamed ?? packed
    const before = from === undefined ? undefined : known.get(from)!.checkpoint
    if (from !== undefined) moved.add(from)
    const checkpoint = own ?? (before && packed ? { ...before, identity: source.identity } : before)
    plan.todo.push({ source, key, from, checkpoint })
  }
  plan.todo.sort(
    (a, b) =>
      URGENCY[a.source.row.priority] - URGENCY[b.source.row.priority] ||
      a.source.modifiedMs - b.source.modifiedMs,
  )
  const looked = new Set(found.roots.filter((root) => root.found).map((root) => root.path))
  const blind = found.notices.map(({ path }) => path)
  for (const [key, delivered] of known) {
    const { facts, checkpoint } = delivered
    if (present.has(key) || moved.has(key) || checkpoint.gone || !looked.has(facts.root)) continue
    if (
      blind.some(
        (path) =>
          facts.path === path || facts.path.startsWith(`${path}/`) || facts.path.startsWith(`${path}#`),
      )
    )
      continue
    // A file in an unreadable folder may still exist.
    if (!isAbsent(facts.path)) continue
    plan.gone.push({ key, delivered })
  }
  return plan
}

/** The identity of a file survives a rename. The records must also belong to the same session. */
const identityOf = (source: SourceFacts, identity: string): string =>
  `${scopeOf(source as Source)} ${identity}`

/** Records that are not delivered yet. */
interface Backlog {
  records: number
  bytes: number
  /** The time of the oldest record, in ms. */
  oldestMs?: number
}

const CHUNK = 256 * 1024
const NEWLINE = 10
/** How many lines are searched for a time. */
const FIRST_LINES = 20

/** Counts the backlog of the sources with something new. Counts lines without parsing them. */
export function countBacklog(todo: readonly Todo[], settings: RecordSettings): Backlog {
  const total: Backlog = { records: 0, bytes: 0 }
  for (const each of todo) {
    const { records, bytes, oldestMs } = backlogOf(each, settings)
    if (records === 0) continue
    total.records += records
    total.bytes += bytes
    if (oldestMs !== undefined) total.oldestMs = Math.min(oldestMs, total.oldestMs ?? oldestMs)
  }
  return total
}

function backlogOf(each: Todo, settings: RecordSettings): Backlog {
  const { source, checkpoint } = each
  if (source.row.mode === 'whole') {
    const counted = { ...settings, redact: { level: 'off' as const }, normalized: false }
    const slice = prepareSlice({ source, checkpoint, settings: counted, nowMs: 0 }, String)
    if ('fault' in slice) return { records: 0, bytes: 0 }
    const records = slice.chunks.reduce((sum, { ids }) => sum + ids.length, 0)
    return { records, bytes: records === 0 ? 0 : source.bytes, oldestMs: source.modifiedMs }
  }
  try {
    return linesOf(each)
  } catch {
    // The delivery itself reports the error.
    return { records: 0, bytes: 0 }
  }
}

function linesOf({ source, checkpoint }: Todo): Backlog {
  const reader = source.artifact ? openArtifact(source.artifact) : openSource(source.path)
  try {
    // The size of a compressed file says nothing about its lines.
    const isLong = isPacked(source.path) || (checkpoint?.offset ?? 0) <= reader.state().size
    const known = checkpoint && !checkpoint.gone && isLong
    const { offset, line } = known || reader.lineBegins ? (checkpoint ?? BEGIN) : BEGIN
    reader.lineBegins?.(offset, line)
    reader.seek(offset)
    const bytes = Buffer.allocUnsafe(CHUNK)
    let records = 0
    let read = 0
    let first = ''
    for (let count = reader.read(bytes, 0, CHUNK); count > 0; count = reader.read(bytes, 0, CHUNK)) {
      if (read === 0) first = bytes.toString('utf8', 0, count)
      read += count
      for (let at = bytes.indexOf(NEWLINE); at >= 0 && at < count; at = bytes.indexOf(NEWLINE, at + 1))
        records++
    }
    return { records, bytes: read, oldestMs: timeIn(first) ?? source.modifiedMs }
  } finally {
    reader.close()
  }
}

const BEGIN = { offset: 0, line: 1 }

function timeIn(text: string): number | undefined {
  for (const line of text.split('\n', FIRST_LINES)) {
    try {
      const fields = asObject(JSON.parse(line))
      const at = asTime(fields?.timestamp) ?? asTime(fields?.ts)
      if (at !== undefined) return at
    } catch {
      // The line is incomplete or not a record. Try the next one.
    }
  }
  return undefined
}
