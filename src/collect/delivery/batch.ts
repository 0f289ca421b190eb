import { type Batch, linesOf } from '../../sinks/sink.ts'
import { idOf } from './records/record-id.ts'
import type { RecordSettings } from './slice.ts'
import type { Checkpoint } from './state/checkpoint.ts'
import type { SourceFacts } from './state/state.ts'

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

export const batchOf = (
  bytes: Uint8Array,
  ids: readonly string[],
  lengths: readonly number[],
  framed?: boolean,
): Batch => ({ key: ids.length === 0 ? '' : idOf(...ids), bytes, framed, ids, lengths })

/** The records of all parts, in order. A frame can only be combined with parts without records. */
export function combine(parts: readonly Part[]): Batch {
  const only = parts.find(({ framed }) => framed) ?? (parts.length === 1 ? parts[0] : undefined)
  const bytes = only?.bytes ?? Buffer.concat(parts.map((part) => part.bytes))
  const ids = parts.flatMap((part) => part.ids)
  // Records that are not sent must never count as delivered.
  if (only?.framed && only.ids.length < ids.length)
    throw new Error('a batch contains both records and a frame')
  const lengths = parts.flatMap((part) => part.lengths)
  return batchOf(bytes, ids, lengths, only?.framed)
}

export interface Halves {
  first: Batch
  second: Batch
}

export function halve(batch: Batch): Halves {
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
export function createGathering({ maxRecords, maxBytes }: Pick<RecordSettings, 'maxRecords' | 'maxBytes'>) {
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
