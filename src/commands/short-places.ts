import type { Known } from '../store/store.ts'
import { shortId } from './sessions.ts'

/** Names places of transcripts as briefly as `read` takes them: `640ab4c7:12`. */
export interface ShortPlaces {
  /** What means a transcript and no other: the beginning of its session's id, or its path where ids do not tell. */
  nameOf(path: string): string
  /** The path of a transcript by such a name. */
  pathOf(name: string): string | undefined
}

const made = new WeakMap<object, ShortPlaces>()

/** Made once for what a store knows at a time. */
export function shortPlaces(known: ReadonlyMap<string, Known>): ShortPlaces {
  let places = made.get(known)
  if (!places) {
    places = create(known)
    made.set(known, places)
  }
  return places
}

/** Stands for a name that several transcripts would have. */
const SEVERAL = ''

function create(known: ReadonlyMap<string, Known>): ShortPlaces {
  const paths = new Map<string, string>()
  const claim = (name: string, path: string): void => {
    const other = paths.get(name)
    paths.set(name, other === undefined || other === path ? path : SEVERAL)
  }
  for (const [path, { artifact }] of known) {
    if (artifact.kind !== 'transcript') continue
    claim(artifact.sessionId, path)
    claim(shortId(artifact.sessionId), path)
  }
  return {
    nameOf(path) {
      const id = known.get(path)?.artifact.sessionId ?? ''
      return [shortId(id), id].find((name) => name !== '' && paths.get(name) === path) ?? path
    },
    pathOf: (name) => paths.get(name) || undefined,
  }
}
