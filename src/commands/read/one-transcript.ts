import { resolve } from 'node:path'
import { discover } from '../../collect/discover.ts'
import { readSession, readSlices } from '../../collect/read/read-session.ts'
import { ScrollbackError } from '../../errors.ts'
import { isFile } from '../../io/kinds.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Item } from '../../model/session.ts'
import { sessionsOfId } from '../choose/ids.ts'
import type { ReadingContext } from '../kit/context.ts'
import { noteUnreadable } from '../kit/load.ts'
import { LARGE } from './slices.ts'
import { givenFile } from './targets.ts'

/**
 * Finds a transcript by its path, its id, or a prefix of the id. Of several with the same id, the first live
 * one is taken.
 */
export function findTranscript(pathOrId: string, context: ReadingContext): Artifact {
  const found = discover(context.environment)
  noteUnreadable(found, context)
  const path = resolve(context.directory, pathOrId)
  const listed = found.artifacts.find((each) => each.path === path || each.path === pathOrId)
  if (listed) return listed
  if (isFile(path)) return givenFile(path)
  const begun = sessionsOfId(
    found.artifacts.map((artifact) => ({ id: artifact.sessionId, artifact })),
    pathOrId,
  )
  const ids = new Set(begun.map(({ id }) => id))
  if (ids.size === 0)
    throw new ScrollbackError(
      'no-session',
      `"${pathOrId}": no such transcript.`,
      'Use a path, or the id of a session from findSessions().',
    )
  if (ids.size > 1)
    throw new ScrollbackError(
      'several-sessions',
      `"${pathOrId}" is ambiguous: ${ids.size} session ids begin with it: ${[...ids].slice(0, 5).join(', ')}`,
      'Use a longer part of the id.',
    )
  return (begun.find(({ artifact }) => artifact.state === 'live') ?? begun[0]!).artifact
}

/** The items in order. A large file is read in slices. Throws the system's error if it cannot be read. */
export function* tellTranscript(artifact: Artifact, { redact }: { redact: boolean }): Generator<Item> {
  const options = { redact } as const
  if (artifact.bytes <= LARGE) yield* readSession(artifact, options).items
  else for (const { items } of readSlices(artifact, options)) yield* items
}
