import { type Batch, linesOf, recordsOf, type Sink, SinkError } from '../../sinks/sink.ts'
import type { Checkpoint } from './checkpoint.ts'
import { noteFailure } from './note-failure.ts'
import { idOf } from './record-id.ts'
import { pause, waitBefore } from './retry.ts'
import type { RecordSettings } from './slice.ts'
import type { Advance, DeliveryState, SourceFacts } from './state.ts'
import { asStub } from './stub.ts'

/** Records of one source, and where it was delivered to once they are. Without records it only moves the checkpoint. */
export interface Part {
  key: string
  facts: SourceFacts
  next: Checkpoint
  bytes: Uint8Array
  /** `bytes` are a frame of them, which is a batch by itself. */
  framed?: boolean | undefined
  ids: readonly string[]
  lengths: readonly number[]
  /** The name the source was known under: it is forgotten together with what moves the new one. */
  formerly?: string
}

export interface SenderOptions {
  sink: Sink
  state: DeliveryState
  destination: number
  limits: Pick<RecordSettings, 'maxRecords' | 'maxBytes'>
  nowMs(): number
  stop?: AbortSignal
  /** Tries of one batch before it is given up for now; as many as it takes where absent. */
  tries?: number
  random?: () => number
}

export interface SentCounts {
  records: number
  bytes: number
  batches: number
  stubs: number
  quarantined: number
  retries: number
}

interface Flight {
  parts: Part[]
  arrived: boolean
  counts: { records: number; bytes: number; stubs: number }
}

/**
 * Makes batches of what it is given, in order, and sends as many at a time as the destination takes. Checkpoints move only behind what
 * was acknowledged, and never over something that was not. After a fault nothing more is taken: `take` and `flush` throw it.
 */
