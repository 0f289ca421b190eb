import { hash } from 'node:crypto'
import { memberText } from '../../io/parse-line.ts'
import type { Envelope } from '../../model/delivery.ts'
import { type Batch, linesOf, recordsOf, type Sink, SinkError } from '../../sinks/sink.ts'
import { idOf } from './envelope.ts'
import { pause, waitBefore } from './retry.ts'
import type { Checkpoint, RecordSettings } from './slice.ts'
import type { Announced, DeliveryState, SourceFacts } from './state.ts'

export type SenderOptions = Omit<AttemptOptions, 'checkFault' | 'count'> & {
  limits: Pick<RecordSettings, 'maxRecords' | 'maxBytes'>
}

/** A batch that was sent. `arrived` is set once it is durable. */
interface Flight {
  parts: Part[]
  /** Of its sources. */
  keys: ReadonlySet<string>
  work: Promise<Arrived>
  /** Its number in the state, if it was announced there. */
  announced?: number
  arrived?: Arrived
  /** It will be tried again, or will never arrive. */
  isFailed?: boolean
}

const sharesSource = (one: Flight, { keys }: Pick<Flight, 'keys'>): boolean =>
  one.parts.some(({ key }) => keys.has(key))

/**
 * Combines parts into batches, in order, and sends as many at a time as the destination accepts. The records
 * of a source arrive in their order: a batch waits for those before it that have the same source, unless the
 * destination keeps the order. A checkpoint only moves after its records were acknowledged, and never past
 * records that were not. After an error nothing more is accepted: `take` and `flush` throw it, and `end`
 * waits for what else was sent.
 */
export function createSender({ limits, ...options }: SenderOptions) {
  const { sink, state, destination, nowMs } = options
  const counts: SentCounts = { records: 0, bytes: 0, batches: 0, stubs: 0, quarantined: 0, retries: 0 }
  let flights: Flight[] = []
  const gathering = createGathering(limits)
  let fault: unknown
  let waiting: (() => void)[] = []
  const checkFault = (): void => {
    if (fault !== undefined) throw fault
  }
  const deliver = createAttempts({
    ...options,
    checkFault,
    count(more) {
      for (const [name, number] of Object.entries(more)) counts[name as keyof SentCounts] += number
    },
  })

  return {
    counts,
    /** Resolves when there is room for more. */
    async take(part: Part): Promise<void> {
      checkFault()
      if (!gathering.hasRoomFor(part)) send(gathering.take())
      gathering.add(part)
      await until(() => flights.length < sink.window)
    },
    /** Resolves when everything taken is durable. */
    async flush(): Promise<void> {
      if (!gathering.isEmpty()) send(gathering.take())
      await until(() => flights.length === 0)
      checkFault()
    },
    /** Resolves when the checkpoints of all that arrived have moved. Nothing is sent any more. */
    async end(): Promise<void> {
      while (flights.some(({ isFailed, arrived }) => !isFailed && !arrived)) await woken()
    },
  }

  async function until(condition: () => boolean): Promise<void> {
    while (fault === undefined && !condition()) await woken()
  }

  function woken(): Promise<void> {
    return new Promise((resolve) => waiting.push(resolve))
  }

  function send(parts: Part[]): void {
    const batch: Batch = combine(parts)
    const keys = new Set(parts.map(({ key }) => key))
    const before = flights.filter((each) => sharesSource(each, { keys }))
    const flight: Flight = { parts, keys, work: Promise.resolve(NOTHING) }
    if (sink.has) batch.announce = (position) => announce(batch, flight, before, position)
    if (batch.ids.length > 0) flight.work = fly(batch, flight, before)
    flights.push(flight)
    flight.work.then(
      (arrived) => {
        flight.arrived = arrived
        settle()
      },
      (error) => fail(error, flight),
    )
  }

  /** So that the next run sends nothing again of which only the acknowledgement was lost. */
  function announce(batch: Batch, flight: Flight, before: readonly Flight[], position: string): void {
    // Whatever counts as arrived must follow all that came before it in its sources.
    if (before.some((each) => !each.arrived && each.announced === undefined && holdsRecords(each))) return
    const { ids, lengths } = batch
    const bytes = lengths.reduce((sum, length) => sum + length, 0)
    const announced = { position, ...changesOf(flight.parts), records: ids.length, bytes }
    flight.announced = state.announce(destination, announced, flight.announced)
  }

  /** Sends a batch when it is its turn: nothing `before` it may arrive later. */
  async function fly(batch: Batch, flight: Flight, before: readonly Flight[]): Promise<Arrived> {
    const turn = async (): Promise<void> => void (await Promise.all(before.map(({ work }) => work)))
    if (!sink.inOrder || before.some(({ isFailed }) => isFailed)) await turn()
    return deliver(batch, () => {
      flight.isFailed = true
      wakeAll()
      return turn()
    })
  }

  /** Moves the checkpoint of each source up to the first of its records that were not acknowledged. */
  function settle(): void {
    const left: Flight[] = []
    for (const flight of flights) {
      const { arrived } = flight
      try {
        if (!arrived || left.some((before) => sharesSource(before, flight))) left.push(flight)
        else advance(flight, arrived)
      } catch (error) {
        fail(error, flight)
        left.push(flight)
      }
    }
    flights = left
    wakeAll()
  }

  function advance({ parts, announced }: Flight, arrived: Arrived): void {
    const { advances, dropped } = changesOf(parts)
    const counts = { ...arrived, nowMs: nowMs(), archive: sink.archive?.(), announced }
    state.advance(destination, advances, counts, dropped)
  }

  /** Nothing that follows it in its sources counts. What was sent of others may still arrive. */
  function fail(error: unknown, flight: Flight): void {
    fault ??= error
    flight.isFailed = true
    delete flight.arrived
    wakeAll()
  }

  function wakeAll(): void {
    const all = waiting
    waiting = []
    for (const wake of all) wake()
  }
}

