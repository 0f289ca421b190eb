import { hash } from 'node:crypto'
import { checkSegment, contentsOf } from '../../io/archive/contents.ts'
import { frameOf, unpackFrame } from '../../io/frames.ts'
import { forgottenKey } from '../../model/artifact.ts'
import { type IdHash, IdMap } from '../../model/hash.ts'
import type { Sink } from '../../sinks/sink.ts'
import { idOf } from '../delivery/envelope.ts'
import { checkEnvelope } from './envelope-schema.ts'

/** What happened to the records of a request. The three counts add up to all of them. */
export interface ReceivedAnswer {
  version: 1
  /** Durable now. */
  accepted: number
  /** Already durable, byte for byte. */
  repeated: number
  /** Rejected records. `index` counts the non-empty lines from 0. */
  rejected: { index: number; id: string | null; reason: string }[]
}

/** A record is too large, or a request has too many records. */
export class TooLarge extends Error {}

interface IntakeOptions {
  sink: Sink
  known: KnownRecords
  /** The keys of the sessions whose records are rejected; see `forgottenKey`. */
  forgotten?: ReadonlySet<string>
  /** Maximum bytes of one record. */
  maxRecord: number
  /** Maximum number of records per request. */
  maxRecords?: number
}

/** Bounds the size of answers, which have one line per rejected record. */
const MAX_RECORDS = 10_000

/**
 * Stores the records of requests and answers when they are durable. If another request is writing the same
 * record, this one waits: nothing is reported as repeated before it is durable. Throws `TooLarge`, or the
 * `SinkError` of the destination.
 */
export function createIntake({ sink, known, forgotten, maxRecord, maxRecords = MAX_RECORDS }: IntakeOptions) {
  /** By record: resolves when the record is durable or was given up. */
  const writing = new Map<string, Promise<void>>()
  return { take }

  /** `packed`: the lines as one zstd frame. It is stored unchanged if all of them are accepted. */
  async function take(body: Buffer, packed?: Buffer): Promise<ReceivedAnswer> {
    const answer: ReceivedAnswer = { version: 1, accepted: 0, repeated: 0, rejected: [] }
    const records: Received[] = []
    for (const [index, line] of linesOf(body, maxRecord, maxRecords).entries()) {
      const checked = checkEnvelope(line)
      if ('reason' in checked) answer.rejected.push({ index, ...checked })
      else {
        const { id, stub, platform, session } = checked
        if (session !== null && forgotten?.has(forgottenKey(platform, session))) {
          answer.rejected.push({ index, id, reason: 'its session was forgotten in this archive' })
          continue
        }
        const form = formOf(line)
        records.push({ id, stub, form, key: `${id} ${form}`, line })
      }
    }
    for (let others = inWriting(records); others.length > 0; others = inWriting(records))
      await Promise.all(others)
    const fresh = new Map<string, Received>()
    for (const record of records)
      if (fresh.has(record.key) || isStored(record)) answer.repeated++
      else fresh.set(record.key, record)
    if (fresh.size === 0) return answer
    const all = [...fresh.values()]
    const work = write(all, packed && sink.frames && areWhole(all, body) ? packed : undefined)
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

  function inWriting(records: readonly Received[]): Promise<void>[] {
    return [...new Set(records.flatMap(({ key }) => writing.get(key) ?? []))]
  }

  /** A stub adds nothing to a record that is stored in full. */
  function isStored({ id, form, stub }: Received): boolean {
    const status = known.statusOf(id, form)
    return status === 'same' || (stub && status === 'changed')
  }

  async function write(fresh: readonly Received[], packed: Buffer | undefined): Promise<void> {
    await sink.write({
      key: idOf(...fresh.map(({ key }) => key)),
      bytes: packed
        ? frameOf(packed, fresh.length)
        : Buffer.concat(fresh.flatMap(({ line }) => [line, NEWLINE])),
      framed: packed !== undefined,
      ids: fresh.map(({ id }) => id),
      lengths: fresh.map(({ line }) => line.length + 1),
    })
    for (const { id, form } of fresh) known.add(id, form)
  }
}

interface Received {
  id: string
  form: string
  /** Of id and form. */
  key: string
  stub: boolean
  line: Buffer
}

const NEWLINE = Buffer.from('\n')

/** Whether the lines, each with its newline, make up the whole body. */
const areWhole = (records: readonly Received[], body: Buffer): boolean =>
  body.at(-1) === 0x0a && records.reduce((sum, { line }) => sum + line.length + 1, 0) === body.length

/** Splits a body into its non-empty lines, without line ends. */
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

/** Limit of remembered records. Beyond it, a repeated record is stored again under the same id. */
const MOST = 16 * 1024 * 1024

/**
 * How a record compares to the stored ones. `changed`: stored in another form, from another generation or
 * machine.
 */
type RecordStatus = 'new' | 'same' | 'changed'

/** The known records by id, with the form of the latest: 16 bytes each. */
export class KnownRecords {
  readonly #forms: IdMap
  readonly #most: number

  constructor(most = MOST) {
    this.#forms = new IdMap()
    this.#most = most
  }

  get size(): number {
    return this.#forms.size
  }

  get full(): boolean {
    return this.#forms.size >= this.#most
  }

  /** `form`: from `formOf`. */
  statusOf(id: string, form: string): RecordStatus {
    const key = halves(id)
    const found: IdHash = { high: 0, low: 0 }
    this.#forms.get(key, found)
    if (found.low === 0) return 'new'
    const { high, low } = halves(form)
    return found.high === high && found.low === low ? 'same' : 'changed'
  }

  add(id: string, form: string): void {
    if (!this.full || this.statusOf(id, form) === 'changed') this.#forms.set(halves(id), halves(form))
  }
}

/** Identifies the form of a record by its line. */
export const formOf = (line: Uint8Array): string => hash('sha256', line, 'hex').slice(0, 16)

/** 63 of the first 64 bits, because the low half must not be zero. */
const halves = (digits: string): IdHash => ({
  high: Number.parseInt(digits.slice(0, 8), 16) | 0,
  low: Number.parseInt(digits.slice(8, 16), 16) | 1,
})

/** The beginning of a record from our own collector. */
const BEGINNING = /^\{"v":1,"id":"([0-9a-f]{32})"/

/** Adds all readable records of an archive. Throws file system errors. */
export function readKnownRecords(folder: string, into: KnownRecords): void {
  for (const segment of contentsOf(folder).segments)
    for (const piece of checkSegment(segment)) {
      const lines = piece.type === 'frame' ? unpackFrame(piece.packed) : undefined
      for (let start = 0; lines && start < lines.length; ) {
        const end = lines.indexOf(0x0a, start)
        const line = lines.subarray(start, end < 0 ? lines.length : end)
        const id = idIn(line)
        if (id !== undefined) into.add(id, formOf(line))
        start += line.length + 1
      }
    }
}

function idIn(line: Buffer): string | undefined {
  const found = BEGINNING.exec(line.toString('latin1', 0, 64))
  if (found) return found[1]
  try {
    const { id } = JSON.parse(line.toString('utf8')) as { id?: unknown }
    return typeof id === 'string' && /^[0-9a-f]{32}$/.test(id) ? id : undefined
  } catch {
    return undefined
  }
}
