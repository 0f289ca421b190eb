import type { Dirent, Stats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  fileInside,
  identityOf,
  isLink,
  isPlainFolder,
  listDirectory,
  NO_LINKS,
} from '../../io/directories.ts'
import { openSource, readFully, readSmall, type SeekableSource } from '../../io/source.ts'
import type { Artifact } from '../../model/artifact.ts'
import { asNumber, asObject, asText, parsedJson } from '../../model/json.ts'
import { finderIn, sourceOf } from '../folders.ts'
import type { Owner } from './database/sessions.ts'
import { linesOf, type StoredMessage, timeOf, withReverted } from './lines.ts'

/** Where versions before 1.2 kept sessions, messages and parts, each as a file. */
export const TREE = 'storage'

/** A file with a session, a message or a part. */
interface Small {
  id: string
  path: string
  stats: Stats
}

/** Lists a folder without reporting what is wrong with it, which discovery does. */
export const listPlain = (path: string): readonly Dirent[] =>
  isPlainFolder(path) ? listDirectory(path).entries : []

/** The JSON files of a folder. Links are not followed. */
function filesIn(folder: string, list: (path: string) => readonly Dirent[] = listPlain): Small[] {
  return list(folder).flatMap(({ name }) => {
    const stats = name.endsWith('.json') ? fileInside(folder, join(folder, name), NO_LINKS) : undefined
    return stats ? [{ id: basename(name, '.json'), path: join(folder, name), stats }] : []
  })
}

/** The sessions in `storage/session/<project>/`. Opens none of their files. */
export function sessionsInTree(owner: Owner, list: typeof listPlain): Artifact[] {
  const storage = join(owner.root, TREE)
  if (isLink(storage)) return []
  const folder = join(storage, 'session')
  return list(folder).flatMap((project) =>
    filesIn(join(folder, project.name), list).map(({ id, path, stats }): Artifact => {
      const messages = filesIn(join(storage, 'message', id))
      const all = [stats, ...messages.map((message) => message.stats)]
      const modifiedMs = all.reduce((last, { mtimeMs }) => Math.max(last, mtimeMs), 0)
      return {
        ...owner,
        path,
        database: storage,
        kind: 'transcript',
        state: 'live',
        sessionId: id,
        bytes: all.reduce((sum, { size }) => sum + size, 0),
        modifiedMs,
        // Files change in place, so that every change begins a new reading. A message is written last.
        identity: `${identityOf(stats)}#${modifiedMs} ${messages.length}`,
      }
    }),
  )
}

const UNPACKED = /^(ses_\w+)\.jsonl$/

/** Sessions that were unpacked from an archive, each as the lines that were delivered. */
export function unpackedSessions({ platform, agent, root }: Owner): Artifact[] {
  const { found, list, add } = finderIn({ platform, path: root }, {})
  const folder = join(root, 'sessions')
  for (const { name } of list(folder)) {
    const sessionId = UNPACKED.exec(name)?.[1]
    if (sessionId !== undefined) add(folder, name, { agent, sessionId })
  }
  return found.artifacts
}

/** Larger files are not the client's. */
const LARGEST = 64 * 1024 * 1024

const textOf = (path: string): string => readSmall(path, LARGEST)?.toString('utf8') ?? ''

/** The title of a session in files: of a version before 1.2, or unpacked from an archive. */
export function titleInFile({ path, database }: Artifact): string | undefined {
  if (database !== undefined) return asText(asObject(parsedJson(textOf(path)))?.title)
  const source = openSource(path)
  try {
    const [header = ''] = readFully(source, LONGEST_HEADER).toString('utf8').split('\n', 1)
    return asText(asObject(parsedJson(header))?.title)
  } finally {
    source.close()
  }
}

const LONGEST_HEADER = 64 * 1024

/** The lines of a session in files. Throws the system's error. */
export function openTreeSession(artifact: Artifact): SeekableSource {
  const { path, sessionId } = artifact
  const storage = dirname(dirname(dirname(path)))
  const session = asObject(parsedJson(textOf(path)))
  const messages = filesIn(join(storage, 'message', sessionId)).map((file): StoredMessage => {
    const data = textOf(file.path)
    const parts = filesIn(join(storage, 'part', file.id)).sort((one, other) => (one.id < other.id ? -1 : 1))
    return {
      id: file.id,
      at: timeOf(data),
      data,
      parts: parts.map((part) => textOf(part.path)),
      removed: false,
    }
  })
  const content = linesOf(
    {
      id: sessionId,
      parent: asText(session?.parentID),
      directory: asText(session?.directory),
      title: asText(session?.title),
      version: asText(session?.version),
      created: asNumber(asObject(session?.time)?.created),
    },
    withReverted(messages, session?.revert),
  )
  return sourceOf(content, artifact)
}
