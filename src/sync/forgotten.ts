import { dirname } from 'node:path'
import { ScrollbackError } from '../errors.ts'
import { DamagedList, forgottenKeys } from '../io/forgotten-list.ts'
import type { Artifact, Environment } from '../model/artifact.ts'
import { forgottenKey } from '../model/artifact.ts'

/** Whether a session of a platform was forgotten. */
export type IsForgotten = (platform: string, session: string) => boolean

/**
 * Reads the list of forgotten sessions. Undefined if it is empty. Throws a `ScrollbackError` if it is
 * damaged.
 */
export function forgottenTest({ forgotten }: Pick<Environment, 'forgotten'>): IsForgotten | undefined {
  const own = keysAt(forgotten)
  return own.size === 0 ? undefined : (platform, session) => own.has(forgottenKey(platform, session))
}

/** The keys of the forgotten sessions. Throws a `ScrollbackError` if the list is damaged. */
export function keysAt(path: string | undefined): ReadonlySet<string> {
  try {
    return forgottenKeys(path)
  } catch (error) {
    if (error instanceof DamagedList)
      throw new ScrollbackError(
        'store-unreadable',
        error.message,
        'Restore it from a backup. Without it, what was forgotten is read again from the transcripts that still exist.',
        error,
      )
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined || path === undefined) throw error
    // Without the list, an answer might contain what was forgotten.
    throw new ScrollbackError(
      'store-unreadable',
      `The list of forgotten sessions, ${path}, cannot be read (${code}).`,
      `If another user owns the folder ${dirname(path)}, as after "sudo scrollback", make it yours again, or set SCROLLBACK_HOME to another folder.`,
      error,
    )
  }
}

/** Whether a transcript belongs to a forgotten session, or to a subagent of one. */
export const isForgottenArtifact = (
  { platform, sessionId, parentSessionId }: Artifact,
  isForgotten: IsForgotten,
): boolean =>
  isForgotten(platform, sessionId) ||
  (parentSessionId !== undefined && isForgotten(platform, parentSessionId))

/** The same for anything that is collected. */
export const isForgottenSource = (
  {
    platform,
    session,
    parent,
    artifact,
  }: { platform: string; session: string | null; parent?: string; artifact?: Artifact },
  isForgotten: IsForgotten,
): boolean =>
  artifact
    ? isForgottenArtifact(artifact, isForgotten)
    : (session !== null && isForgotten(platform, session)) ||
      (parent !== undefined && isForgotten(platform, parent))
