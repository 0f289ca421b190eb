import { readSession } from '../collect/read-session.ts'
import { databaseFault } from '../io/sqlite.ts'
import type { Artifact } from '../model/artifact.ts'
import type { Session } from '../model/session.ts'

export type Indexed = { session: Session } | { path: string; fault: string }

/** One file to one row of the index. A file that cannot be read is told, and the rest goes on. */
export function indexOne(artifact: Artifact, redact: boolean): Indexed {
  try {
    return { session: readSession(artifact, { purpose: 'index', redact }).session }
  } catch (error) {
    return { path: artifact.path, fault: faultOf(error) }
  }
}

/**
 * Why one file could not be read, in words. A fault of this program costs that one file only, and is reported with where it
 * happened: everything else can be answered all the same.
 */
export function faultOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException)?.code
  if (typeof code !== 'string') return ownFault(error)
  if (code === 'ERR_SQLITE_ERROR') {
    const { what, then } = databaseFault(error)
    return `cannot be read from its database: ${what}. ${then}`
  }
  const known: Record<string, string> = {
    ENOENT: 'vanished while it was being read',
    EACCES: 'may not be read by you',
    EPERM: 'may not be read by you',
    EISDIR: 'is a folder',
    ERR_NO_FILE: 'is no file any more',
    EIO: 'cannot be read from the disk',
    ERR_PACKED_FILE_MISSING: 'was packed away, and the file it was packed into is missing',
    ERR_WRITTEN_MEANWHILE: 'was written to while it was read; ask again',
    ERR_BUFFER_TOO_LARGE: 'unpacks to more than this program holds',
    ZSTD_error_prefix_unknown: 'is not what its name says: it cannot be unpacked',
  }
  return known[code] ?? `cannot be read (${code})`
}

const STACK_LINES = 5

function ownFault(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const lines = stack.split('\n', STACK_LINES).map((line) => line.slice(0, 200))
  return `was skipped because of a bug in scrollback; please report it with these lines:\n  ${lines.join('\n  ')}`
}