const holdsRecords = ({ parts }: Flight): boolean => parts.some(({ ids }) => ids.length > 0)

/** What changes in the state when all of them have arrived. */
function changesOf(parts: readonly Part[]): Pick<Announced, 'advances' | 'dropped'> {
  const latest = new Map(parts.map((part) => [part.key, part]))
  return {
    advances: [...latest.values()].map(({ key, facts, next }) => ({ key, facts, checkpoint: next })),
    dropped: parts.flatMap(({ formerly }) => formerly ?? []),
  }
}

/**
 * Moves the checkpoints of the batches that the last run wrote to an archive without noting that they
 * arrived, because it was killed in between. None moves past records that did not arrive.
 */
export async function recoverAnnounced({
  sink,
  state,
  destination,
  nowMs,
}: Pick<AttemptOptions, 'sink' | 'state' | 'destination' | 'nowMs'>): Promise<void> {
  if (!sink.has) return
  const announced = state.announced(destination)
  if (announced.size === 0) return
  const lost = new Set<string>()
  for (const [number, { position, advances, dropped, records, bytes }] of announced)
    if (advances.some(({ key }) => lost.has(key)) || !(await sink.has(position)))
      for (const { key } of advances) lost.add(key)
    else {
      const counts = {
        records,
        bytes,
        stubs: 0,
        nowMs: nowMs(),
        archive: sink.archive?.(),
        announced: number,
      }
      state.advance(destination, advances, counts, dropped)
    }
  state.dropAnnounced(destination)
}

interface AttemptOptions {
  sink: Sink
  state: DeliveryState
  destination: number
  nowMs(): number
  stop?: AbortSignal
  /** Attempts per batch before the delivery fails. Unlimited if absent. */
  tries?: number
  random?: () => number
  /** Throws if another batch failed for good meanwhile. */
  checkFault(): void
  /** Called for whatever happens, while it happens. */
  count(counts: Partial<SentCounts>): void
}

export interface SentCounts {
  records: number
  bytes: number
  batches: number
  stubs: number
  quarantined: number
  retries: number
}

/** What one batch added to its destination. */
export type Arrived = Pick<SentCounts, 'records' | 'bytes' | 'stubs'>

/**
 * Returns a function that sends a batch until it is durable, each further time when it is its `turn`. Records
 * that the destination rejects are sent alone, then as a stub, and are quarantined at last.
 */
function createAttempts(
  options: AttemptOptions,
): (batch: Batch, turn: () => Promise<void>) => Promise<Arrived> {
  const { sink, state, destination, nowMs, stop, tries, random, checkFault, count } = options

  async function deliver(batch: Batch, turn: () => Promise<void>): Promise<Arrived> {
    for (let failed = 0; ; ) {
      checkFault()
      try {
        return await write(batch)
      } catch (error) {
        if (!(error instanceof SinkError)) throw error
        if (error.fault === 'too-large' || error.fault === 'rejected') return divide(batch, error, turn)
        if (error.fault !== 'retry') throw error
        failed++
        const isLast = stop?.aborted === true || (tries !== undefined && failed >= tries)
        noteFailure(state, destination, error.message, !isLast, nowMs())
        if (isLast) throw error
        count({ retries: 1 })
        const isTurn = turn()
        isTurn.catch(() => {})
        await pause(Math.max(error.retryAfterMs ?? 0, waitBefore(failed, random)), stop)
        if (stop?.aborted) throw error
        await isTurn
      }
    }
  }

  async function write(batch: Batch): Promise<Arrived> {
    const refused = new Map<number, string>()
    await sink.write(batch, stop, (index, reason) => void refused.set(index, reason))
    const records = refused.size === 0 ? [] : [...recordsOf(batch)]
    for (const [index, reason] of refused) quarantine(records[index]!, batch.ids[index]!, reason)
    const arrived = {
      records: batch.ids.length - refused.size,
      bytes: batch.lengths.reduce((sum, length, index) => (refused.has(index) ? sum : sum + length), 0),
      stubs: 0,
    }
    count({ ...arrived, batches: 1 })
    return arrived
  }

  /** Halves a batch until the rejected record is alone. */
  async function divide(batch: Batch, error: SinkError, turn: () => Promise<void>): Promise<Arrived> {
    if (batch.ids.length > 1) {
      const { first, second } = halve(batch)
      return add(await deliver(first, turn), await deliver(second, turn))
    }
    const [record] = recordsOf(batch)
    const stub = error.fault === 'too-large' ? asStub(record!, error.message) : undefined
    if (stub) {
      const arrived = await deliver(batchOf(stub, batch.ids, [stub.length]), turn)
      const { records: stubs } = arrived
      count({ stubs })
      return add(arrived, { ...NOTHING, stubs })
    }
    quarantine(record!, batch.ids[0]!, error.message)
    return NOTHING
  }

  function quarantine(record: Uint8Array, id: string, reason: string): void {
    count({ quarantined: 1 })
    const envelope = JSON.parse(Buffer.from(record).toString()) as { path?: string; line?: number }
    const { path = '', line = 0 } = envelope
    state.quarantine(destination, { id, path, line, reason, atMs: nowMs() })
  }

  return deliver
}

