import type { Line } from '../../../io/lines.ts'
import { REQUESTS } from './entry-types.ts'

const requests = new Set(REQUESTS)
const TYPE = Buffer.from('{"type":"')
/** A key of every other record. A string that contains it has backslashes before its quotes. */
const RECORD = Buffer.from('"uuid":')
const QUOTE = 34
const CLOSE = 125
const LONGEST_TYPE = 40

/**
 * Recognizes a request by its first bytes, unless a lost newline has joined it with another record, or it
 * ends early.
 */
export function skip({ bytes, start, end }: Pick<Line, 'bytes' | 'start' | 'end'>): string | undefined {
  const at = start + TYPE.length
  if (end - at < LONGEST_TYPE || bytes.compare(TYPE, 0, TYPE.length, start, at) !== 0) return undefined
  const close = bytes.indexOf(QUOTE, at)
  const type = close - at > LONGEST_TYPE ? undefined : bytes.toString('latin1', at, close)
  if (type === undefined || !requests.has(type) || bytes[end - 1] !== CLOSE) return undefined
  return bytes.subarray(close, end).includes(RECORD) ? undefined : type
}
