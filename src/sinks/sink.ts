import { HEAD_BYTES, unpackFrame } from '../io/frames.ts'

/** What a destination is given at a time. */
export interface Batch {
  /** Made of the ids of its records: the same batch has the same key in every try. */
  key: string
  /** Envelopes, one a line. */
  bytes: Uint8Array
  /** `bytes` are a frame of them. */
  framed?: boolean | undefined
  ids: readonly string[]
  /** Of each record with its newline, in bytes. */
  lengths: readonly number[]
}

/** Told of a record that the destination will never take, by its place in the batch, though it took the others. */
export type Refuse = (index: number, reason: string) => void

/** What a collector remembers of a destination, to notice when it is another one. */
export interface SinkArchive {
  id: string
  /** In a form of the sink's own. */
  position?: string | undefined
}

/** What was delivered to before; without an id where that was not known then. */
export type KnownSink = Partial<SinkArchive>

/**
 * A place that records are delivered to. `write` resolves when they are durable there, and not before; writing the same batch twice is
 * harmless. It is called again before it has resolved, up to `window` batches at a time. It throws a `SinkError`.
 */
export interface Sink {
  /** For people: without anything secret. */
  name: string
  window: number
  /** It takes batches as frames too. */
  frames?: boolean
  /** A larger record is sent as a stub, in bytes; absent where any is taken. */
  recordLimit?: number
  /** What was found to be damaged there, for people. */
  notes?: readonly string[]
  /** Which archive it is, and behind what was acknowledged last; absent where that cannot be known. */
  archive?(): SinkArchive | undefined
  /** Throws a `SinkError` where the destination answers, and is not the one that was delivered to. */
  check?(stop?: AbortSignal): Promise<void>
  write(batch: Batch, stop?: AbortSignal, refuse?: Refuse): Promise<void>
  /** Lets go of what is open; what was acknowledged stays. */
  close?(): Promise<void>
}

/**
 * `retry`: again later. `too-large`: in halves. `rejected`: the records are at fault, one of them at least. `stop`: nothing can be
 * delivered until somebody mends something. `closed`: the other side has gone, and that is no fault.
 */
export type SinkFault = 'retry' | 'too-large' | 'rejected' | 'stop' | 'closed'

export class SinkError extends Error {
  readonly fault: SinkFault
  /** What to do about it. */
  readonly wayOut: string | undefined
  /** Not sooner than after so many ms. */
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

/** The envelopes of a batch, one a line. */
export const linesOf = (batch: Batch): Uint8Array => {
  const packed = packedOf(batch)
  return packed ? unpackFrame(packed) : batch.bytes
}

/** What its frame holds, packed with zstd; undefined where it is no frame. */
export const packedOf = ({ bytes, framed }: Batch): Uint8Array | undefined =>
  framed ? bytes.subarray(HEAD_BYTES) : undefined

/** The records of a batch one by one, each without its newline. */
export function* recordsOf(batch: Batch): Generator<Uint8Array> {
  const { lengths } = batch
  const bytes = linesOf(batch)
  let at = 0
  for (const length of lengths) {
    yield bytes.subarray(at, at + length - 1)
    at += length
  }
}
