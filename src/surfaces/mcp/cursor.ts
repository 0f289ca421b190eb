import { createHash } from 'node:crypto'
import { ScrollbackError } from '../../errors.ts'

/** How long a cursor may get; room is kept for it. */
export const LONGEST_CURSOR = 40

/** Where an answer ended, for the call that goes on. It belongs to one question. */
export const cursorAt = (question: string, offset: number): string =>
  Buffer.from(`${fingerprint(question)}.${offset}`).toString('base64url')

/** How many entries were given before. Fails where the cursor is none, or that of another question. */
export function offsetOf(cursor: string, question: string): number {
  const [mark, offset] = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  if (mark !== fingerprint(question) || !/^\d{1,9}$/.test(offset ?? ''))
    throw new ScrollbackError(
      'bad-option',
      'cursor: it belongs to another question',
      'Give nextCursor of the answer that is to go on together with the same arguments, or leave cursor away to begin anew.',
    )
  return Number(offset)
}

const fingerprint = (question: string): string =>
  createHash('sha256').update(question).digest('base64url').slice(0, 12)
