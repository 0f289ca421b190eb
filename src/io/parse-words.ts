import { isWithinLimits } from './parse-limit.ts'
import { type ParsedLine, parseLine } from './parse-line.ts'

/** Shorter lines are parsed as they are. */
const LONG = 1024 * 1024
const DATA = Buffer.from('"data":"')
const QUOTE = 34

/** Which bytes base64 is made of. */
const BASE64 = new Uint8Array(256)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=')
  BASE64[character.charCodeAt(0)] = 1

/**
 * The same as `parseLine` for those who want words: base64 of a megabyte and more under the key `data`, as images have it, comes
 * as an empty text. It would stand in memory twice beside the line.
 */
export function parseWords(bytes: Buffer, start: number, end: number): ParsedLine {
  const short =
    end - start < LONG || !isWithinLimits(bytes, start, end) ? undefined : withoutData(bytes, start, end)
  if (short !== undefined)
    try {
      return { entries: [JSON.parse(short)], damaged: false }
    } catch {}
  return parseLine(bytes, start, end)
}

/** Undefined where nothing is to be left out. */
function withoutData(bytes: Buffer, start: number, end: number): string | undefined {
  const line = bytes.subarray(start, end)
  let text = ''
  let told = 0
  for (let key = line.indexOf(DATA); key >= 0; key = line.indexOf(DATA, key + DATA.length)) {
    const open = key + DATA.length
    const close = line.indexOf(QUOTE, open)
    if (close - open < LONG || !isBase64(line, open, close)) continue
    text += line.toString('utf8', told, open)
    told = close
  }
  return told === 0 ? undefined : text + line.toString('utf8', told)
}

function isBase64(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (BASE64[bytes[at]!] === 0) return false
  return true
}
