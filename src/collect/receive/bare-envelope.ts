import { isUtf8 } from 'node:buffer'
import { INPUT_AT, REPORT_AT } from '../../io/scanner/layout.ts'
import { Scanner } from '../../io/scanner/scanner.ts'
import { depthOf, kindOf, OBJECT, OBJECT_LINE } from '../../io/scanner/shape.ts'

/** The payload fields, which make up most of an envelope. */
const CARRIED = { words: ['raw', 'normalized'], descend: new Set<string>() }
const CAPACITY = 1024 * 1024
const NEWLINE = 0x0a
/** Scanner words per line before its pairs, and per pair. */
const HEAD_WORDS = 4
const PAIR_WORDS = 3

let scanner: Scanner | undefined

/**
 * Returns a line that is one JSON object in UTF-8 as text, with its payload objects replaced by `{}`. Those
 * are checked but not built. Undefined if the line has to be parsed.
 */
export function bareEnvelope(line: Uint8Array): string | undefined {
  scanner ??= new Scanner(CARRIED, CAPACITY)
  if (line.length >= scanner.capacity || !isUtf8(line)) return undefined
  const { bytes, words } = scanner
  const end = INPUT_AT + line.length
  bytes.set(line, INPUT_AT)
  bytes[end] = NEWLINE
  scanner.scan(INPUT_AT, end + 1)
  const report = REPORT_AT >> 2
  if (words[report + 2] !== OBJECT_LINE || words[report + 1] !== end) return undefined
  let text = ''
  let at = INPUT_AT
  for (let pair = 0; pair < words[report + 3]!; pair++) {
    const index = report + HEAD_WORDS + pair * PAIR_WORDS
    const meta = words[index]!
    if (kindOf(meta) !== OBJECT || depthOf(meta) !== 1) continue
    text += `${bytes.toString('utf8', at, words[index + 1])}{}`
    at = words[index + 2]!
  }
  return text + bytes.toString('utf8', at, end)
}
