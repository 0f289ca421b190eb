import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import { chainBefore, HEAD_BYTES } from '../frames.ts'
import { NotOurs } from '../own-files.ts'
import type { KnownEnd, SegmentPosition } from '../segment-pieces.ts'
import { BEGINNING } from '../segment-walk.ts'
import { segmentsIn } from '../segments.ts'
import { ACKNOWLEDGED, type Acknowledged, readAcknowledged } from './acknowledged.ts'
import { headAt } from './first-format.ts'
import { type ListedSegment, MANIFEST, type Manifest, readManifest } from './manifest.ts'
import { type FoundMarker, MARKER, readMarker } from './marker.ts'

/**
 * The state of a segment in its archive. `whole`, `left` and `first` are listed in the manifest. `open` is
 * the newest segment, which still grows. `stray` segments are not listed. `unlisted` segments belong to an
 * archive of the first format, which has no manifest.
 */
export interface ExpectedSegment {
  name: string
  path: string
  state: ListedSegment['state'] | 'open' | 'stray' | 'unlisted'
  /** The end up to which it must be intact. */
  end?: KnownEnd
  listed?: ListedSegment
  /** The position of its first frame. */
  begin: SegmentPosition
}

/** Another file of the archive that is not as expected. */
export interface FileFault {
  name: string
  what: string
  /** `foreign`: the file was not written by us. */
  state: 'missing' | 'damaged' | 'foreign'
}

/** An archive as described by its own files. */
export interface Contents {
  marker: FoundMarker
  /** Its id, from any file that still contains it. Undefined for the first format. */
  id?: string
  created?: string
  manifest?: Manifest
  acknowledged?: Acknowledged
  /** It is unknown how far the archive was acknowledged. */
  doubtful: boolean
  /** It has no manifest, because it is new or of the first format. */
  bare: boolean
  segments: ExpectedSegment[]
  faults: FileFault[]
}

const CHANGED = 'it is damaged'
const MISSING = 'it is missing'

/** Reads the description of an archive. Throws the system's error. */
export function contentsOf(folder: string): Contents {
  const contents = look(folder)
  // During a write, one file may be ahead of another for a moment. Read again before reporting a fault.
  const odd = contents.faults.length > 0 || contents.segments.some(({ state }) => state === 'stray')
  return odd ? look(folder) : contents
}

function look(folder: string): Contents {
  // The order matters: an archive that is being written must not look damaged.
  const there = segmentsIn(folder).map((path) => basename(path))
  const faults: FileFault[] = []
  const own = <Found>(
    name: string,
    read: (folder: string) => Found,
  ): Found | { type: 'damaged'; latest?: undefined } => {
    try {
      return read(folder)
    } catch (error) {
      if (!(error instanceof NotOurs)) throw error
      faults.push({ name, what: 'it is a link, or not a plain file', state: 'foreign' })
      return { type: 'damaged' }
    }
  }
  const acknowledged = own(ACKNOWLEDGED, readAcknowledged)
  const manifest = own(MANIFEST, readManifest)
  const marker = own(MARKER, readMarker)
  const latest = acknowledged.type === 'none' ? undefined : acknowledged.latest
  const list = manifest.type === 'valid' ? manifest.manifest : undefined
  const bare = manifest.type === 'none' && acknowledged.type === 'none'
  const first = marker.type === 'none' && bare
  const id = marker.type === 'valid' ? marker.id : (list?.archive ?? latest?.archive)
  const fault = (name: string, what: string | undefined): void => {
    // A new archive only has its marker.
    if (what === undefined || first || (bare && there.length === 0)) return
    if (faults.some((known) => known.name === name)) return
    faults.push({ name, what, state: what === MISSING ? 'missing' : 'damaged' })
  }
  const whatOf = (type: 'none' | 'damaged' | 'valid', archive: string | undefined): string | undefined =>
    type === 'none'
      ? MISSING
      : type === 'damaged'
        ? CHANGED
        : archive === id
          ? undefined
          : 'it belongs to another archive'
  fault(MARKER, whatOf(marker.type, id))
  fault(MANIFEST, whatOf(manifest.type, list?.archive))
  fault(ACKNOWLEDGED, whatOf(acknowledged.type, latest?.archive))
  const { replacing, segments: rewritten = [] } = list?.forgotten ?? {}
  // Replacing a segment may have been interrupted before the manifest listed the new one, and deleting one.
  if (list && replacing && isReplaced(folder, replacing))
    list.segments = list.segments.map((each) => (each.name === replacing.name ? replacing : each))
  const listed = new Map(list?.segments.map((each) => [each.name, each]))
  const deleted = new Set(rewritten.flatMap(({ name, remaining }) => (remaining === 0 ? name : [])))
  const open = latest && latest.segment !== '' && !listed.has(latest.segment) ? latest : undefined
  const names = [...new Set([...there, ...listed.keys(), ...(open ? [open.segment] : [])])]
    .filter((name) => !deleted.has(name))
    .sort()
  const doubtful = acknowledged.type !== 'valid' || manifest.type !== 'valid' || faults.length > 0
  return {
    ...{ marker, id, bare, faults, manifest: list, acknowledged: latest },
    created: marker.type === 'valid' ? marker.created : list?.created,
    doubtful,
    segments: names.flatMap((name): ExpectedSegment | [] => {
      const path = join(folder, name)
      const begin = first || id === undefined ? BEGINNING : { ...BEGINNING, chain: chainBefore(id, name) }
      const own = listed.get(name)
      if (own) return { ...{ name, path, begin, listed: own, state: own.state }, end: endOf(own) }
      if (open?.segment === name)
        return {
          ...{ name, path, begin, state: 'open' },
          end: { ...open, offset: open.bytes, last: !doubtful },
        }
      // A new segment without any content yet.
      if (!first && lstatSync(path, { throwIfNoEntry: false })?.size === 0) return []
      return { name, path, begin, state: first ? 'unlisted' : 'stray' }
    }),
  }
}

/** Whether the file is the new one. Its last header, which covers everything, tells. */
function isReplaced(folder: string, { name, bytes, chain }: ListedSegment): boolean {
  const head = headAt(join(folder, name), bytes - HEAD_BYTES)
  return head?.type === 'summary' && head.seal.toString('hex') === chain
}

const endOf = ({ state, bytes, frames, records, chain }: ListedSegment): KnownEnd | undefined =>
  state === 'first' ? undefined : { offset: bytes, frames, records, chain: Buffer.from(chain, 'hex') }
