import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf } from '../../io/directories.ts'
import type { HistoryFile, Root } from '../../model/artifact.ts'
import type { Draft } from '../../model/event.ts'
import { asNumber, asObject, asText } from '../../model/json.ts'
import { codexIdentity } from './identity.ts'

/** The prompts that were typed in the terminal, of all sessions. A symbolic link is not followed. */
export function history(root: Pick<Root, 'path'>): HistoryFile | undefined {
  const path = join(root.path, 'history.jsonl')
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) return undefined
  return {
    platform: codexIdentity.id,
    root: root.path,
    path,
    bytes: stats.size,
    modifiedMs: stats.mtimeMs,
    identity: identityOf(stats),
  }
}

/** Normalizes `{ session_id, ts, text }`, with the time in seconds. */
export function normalizeHistory(entry: unknown): Draft | undefined {
  const line = asObject(entry)
  const text = asText(line?.text)
  if (!line || text === undefined || text.trim() === '') return undefined
  const seconds = asNumber(line.ts)
  return {
    ...(seconds !== undefined && { at: seconds * 1000 }),
    sessionId: asText(line.session_id),
    payload: { type: 'message', role: 'user', speaker: 'human', parts: [{ type: 'text', text }] },
  }
}
