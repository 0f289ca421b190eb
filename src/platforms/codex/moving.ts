import { join } from 'node:path'
import { isPlainFolder, listDirectory } from '../../io/directories.ts'
import { editJson } from '../../io/edit-json.ts'
import { asObject, asText, parsedJson } from '../../model/json.ts'
import type { MovedFiles, Moving, PathMap } from '../platform.ts'
import { holdsPath, pathEditor } from '../rewriting.ts'
import { rolloutsIn, sessionIdIn } from './files.ts'

/** The list of threads that the client picks one of the current directory from. */
const STATE = /^state_\d+\.sqlite$/

/** A folder that was moved: its path is in the records of rollouts and in the list of threads. */
export const moving: Moving = {
  changes:
    'the records of rollouts about the folder, also of archived ones, and the list of threads in its database',
  moves({ path: root }, map) {
    const found: MovedFiles = { root, moves: [], sessions: [], left: [] }
    const rollouts = rolloutsIn(root)
    for (const below of rollouts) {
      if (below.endsWith('.zst') || !holdsPath(join(root, below), map.from)) continue
      found.moves.push({ type: 'edit', below, to: below, unit: 'line', edit: editing(map) })
      found.sessions.push(sessionIdIn(below.split('/').at(-1)!)!)
    }
    const compressed = rollouts.filter(
      (below) => below.endsWith('.zst') && holdsPath(join(root, below), map.from),
    ).length
    if (compressed > 0)
      found.left.push(
        `the folder in ${compressed} compressed rollout${compressed === 1 ? '' : 's'} (\`.jsonl.zst\`)`,
      )
    for (const { name } of listDirectory(root).entries)
      if (STATE.test(name) && isPlainFolder(root))
        found.moves.push({ type: 'database', below: name, columns: [{ table: 'threads', column: 'cwd' }] })
    return [found]
  },
}

/** Records about the folder that the client works in. Others report what happened there. */
const ABOUT_FOLDER: ReadonlySet<string | undefined> = new Set(['session_meta', 'turn_context'])

const editing =
  (map: PathMap) =>
  (line: string): string =>
    ABOUT_FOLDER.has(asText(asObject(parsedJson(line))?.type))
      ? editJson(line, pathEditor(['payload.cwd'], [map]))
      : line
