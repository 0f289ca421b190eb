import { isWithinLimits } from './parse-limit.ts'
import { type ParsedLine, parseLine } from './parse-line.ts'

/** Shorter lines are parsed unchanged. */
const LONG = 1024 * 1024
const DATA = Buffer.from('"data":"')
const QUOTE = 34

/** The bytes that base64 consists of. */
const BASE64 = new Uint8Array(256)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=')
  BASE64[character.charCodeAt(0)] = 1

/**
 * The same as `parseLine` for callers that only need text. Long base64 under the key `data`, as in images,
 * becomes an empty string. Otherwise it would be in memory twice, in addition to the line.
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

/** Undefined if there is nothing to remove. */
function withoutData(bytes: Buffer, start: number, end: number): string | undefined {
  const line = bytes.subarray(start, end)
  let text = ''
  let copied = 0
  for (let key = line.indexOf(DATA); key >= 0; key = line.indexOf(DATA, key + DATA.length)) {
    const open = key + DATA.length
    const close = line.indexOf(QUOTE, open)
    if (close - open < LONG || !isBase64(line, open, close)) continue
    text += line.toString('utf8', copied, open)
    copied = close
  }
  return copied === 0 ? undefined : text + line.toString('utf8', copied)
}

function isBase64(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (BASE64[bytes[at]!] === 0) return false
  return true
}
