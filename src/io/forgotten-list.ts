import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { forgottenKey } from '../model/artifact.ts'
import { makeFolders, readOwn, replaceOwn } from './own-files.ts'

/** A session that was forgotten. It is not read, indexed or delivered again. */
export interface ForgottenSession {
  platform: string
  session: string
  /** ISO 8601. */
  at: string
  /** The id of the session that was forgotten with it and started it, or ran through it. */
  parent?: string
}

/** The name of the list in our data folder. */
export const FORGOTTEN = 'forgotten.json'

const VERSION = 1
const LARGEST = 256 * 1024 * 1024
const NOTHING: readonly ForgottenSession[] = []

/** The list is not readable. Nothing may be indexed then, because it might have been forgotten. */
export class DamagedList extends Error {}

const cached = new Map<string, { stamp: string; sessions: readonly ForgottenSession[]; keys: Set<string> }>()

/**
 * The keys of all forgotten sessions. Empty without a list. Throws a `DamagedList`, or the system's error.
 */
export const forgottenKeys = (path: string | undefined): ReadonlySet<string> => read(path).keys

/** Every forgotten session, the first one first. Throws the same errors. */
export const forgottenSessions = (path: string | undefined): readonly ForgottenSession[] =>
  read(path).sessions

/** Replaces the list durably. Throws the system's error. */
export function writeForgotten(path: string, sessions: readonly ForgottenSession[]): void {
  makeFolders(dirname(path))
  replaceOwn(path, `${JSON.stringify({ version: VERSION, sessions }, undefined, 1)}\n`)
}

function read(
  path: string | undefined,
): Pick<NonNullable<ReturnType<typeof cached.get>>, 'sessions' | 'keys'> {
  const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })
  if (path === undefined || !stats) return { sessions: NOTHING, keys: new Set() }
  // The file is replaced, never changed, so that its number tells one from another.
  const stamp = `${stats.ino} ${stats.size} ${stats.mtimeMs}`
  const known = cached.get(path)
  if (known?.stamp === stamp) return known
  const sessions = parsed(path)
  const keys = new Set(sessions.map(({ platform, session }) => forgottenKey(platform, session)))
  cached.set(path, { stamp, sessions, keys })
  return { sessions, keys }
}

function parsed(path: string): ForgottenSession[] {
  try {
    const { version, sessions } = JSON.parse(readOwn(path, LARGEST)!.toString('utf8')) as {
      version: unknown
      sessions: ForgottenSession[]
    }
    const isSound = sessions.every(({ platform, session, at, parent = '' }) =>
      [platform, session, at, parent].every((each) => typeof each === 'string'),
    )
    if (version === VERSION && isSound) return sessions
  } catch {
    // Whatever is wrong with it, it is not readable.
  }
  throw new DamagedList(`${path} is damaged: it lists the sessions that were forgotten.`)
}
