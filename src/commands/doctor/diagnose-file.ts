import { accessSync, constants } from 'node:fs'
import { withLinks } from '../../collect/index/link-sessions.ts'
import type { Artifact } from '../../model/artifact.ts'
import { append } from '../../model/lists.ts'
import type { Session } from '../../model/session.ts'
import type { Known } from '../../store/increment.ts'
import type { FreshStore } from '../kit/context.ts'
import { type FileDiagnosis, total } from './answer.ts'
import { compareWithFile } from './deep.ts'

const UNREADABLE = 'cannot be read (permission denied)'

interface Options {
  /** The paths of all files on disk. */
  here: ReadonlySet<string>
  /** Read the file again and compare it with the store, row by row. */
  deep: boolean
}

/** Returns a function that compares one file with the store. */
export function createFileDiagnosis({ store, found }: FreshStore, { here, deep }: Options) {
  const faults = new Map(found.faults.map(({ path, fault }) => [path, fault]))
  return (artifact: Artifact, stored: Known | undefined, session: Session | undefined): FileDiagnosis => {
    const { path, kind, database } = artifact
    const isHere = here.has(path)
    const unread = faults.get(path) ?? (isHere && !isReadable(database ?? path) ? UNREADABLE : undefined)
    const problems: string[] = []
    if (unread !== undefined) problems.push(unread)
    else if (!stored || !session) problems.push('is not stored')
    if (stored && session && isHere) {
      append(problems, unaccounted(artifact, stored, session))
      if (deep && unread === undefined)
        append(problems, compareWithFile(store, withLinks(artifact, stored.artifact.links), session))
    }
    return {
      ...{ path, kind, state: stored?.goneMs === undefined ? artifact.state : 'gone' },
      // The length of a database session is only known after reading it.
      bytes: database ? (session?.bytes ?? 0) : artifact.bytes,
      lines: session?.lines ?? 0,
      accounting: session?.accounting ?? null,
      stored: stored ? storedOf(stored, store.countMessages(path)) : null,
      problems,
    }
  }
}

/** Reports bytes that were not read, and lines that are missing in the accounting. */
function unaccounted(artifact: Artifact, { checkpoint }: Known, session: Session): string[] {
  const problems: string[] = []
  if (checkpoint.size !== artifact.bytes)
    problems.push(`has ${artifact.bytes} bytes, of which ${checkpoint.size} were read`)
  const { events, skipped, unknown, malformed } = session.accounting
  const accounted = events + total(skipped) + total(unknown) + malformed
  if (accounted !== session.lines) problems.push(`${session.lines - accounted} lines are not accounted for`)
  return problems
}

const storedOf = ({ checkpoint, goneMs }: Known, messages: number): FileDiagnosis['stored'] => ({
  messages,
  offset: checkpoint.offset,
  line: checkpoint.line,
  generation: checkpoint.generation,
  goneSince: goneMs === undefined ? null : new Date(goneMs).toISOString(),
})

/** An unreadable file may be stored completely, but later additions to it will be missing. */
function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
