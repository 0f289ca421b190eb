import type { Batch, Sink } from '../../sinks/sink.ts'
import { idOf } from '../delivery/record-id.ts'
import { checkEnvelope } from './check-envelope.ts'
import type { KnownIds } from './known-ids.ts'

/** What came of the records of a request: the three add up to them. */
export interface ReceivedAnswer {
  version: 1
  /** Durable now. */
  accepted: number
  /** Durable before. */
  repeated: number
  /** By their place among the lines that are not empty, from 0. */
  rejected: { index: number; id: string | null; reason: string }[]
}

/** A record, or their number, is more than is taken at a time. */
export class TooLarge extends Error {}

export interface IntakeOptions {
  sink: Sink
  known: KnownIds
  /** Of one record, in bytes. */
  maxRecord: number
  /** Of one request. */
  maxRecords?: number
}

/** A line each, so that answers stay small whatever is sent. */
const MAX_RECORDS = 10_000

/**
 * Takes the lines of requests and answers when those that are new are durable. A record that another request is just writing is waited
 * for: nothing is called repeated before it is kept. Throws `TooLarge`, or the `SinkError` of the destination.
 */
export function createIntake({ sink, known, maxRecord, maxRecords = MAX_RECORDS }: IntakeOptions) {
  /** By record: settled when it is kept or was given up. */
  const writing = new Map<string, Promise<void>>()
  return { take }

  async function take(body: Buffer): Promise<ReceivedAnswer> {
    const answer: ReceivedAnswer = { version: 1, accepted: 0, repeated: 0, rejected: [] }
    const records: { key: string; id: string; line: Buffer }[] = []
    for (const [index, line] of linesOf(body, maxRecord, maxRecords).entries()) {
      const checked = checkEnvelope(line)
      if ('reason' in checked) answer.rejected.push({ index, ...checked })
      // A stub that was kept does not keep the whole record out.
      else records.push({ key: checked.stub ? `${checked.id} stub` : checked.id, id: checked.id, line })
    }
    for (let others = inWriting(records); others.length > 0; others = inWriting(records))
      await Promise.all(others)
    const fresh = new Map<string, Buffer>()
    for (const { key, id, line } of records)
      if (fresh.has(key) || known.has(id)) answer.repeated++
      else fresh.set(key, line)
    if (fresh.size === 0) return answer
    const work = write(fresh)
    const settled = work.catch(() => {})
    for (const key of fresh.keys()) writing.set(key, settled)
    try {
      await work
    } finally {
      for (const key of fresh.keys()) writing.delete(key)
    }
    answer.accepted = fresh.size
    return answer
  }

  function inWriting(records: readonly { key: string }[]): Promise<void>[] {
    return [...new Set(records.flatMap(({ key }) => writing.get(key) ?? []))]
  }

  async function write(fresh: ReadonlyMap<string, Buffer>): Promise<void> {
    await sink.write(batchOf(fresh))
    for (const key of fresh.keys()) if (!key.endsWith(' stub')) known.add(key)
  }
}

const NEWLINE = Buffer.from('\n')

function batchOf(fresh: ReadonlyMap<string, Buffer>): Batch {
  const ids = [...fresh.keys()].map((key) => key.slice(0, 32))
  return {
    key: idOf(...ids),
    bytes: Buffer.concat([...fresh.values()].flatMap((line) => [line, NEWLINE])),
    ids,
    lengths: [...fresh.values()].map((line) => line.length + 1),
  }
}

/** Lines that are not empty, without what ends them. */
function linesOf(body: Buffer, maxRecord: number, maxRecords: number): Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0; start < body.length; ) {
    const found = body.indexOf(0x0a, start)
    const end = found < 0 ? body.length : found
    const line = body.subarray(start, body[end - 1] === 0x0d && end > start ? end - 1 : end)
    start = end + 1
    if (line.length === 0) continue
    if (line.length > maxRecord) throw new TooLarge(`a record is larger than ${maxRecord} bytes`)
    if (lines.length >= maxRecords) throw new TooLarge(`more than ${maxRecords} records`)
    lines.push(line)
  }
  return lines
}
