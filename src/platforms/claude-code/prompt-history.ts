import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf } from '../../io/directories.ts'
import type { HistoryFile, Root } from '../../model/artifact.ts'
import type { Draft } from '../../model/event.ts'
import { asObject, asText, asTime } from '../../model/json.ts'

/** The prompt history, which keeps the prompts of deleted sessions. A symbolic link is not followed. */
export function history(root: Pick<Root, 'path'>): HistoryFile | undefined {
  const path = join(root.path, 'history.jsonl')
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) return undefined
  return {
    platform: 'claude-code',
    root: root.path,
    path,
    bytes: stats.size,
    modifiedMs: stats.mtimeMs,
    identity: identityOf(stats),
  }
}

/** The placeholder of a pasted text. */
const PASTED = /\[Pasted text #(\d+)(?: \+\d+ lines)?\]/g
/** A command without arguments. */
const BARE_COMMAND = /^\/[\w:-]+\s*$/

/** Normalizes one line of the prompt history. Undefined if it contains no prompt. */
export function normalizeHistory(entry: unknown): Draft | undefined {
  const line = asObject(entry)
  const display = asText(line?.display)
  if (!line || display === undefined || display.trim() === '' || BARE_COMMAND.test(display)) return undefined
  const pasted = asObject(line.pastedContents)
  const text = display.replace(
    PASTED,
    (mark, number: string) => asText(asObject(pasted?.[number])?.content) ?? mark,
  )
  return {
    at: asTime(line.timestamp),
    cwd: asText(line.project),
    sessionId: asText(line.sessionId),
    payload: { type: 'message', role: 'user', speaker: 'human', parts: [{ type: 'text', text }] },
  }
}
