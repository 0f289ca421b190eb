import type { Known } from '../../store/increment.ts'
import { shortId } from './ids.ts'

/** Shortens citations of transcripts to what `read` accepts: `640ab4c7:12`. */
export interface ShortNames {
  /** A unique name of a transcript: a prefix of its session id, or its path if ids are ambiguous. */
  nameOf(path: string): string
  /** The path of the transcript with this name. */
  pathOf(name: string): string | undefined
}

const made = new WeakMap<object, ShortNames>()

/** Computed once for each state of the store. */
export function shortNames(known: ReadonlyMap<string, Known>): ShortNames {
  let names = made.get(known)
  if (!names) {
    names = create(known)
    made.set(known, names)
  }
  return names
}

/** Marks a name that several transcripts share. */
const SEVERAL = ''

function create(known: ReadonlyMap<string, Known>): ShortNames {
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
