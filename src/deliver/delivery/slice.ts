import { packFrame } from '../../io/frames.ts'
import type { Fingerprint } from '../../io/source.ts'
import type { RedactSettings } from '../../redact/redactor.ts'
import type { Source } from './inventory.ts'

/** Settings for the records of a destination. */
export interface RecordSettings {
  device: string
  /** Of this installation and home. */
  deviceId: string
  /** Shown as `~`. */
  home: string
  /** Level, identities and custom patterns. */
  redact: RedactSettings
  /** Base64 key of this installation. Equal secrets get equal tags. */
  tagKey: string
  users: string[]
  /** Add our normalized form to the raw record. */
  normalized: boolean
  /** Record types that are skipped; see `createSkipped`. */
  skip?: readonly string[]
  /** The keys of forgotten sessions, whose records are not delivered. */
  forgotten?: readonly string[]
  /** Records from before this time in ms are not delivered. */
  historyFromMs: number | null
  /** Maximum size of a batch. Bytes are counted before compression. */
  maxRecords: number
  maxBytes: number
  /** Larger records become stubs. Unlimited if absent. */
  recordLimit?: number
  /** The destination accepts frames. */
  frames?: boolean
}

export interface SliceTask {
  source: Source
  checkpoint?: Checkpoint
  settings: RecordSettings
  nowMs: number
  /** The offset in bytes at which reading ends, after the last whole line before it. */
  until?: number
}

/** Consecutive records and the checkpoint that follows them. */
interface Chunk {
  /** Envelopes, one per line, in a buffer of their own. */
  bytes: Uint8Array<ArrayBuffer>
  /** True if `bytes` are a frame. */
  framed: boolean
  ids: string[]
  /** Bytes of each envelope, including its newline. */
  lengths: number[]
  next: Checkpoint
}

/** The counts of a slice. */
export interface SliceCounts {
  /** Bytes read. */
  read: number
  /** Records from before the requested history. */
  passedOver: number
  /** Skipped records, by type. */
  skipped: Record<string, number>
  /** Records of forgotten sessions. */
  forgotten: number
  malformed: number
  stubs: number
  redactions: Record<string, number>
}

export interface Slice extends SliceCounts {
  chunks: Chunk[]
  /** The position after everything that was read. */
  next: Checkpoint
  /** The source contains more. */
  more: boolean
}

export type SliceResult = Slice | { path: string; fault: string }

/** The reason given in a stub. */
export const TOO_LARGE = 'larger than the destination takes'

/** Initial size of the envelope buffer. */
const CAPACITY = 1280 * 1024
/** A buffer that one long line made larger than this is released. */
const LARGEST_ROOM = 16 * 1024 * 1024
/** Maximum bytes per character. */
const WIDEST = 3
/** A smaller chunk is combined with the next instead of becoming a frame. */
const WORTH_A_FRAME = 256 * 1024

/** Shared by all slices of this thread, to reuse its memory. */
let room = Buffer.alloc(0)

/** Formatted records and their positions in the buffer. */
interface Laid {
  start: number
  end: number
  ids: string[]
  lengths: number[]
}

/** Collects envelopes in chunks that fit a batch. Only one slice per thread at a time. */
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
    /** Writes an envelope that is not part of a chunk yet. Returns its length in bytes. */
    write(head: string, raw: string | Uint8Array, tail: string): number {
      written = end
      put(head)
      put(raw)
      put(tail)
      return written - end
    },
    /** Adds the envelope written last. Returns true if that closed the previous chunk. */
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
    /** The chunks. `next` returns the checkpoint after each of them. */
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

/** How far a source was delivered to one destination. Contains hashes and numbers, no content. */
export interface Checkpoint extends Fingerprint {
  /** Incremented whenever the source is delivered again from its beginning. */
  generation: number
  /** The offset after the last delivered newline, and the number of the line that begins there. */
  offset: number
  line: number
  /**
   * The size of the file at the last read, -1 if the file has to be read again even if it seems unchanged.
   */
  size: number
  modifiedMs: number
  identity: string
  /** The preceding record, which identifies following records without an id. */
  anchor: Anchor
  /** The offset and hash of an unterminated last line that was delivered because the file was at rest. */
  tailSent?: string
  /** For a source that is delivered whole: the ids of its records. */
  ids?: string[]
  /** The last project folder in the records, with home as `~`. */
  project?: string
  /** The source no longer exists. What it contained was delivered. */
  gone?: boolean
}

/** The last record with an id, and how often the same bytes without an id followed it. */
export interface Anchor {
  after: string
  seen: Record<string, number>
}

export const BEGINNING: Anchor = { after: '', seen: {} }

/** Whether nothing can have changed since the checkpoint. The source is then not opened. */
export const isUnchanged = (
  { bytes, modifiedMs, identity }: { bytes: number; modifiedMs: number; identity: string },
  checkpoint: Checkpoint,
): boolean =>
  bytes === checkpoint.size && modifiedMs === checkpoint.modifiedMs && identity === checkpoint.identity

/** Returns a test for record types that are skipped. A pattern may end with `*`. */
export function createSkipped(patterns: readonly string[] = []) {
  const names = new Set(patterns.filter((each) => !each.endsWith('*')))
  const beginnings = patterns.flatMap((each) => (each.endsWith('*') ? [each.slice(0, -1)] : []))
  return (type: string): boolean => names.has(type) || beginnings.some((each) => type.startsWith(each))
}
