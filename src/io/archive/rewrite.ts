import { closeSync, fsyncSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chainBefore, sealFrame, summaryOf } from '../frames.ts'
import { createOwn, draftOf, syncFolder, writeAt } from '../own-files.ts'
import { BEGINNING } from '../segment-walk.ts'
import type { ListedSegment } from './manifest.ts'

/** A frame with the number of its records. It is unsealed, in memory of its own. */
export interface Appended {
  frame: Uint8Array
  records: number
}

/** A segment that was written again, next to the one that it will replace. */
export interface DraftOfSegment {
  /** How the manifest lists it. */
  listed: ListedSegment
  /** Replaces the segment. Durable when it returns. */
  replace(): void
}

/** Writes a finished segment with these frames, durably and under another name. Throws the system's error. */
export function draftSegment(
  folder: string,
  archive: string,
  name: string,
  frames: Iterable<Appended>,
): DraftOfSegment {
  const path = join(folder, name)
  const draft = draftOf(path)
  const descriptor = createOwn(draft)
  try {
    let end = { ...BEGINNING, chain: chainBefore(archive, name) }
    for (const { frame, records } of frames) {
      const chain = sealFrame(frame, end)
      writeAt(descriptor, frame, end.offset)
      end = {
        ...{ offset: end.offset + frame.length, frames: end.frames + 1, records: end.records + records },
        chain,
      }
    }
    const { summary, seal } = summaryOf(end)
    writeAt(descriptor, summary, end.offset)
    fsyncSync(descriptor)
    const { frames: count, records } = end
    const bytes = end.offset + summary.length
    return {
      listed: { name, state: 'whole', bytes, frames: count, records, chain: seal.toString('hex') },
      replace() {
        renameSync(draft, path)
        syncFolder(folder)
      },
    }
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Deletes the drafts that an interruption left. */
export function dropDrafts(folder: string): void {
  for (const name of readdirSync(folder))
    if (/^records-[\d-]+\.jsonl\.zst\.[0-9a-f]{12}\.part$/.test(name)) rmSync(join(folder, name))
}
