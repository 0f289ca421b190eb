import type { Environment } from '../../model/artifact.ts'
import { asText, parsedJson } from '../../model/json.ts'
import type { Session } from '../../model/session.ts'
import { variableFor } from '../folders.ts'
import type { PathMap, Platform, Resumption } from '../platform.ts'
import { mappedPath } from '../rewriting.ts'
import { delivery } from './delivery.ts'
import { describe, discover, given, refused, roots } from './files.ts'
import { copilotIdentity } from './identity.ts'
import { knownFields, normalize } from './records/normalize.ts'
import { runs, SPAWN_WORDS, spawns } from './subagents.ts'

/** Copilot CLI resumes a session wherever it is started. */
const resume = ({ id, root, cwds }: Session, environment: Environment): Resumption => ({
  words: ['copilot', '--resume='],
  id,
  variables: variableFor('COPILOT_HOME', root, copilotIdentity.folder, environment),
  directories: cwds.map(([path]) => path),
})

/** A folder in `workspace.yaml`, plain or in quotes. */
const FOLDER = /^((?:cwd|git_root): +)(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\n]|'')*)'|([^\s"'][^\n]*))$/gm

/** A line of it with another folder, in double quotes unless the path is plain. */
function mappedLine(
  line: string,
  [name, double, single, plain]: (string | undefined)[],
  maps: readonly PathMap[],
): string {
  const written = double === undefined ? undefined : asText(parsedJson(`"${double}"`))
  const path = written ?? single?.replaceAll("''", "'") ?? plain?.trimEnd()
  const mapped = path === undefined ? undefined : mappedPath(path, maps)
  if (mapped === undefined) return line
  return `${name}${/^[\w/.][\w/. -]*$/.test(mapped) ? mapped : JSON.stringify(mapped)}`
}

export const copilot: Platform = {
  id: copilotIdentity.id,
  identity: copilotIdentity,
  files: { roots, discover, refused, describe, given },
  records: { normalize, knownFields },
  delivery,
  resume,
  subagents: { runs, spawns, spawnWords: SPAWN_WORDS },
  restoring: {
    folder: (below) => /^(session-state\/[^/]+)\/events\.jsonl$/.exec(below)?.[1],
    directories: ['data.context.cwd', 'data.context.gitRoot'],
    mappedText: (below, text, maps) =>
      below.endsWith('/workspace.yaml')
        ? text.replace(FOLDER, (line, ...groups) => mappedLine(line, groups, maps))
        : text,
  },
}
