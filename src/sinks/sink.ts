import { HEAD_BYTES, unpackFrame } from '../io/frames.ts'

/** The envelopes of one write. */
export interface Batch {
  /** Derived from the record ids, so that a retry has the same key. */
  key: string
  /** Envelopes, one per line. */
  bytes: Uint8Array
  /** Whether `bytes` is a frame with the envelopes. */
  framed?: boolean | undefined
  ids: readonly string[]
  /** The length of each record with its newline, in bytes. */
  lengths: readonly number[]
  /** Called with the position that the archive will have after the batch, before anything is written. */
  announce?(position: string): void
}

/**
 * Called for a record, by its index in the batch, that the destination rejects for good while it accepts
 * others.
 */
export type Refuse = (index: number, reason: string) => void

/** Identifies the archive at a destination, to notice when it is replaced. */
export interface SinkArchive {
  id: string
  /** In a format private to the sink. */
  position?: string | undefined
}

/** The archive of earlier deliveries. Has no id if that was not known then. */
export type KnownSink = Partial<SinkArchive>

/**
 * A destination of records. `write` resolves once the batch is durable there. Writing the same batch twice is
 * harmless. Up to `window` writes run at a time. Throws a `SinkError`.
 */
export interface Sink {
  /** The destination as shown to users, without secrets. */
  name: string
  window: number
  /** Batches become durable in the order of their writes, however many run at a time. */
  inOrder?: true
  /** Whether it also accepts batches as frames. */
  frames?: boolean
  /** Larger records are sent as stubs, in bytes. Absent if there is no limit. */
  recordLimit?: number
  /** The keys of the sessions that were forgotten in this archive; see `forgottenKey`. */
  forgotten?: readonly string[]
  /** Damage that was found, for users. */
  notes?: readonly string[]
  /** The archive and the position after the last acknowledged batch. Absent if they cannot be known. */
  archive?(): SinkArchive | undefined
  /** Whether the archive durably has the batch that was announced with a position, and all before it. */
  has?(position: string): Promise<boolean>
  /** Throws a `SinkError` if the destination responds and is not the known one. */
  check?(stop?: AbortSignal): Promise<void>
  write(batch: Batch, stop?: AbortSignal, refuse?: Refuse): Promise<void>
  /** Closes open files and connections. Acknowledged batches remain. */
  close?(): Promise<void>
}

/**
 * `retry`: try again later. `too-large`: send smaller batches. `rejected`: at least one record is at fault.
 * `stop`: nothing can be delivered until somebody fixes a problem. `closed`: the other side is gone, which is
 * not an error.
 */
type SinkFault = 'retry' | 'too-large' | 'rejected' | 'stop' | 'closed'

export class SinkError extends Error {
  readonly fault: SinkFault
  /** How to fix it. */
  readonly wayOut: string | undefined
  /** The earliest time of the next attempt, in ms from now. */
  readonly retryAfterMs: number | undefined

  constructor(
    fault: SinkFault,
    message: string,
    { wayOut, retryAfterMs, cause }: { wayOut?: string; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'SinkError'
    this.fault = fault
    this.wayOut = wayOut
    this.retryAfterMs = retryAfterMs
  }
}

/** The envelopes of a batch, one per line. */
export const linesOf = (batch: Batch): Uint8Array => {
  const packed = packedOf(batch)
  return packed ? unpackFrame(packed) : batch.bytes
}

/** The compressed content of its frame. Undefined if it is not a frame. */
export const packedOf = ({ bytes, framed }: Batch): Uint8Array | undefined =>
  framed ? bytes.subarray(HEAD_BYTES) : undefined

/** The records of a batch, each without its newline. */
export function* recordsOf(batch: Batch): Generator<Uint8Array> {
  const { lengths } = batch
  const bytes = linesOf(batch)
  let at = 0
  for (const length of lengths) {
    yield bytes.subarray(at, at + length - 1)
    at += length
  }
}
