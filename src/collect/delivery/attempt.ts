import { type Batch, recordsOf, type Sink, SinkError } from '../../sinks/sink.ts'
import { batchOf, halve } from './batch.ts'
import { noteFailure } from './note-failure.ts'
import { asStub } from './records/stub.ts'
import { pause, waitBefore } from './retry.ts'
import type { DeliveryState } from './state/state.ts'

export interface AttemptOptions {
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
 * Returns a function that sends a batch until it is durable. Records that the destination rejects are sent
 * alone, then as a stub, and are quarantined at last.
 */
export function createAttempts(options: AttemptOptions): (batch: Batch) => Promise<Arrived> {
  const { sink, state, destination, nowMs, stop, tries, random, checkFault, count } = options

  async function deliver(batch: Batch): Promise<Arrived> {
    for (let failed = 0; ; ) {
      checkFault()
      try {
        return await write(batch)
      } catch (error) {
        if (!(error instanceof SinkError)) throw error
        if (error.fault === 'too-large' || error.fault === 'rejected') return divide(batch, error)
        if (error.fault !== 'retry') throw error
        failed++
        count({ retries: 1 })
        noteFailure(state, destination, error.message, true, nowMs())
        if (stop?.aborted || (tries !== undefined && failed >= tries)) throw error
        await pause(Math.max(error.retryAfterMs ?? 0, waitBefore(failed, random)), stop)
        if (stop?.aborted) throw error
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
  async function divide(batch: Batch, error: SinkError): Promise<Arrived> {
    if (batch.ids.length > 1) {
      const { first, second } = halve(batch)
      return add(await deliver(first), await deliver(second))
    }
    const [record] = recordsOf(batch)
    const stub = error.fault === 'too-large' ? asStub(record!, error.message) : undefined
    if (stub) {
      count({ stubs: 1 })
      return add(await deliver(batchOf(stub, batch.ids, [stub.length])), { ...NOTHING, stubs: 1 })
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
