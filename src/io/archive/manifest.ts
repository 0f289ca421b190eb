import { hash, randomUUID } from 'node:crypto'
import { closeSync, linkSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { asObject, type JsonObject } from '../../model/json.ts'
import type { ForgottenSession } from '../forgotten-list.ts'
import { CHECKSUM_BYTES, HEAD_BYTES, readHead } from '../frames.ts'
import { openOwnToRead, publishOwn, readAt, readOwn, replaceOwn } from '../own-files.ts'
import { segmentDay } from './segments.ts'

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
const MANIFEST_FORMAT = 'scrollback-manifest'
const MANIFEST_VERSION = 2
const LARGEST_MANIFEST = 256 * 1024 * 1024

type FoundManifest = { type: 'none' } | { type: 'damaged' } | { type: 'valid'; manifest: Manifest }

/** Throws `NotOurs` or the system's error. */
export function readManifest(folder: string): FoundManifest {
  const content = readOwn(join(folder, MANIFEST), LARGEST_MANIFEST)
  if (!content) return { type: 'none' }
  const fields = unseal(content.toString('latin1'))
  if (fields?.format !== MANIFEST_FORMAT || fields.version !== MANIFEST_VERSION) return { type: 'damaged' }
  if (!isManifest(fields)) return { type: 'damaged' }
  const { archive, created, segments, repaired, forgotten } = fields
  return { type: 'valid', manifest: { archive, created, segments, repaired, forgotten } }
}

/** Anyone can compute a checksum, so every field is looked at. */
function isManifest(fields: Readonly<Record<string, unknown>>): fields is typeof fields & Manifest {
  const { archive, created, segments, repaired, forgotten } = fields
  return (
    isId(archive) &&
    isTime(created) &&
    isListOf(segments, isListed) &&
    isListOf(
      repaired,
      ({ recovered, lost, ...note }) =>
        isNote(note) && isCount(recovered) && (lost === null || isCount(lost)),
    ) &&
    (forgotten === undefined || isForgotten(forgotten))
  )
}

function isForgotten(value: unknown): boolean {
  const { sessions, segments, replacing } = asObject(value) ?? {}
  return (
    isListOf(
      sessions,
      ({ platform, session }) => typeof platform === 'string' && typeof session === 'string',
    ) &&
    isListOf(
      segments,
      ({ remaining, removed, ...note }) => isNote(note) && isCount(remaining) && isCount(removed),
    ) &&
    (replacing === undefined || isListOf([replacing], isListed))
  )
}

const isListed = ({ name, state, bytes, frames, records, chain }: JsonObject): boolean =>
  isName(name) &&
  (state === 'whole' || state === 'left' || state === 'first') &&
  [bytes, frames, records].every(isCount) &&
  typeof chain === 'string' &&
  CHAIN.test(chain)

const isNote = ({ name, at }: JsonObject): boolean => isName(name) && isTime(at)
/** Other names could lead out of the directory. */
const isName = (value: unknown): boolean => typeof value === 'string' && segmentDay(value) !== undefined
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const CHAIN = new RegExp(`^[0-9a-f]{${CHECKSUM_BYTES * 2}}$`)

const isListOf = (value: unknown, is: (each: JsonObject) => boolean): boolean =>
  Array.isArray(value) && value.every((each) => is(asObject(each) ?? {}))

/** Replaces the manifest atomically. */
export const writeManifest = (
  folder: string,
  { archive, created, segments, repaired, forgotten }: Manifest,
): void =>
  replaceOwn(
    join(folder, MANIFEST),
    seal({
      format: MANIFEST_FORMAT,
      version: MANIFEST_VERSION,
      archive,
      created,
      segments,
      repaired,
      forgotten,
    }),
  )

/** The file that turns a directory into an archive. */
export const MARKER = 'scrollback-archive.json'
export const isMarkerDraft = (name: string): boolean =>
  name.startsWith(`${MARKER}.`) && name.endsWith('.part')

const MARKER_FORMAT = 'scrollback-archive'
const MARKER_VERSION = 2
const LARGEST_MARKER = 64 * 1024
const ABOUT =
  'Records as JSON lines in segments of zstd frames: "zstd -dc records-*.jsonl.zst" shows them all. A record may be in it more than ' +
  'once; its "id" tells. "scrollback collect --verify <this directory>" checks every bit.'

/** Identifies the archive in a directory. */
export interface Marker {
  /** A random id, created with the archive. */
  id: string
  /** ISO 8601. */
  created: string
}

export type FoundMarker = { type: 'none' } | { type: 'damaged' } | ({ type: 'valid' } & Marker)

/** Throws `NotOurs` or the system's error. */
export function readMarker(folder: string): FoundMarker {
  const content = readOwn(join(folder, MARKER), LARGEST_MARKER)
  if (!content) return { type: 'none' }
  const fields = unseal(content.toString('latin1'))
  if (fields?.format !== MARKER_FORMAT || fields.version !== MARKER_VERSION) return { type: 'damaged' }
  const { id, created } = fields
  return isId(id) && isTime(created) ? { type: 'valid', id, created } : { type: 'damaged' }
}

const markerText = ({ id, created }: Marker): string =>
  seal({ format: MARKER_FORMAT, version: MARKER_VERSION, id, created, about: ABOUT })

/** Turns a directory into an archive, unless another process has just done so. Returns its marker. */
export function createMarker(folder: string, nowMs: number): Marker {
  const marker = { id: randomUUID(), created: new Date(nowMs).toISOString() }
  const path = join(folder, MARKER)
  publishOwn(path, markerText(marker), publish)
  const found = readMarker(folder)
  if (found.type !== 'valid') throw new Error(`${path} cannot be read back`)
  return found
}

/** Creates the file without replacing an existing one. If two processes do this, the first one wins. */
function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    // Some file systems have no hard links.
    if (readOwn(path, 1) === undefined) renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Restores a damaged marker. */
export const restoreMarker = (folder: string, marker: Marker): void =>
  replaceOwn(join(folder, MARKER), markerText(marker))

/**
 * Small records with a checksum: one line of JSON that ends in the checksum of everything before it. The
 * encoding is canonical, so a file that differs in a single bit is rejected.
 */
export function seal(fields: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(fields).slice(0, -1)
  return `${text},"checksum":"${hash('sha256', text, 'hex')}"}\n`
}

/** The fields of a sealed record. Undefined if it is damaged. */
export function unseal(text: string): Readonly<Record<string, unknown>> | undefined {
  const end = text.lastIndexOf(',"checksum":"')
  if (end < 0) return undefined
  try {
    const { checksum: _, ...fields } = JSON.parse(text) as Record<string, unknown>
    return seal(fields) === text ? fields : undefined
  } catch {
    return undefined
  }
}

/** Ids and times in archives are printed, so only one form of each is accepted. */
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value)

/** Whether a segment begins with a header of the first format. */
export function isOfFirstFormat({ path }: { path: string }): boolean {
  return headAt(path, 0)?.type === 'first'
}

/** The header at a position of a segment. Undefined if it is unreadable. */
export function headAt(path: string, offset: number): ReturnType<typeof readHead> {
  try {
    const descriptor = openOwnToRead(path)
    try {
      return readHead(readAt(descriptor, offset, HEAD_BYTES))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}