export function createSender({
  sink,
  state,
  destination,
  limits,
  nowMs,
  stop,
  tries,
  random,
}: SenderOptions) {
  const counts: SentCounts = { records: 0, bytes: 0, batches: 0, stubs: 0, quarantined: 0, retries: 0 }
  const flights: Flight[] = []
  let gathered: Part[] = []
  let gatheredRecords = 0
  let gatheredBytes = 0
  let fault: unknown
  let wake: (() => void)[] = []

  return {
    counts,
    /** Resolves when there is room for more. */
    async take(part: Part): Promise<void> {
      if (fault !== undefined) throw fault
      const full =
        gatheredRecords > 0 &&
        // A frame is the last of its batch: before it stand only parts without records.
        (gathered.at(-1)!.framed ||
          part.framed ||
          gatheredRecords + part.ids.length > limits.maxRecords ||
          gatheredBytes + part.bytes.length > limits.maxBytes)
      if (full) send()
      gathered.push(part)
      gatheredRecords += part.ids.length
      gatheredBytes += part.bytes.length
      await until(() => flights.length < sink.window)
    },
    /** Resolves when all that was taken is durable. */
    async flush(): Promise<void> {
      if (gathered.length > 0) send()
      await until(() => flights.length === 0)
      if (fault !== undefined) throw fault
    },
  }

  async function until(condition: () => boolean): Promise<void> {
    while (fault === undefined && !condition()) await new Promise<void>((resolve) => wake.push(resolve))
  }

  function send(): void {
    const parts = gathered
    gathered = []
    gatheredRecords = gatheredBytes = 0
    const flight: Flight = { parts, arrived: false, counts: { records: 0, bytes: 0, stubs: 0 } }
    flights.push(flight)
    const only = parts.find(({ framed }) => framed) ?? (parts.length === 1 ? parts[0] : undefined)
    const bytes = only?.bytes ?? Buffer.concat(parts.map((part) => part.bytes))
    const batch = batchOf(
      bytes,
      parts.flatMap(({ ids }) => ids),
      parts.flatMap(({ lengths }) => lengths),
      only?.framed,
    )
    // A record that is not sent must never count as delivered.
    if (only?.framed && only.ids.length < batch.ids.length) throw new Error('records stand beside a frame')
    const work = batch.ids.length === 0 ? Promise.resolve() : deliver(batch, flight)
    work.then(
      () => {
        flight.arrived = true
        settle()
      },
      (error) => fail(error),
    )
  }

  /** Moves the checkpoints of all that arrived, up to the first that did not. */
  function settle(): void {
    try {
      while (flights[0]?.arrived) {
        const { parts, counts: own } = flights[0]
        const latest = new Map(parts.map((part) => [part.key, part]))
        const advances: Advance[] = [...latest.values()].map(({ key, facts, next }) => ({
          key,
          facts,
          checkpoint: next,
        }))
        const dropped = parts.flatMap(({ formerly }) => formerly ?? [])
        state.advance(destination, advances, { ...own, nowMs: nowMs(), archive: sink.archive?.() }, dropped)
        flights.shift()
      }
    } catch (error) {
      fail(error)
    }
    arouse()
  }

  function fail(error: unknown): void {
    fault ??= error
    flights.length = 0
    arouse()
  }

  function arouse(): void {
    const all = wake
    wake = []
    for (const each of all) each()
  }

  async function deliver(batch: Batch, flight: Flight): Promise<void> {
    for (let failed = 0; ; ) {
      if (fault !== undefined) throw fault
      try {
        const refused = new Map<number, string>()
        await sink.write(batch, stop, (index, reason) => void refused.set(index, reason))
        const records = refused.size === 0 ? [] : [...recordsOf(batch)]
        for (const [index, reason] of refused) quarantine(records[index]!, batch.ids[index]!, reason)
        const bytes = batch.lengths.reduce(
          (sum, length, index) => (refused.has(index) ? sum : sum + length),
          0,
        )
        for (const target of [counts, flight.counts]) {
          target.records += batch.ids.length - refused.size
          target.bytes += bytes
        }
        counts.batches++
        return
      } catch (error) {
        if (!(error instanceof SinkError)) throw error
        if (error.fault === 'too-large' || error.fault === 'rejected') return divide(batch, flight, error)
        if (error.fault !== 'retry') throw error
        failed++
        counts.retries++
        noteFailure(state, destination, error.message, true, nowMs())
        if (stop?.aborted || (tries !== undefined && failed >= tries)) throw error
        await pause(Math.max(error.retryAfterMs ?? 0, waitBefore(failed, random)), stop)
        if (stop?.aborted) throw error
      }
    }
  }

  /** Halves, until the record that is at fault stands alone. */
  async function divide(batch: Batch, flight: Flight, error: SinkError): Promise<void> {
    if (batch.ids.length > 1) {
      for (const half of halvesOf(batch)) await deliver(half, flight)
      return
    }
    const [record] = recordsOf(batch)
    const stub = error.fault === 'too-large' ? asStub(record!, error.message) : undefined
    if (stub) {
      counts.stubs++
      flight.counts.stubs++
      return deliver(batchOf(stub, batch.ids, [stub.length]), flight)
    }
    quarantine(record!, batch.ids[0]!, error.message)
  }

  function quarantine(record: Uint8Array, id: string, reason: string): void {
    counts.quarantined++
    const { path = '', line = 0 } = JSON.parse(Buffer.from(record).toString()) as {
      path?: string
      line?: number
    }
    state.quarantine(destination, { id, path, line, reason, atMs: nowMs() })
  }
}

const batchOf = (
  bytes: Uint8Array,
  ids: readonly string[],
  lengths: readonly number[],
  framed?: boolean,
): Batch => ({ key: ids.length === 0 ? '' : idOf(...ids), bytes, framed, ids, lengths })

function halvesOf(batch: Batch): [Batch, Batch] {
  const { ids, lengths } = batch
  const bytes = linesOf(batch)
  const middle = Math.ceil(ids.length / 2)
  const at = lengths.slice(0, middle).reduce((sum, length) => sum + length, 0)
  return [
    batchOf(bytes.subarray(0, at), ids.slice(0, middle), lengths.slice(0, middle)),
    batchOf(bytes.subarray(at), ids.slice(middle), lengths.slice(middle)),
  ]
}
