import { join } from 'node:path'
import type { ForgottenSession } from '../forgotten-list.ts'
import { readOwn, replaceOwn } from '../own-files.ts'
import { segmentDay } from '../segments.ts'
import { isId, isTime, seal, unseal } from './sealed.ts'

/** A finished segment as it must be on disk. */
export interface ListedSegment {
  name: string
  /**
   * `whole`: ends in a summary. `left`: has no summary, because delivery continued in another segment;
   * acknowledged up to `bytes`. `first`: written in the first format; `chain` is the checksum of the file.
   */
  state: 'whole' | 'left' | 'first'
  /** Some of it is damaged. */
  damaged?: true
  bytes: number
  frames: number
  records: number
  chain: string
}

/** A damaged segment whose intact frames were written again. It was moved aside. */
export interface RepairedSegment {
  name: string
  /** ISO 8601. */
  at: string
  recovered: number
  /** The number of records that could not be recovered. Null if unknown. */
  lost: number | null
}

/** A segment that was written again without the records of forgotten sessions. Deleted if none remain. */
export interface RewrittenSegment {
  name: string
  /** ISO 8601. */
  at: string
  remaining: number
  removed: number
}

/** What was forgotten in an archive. Its records are not accepted again. */
interface Forgotten {
  sessions: ForgottenSession[]
  segments: RewrittenSegment[]
  /** A segment that is being replaced, as it will be. */
  replacing?: ListedSegment
}

/** What an archive contains besides its newest segment. */
export interface Manifest {
  /** The archive's id, and when it was created. */
  archive: string
  created: string
  segments: ListedSegment[]
  repaired: RepairedSegment[]
  /** Absent if nothing was. */
  forgotten?: Forgotten
}

export const MANIFEST = 'manifest.json'
const FORMAT = 'scrollback-manifest'
const VERSION = 2
const LARGEST = 256 * 1024 * 1024

export type FoundManifest = { type: 'none' } | { type: 'damaged' } | { type: 'valid'; manifest: Manifest }

/** Throws `NotOurs` or the system's error. */
export function readManifest(folder: string): FoundManifest {
  const content = readOwn(join(folder, MANIFEST), LARGEST)
  if (!content) return { type: 'none' }
  const fields = unseal(content.toString('latin1'))
  if (fields?.format !== FORMAT || fields.version !== VERSION) return { type: 'damaged' }
  const { archive, created, segments, repaired, forgotten } = fields as unknown as Manifest
  // Names are validated, since others could lead out of the directory.
  const rewritten = forgotten?.segments ?? []
  const named = [segments, repaired, rewritten].every((list) => list.every(({ name }) => segmentDay(name)))
  if (!named || !isId(archive) || !isTime(created) || !repaired.every(({ at }) => isTime(at)))
    return { type: 'damaged' }
  return { type: 'valid', manifest: { archive, created, segments, repaired, forgotten } }
}

/** Replaces the manifest atomically. */
export const writeManifest = (
  folder: string,
  { archive, created, segments, repaired, forgotten }: Manifest,
): void =>
  replaceOwn(
    join(folder, MANIFEST),
    seal({ format: FORMAT, version: VERSION, archive, created, segments, repaired, forgotten }),
  )