const NOTHING: Arrived = { records: 0, bytes: 0, stubs: 0 }

const add = (one: Arrived, other: Arrived): Arrived => ({
  records: one.records + other.records,
  bytes: one.bytes + other.bytes,
  stubs: one.stubs + other.stubs,
})

/**
 * Records of one source and the checkpoint that follows them. A part without records only moves the
 * checkpoint.
 */
export interface Part {
  key: string
  facts: SourceFacts
  next: Checkpoint
  bytes: Uint8Array
  /** True if `bytes` are a frame, which is a batch of its own. */
  framed?: boolean | undefined
  ids: readonly string[]
  lengths: readonly number[]
  /** The former name of the source. It is removed in the transaction that moves the new checkpoint. */
  formerly?: string
}

const batchOf = (
  bytes: Uint8Array,
  ids: readonly string[],
  lengths: readonly number[],
  framed?: boolean,
): Batch => ({ key: ids.length === 0 ? '' : idOf(...ids), bytes, framed, ids, lengths })

/** The records of all parts, in order. A frame can only be combined with parts without records. */
function combine(parts: readonly Part[]): Batch {
  const only = parts.find(({ framed }) => framed) ?? (parts.length === 1 ? parts[0] : undefined)
  const bytes = only?.bytes ?? Buffer.concat(parts.map((part) => part.bytes))
  const ids = parts.flatMap((part) => part.ids)
  // Records that are not sent must never count as delivered.
  if (only?.framed && only.ids.length < ids.length)
    throw new Error('a batch contains both records and a frame')
  const lengths = parts.flatMap((part) => part.lengths)
  return batchOf(bytes, ids, lengths, only?.framed)
}

interface Halves {
  first: Batch
  second: Batch
}

function halve(batch: Batch): Halves {
  const { ids, lengths } = batch
  const bytes = linesOf(batch)
  const middle = Math.ceil(ids.length / 2)
  const at = lengths.slice(0, middle).reduce((sum, length) => sum + length, 0)
  return {
    first: batchOf(bytes.subarray(0, at), ids.slice(0, middle), lengths.slice(0, middle)),
    second: batchOf(bytes.subarray(at), ids.slice(middle), lengths.slice(middle)),
  }
}

/** Gathers parts until they fill a batch. */
function createGathering({ maxRecords, maxBytes }: Pick<RecordSettings, 'maxRecords' | 'maxBytes'>) {
  let parts: Part[] = []
  let records = 0
  let bytes = 0
  return {
    add(part: Part): void {
      parts.push(part)
      records += part.ids.length
      bytes += part.bytes.length
    },
    /** A frame ends its batch. Only parts without records may precede it. */
    hasRoomFor: (part: Part): boolean =>
      records === 0 ||
      (!parts.at(-1)!.framed &&
        !part.framed &&
        records + part.ids.length <= maxRecords &&
        bytes + part.bytes.length <= maxBytes),
    isEmpty: (): boolean => parts.length === 0,
    /** Returns the parts and starts over. */
    take(): Part[] {
      const taken = parts
      parts = []
      records = bytes = 0
      return taken
    },
  }
}

/**
 * Stores the reason of a failed delivery for `collect status`. Errors of the state are ignored, because the
 * caller throws the failure itself.
 */
export function noteFailure(
  state: DeliveryState,
  destination: number,
  message: string,
  retry: boolean,
  nowMs = Date.now(),
): void {
  try {
    state.failed(destination, message, nowMs, retry)
  } catch {
    // The caller reports the failure itself.
  }
}

/**
 * Replaces the record of an envelope that the destination rejected as too large. Undefined if it is a stub
 * already.
 */
function asStub(record: Uint8Array, reason: string): Uint8Array | undefined {
  const text = Buffer.from(record).toString('utf8')
  const envelope = JSON.parse(text) as Envelope
  if (envelope.stub) return undefined
  const raw = memberText(text, 'raw') ?? 'null'
  const stub = { bytes: Buffer.byteLength(raw), sha256: hash('sha256', raw, 'hex'), reason }
  const { normalized: _, ...rest } = envelope
  return Buffer.from(`${JSON.stringify({ ...rest, stub, raw: null })}\n`)
}
