import { hash } from 'node:crypto'
import { basename } from 'node:path'
import { editJson } from '../../io/edit-json.ts'
import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { variableFor } from '../folders.ts'
import type { PathMap, Platform, Resumption } from '../platform.ts'
import { mappedPath, pathEditor } from '../rewriting.ts'
import { delivery } from './delivery.ts'
import { describe, discover, given, refused, roots } from './files.ts'
import { kimiCodeIdentity } from './identity.ts'
import { longValues } from './records/long-values.ts'
import { knownFields, normalize } from './records/normalize.ts'
import { SPAWN_WORDS, spawns } from './records/tools.ts'

export const kimiCode: Platform = {
  id: kimiCodeIdentity.id,
  identity: kimiCodeIdentity,
  files: { roots, discover, refused, describe, given },
  records: { normalize, knownFields, long: longValues },
  delivery,
  resume,
  restoring: {
    folder: (below) => SESSION.exec(below)?.[1],
    mapped,
    directories: ['cwd', 'workDir'],
    named: { members: ['workspaceId'], nameOf: folderFor },
    mappedText: (below, text, maps) =>
      below.endsWith('/state.json') ? editJson(text, pathEditor(['cwd'], maps)) : text,
  },
  subagents: { spawns, spawnWords: SPAWN_WORDS },
}

/** A session is resumed by its id where it ran. */
function resume({ kind, id, parentSessionId, root, cwds }: Session, environment: Environment): Resumption {
  if (kind === 'subagent')
    return {
      impossible: `a subagent can only be resumed in its parent${parentSessionId ? `: ${parentSessionId}` : ''}`,
    }
  return {
    words: ['kimi', '--session='],
    id,
    variables: variableFor('KIMI_CODE_HOME', root, kimiCodeIdentity.folder, environment),
    directories: cwds.map(([path]) => path),
  }
}

const SESSION = /^(sessions\/[^/]+\/[^/]+)\/agents\/main\/wire\.jsonl$/s
const FOLDER = /^sessions\/([^/]+)\/(.+)$/s

/** The client looks for a session in the folder of its directory. */
function mapped(below: string, own: string | undefined, maps: readonly PathMap[]): string {
  const [, folder, rest] = FOLDER.exec(below) ?? []
  const target = own === undefined ? undefined : mappedPath(own, maps)
  return target === undefined || folder !== folderFor(own!) ? below : `sessions/${folderFor(target)}/${rest}`
}

const DIGITS = 12
const LONGEST = 40
const EDGES = /^-+|-+$/g

/** The last name of a directory in small letters, and the beginning of the hash of its path. */
function folderFor(path: string): string {
  const plain = path.replaceAll('\\', '/').replace(/\/+$/, '')
  const letters = basename(plain)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(EDGES, '')
  const name = letters.slice(0, LONGEST).replace(EDGES, '') || 'workspace'
  return `wd_${name}_${hash('sha256', plain, 'hex').slice(0, DIGITS)}`
}
