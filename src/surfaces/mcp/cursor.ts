import { createHash } from 'node:crypto'
import { ScrollbackError } from '../../errors.ts'

/** The maximum length of a cursor, reserved in each answer. */
export const LONGEST_CURSOR = 40

/** A cursor after so many entries. It is only valid for one question. */
export const cursorAt = (question: string, offset: number): string =>
  Buffer.from(`${fingerprint(question)}.${offset}`).toString('base64url')

/** How many entries precede a cursor. Fails if it is invalid or belongs to another question. */
export function offsetOf(cursor: string, question: string): number {
  const [mark, offset] = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  if (mark !== fingerprint(question) || !/^\d{1,9}$/.test(offset ?? ''))
    throw new ScrollbackError(
      'bad-option',
      'cursor: it belongs to another question',
      'Pass the nextCursor of the previous answer with the same arguments, or leave cursor out to start over.',
    )
  return Number(offset)
}

const fingerprint = (question: string): string =>
  createHash('sha256').update(question).digest('base64url').slice(0, 12)
