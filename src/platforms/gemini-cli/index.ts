import { basename, dirname, join } from 'node:path'
import { isPlainFolder, listDirectory } from '../../io/directories.ts'
import { bufferSource, readSmall, type SeekableSource } from '../../io/source.ts'
import type { Environment, HistoryFile, Root } from '../../model/artifact.ts'
import type { Draft } from '../../model/event.ts'
import { asArray, asObject, asText, asTime, parsedJson } from '../../model/json.ts'
import type { Session } from '../../model/session.ts'
import { historyFile, variableFor } from '../folders.ts'
import type { Platform, Resumption } from '../platform.ts'
import { delivery, HISTORIES } from './delivery.ts'
import { directoriesIn, discover, given, openDocument, refused, roots, SHORT } from './files.ts'
import { geminiCliIdentity } from './identity.ts'
import { moving } from './moving.ts'
import { longValues } from './records/long-values.ts'
import { knownFields, normalize } from './records/normalize.ts'
import { recordedChanges, SPAWN_WORDS, spawns } from './records/tools.ts'
import { runs } from './subagents.ts'

/** Larger files are not the client's. */
const LARGEST = 16 * 1024 * 1024

/** What was typed into the terminal, a file for each project. Links are not followed. */
function histories(root: Root): HistoryFile[] {
  const top = join(root.path, 'tmp')
  if (!isPlainFolder(top)) return []
  return listDirectory(top).entries.flatMap((entry) =>
    entry.isDirectory() ? HISTORIES.flatMap((name) => historyFile(root, join(top, entry.name, name))) : [],
  )
}

/** The entries as lines, each with the directory of the project. */
function openHistory({ root, path, bytes, modifiedMs, identity = '' }: HistoryFile): SeekableSource {
  const directory = directoriesIn(root).get(basename(dirname(path)))
  const list = parsedJson(readSmall(path, LARGEST)?.toString('utf8') ?? '')
  const entries = asArray(list) ?? Object.values(asObject(list) ?? {})
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
function normalizeHistory(entry: unknown): Draft | undefined {
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

export const geminiCli: Platform = {
  id: geminiCliIdentity.id,
  identity: geminiCliIdentity,
  files: { roots, discover, refused, open: openDocument, given },
  records: { normalize, knownFields, long: longValues, recordedChanges },
  delivery,
  history: { files: histories, open: openHistory, normalize: normalizeHistory },
  resume,
  restoring: {
    impossible: (below) =>
      below.endsWith('.json')
        ? 'it was one JSON document, of which its lines are left, and the client reads them only in a file of its newer form'
        : undefined,
    directories: [],
  },
  moving,
  subagents: { runs, spawns, spawnWords: SPAWN_WORDS },
}

/** A session is resumed by its whole id, which is in the file, from the directory it ran in. */
function resume(
  { kind, id, parentSessionId, otherIds, root, cwds }: Session,
  environment: Environment,
): Resumption {
  if (kind === 'subagent')
    return {
      impossible: `a subagent can only be resumed in its parent${parentSessionId ? `: ${parentSessionId}` : ''}`,
    }
  return {
    words: ['gemini', '--resume='],
    id: otherIds.find((other) => other.startsWith(id)) ?? id,
    variables: variableFor('GEMINI_CLI_HOME', dirname(root), '', environment),
    directories: cwds.map(([path]) => path),
  }
}
