import { packFrame } from '../../io/frames.ts'
import type { RedactSettings } from '../../redact/redact-settings.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Source } from './source.ts'

/** How records are made for a destination. */
export interface RecordSettings {
  device: string
  /** Of this installation and home. */
  deviceId: string
  /** Shown as `~`. */
  home: string
  /** Level, people, own patterns. */
  redact: RedactSettings
  /** Of this installation: makes tags of equal secrets equal. Base64. */
  tagKey: string
  users: string[]
  /** Our reading beside the raw record. */
  normalized: boolean
  /** Types of records that are left out; see `createSkipped`. */
  skip?: readonly string[]
  /** Records from before this moment are passed over, in ms. */
  historyFromMs: number | null
  /** A batch at most. Bytes as they are sent, before they are packed. */
  maxRecords: number
  maxBytes: number
  /** A larger record becomes a stub; absent where there is no limit. */
  recordLimit?: number
  /** The destination takes frames. */
  frames?: boolean
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
  /** Envelopes, one a line, in memory of their own. */
  bytes: Uint8Array<ArrayBuffer>
  /** `bytes` are a frame of them. */
  framed: boolean
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
  /** Records of types that are not wanted, by type. */
  skipped: Record<string, number>
  malformed: number
  stubs: number
  redactions: Record<string, number>
}

export interface Slice extends SliceCounts {
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
const CAPACITY = 1280 * 1024
/** One long line leaves more behind than is worth being kept. */
const LARGEST_ROOM = 16 * 1024 * 1024
/** Bytes a character takes at most. */
const WIDEST = 3
/** What is not full is joined with what comes next, unless it is so many bytes. */
const WORTH_A_FRAME = 256 * 1024

/** Of this thread: its memory is used again for the next slice. */
let room = Buffer.alloc(0)

/** Records that are laid out one after the other, and where. */
interface Laid {
  start: number
  end: number
  ids: string[]
  lengths: number[]
}

/** Lays envelopes out one after the other, in chunks that fit a batch. One slice of a thread at a time. */
export function createChunks({ maxRecords, maxBytes, frames = false }: RecordSettings) {
  const laid: Laid[] = []
  if (room.length < CAPACITY || room.length > LARGEST_ROOM) room = Buffer.allocUnsafeSlow(CAPACITY)
  let end = 0
  let written = 0
  let current: Laid | undefined
  const makeRoom = (bytes: number): void => {
    if (written + bytes <= room.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(room.length * 2, written + bytes))
    room.copy(larger, 0, 0, written)
    room = larger
  }
  const put = (part: string | Uint8Array): void => {
    if (typeof part === 'string') {
      makeRoom(part.length * WIDEST)
      written += room.write(part, written)
    } else {
      makeRoom(part.length)
      room.set(part, written)
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
        laid.push(current)
      }
      end = written
      current.end = end
      current.ids.push(id)
      current.lengths.push(length)
      return closed
    },
    /** What was kept; `next` tells where the source was delivered to behind each. */
    chunks: (next: (index: number, last: boolean) => Checkpoint): Chunk[] =>
      laid.map(({ start, end, ids, lengths }, index) => {
        const last = index === laid.length - 1
        const lines = room.subarray(start, end)
        const framed = frames && (!last || lines.length >= WORTH_A_FRAME)
        const bytes = framed ? packFrame(lines, ids.length) : new Uint8Array(lines)
        return { bytes, framed, ids, lengths, next: next(index, last) }
      }),
  }
}
