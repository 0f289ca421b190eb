import type { RedactSettings } from '../../redact/settings.ts'
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

const encoder = new TextEncoder()

/** Gathers envelopes into chunks that fit a batch. */
export function createChunks({ maxRecords, maxBytes }: RecordSettings) {
  const parts: string[] = []
  const chunks: Omit<Chunk, 'next'>[] = []
  let bytes = 0
  let current: Omit<Chunk, 'next'> | undefined
  return {
    /** True when the chunk before this one was closed by it. */
    add(id: string, envelope: string): boolean {
      const text = `${envelope}\n`
      const length = Buffer.byteLength(text)
      let closed = false
      if (current && (current.ids.length >= maxRecords || current.end - current.start + length > maxBytes)) {
        current = undefined
        closed = true
      }
      if (!current) {
        current = { start: bytes, end: bytes, ids: [], lengths: [] }
        chunks.push(current)
      }
      parts.push(text)
      bytes += length
      current.end = bytes
      current.ids.push(id)
      current.lengths.push(length)
      return closed
    },
    chunks,
    /** In a buffer of their own, which may go to another thread. */
    bytes: (): Uint8Array<ArrayBuffer> => encoder.encode(parts.join('')),
  }
}
