import { openSource } from '../../io/source.ts'
import { asObject, asTime } from '../../model/json.ts'
import { openArtifact } from '../read/open-artifact.ts'
import { prepareSlice } from './records/prepare.ts'
import type { RecordSettings } from './slice.ts'
import type { Todo } from './todo.ts'

/** Records that are not delivered yet. */
export interface Backlog {
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
    const known = checkpoint && !checkpoint.gone && checkpoint.offset <= reader.state().size
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
