import { type FoundRecord, type LineStart, readRecord } from '../../collect/read/read-record.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Context } from '../kit/context.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { faultOf } from '../kit/read-files.ts'
import { findSession } from './find-session.ts'

/** How far before a line its thinking is searched, in bytes. It usually is in the line before. */
const THINKING_WITHIN = 16 * 1024 * 1024

/** What is read besides the line itself. */
interface RecordWants {
  results: boolean
  thinking: boolean
}

/** Reads a line of a session from its file. Throws `no-session` if it is not there. */
export function recordAt(
  { session, line }: { session?: string; line?: number },
  wanted: RecordWants,
  context: Context,
): FoundRecord {
  if (line === undefined || line < 1)
    throw new ScrollbackError('bad-option', 'line: missing', 'Give the number of a line, from 1.')
  const fresh = freshStore(context)!
  const { artifact, goneMs, session: found } = findSession(session, fresh)
  if (found.device !== undefined)
    throw new ScrollbackError(
      'no-session',
      `This transcript is on ${found.device}.`,
      'Tool input, tool output, images and thinking are only in the file.',
    )
  if (!artifact || goneMs !== undefined)
    throw new ScrollbackError(
      'no-session',
      `${found.path} is gone.`,
      'Its messages are in the store. Tool input, tool output and thinking are lost with the file.',
    )
  const { start, thinkingFrom } = startOf(line, wanted, (slice) =>
    fresh.store.messages(found.path, slice, { usage: false }),
  )
  const needs = { results: wanted.results, thinkingFrom }
  const read = readOrFail(() => readRecord(artifact, start, line, needs), found.path)
  if (read) return read
  throw new ScrollbackError(
    'no-session',
    `${found.path} has no record in line ${line}.`,
    'Load the session again.',
  )
}

/**
 * Where reading a line starts: at the line itself, if it is an item. For its thinking, at the item before it,
 * unless that is far away.
 */
function startOf(
  line: number,
  { thinking }: RecordWants,
  messages: (slice: { line: number; count: number; before?: number }) => readonly LineStart[],
): { start: LineStart; thinkingFrom: number } {
  const [at] = messages({ line, count: 1 })
  const [before] = messages({ line, count: 0, before: 1 })
  const start = before ?? { line: 1, offset: 0 }
  const isFar = at?.line === line && at.offset - start.offset > THINKING_WITHIN
  if (at?.line === line && (isFar || !thinking)) return { start: at, thinkingFrom: line }
  return { start, thinkingFrom: before ? before.line + 1 : 1 }
}

function readOrFail<Result>(read: () => Result, path: string): Result {
  try {
    return read()
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new ScrollbackError(
      isGone ? 'no-session' : 'unreadable',
      `${path} ${faultOf(error)}.`,
      'Load the session again.',
      error,
    )
  }
}
