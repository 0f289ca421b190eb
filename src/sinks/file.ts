import { join } from 'node:path'
import { ScrollbackError } from '../errors.ts'
import {
  ArchiveFault,
  type ArchivePosition,
  claimArchive,
  type KnownArchive,
  LOCK,
} from '../io/archive/directory.ts'
import { type Appended, type ArchiveWriter, openWriter } from '../io/archive/writer.ts'
import { packFrame } from '../io/frames.ts'
import { forgottenKey } from '../model/artifact.ts'
import { type Batch, type KnownSink, type Sink, SinkError } from './sink.ts'

interface FileSinkOptions {
  folder: string
  /** Begin a new segment after this many bytes. */
  segmentBytes?: number | undefined
  /** The archive of earlier deliveries. Any other archive is refused. */
  known?: KnownSink | undefined
  nowMs(): number
  /** Makes this process the only writer. Undefined if another process is. */
  lock(path: string): { release(): void } | undefined
}

export const SEGMENT_BYTES = 64 * 1024 * 1024

interface Waiting extends Appended {
  batch: Batch
  resolve(): void
  reject(error: unknown): void
}

/**
 * A directory of segments. Each batch becomes a frame at the end of the newest segment and is acknowledged
 * once it is on disk. Batches that arrive during a write share the next one. Throws a `SinkError` if the
 * directory is not an archive of ours, or not the known one.
 */
export async function createFileSink({
  folder,
  segmentBytes = SEGMENT_BYTES,
  known,
  nowMs,
  lock,
}: FileSinkOptions): Promise<Sink> {
  const { id, writer, held } = await opened()
  let waiting: Waiting[] = []
  let working: Promise<void> | undefined
  /** Where batches would be, or are although that could not be noted. */
  const announced = new WeakMap<Batch, ArchivePosition>()
  return {
    name: `file:${folder}`,
    window: 16,
    inOrder: true,
    frames: true,
    notes: writer.notes,
    forgotten: writer.forgotten().map(({ platform, session }) => forgottenKey(platform, session)),
    archive: () => ({ id, position: textOf(writer.position()) }),
    async has(position) {
      try {
        return await writer.has(JSON.parse(position) as ArchivePosition)
      } catch (error) {
        throw faultOf(error, folder)
      }
    },
    write: (batch: Batch) =>
      new Promise((resolve, reject) => {
        const { bytes, framed, ids } = batch
        const frame = framed ? bytes : packFrame(bytes, ids.length)
        const announce = (position: ArchivePosition): void => {
          announced.set(batch, position)
          batch.announce?.(JSON.stringify(position))
        }
        waiting.push({ batch, frame, records: ids.length, announce, resolve, reject })
        working ??= work()
      }),
    async close() {
      await working
      await writer.close()
      held.release()
    },
  }

  async function work(): Promise<void> {
    // Everything that arrives in this turn goes into one write.
    await Promise.resolve()
    while (waiting.length > 0) {
      const some = waiting
      waiting = []
      try {
        await writer.append(await missing(some))
        for (const { resolve } of some) resolve()
      } catch (error) {
        // What follows must not come before it.
        const behind = waiting
        waiting = []
        for (const { reject } of [...some, ...behind]) reject(faultOf(error, folder))
      }
    }
    working = undefined
  }

  /** Those of the batches that an earlier attempt has not written. */
  async function missing(some: readonly Waiting[]): Promise<Waiting[]> {
    const left: Waiting[] = []
    for (const each of some) {
      const position = announced.get(each.batch)
      if (!position || !(await writer.has(position))) left.push(each)
    }
    return left
  }

  /** Writes nothing before the directory is known to be ours. */
  async function opened(): Promise<{ id: string; writer: ArchiveWriter; held: { release(): void } }> {
    let held: { release(): void } | undefined
    try {
      const marker = claimArchive(folder, nowMs(), known && knownArchive(known))
      held = lock(join(folder, LOCK))
      if (held)
        return { id: marker.id, held, writer: await openWriter({ folder, marker, segmentBytes, nowMs }) }
    } catch (error) {
      held?.release()
      const fault = faultOf(error, folder)
      if (fault instanceof ScrollbackError) throw fault
      const { message, cause, wayOut } = fault
      throw new SinkError('stop', /\.$/.test(message) ? message : `${message}.`, {
        wayOut: wayOut ?? 'Fix it, or choose another directory.',
        cause,
      })
    }
    throw new SinkError('stop', `Another process is writing to ${folder}.`, {
      wayOut: 'Wait for it, end it, or choose another directory.',
    })
  }
}

/** The archive that a stored position refers to. */
export const knownArchive = ({ id, position }: KnownSink): KnownArchive => ({
  id,
  position: position === undefined ? undefined : (JSON.parse(position) as ArchivePosition),
})

const textOf = (position: ArchivePosition | undefined): string | undefined =>
  position && JSON.stringify(position)

const FAULTS: Record<string, string> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'its files may not grow larger',
  EIO: 'its disk fails',
  EROFS: 'it is read-only',
  EACCES: 'permission denied',
  ENOTDIR: 'it is not a directory',
  EEXIST: 'it is not a directory',
}

function faultOf(error: unknown, folder: string): SinkError | ScrollbackError {
  // Of the state in which a batch is announced.
  if (error instanceof ScrollbackError) return error
  if (error instanceof ArchiveFault)
    return new SinkError('stop', error.message, { wayOut: error.wayOut, cause: error })
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === 'ERR_NOT_OURS') return new SinkError('stop', `${message}.`, { cause: error })
  return new SinkError('retry', `${folder}: ${FAULTS[code] ?? message}`, { cause: error })
}
