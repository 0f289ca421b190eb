import { rules } from './all-rules.ts'
import { BEGINNING, createBeginnings } from './beginnings.ts'
import { disguises, mayHideShort } from './disguises.ts'
import { edgesOf, isLiteralAt, type Triggered } from './literals.ts'
import { PIECE } from './low-bytes.ts'
import { holdsPhrase } from './rules/seed-phrases.ts'
import { tableOf } from './trigger-table.ts'

/** Whether UTF-8 bytes from `start` to `end` contain a trigger. */
export type ByteFilter = (bytes: Uint8Array, start: number, end: number) => boolean

export function createByteFilter(rules: readonly Triggered[]): ByteFilter {
  const encoder = new TextEncoder()
  const table = tableOf(rules, (text) => [...encoder.encode(text)])
  const { literals, kinds } = table
  const beginnings = createBeginnings(table, (literal) => edgesOf(literals[literal]!))
  return (bytes, start, end) => {
    const codeAt = (at: number): number => bytes[at]!
    for (let from = start; from < end; from += PIECE - BEGINNING + 1) {
      const count = beginnings.search(bytes, from, Math.min(end, from + PIECE))
      for (let found = 0; found < count; found++) {
        const position = from + beginnings.distanceOf(found)
        const numbers = beginnings.literalsAt(found)
        for (let at = 0; at < numbers.length; at++) {
          if (isLiteralAt(codeAt, position, end, literals[numbers[at]!]!, kinds)) return true
        }
      }
    }
    return false
  }
}

let filter: ByteFilter | undefined

/**
 * Whether rules may find something in these bytes, as written or as shown. False is certain; true means that
 * the text has to be searched. The bytes are a line of JSON, in which the only unescaped one-byte control
 * character is DEL.
 */
export const mayHoldSecret: ByteFilter = (bytes, start, end) => {
  filter ??= createByteFilter([...rules, disguises()])
  return filter(bytes, start, end) || mayHideShort(bytes, start, end) || holdsPhrase(bytes, start, end)
}
