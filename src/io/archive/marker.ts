import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createOwn, draftOf, readOwn, replaceOwn, syncFolder, writeAt } from '../own-files.ts'
import { isId, isTime, seal, unseal } from './sealed.ts'

/** The file that turns a directory into an archive. */
export const MARKER = 'scrollback-archive.json'
export const isMarkerDraft = (name: string): boolean =>
  name.startsWith(`${MARKER}.`) && name.endsWith('.part')

const FORMAT = 'scrollback-archive'
const VERSION = 2
const LARGEST = 64 * 1024
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
  const content = readOwn(join(folder, MARKER), LARGEST)
  if (!content) return { type: 'none' }
  const fields = unseal(content.toString('latin1'))
  if (fields?.format !== FORMAT || fields.version !== VERSION) return { type: 'damaged' }
  const { id, created } = fields
  return isId(id) && isTime(created) ? { type: 'valid', id, created } : { type: 'damaged' }
}

const textOf = ({ id, created }: Marker): string =>
  seal({ format: FORMAT, version: VERSION, id, created, about: ABOUT })

/** Turns a directory into an archive, unless another process has just done so. Returns its marker. */
export function createMarker(folder: string, nowMs: number): Marker {
  const marker = { id: randomUUID(), created: new Date(nowMs).toISOString() }
  const path = join(folder, MARKER)
  const draft = draftOf(path)
  const descriptor = createOwn(draft)
  try {
    try {
      writeAt(descriptor, Buffer.from(textOf(marker)), 0)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    publish(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(folder)
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
  }
}

/** Restores a damaged marker. */
export const restoreMarker = (folder: string, marker: Marker): void =>
  replaceOwn(join(folder, MARKER), textOf(marker))
