import { join } from 'node:path'
import { readOwn, replaceOwn } from '../own-files.ts'
import { segmentDay } from '../segments.ts'
import { isId, isTime, seal, unseal } from './sealed.ts'

/** A segment that nothing more is appended to, as it has to be. */
export interface ListedSegment {
  name: string
  /**
   * `whole`: it ends in a summary. `left`: it has none, as delivery went on in another one; up to `bytes` it was acknowledged.
   * `first`: written in the first format; `chain` is the checksum of the file.
   */
  state: 'whole' | 'left' | 'first'
  /** Not all of it is whole. */
  damaged?: true
  bytes: number
  frames: number
  records: number
  chain: string
}

/** A damaged segment that was repaired: its frames were written again, and it was moved aside. */
export interface RepairedSegment {
  name: string
  /** ISO 8601. */
  at: string
  recovered: number
  /** Records that could not be; null where nobody knows how many there were. */
  lost: number | null
}

/** What an archive consists of beside its newest segment. */
export interface Manifest {
  /** The archive's id, and when it was made. */
  archive: string
  created: string
  segments: ListedSegment[]
  repaired: RepairedSegment[]
}

export const MANIFEST = 'manifest.json'
const FORMAT = 'scrollback-manifest'
const VERSION = 2
const LARGEST = 256 * 1024 * 1024

export type FoundManifest = { type: 'none' } | { type: 'damaged' } | { type: 'valid'; manifest: Manifest }

/** Throws `NotOurs`, or the system's error. */
export function readManifest(folder: string): FoundManifest {
  const content = readOwn(join(folder, MANIFEST), LARGEST)
  if (!content) return { type: 'none' }
  const fields = unseal(content.toString('latin1'))
  if (fields?.format !== FORMAT || fields.version !== VERSION) return { type: 'damaged' }
  const { archive, created, segments, repaired } = fields as unknown as Manifest
  // A name from elsewhere would lead elsewhere.
  const named = [...segments, ...repaired].every(({ name }) => segmentDay(name))
  if (!named || !isId(archive) || !isTime(created) || !repaired.every(({ at }) => isTime(at)))
    return { type: 'damaged' }
  return { type: 'valid', manifest: { archive, created, segments, repaired } }
}

/** Puts it in place of the one before, whole or not at all. */
export const writeManifest = (folder: string, { archive, created, segments, repaired }: Manifest): void =>
  replaceOwn(
    join(folder, MANIFEST),
    seal({ format: FORMAT, version: VERSION, archive, created, segments, repaired }),
  )
