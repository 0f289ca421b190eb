import { type LineStart, type RecordLine, readRecord } from '../../collect/read/read-record.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Context } from '../kit/command.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { faultOf } from '../kit/index-job.ts'
import { findSession } from './find-session.ts'

/** Reads a line of a session from its file. Throws `no-session` if it is not there. */
export function recordAt(
  { session, line }: { session?: string; line?: number },
  wanted: { results: boolean },
  context: Context,
): { record: RecordLine; results: RecordLine[] } {
  if (line === undefined || line < 1)
    throw new ScrollbackError('bad-option', 'line: missing', 'Give the number of a line, from 1.')
  const fresh = freshStore(context)!
  const { artifact, goneMs, session: found } = findSession(session, fresh)
  if (!artifact || goneMs !== undefined)
    throw new ScrollbackError(
      'no-session',
      `${found.path} is gone.`,
      'Its messages are in the store. Tool input, tool output and thinking are lost with the file.',
    )
  const [at] = fresh.store.messages(found.path, { line, count: 1 }, { usage: false })
  const before = fresh.store.messages(found.path, { line, count: 0, before: 1 }, { usage: false })
  const known = at?.line === line ? at : before[0]
  const start: LineStart = known ?? { line: 1, offset: 0 }
  const read = readOrFail(() => readRecord(artifact, start, line, wanted), found.path)
  if (read) return read
  throw new ScrollbackError(
    'no-session',
    `${found.path} has no record in line ${line}.`,
    'Load the session again.',
  )
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
