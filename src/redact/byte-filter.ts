import { BEGINNING, createBeginnings, PIECE } from './beginnings.ts'
import { disguises, mayHideShort } from './disguises.ts'
import { beginningsOf, literalsOf, standsAt, type Triggered } from './literals.ts'
import { rules } from './rules.ts'

/** Tells of bytes of UTF-8, from `start` up to `end`, whether a trigger stands in them. */
export type ByteFilter = (bytes: Uint8Array, start: number, end: number) => boolean

export function createByteFilter(rules: readonly Triggered[]): ByteFilter {
  const encoder = new TextEncoder()
  const literals = literalsOf(rules, (text) => [...encoder.encode(text)])
  const beginnings = createBeginnings(literals.map(beginningsOf))
  return (bytes, start, end) => {
    const codeAt = (at: number): number => bytes[at]!
    for (let from = start; from < end; from += PIECE - BEGINNING + 1) {
      const count = beginnings.search(bytes, from, Math.min(end, from + PIECE))
      for (let found = 0; found < count; found++) {
        const position = from + beginnings.distanceOf(found)
        for (const number of beginnings.literalsAt(found))
          if (standsAt(codeAt, position, end, literals[number]!)) return true
      }
    }
    return false
  }
}

let filter: ByteFilter | undefined

/**
 * Whether rules may find something in what these bytes say, as they are or as they will be shown. A no is certain; a yes says that it is
 * worth a closer look. The bytes are a line of JSON: no control character of one byte but DEL stands in it unescaped.
 */
export const mayHoldSecret: ByteFilter = (bytes, start, end) => {
  filter ??= createByteFilter([...rules, disguises()])
  return filter(bytes, start, end) || mayHideShort(bytes, start, end)
}
