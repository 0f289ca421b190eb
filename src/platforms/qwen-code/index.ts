import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { variableFor } from '../folders.ts'
import type { PathMap, Platform, Resumption } from '../platform.ts'
import { mappedPath } from '../rewriting.ts'
import { delivery } from './delivery.ts'
import { describe, discover, documents, given, refused, roots } from './files.ts'
import { qwenCodeIdentity } from './identity.ts'
import { longValues } from './records/long-values.ts'
import { knownFields, normalize } from './records/normalize.ts'
import { recordedChanges, SPAWN_WORDS, spawns } from './records/tools.ts'

export const qwenCode: Platform = {
  id: qwenCodeIdentity.id,
  identity: qwenCodeIdentity,
  files: { roots, discover, refused, describe, given },
  records: { normalize, knownFields, long: longValues, recordedChanges },
  delivery,
  resume,
  restoring: {
    folder(below) {
      const [, project, session] = IN_PROJECT.exec(below) ?? []
      return session === undefined ? undefined : `${project}/subagents/${session}`
    },
    mapped,
    directories: ['cwd'],
  },
  memory: { documents },
  subagents: { spawns, spawnWords: SPAWN_WORDS },
}

/** A session is resumed by its id where it ran. */
function resume({ kind, id, parentSessionId, root, cwds }: Session, environment: Environment): Resumption {
  if (kind === 'subagent')
    return {
      impossible: `a subagent can only be resumed in its parent${parentSessionId ? `: ${parentSessionId}` : ''}`,
    }
  return {
    words: ['qwen', '--resume='],
    id,
    variables: variableFor('QWEN_HOME', root, qwenCodeIdentity.folder, environment),
    directories: cwds.map(([path]) => path),
  }
}

const IN_PROJECT = /^(projects\/[^/]+)\/chats\/([^/]+)\.jsonl$/s
const FOLDER = /^projects\/([^/]+)\/(.+)$/s

/** The client looks for a session in the folder of the directory that it is in. */
function mapped(below: string, own: string | undefined, maps: readonly PathMap[]): string {
  const [, folder, rest] = FOLDER.exec(below) ?? []
  const target = own === undefined ? undefined : mappedPath(own, maps)
  return target === undefined || folder !== folderFor(own!) ? below : `projects/${folderFor(target)}/${rest}`
}

/** Several directories may have one folder: all but letters and digits become the same sign. */
const folderFor = (path: string): string => path.replace(/[^a-zA-Z0-9]/g, '-')
