import { lstatSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { NotOurs } from '../own-files.ts'
import type { SegmentPlace } from '../segment-walk.ts'
import { type CheckedEnd, checkSegment, checksumOfFile } from './check-segment.ts'
import { type Contents, contentsOf, type ExpectedSegment } from './contents.ts'
import { isOfFirstFormat } from './first-format.ts'
import { type ListedSegment, type Manifest, writeManifest } from './manifest.ts'
import { MARKER, type Marker } from './marker.ts'

/** Where damaged files of an archive are kept. */
const DAMAGED = 'damaged'

/** Where appending to an archive goes on. */
export interface Start {
  manifest: Manifest
  /** The newest segment, where it can be appended to; what stands behind its place was never acknowledged. */
  open?: { name: string; place: SegmentPlace & { chain: Buffer }; last: number }
  /** The newest one there is. */
  latest: string
  /** What is damaged, for people. */
  notes: string[]
}

/**
 * Looks at an archive before anything is appended: its newest segment bit by bit, of the others whether they are there in their length.
 * What is damaged is left as it is and listed as damaged; then appending begins in a new segment.
 */
export function startOf(folder: string, marker: Marker): Start {
  const contents = contentsOf(folder)
  const known = contents.manifest?.archive === marker.id ? contents.manifest : undefined
  const manifest: Manifest = {
    ...{ archive: marker.id, created: marker.created, repaired: known?.repaired ?? [] },
    segments: [...(known?.segments ?? [])],
  }
  const foreign = contents.faults.find(({ state }) => state === 'foreign')
  if (foreign) throw new NotOurs(`${join(folder, foreign.name)}: ${foreign.what}`)
  const start: Start = { manifest, latest: latestOf(contents), notes: [] }
  // What was written in the first format is taken over as it is, and then listed.
  const adopting = contents.bare && contents.segments.every(isOfFirstFormat)
  for (const { name, what, state } of adopting ? [] : contents.faults) {
    start.notes.push(`${join(folder, name)}: ${what}`)
    if (state === 'damaged' && name !== MARKER) keepAside(folder, name)
  }
  for (const segment of contents.segments)
    if (segment.listed) lookAtListed(segment, segment.listed, start)
    else lookAtOther(segment, contents, start)
  if (start.notes.length > 0)
    start.notes.push(
      `${folder} is damaged; what is new goes into another segment. "scrollback collect --verify ${folder}" shows the damage, --repair recovers what is whole.`,
    )
  manifest.segments.sort((a, b) => (a.name < b.name ? -1 : 1))
  if (!known || manifest.segments.length !== known.segments.length) writeManifest(folder, manifest)
  return start
}

const latestOf = ({ segments, acknowledged }: Contents): string =>
  [...segments.map(({ name }) => name), acknowledged?.segment ?? ''].sort().at(-1) ?? ''

/** Whether it is there in its length; every bit is looked at by `--verify`. */
function lookAtListed({ path, state }: ExpectedSegment, listed: ListedSegment, { notes }: Start): void {
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
  const { chain } = end.place
  if (damage !== undefined) notes.push(damage)
  else if (state === 'stray' && contents.manifest) notes.push(`${path}: the manifest did not name it`)
  if (state === 'open' && end.sound && !end.finished && chain && !contents.doubtful)
    start.open = { name, place: { ...end.place, chain }, last: end.last }
  else manifest.segments.push(listedAs(segment, end, damage !== undefined, contents.doubtful))
}

function listedAs(
  segment: ExpectedSegment,
  end: CheckedEnd,
  damaged: boolean,
  doubtful: boolean,
): ListedSegment {
  const { name, path } = segment
  const { frames, records } = end.place
  if (isOfFirstFormat(segment))
    return {
      ...{ name, state: 'first', ...(damaged ? { damaged } : {}), bytes: end.size, frames, records },
      chain: checksumOfFile(path),
    }
  const { offset, chain, ...counts } = damaged && segment.end ? segment.end : end.place
  // Nobody knows whether what is no frame was acknowledged: then it counts as damage.
  const lost = damaged || (doubtful && end.torn > 0)
  return {
    ...{ name, state: end.finished && !lost ? 'whole' : 'left', ...(lost ? { damaged: true } : {}) },
    ...{ bytes: lost && !segment.end ? end.size : offset, frames: counts.frames, records: counts.records },
    chain: chain?.toString('hex') ?? '',
  }
}

/** Moves a file to where damaged ones are kept, under a name that nothing there has. */
export function keepAside(folder: string, name: string): string {
  const place = join(folder, DAMAGED)
  mkdirSync(place, { recursive: true, mode: 0o700 })
  if (!lstatSync(place).isDirectory()) throw new Error(`${place} is no directory`)
  let kept = join(place, name)
  for (let number = 2; lstatSync(kept, { throwIfNoEntry: false }); number++)
    kept = join(place, `${name}.${number}`)
  renameSync(join(folder, name), kept)
  return kept
}
