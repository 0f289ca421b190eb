import { type Fingerprint, fingerprintAt, holds, type SeekableSource } from '../io/source.ts'

/** Where reading resumes, with hashes that prove that the bytes before it are unchanged. */
export interface Mark extends Fingerprint {
  /** The byte after a newline, and the number of the line that begins there, from 1. */
  offset: number
  line: number
}

/** A fingerprint that no source has. Whoever resumes from it starts over. */
export const UNKNOWN: Fingerprint = { headLength: 0, head: '', tail: '' }

/** `tailBytes` is how many bytes before the mark are hashed. A database detects rewrites itself. */
export const markAt = (
  source: SeekableSource,
  { offset, line }: Pick<Mark, 'offset' | 'line'>,
  size: number,
  tailBytes?: number,
): Mark => {
  source.lineBegins?.(offset, line)
  return { offset, line, ...fingerprintAt(source, offset, size, tailOf(source, tailBytes)) }
}

/** Whether the bytes before the mark are still the ones that were read. */
export function isCurrent(source: SeekableSource, mark: Mark, tailBytes?: number): boolean {
  source.lineBegins?.(mark.offset, mark.line)
  return holds(source, mark.offset, mark, tailOf(source, tailBytes))
}

const tailOf = ({ lineBegins }: SeekableSource, bytes: number | undefined): number | undefined =>
  lineBegins ? undefined : bytes
