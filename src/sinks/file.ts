import { closeSync, fsyncSync, mkdirSync, openSync, truncateSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { packFrame } from '../io/frames.ts'
import { endOf, segmentName, segmentsIn } from '../io/segments.ts'
import { type Batch, type Sink, SinkError } from './sink.ts'

export interface FileSinkOptions {
  folder: string
  /** The next segment begins behind so many bytes. */
  segmentBytes?: number
  nowMs(): number
  /** Makes this process the only writer; undefined where another one is. */
  lock(path: string): { release(): void } | undefined
}

const SEGMENT_BYTES = 64 * 1024 * 1024
const ABOUT = `This directory holds records as JSON lines in segments of zstd frames: "zstd -dc records-*.jsonl.zst" shows them all.
A record may stand in it more than once; its "id" tells. "scrollback collect --verify <this directory>" checks every frame and record.
`

interface Waiting {
  frame: Uint8Array
  resolve(): void
  reject(error: unknown): void
}

interface Segment {
  handle: FileHandle
  day: string
  number: number
  bytes: number
}

/**
 * A directory of segments. A batch is a frame at the end of the newest one; it is acknowledged when the disk has it. Batches that come
 * while the disk is at work share the next write. What a crash left behind the last whole frame is cut off when the directory is opened.
 */
export function createFileSink({ folder, segmentBytes = SEGMENT_BYTES, nowMs, lock }: FileSinkOptions): Sink {
  const held = takeFolder(folder, lock)
  let segment: Segment | undefined
  let waiting: Waiting[] = []
  let working: Promise<void> | undefined
  return {
    name: `file:${folder}`,
    window: 16,
    frames: true,
    write: ({ bytes, framed, ids }: Batch) =>
      new Promise((resolve, reject) => {
        waiting.push({ frame: framed ? bytes : packFrame(bytes, ids.length), resolve, reject })
        working ??= work()
      }),
    async close() {
      await working
      await leave()
      held.release()
    },
  }

  async function work(): Promise<void> {
    // Whatever comes in this turn goes into one write.
    await Promise.resolve()
    while (waiting.length > 0) {
      const some = waiting
      waiting = []
      try {
        await append(some.map(({ frame }) => frame))
        for (const { resolve } of some) resolve()
      } catch (error) {
        for (const { reject } of some) reject(faultOf(error, folder))
      }
    }
    working = undefined
  }

  async function append(frames: readonly Uint8Array[]): Promise<void> {
    const day = new Date(nowMs()).toISOString().slice(0, 10)
    if (!segment || segment.bytes >= segmentBytes || segment.day !== day) {
      const first = segment === undefined
      await leave()
      segment = await begin(day, first)
    }
    const current = segment
    try {
      let at = current.bytes
      for (const frame of frames) {
        await current.handle.write(frame, 0, frame.length, at)
        at += frame.length
      }
      await current.handle.datasync()
      current.bytes = at
    } catch (error) {
      // Half a frame would hide what comes behind it.
      await current.handle.truncate(current.bytes).catch(() => {})
      throw error
    }
  }

  /** What was acknowledged is on the disk; nothing that fails here can take it away. */
  async function leave(): Promise<void> {
    const last = segment
    segment = undefined
    await last?.handle.truncate(last.bytes).catch(() => {})
    await last?.handle.close().catch(() => {})
  }

  async function begin(day: string, first: boolean): Promise<Segment> {
    const last = segmentsIn(folder).at(-1)
    const [, lastDay = '', lastNumber = '0'] =
      /^records-(\d{4}-\d{2}-\d{2})-(\d+)/.exec(last ? basename(last) : '') ?? []
    if (last && first && lastDay === day) {
      const { whole } = endOf(last)
      if (whole < segmentBytes)
        return { handle: await open(last, 'r+'), day, number: Number(lastNumber), bytes: whole }
    }
    // A clock that was set back must not bring the order out.
    const from = lastDay > day ? lastDay : day
    const number = from === lastDay ? Number(lastNumber) + 1 : 1
    const handle = await open(join(folder, segmentName(from, number)), 'wx', 0o600)
    syncFolder(folder)
    return { handle, day, number, bytes: 0 }
  }
}

/** Makes the directory ours alone, and mends it. Throws a `SinkError`. */
function takeFolder(folder: string, lock: FileSinkOptions['lock']): { release(): void } {
  let held: { release(): void } | undefined
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    held = lock(join(folder, '.lock'))
    if (held) {
      mendTail(folder)
      return held
    }
  } catch (error) {
    held?.release()
    const { message, cause } = faultOf(error, folder)
    throw new SinkError('stop', `${message}.`, { wayOut: 'Mend it, or choose another directory.', cause })
  }
  throw new SinkError('stop', `Another process is writing to ${folder}.`, {
    wayOut: 'Wait for it, end it, or choose another directory.',
  })
}

function mendTail(folder: string): void {
  writeFileSync(join(folder, 'README.txt'), ABOUT, { mode: 0o600 })
  const last = segmentsIn(folder).at(-1)
  if (last === undefined) return
  const { whole, size } = endOf(last)
  if (whole < size) truncateSync(last, whole)
}

/** A new name is durable only when its folder is. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    fsyncSync(descriptor)
    closeSync(descriptor)
  } catch {
    // Not every system has this, and those that do not need none.
  }
}

const FAULTS: Record<string, string> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'your share of its disk is used up',
  EIO: 'its disk fails',
  EROFS: 'it cannot be written to',
  EACCES: 'you may not write to it',
}

function faultOf(error: unknown, folder: string): SinkError {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return new SinkError('retry', `${folder}: ${FAULTS[code] ?? String(error)}`, { cause: error })
}
