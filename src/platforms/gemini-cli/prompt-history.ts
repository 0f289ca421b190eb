import { basename, dirname, join } from 'node:path'
import { isPlainFolder, listDirectory } from '../../io/directories.ts'
import { bufferSource, readSmall, type SeekableSource } from '../../io/source.ts'
import type { HistoryFile, Root } from '../../model/artifact.ts'
import type { Draft } from '../../model/event.ts'
import { asArray, asObject, asText, asTime, parsedJson } from '../../model/json.ts'
import { historyFile } from '../folders.ts'
import { directoriesIn, SHORT } from './files.ts'

/** Larger files are not the client's. */
const LARGEST = 16 * 1024 * 1024

/** What was typed into the terminal, a file for each project. Links are not followed. */
export function histories(root: Root): HistoryFile[] {
  const top = join(root.path, 'tmp')
  if (!isPlainFolder(top)) return []
  return listDirectory(top).entries.flatMap((entry) =>
    entry.isDirectory() ? historyFile(root, join(top, entry.name, 'logs.json')) : [],
  )
}

/** The entries as lines, each with the directory of the project. */
export function openHistory({ root, path, bytes, modifiedMs, identity = '' }: HistoryFile): SeekableSource {
  const directory = directoriesIn(root).get(basename(dirname(path)))
  const entries = asArray(parsedJson(readSmall(path, LARGEST)?.toString('utf8') ?? '')) ?? []
  const lines = entries.flatMap((each) => {
    const entry = asObject(each)
    return entry ? `${JSON.stringify({ ...entry, directory })}\n` : []
  })
  const state = { size: bytes, mtimeMs: modifiedMs, identity }
  return bufferSource(Buffer.from(lines.join('')), 0, state)
}

/** A command of the client, which is not sent to the model. */
const COMMAND = /^\/[a-z]/

/** Normalizes `{ sessionId, type, message, timestamp }`. */
export function normalizeHistory(entry: unknown): Draft | undefined {
  const line = asObject(entry)
  const text = asText(line?.message)
  if (!line || text === undefined || text.trim() === '' || COMMAND.test(text) || line.type !== 'user')
    return undefined
  return {
    at: asTime(line.timestamp),
    cwd: asText(line.directory),
    // The names of sessions have the beginning of their ids.
    sessionId: asText(line.sessionId)?.slice(0, SHORT),
    payload: { type: 'message', role: 'user', speaker: 'human', parts: [{ type: 'text', text }] },
  }
}
