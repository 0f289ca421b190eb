import { statSync } from 'node:fs'
import type { Refreshed } from '../../collect/index/refresh.ts'
import type { Session } from '../../model/session.ts'
import { counted } from '../../render/table.ts'
import type { Known } from '../../store/increment.ts'
import type { Store } from '../../store/store.ts'
import type { ReadingContext } from '../kit/context.ts'
import { retentionWarning, vanishing } from '../kit/retention.ts'

const DAY_MS = 86_400_000

interface State {
  store: Store
  found: Refreshed
  known: ReadonlyMap<string, Known>
  sessions: readonly Session[]
  /** The paths of all files on disk. */
  here: ReadonlySet<string>
  context: ReadingContext
}

/** What is not missing yet, but may soon be. */
export const warningsOf = (state: State): string[] =>
  [soonDeleted, inTheFuture, openToOthers, unterminated].flatMap((warn) => warn(state) ?? [])

const soonDeleted = ({ sessions, here, context }: State): string | undefined =>
  retentionWarning(
    vanishing(
      sessions.filter(({ path }) => here.has(path)),
      context,
    ),
    true,
  )

function inTheFuture({ found, context }: State): string | undefined {
  // The time of the demo is fixed, but its files were written when it was installed.
  const now = Math.max(context.now, Date.now())
  const ahead = found.artifacts.filter(({ modifiedMs }) => modifiedMs > now + DAY_MS)
  if (ahead.length === 0) return undefined
  return `${counted(ahead.length, 'file')} ${ahead.length === 1 ? 'has' : 'have'} a modification time in the future, for example ${ahead[0]!.path}: the clock of this machine, or of the machine that wrote it, is wrong. Until then, changes are found by size.`
}

function openToOthers({ store: { path } }: State): string | undefined {
  try {
    if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return undefined
    return `The store can be read by others on this machine: chmod 600 ${path}`
  } catch {
    return undefined
  }
}

function unterminated({ known, here }: State): string | undefined {
  const open = [...known.values()].filter(
    ({ artifact: { path, database }, checkpoint }) =>
      here.has(path) && checkpoint.offset < checkpoint.size && !database && !path.endsWith('.zst'),
  )
  if (open.length === 0) return undefined
  return `${counted(open.length, 'file')} end${open.length === 1 ? 's' : ''} without a newline, for example ${open[0]!.artifact.path}: the last line is shown as is, and read again when it is complete.`
}
