import { hash } from 'node:crypto'
import { partsOfFile } from '../io/own-files.ts'
import { isPacked, openSource } from '../io/source.ts'
import type { PathMap } from './platform.ts'

const isSeparator = (character: string | undefined): boolean => character === '/' || character === '\\'

/**
 * The new path of a directory that is one of `maps` or below it. The longest one counts. Undefined for
 * others.
 */
export function mappedPath(path: string, maps: readonly PathMap[]): string | undefined {
  const fitting = maps.filter(
    ({ from }) => path === from || (path.startsWith(from) && isSeparator(path[from.length])),
  )
  const best = fitting.sort((one, other) => other.from.length - one.from.length)[0]
  return best && best.to + path.slice(best.from.length)
}

/** Whether a file of JSON contains a path, or one that begins alike. Reads all of it. */
export function holdsPath(path: string, from: string): boolean {
  const wanted = Buffer.from(JSON.stringify(from).slice(1, -1))
  let end = Buffer.alloc(0)
  for (const part of isPacked(path) ? unpackedParts(path) : partsOfFile(path)) {
    const bytes = Buffer.concat([end, part])
    if (bytes.includes(wanted)) return true
    end = bytes.subarray(Math.max(0, bytes.length - wanted.length))
  }
  return false
}

/** What is compressed, up to where it is damaged. */
function* unpackedParts(path: string): Generator<Uint8Array> {
  const source = openSource(path)
  try {
    const bytes = Buffer.allocUnsafe(PART)
    for (let count = source.read(bytes, 0, PART); count > 0; count = source.read(bytes, 0, PART))
      yield bytes.subarray(0, count)
  } catch {
    // The client cannot read the rest either.
  } finally {
    source.close()
  }
}
const PART = 64 * 1024

/** Replaces paths in the named members of a record: `payload.cwd`. Every other byte stays. */
export const pathEditor =
  (members: readonly string[], maps: readonly PathMap[]) =>
  (path: readonly string[], value: string, isName: boolean): string | undefined =>
    !isName && members.includes(path.join('.')) ? mappedPath(value, maps) : undefined

/** A UUID that depends on a text only. */
export function uuidOf(text: string): string {
  const hex = hash('sha256', text, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
