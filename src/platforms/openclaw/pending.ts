import { dirname, join } from 'node:path'
import { listDirectory } from '../../io/directories.ts'
import type { Artifact, SideQuestion } from '../../model/artifact.ts'
import { asText, asTime, type JsonObject } from '../../model/json.ts'
import { ROWS, unpackedRows } from '../unpacked-rows.ts'
import { hasFolder } from './files.ts'
import { normalize } from './records/normalize.ts'

/** The file in the folder of an agent's database that prompts which wait in it are unpacked to. */
export const UNPACKED_PENDING = `pending${ROWS}`

/** The prompts that wait for their turn, as an archive has them. `agent`: the folder of an agent. */
const pendingIn = (agent: string): JsonObject[] =>
  hasFolder(agent, listDirectory(agent).entries, 'agent')
    ? (unpackedRows(join(agent, 'agent'), UNPACKED_PENDING) ?? [])
    : []

/** By session, when the last of them was accepted. Empty if they cannot be read. */
export function pendingSince(agent: string): ReadonlyMap<string, number> {
  const since = new Map<string, number>()
  try {
    for (const { sessionId, accepted } of pendingIn(agent))
      since.set(String(sessionId), Math.max(since.get(String(sessionId)) ?? 0, asTime(accepted) ?? 0))
  } catch {
    // A file that is damaged is not ours.
  }
  return since
}

/** Adds the prompts that wait for their turn, where the session is no row of a database, which has them. */
export function describe(artifact: Artifact): Artifact {
  const { besideMs, database, path } = artifact
  if (besideMs === undefined || database !== undefined) return artifact
  try {
    const rows = pendingIn(dirname(dirname(path))).filter(({ sessionId }) => sessionId === artifact.sessionId)
    return { ...artifact, sideQuestions: rows.flatMap((row) => waitingIn(row, artifact)) }
  } catch {
    return artifact
  }
}

function waitingIn({ message, accepted }: JsonObject, artifact: Artifact): SideQuestion[] {
  const at = asTime(accepted)
  if (at === undefined) return []
  const drafts = normalize({ type: 'message', timestamp: at, message }, artifact)
  return drafts.flatMap(({ payload }) => {
    if (payload.type !== 'message' || payload.speaker !== 'human') return []
    const text = payload.parts
      .flatMap((part) => (part.type === 'text' ? (asText(part.text.trim()) ?? []) : []))
      .join('\n\n')
    return text === '' ? [] : [{ at, text, label: 'waiting', mayBeTaken: true }]
  })
}
