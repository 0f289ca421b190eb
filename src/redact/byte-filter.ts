import { isAscii } from 'node:buffer'
import { hiddenRanges } from '../model/hidden.ts'
import { rules } from './all-rules.ts'
import { BEGINNING, createBeginnings, PIECE } from './byte-search.ts'
import { type Trigger, triggerOf } from './rule.ts'
import { holdsPhrase } from './rules/seed-phrases.ts'
import { isLiteralAt, lastBytesOf, type Triggered, tableOf } from './triggers.ts'

/** Whether UTF-8 bytes from `start` to `end` contain a trigger. */
type ByteFilter = (bytes: Uint8Array, start: number, end: number) => boolean

/** The filter of some rules for the bytes of a JSON line, whose strings the rules read decoded. */
export function createByteFilter(rules: readonly Triggered[]): ByteFilter {
  const encoder = new TextEncoder()
  const escaped = rules.map(({ triggers, anyCase }) => ({
    triggers: triggers.map(triggerOf).flatMap((each) => [each, ...asEscaped(each)]),
    anyCase,
  }))
  const table = tableOf(escaped, (text) => [...encoder.encode(text)])
  const { kinds } = table
  const { literals } = table
  const beginnings = createBeginnings(table, literals)
  const lasts = lastBytesOf(literals)
  return (bytes, start, end) => {
    const codeAt = (at: number): number => bytes[at]!
    for (let from = start; from < end; from += PIECE - BEGINNING + 1) {
      const count = beginnings.search(bytes, from, Math.min(end, from + PIECE))
      for (let found = 0; found < count; found++) {
        const position = from + beginnings.distanceOf(found)
        const numbers = beginnings.literalsAt(found)
        for (let at = 0; at < numbers.length; at++) {
          const number = numbers[at]!
          if (!lasts.mayEndIn(number, bytes, position, end)) continue
          if (isLiteralAt(codeAt, position, end, literals[number]!, kinds, true)) return true
        }
      }
    }
    return false
  }
}

/** A literal up to a character that JSON may escape, with the backslash of its escape. */
function asEscaped({ literal, before, ahead }: Trigger): Trigger[] {
  const at = literal.slice(1).search(/[\x00-\x1f"\\]/) + 1
  return at === 0
    ? []
    : [{ literal: `${literal.slice(0, at)}\\`, ...(before && { before }), ...(ahead && { ahead }) }]
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

const { invisible, lineEnds, joiners, selectors } = hiddenRanges
const visible = /[ !#-[\]-~]/

/**
 * Triggers for text in JSON that is shown differently than it is written: escapes, and hidden characters of
 * three UTF-8 bytes. Joiners and variation selectors only count after ASCII.
 */
function disguises(): Triggered {
  const codes = Array.from('0123456789abcdefABCDEF', (digit) => `\\u${digit}`)
  const ascii = charactersOf([{ from: 0x20, to: 0x7e }])
  const letters = ascii
    .filter((each) => /[\w !-/:=?@\\]/.test(each))
    .flatMap((each) => [`\\b${each}`, `\\f${each}`])
  const long = charactersOf([...invisible, ...lineEnds])
    .filter((each) => each >= '\u0800')
    .map((literal): Trigger => ({ literal, behind: { kind: visible, count: 1 } }))
  const behind = charactersOf([...joiners, ...selectors]).flatMap((each) =>
    ascii.map((before) => before + each),
  )
  return { triggers: ['\\/', ...codes, ...letters, ...long, ...behind] }
}

const charactersOf = (ranges: readonly { from: number; to: number }[]): string[] =>
  ranges.flatMap(({ from, to }) =>
    Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)),
  )

/**
 * Whether there are hidden characters with fewer or more bytes: `DEL`, U+0080 to U+061C, and those beyond the
 * first plane.
 */
function mayHideShort(bytes: Uint8Array, start: number, end: number): boolean {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start)
  if (line.includes(0x7f)) return true
  if (isAscii(line)) return false
  for (const [lead, isHidden] of SHORT)
    for (let at = line.indexOf(lead); at >= 0; at = line.indexOf(lead, at + 1))
      if (isHidden(line[at + 1]!, line[at + 2]!)) return true
  return false
}

/** Hidden characters, by their first byte. */
const SHORT: readonly (readonly [lead: number, isHidden: (second: number, third: number) => boolean])[] = [
  [0xc2, (second) => second < 0xa0 || second === 0xad],
  [0xcd, (second) => second === 0x8f],
  [0xd8, (second) => second === 0x9c],
  [0xf0, (second, third) => (second === 0x9b && third === 0xb2) || (second === 0x9d && third === 0x85)],
  [0xf3, (second) => second === 0xa0],
]
