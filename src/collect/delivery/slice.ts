import type { RedactSettings } from '../../redact/redact-settings.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Source } from './source.ts'

/** How records are made for a destination. */
export interface RecordSettings {
  device: string
  /** Shown as `~`. */
  home: string
  /** Level, people, own patterns. */
  redact: RedactSettings
  /** Of this installation: makes tags of equal secrets equal. Base64. */
  tagKey: string
  users: string[]
  /** Our reading beside the raw record. */
  normalized: boolean
  /** Records from before this moment are passed over, in ms. */
  historyFromMs: number | null
  /** A batch at most. Bytes as they are sent, before they are packed. */
  maxRecords: number
  maxBytes: number
  /** A larger record becomes a stub; absent where there is no limit. */
  recordLimit?: number
}

export interface SliceTask {
  source: Source
  checkpoint?: Checkpoint
  settings: RecordSettings
  nowMs: number
  /** Where reading ends, although the file goes on: behind the last whole line before it, in bytes. */
  until?: number
  /** Memory of a slice that is done with, for this one. */
  room?: ArrayBuffer
}

/** Records that follow each other, and where their source was delivered to once they are. */
interface Chunk {
  /** Where they stand in the bytes of the slice. */
  start: number
  end: number
  ids: string[]
  /** Of each with its newline, in bytes. */
  lengths: number[]
  next: Checkpoint
}

/** What a slice counts. */
export interface SliceCounts {
  /** Bytes that were read. */
  read: number
  /** Records from before the history that is wanted. */
  passedOver: number
  malformed: number
  stubs: number
  redactions: Record<string, number>
}

export interface Slice extends SliceCounts {
  /** Envelopes, one a line. */
  bytes: Uint8Array<ArrayBuffer>
  chunks: Chunk[]
  /** Behind all that was read, delivered or passed over. */
  next: Checkpoint
  /** More of the source follows. */
  more: boolean
}

export type SliceResult = Slice | { path: string; fault: string }

/** Why a record is only a stub. */
export const TOO_LARGE = 'larger than the destination takes'

/** Envelopes of a slice at first; more room is made when it is needed. */
const CAPACITY = 1024 * 1024
/** Bytes a character takes at most. */
const WIDEST = 3

/** Lays envelopes out one after the other, in chunks that fit a batch. */
export function createChunks({ maxRecords, maxBytes }: RecordSettings, own?: ArrayBuffer) {
  const chunks: Omit<Chunk, 'next'>[] = []
  let buffer = own ? Buffer.from(own) : Buffer.allocUnsafeSlow(CAPACITY)
  let end = 0
  let written = 0
  let current: Omit<Chunk, 'next'> | undefined
  const room = (bytes: number): void => {
    if (written + bytes <= buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, written + bytes))
    buffer.copy(larger, 0, 0, written)
    buffer = larger
  }
  const put = (part: string | Uint8Array): void => {
    if (typeof part === 'string') {
      room(part.length * WIDEST)
      written += buffer.write(part, written)
    } else {
      room(part.length)
      buffer.set(part, written)
      written += part.length
    }
  }
  return {
    /** Writes an envelope that is not one of them yet, and answers how long it is, in bytes. */
    write(head: string, raw: string | Uint8Array, tail: string): number {
      written = end
      put(head)
      put(raw)
      put(tail)
      return written - end
    },
    /** Keeps what was written last. True when the chunk before this one was closed by it. */
    keep(id: string): boolean {
      const length = written - end
      let closed = false
      if (current && (current.ids.length >= maxRecords || current.end - current.start + length > maxBytes)) {
        current = undefined
        closed = true
      }
      if (!current) {
        current = { start: end, end, ids: [], lengths: [] }
        chunks.push(current)
      }
      end = written
      current.end = end
      current.ids.push(id)
      current.lengths.push(length)
      return closed
    },
    chunks,
    /** In a buffer of their own, which may go to another thread. */
    bytes: (): Uint8Array<ArrayBuffer> => new Uint8Array(buffer.buffer, 0, end),
  }
}
