import { lstatSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { NotOurs } from '../own-files.ts'
import type { SegmentPosition } from '../segment-pieces.ts'
import { type CheckedEnd, checkSegment, checksumOfFile } from './check-segment.ts'
import { type Contents, contentsOf, type ExpectedSegment } from './contents.ts'
import { isOfFirstFormat } from './first-format.ts'
import { type ListedSegment, type Manifest, writeManifest } from './manifest.ts'
import { MARKER, type Marker } from './marker.ts'

/** The folder for damaged files of an archive. */
const DAMAGED = 'damaged'

/** Where appending to an archive continues. */
export interface Start {
  manifest: Manifest
  /** The newest segment, if it can be appended to. Bytes after `end` were never acknowledged. */
  open?: { name: string; end: SegmentPosition & { chain: Buffer }; last: number }
  /** The newest existing segment. */
  latest: string
  /** Descriptions of damage, for users. */
  notes: string[]
}

/**
 * Checks an archive before anything is appended: the newest segment bit by bit, the others by existence and
 * length. Damage is left as it is and listed, and appending continues in a new segment.
 */
export function startOf(folder: string, marker: Marker): Start {
  const contents = contentsOf(folder)
  const known = contents.manifest?.archive === marker.id ? contents.manifest : undefined
  const manifest: Manifest = {
    ...{ archive: marker.id, created: marker.created, repaired: known?.repaired ?? [] },
    segments: [...(known?.segments ?? [])],
    ...(known?.forgotten && { forgotten: known.forgotten }),
  }
  const foreign = contents.faults.find(({ state }) => state === 'foreign')
  if (foreign) throw new NotOurs(`${join(folder, foreign.name)}: ${foreign.what}`)
  const start: Start = { manifest, latest: latestOf(contents), notes: [] }
  // Segments of the first format are kept and listed.
  const adopting = contents.bare && contents.segments.every(isOfFirstFormat)
  for (const { name, what, state } of adopting ? [] : contents.faults) {
    start.notes.push(`${join(folder, name)}: ${what}`)
    if (state === 'damaged' && name !== MARKER) moveAside(folder, name)
  }
  for (const segment of contents.segments)
    if (segment.listed) checkListed(segment, segment.listed, start)
    else lookAtOther(segment, contents, start)
  if (start.notes.length > 0)
    start.notes.push(
      `${folder} is damaged. New records go into another segment. collect --verify shows the damage, collect --repair recovers the intact records.`,
    )
  manifest.segments.sort((a, b) => (a.name < b.name ? -1 : 1))
  if (!known || manifest.segments.length !== known.segments.length) writeManifest(folder, manifest)
  return start
}

const latestOf = ({ segments, acknowledged }: Contents): string =>
  [...segments.map(({ name }) => name), acknowledged?.segment ?? ''].sort().at(-1) ?? ''

/** Checks existence and length. `--verify` checks every bit. */
function checkListed({ path, state }: ExpectedSegment, listed: ListedSegment, { notes }: Start): void {
  const size = lstatSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) notes.push(`${path} is missing`)
  else if (state === 'left' ? size < listed.bytes : size !== listed.bytes)
    notes.push(`${path} has ${size} bytes instead of ${listed.bytes}`)
  else if (listed.damaged) notes.push(`${path} is damaged`)
}

function lookAtOther(segment: ExpectedSegment, contents: Contents, start: Start): void {
  const { name, path, state } = segment
  const { notes, manifest } = start
  let damage: string | undefined
  const pieces = checkSegment(state === 'stray' ? { ...segment, state: 'unlisted' } : segment)
  let step = pieces.next()
  for (; !step.done; step = pieces.next())
    if (step.value.type === 'damage')
      damage ??= `${path} is damaged at byte ${step.value.offset}: ${step.value.what}`
  const end = step.value
  const { chain } = end.position
  if (damage !== undefined) notes.push(damage)
  else if (state === 'stray' && contents.manifest) notes.push(`${path}: the manifest did not name it`)
  if (state === 'open' && end.sound && !end.finished && chain && !contents.doubtful)
    start.open = { name, end: { ...end.position, chain }, last: end.last }
  else manifest.segments.push(listedAs(segment, end, damage !== undefined, contents.doubtful))
}

function listedAs(
  segment: ExpectedSegment,
  end: CheckedEnd,
  damaged: boolean,
  doubtful: boolean,
): ListedSegment {
  const { name, path } = segment
  const { frames, records } = end.position
  if (isOfFirstFormat(segment))
    return {
      ...{ name, state: 'first', ...(damaged ? { damaged } : {}), bytes: end.size, frames, records },
      chain: checksumOfFile(path),
    }
  const { offset, chain, ...counts } = damaged && segment.end ? segment.end : end.position
  // It is unknown whether the trailing bytes were acknowledged, so they count as damage.
  const lost = damaged || (doubtful && end.torn > 0)
  return {
    ...{ name, state: end.finished && !lost ? 'whole' : 'left', ...(lost ? { damaged: true } : {}) },
    ...{ bytes: lost && !segment.end ? end.size : offset, frames: counts.frames, records: counts.records },
    chain: chain?.toString('hex') ?? '',
  }
}

/** Moves a file to the folder for damaged files, under an unused name. */
export function moveAside(folder: string, name: string): string {
  const target = join(folder, DAMAGED)
  mkdirSync(target, { recursive: true, mode: 0o700 })
  if (!lstatSync(target).isDirectory()) throw new Error(`${target} is not a directory`)
  let moved = join(target, name)
  for (let number = 2; lstatSync(moved, { throwIfNoEntry: false }); number++)
    moved = join(target, `${name}.${number}`)
  renameSync(join(folder, name), moved)
  return moved
}
