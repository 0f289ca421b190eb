import type { Artifact } from '../../model/artifact.ts'
import type { Item, Session } from '../../model/session.ts'
import { platformOf } from '../../platforms/index.ts'
import { counted } from '../../render/table.ts'
import { sessionIdentity } from '../../selection/load-sessions.ts'
import { readSession } from '../../sync/read/read-session.ts'

/** How many prompts of sessions only other files of their clients have. */
export interface PromptsBeside {
  sideQuestions: number
  waiting: number
}

/**
 * Counts the prompts that are shown with sessions and are no records of their transcripts: they are in one
 * file, or a table, for all sessions of a client, in which nothing is written. `isThere` leaves some out.
 */
export function promptsBeside(
  artifacts: readonly Artifact[],
  isThere: (artifact: Artifact, text: string) => boolean = () => false,
): PromptsBeside {
  const found = artifacts.flatMap((artifact) =>
    besideOf(artifact).filter(({ text = '' }) => !isThere(artifact, text)),
  )
  const waiting = found.filter(({ label }) => label === WAITING).length
  return { sideQuestions: found.length - waiting, waiting }
}

const WAITING = 'waiting'

const questionsOf = (artifact: Artifact): readonly { text: string }[] =>
  platformOf(artifact.platform).files.describe?.(artifact).sideQuestions ?? []

function besideOf(artifact: Artifact): Item[] {
  const isRow = artifact.database !== undefined && artifact.besideMs !== undefined
  if (!isRow && questionsOf(artifact).length === 0) return []
  // A question that has a record has its length.
  const isBeside = ({ label, length }: Item): boolean =>
    label === WAITING || (label !== undefined && length === 0)
  try {
    return readSession(artifact).items.filter(isBeside)
  } catch {
    // It has been deleted by now.
    return []
  }
}

/** The same of sessions that are restored, without the prompts that their client has there. */
export function promptsNotRestored(
  artifacts: readonly Artifact[],
  restored: readonly Session[],
): PromptsBeside {
  const restoredAs = new Map(
    restored.map(({ id: sessionId, root, path, ...session }) => [
      sessionIdentity({ ...session, sessionId }),
      { root, path },
    ]),
  )
  return promptsBeside(
    artifacts.filter((artifact) => restoredAs.has(sessionIdentity(artifact))),
    (artifact, text) =>
      questionsOf({ ...artifact, ...restoredAs.get(sessionIdentity(artifact)) }).some(
        (each) => each.text === text,
      ),
  )
}

/** Says of them where they are not: `in the pack`. Undefined if there are none. */
export function besideNote({ sideQuestions, waiting }: PromptsBeside, where: string): string | undefined {
  const kinds = [
    ...(sideQuestions > 0 ? [counted(sideQuestions, 'side question')] : []),
    ...(waiting > 0 ? [counted(waiting, 'waiting prompt')] : []),
  ]
  if (kinds.length === 0) return undefined
  const which = sideQuestions + waiting === 1 ? 'which is' : 'which are'
  return `Not ${where}: ${kinds.join(' and ')}, ${which} in no transcript, but in a file of the client about all its sessions.`
}
