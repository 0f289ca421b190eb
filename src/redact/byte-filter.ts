import { BEGINNING, createBeginnings, PIECE } from './beginnings.ts'
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

/** Escapes that hide letters: see `plain-view.ts`. */
const needlessEscapes: Triggered = {
  triggers: ['\\/', { literal: '\\u00', behind: { kind: /[2-7]/, count: 1 } }],
}

let filter: ByteFilter | undefined

/** Whether rules may find something in what these bytes say. A no is certain; a yes says that it is worth a closer look. */
export const mayHoldSecret: ByteFilter = (bytes, start, end) => {
  filter ??= createByteFilter([...rules, needlessEscapes])
  return filter(bytes, start, end)
}
