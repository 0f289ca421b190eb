import { readSession } from '../../collect/read/read-session.ts'
import { databaseFault } from '../../io/sqlite.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'

export type Indexed = { session: Session } | { path: string; fault: string }

/** Turns one file into one session row. An unreadable file is reported, and the others continue. */
export function indexOne(artifact: Artifact, redact: boolean): Indexed {
  try {
    return { session: readSession(artifact, { keep: 'counts', redact }).session }
  } catch (error) {
    return { path: artifact.path, fault: faultOf(error) }
  }
}

/**
 * Why one file could not be read, in words. An error in this program costs only that file and is reported
 * with its location. Everything else can still be answered.
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
    EACCES: 'cannot be read (permission denied)',
    EPERM: 'cannot be read (permission denied)',
    EISDIR: 'is a folder',
    ERR_NO_FILE: 'is no longer a file',
    EIO: 'cannot be read from the disk',
    ERR_PACKED_FILE_MISSING: 'was moved into another file, which is missing',
    ERR_WRITTEN_MEANWHILE: 'changed while it was read; run the command again',
    ERR_BUFFER_TOO_LARGE: 'is too large after unpacking',
    ZSTD_error_prefix_unknown: 'cannot be unpacked: its content does not match its name',
  }
  return known[code] ?? `cannot be read (${code})`
}

const STACK_LINES = 5

function ownFault(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const lines = stack.split('\n', STACK_LINES).map((line) => line.slice(0, 200))
  return `was skipped because of a bug in scrollback; please report it with these lines:\n  ${lines.join('\n  ')}`
}
