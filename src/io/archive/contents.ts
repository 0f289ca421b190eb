import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import { chainBefore } from '../frames.ts'
import { NotOurs } from '../own-files.ts'
import { BEGINNING, type KnownEnd, type SegmentPlace } from '../segment-walk.ts'
import { segmentsIn } from '../segments.ts'
import { ACKNOWLEDGED, type Acknowledged, readAcknowledged } from './acknowledged.ts'
import { type ListedSegment, MANIFEST, type Manifest, readManifest } from './manifest.ts'
import { type FoundMarker, MARKER, readMarker } from './marker.ts'

/**
 * How a segment stands in its archive. `whole`, `left` and `first`: as the manifest lists it. `open`: the newest one, which grows.
 * `stray`: nothing names it. `unlisted`: of an archive of the first format, which lists nothing.
 */
export interface ExpectedSegment {
  name: string
  path: string
  state: ListedSegment['state'] | 'open' | 'stray' | 'unlisted'
  /** Up to where it has to be there. */
  end?: KnownEnd
  listed?: ListedSegment
  /** Where its first frame begins. */
  begin: SegmentPlace
}

/** A file of an archive, beside its segments, that is not as it has to be. */
export interface FileFault {
  name: string
  what: string
  /** `foreign`: something is there that is not ours. */
  state: 'missing' | 'damaged' | 'foreign'
}

/** An archive as its own files describe it. */
export interface Contents {
  marker: FoundMarker
  /** Its id, whichever file still tells it; undefined for the first format. */
  id?: string
  created?: string
  manifest?: Manifest
  acknowledged?: Acknowledged
  /** How far it was acknowledged is not sure. */
  doubtful: boolean
  /** It lists nothing: it was only just begun, or is of the first format. */
  bare: boolean
  segments: ExpectedSegment[]
  faults: FileFault[]
}

const CHANGED = 'a bit of it is wrong'
const MISSING = 'it is missing'

/** What an archive says of itself. Throws the system's error. */
export function contentsOf(folder: string): Contents {
  const contents = look(folder)
  // While it is being written to, one file may be a moment ahead of another.
  const odd = contents.faults.length > 0 || contents.segments.some(({ state }) => state === 'stray')
  return odd ? look(folder) : contents
}

function look(folder: string): Contents {
  // In this order, so that an archive that is being written to seems whole too.
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
      faults.push({ name, what: 'it is a link, or no plain file', state: 'foreign' })
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
    // An archive that was only just begun has nothing but its marker.
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
  const listed = new Map(list?.segments.map((each) => [each.name, each]))
  const open = latest && latest.segment !== '' && !listed.has(latest.segment) ? latest : undefined
  const names = [...new Set([...there, ...listed.keys(), ...(open ? [open.segment] : [])])].sort()
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
      // Made just now: nothing was written to it yet.
      if (!first && lstatSync(path, { throwIfNoEntry: false })?.size === 0) return []
      return { name, path, begin, state: first ? 'unlisted' : 'stray' }
    }),
  }
}

const endOf = ({ state, bytes, frames, records, chain }: ListedSegment): KnownEnd | undefined =>
  state === 'first' ? undefined : { offset: bytes, frames, records, chain: Buffer.from(chain, 'hex') }
