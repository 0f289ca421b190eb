import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { discover } from '../collect/discover.ts'
import { readSession, readSlices } from '../collect/read-session.ts'
import { ScrollbackError } from '../errors.ts'
import type { Artifact } from '../model/artifact.ts'
import type { Item } from '../model/session.ts'
import type { Context } from './command.ts'
import { noteUnreadable } from './load.ts'
import { LARGE } from './read-slices.ts'
import { givenFile } from './read-targets.ts'

/** Ids are told apart by so many characters at least. */
const SHORTEST_PREFIX = 4

/** The transcript at a path, or of an id or the beginning of one; of several of the same id the first that is live. */
export function findTranscript(pathOrId: string, context: Context): Artifact {
  const found = discover(context.environment)
  noteUnreadable(found, context)
  const path = resolve(context.directory, pathOrId)
  const listed = found.artifacts.find((each) => each.path === path || each.path === pathOrId)
  if (listed) return listed
  if (existsSync(path) && statSync(path).isFile()) return givenFile(path)
  const named = found.artifacts.filter(({ sessionId }) => sessionId === pathOrId)
  const begun =
    named.length > 0 || pathOrId.length < SHORTEST_PREFIX
      ? named
      : found.artifacts.filter(({ sessionId }) => sessionId.replace(/^agent-/, '').startsWith(pathOrId))
  const ids = new Set(begun.map(({ sessionId }) => sessionId))
  if (ids.size === 0)
    throw new ScrollbackError(
      'no-session',
      `No transcript is called ${pathOrId}.`,
      'Give a path, or the id of a session that findSessions() gives.',
    )
  if (ids.size > 1)
    throw new ScrollbackError(
      'several-sessions',
      `"${pathOrId}" begins ${ids.size} session ids: ${[...ids].slice(0, 5).join(', ')}`,
      'Give more of the id.',
    )
  return begun.find(({ state }) => state === 'live') ?? begun[0]!
}

/** What it tells, condensed, in order; a large one slice by slice. Throws the system's error where it cannot be read. */
export function* tellTranscript(artifact: Artifact, { redact }: { redact: boolean }): Generator<Item> {
  const options = { purpose: 'read', redact } as const
  if (artifact.bytes <= LARGE) yield* readSession(artifact, options).items
  else for (const { items } of readSlices(artifact, options)) yield* items
}
