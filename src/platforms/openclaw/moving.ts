import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isPlainFolder, listDirectory } from '../../io/directories.ts'
import { editJson } from '../../io/edit-json.ts'
import type { FileMove, MovedFiles, Moving, PathMap } from '../platform.ts'
import { mappedPath, pathEditor } from '../rewriting.ts'
import { transcriptName } from './file-names.ts'

const DATABASE = 'agent/openclaw-agent.sqlite'

/** A workspace that was moved: its path is in the headers of transcripts and in the session indexes. */
export const moving: Moving = {
  changes: 'the headers of transcripts and the session index',
  moves({ path: root }, map) {
    const found: MovedFiles = { root, moves: [], sessions: [], left: [] }
    for (const folder of sessionFolders(root))
      for (const entry of listDirectory(join(root, folder)).entries) {
        const below = `${folder}/${entry.name}`
        const name = transcriptName(entry.name)
        if (!entry.isFile()) continue
        if (entry.name === 'sessions.json') found.moves.push(indexEdit(below, map))
        else if (name && !entry.name.endsWith('.zst')) {
          found.moves.push(headerEdit(below, map))
          found.sessions.push(name.stem)
        }
      }
    return [found]
  },
  remains({ path: root }, { to }) {
    const databases = agents(root).filter((agent) => existsSync(join(root, agent, DATABASE)))
    return {
      notes:
        databases.length === 0
          ? []
          : [
              `The sessions in the database of ${databases.join(', ')} keep the old path in their headers: Scrollback does not write in this database. OpenClaw continues them in the configured workspace.`,
            ],
      afterward: {
        reason:
          'OpenClaw takes the workspace from its configuration, which contains keys and is never opened. If it was this folder, set the new one',
        command: ['openclaw', 'config', 'set', 'agents.defaults.workspace', to],
      },
    }
  },
}

const agents = (root: string): string[] =>
  listDirectory(join(root, 'agents'))
    .entries.filter((entry) => entry.isDirectory())
    .map(({ name }) => `agents/${name}`)

const sessionFolders = (root: string): string[] =>
  ['', ...agents(root).map((agent) => `${agent}/`)]
    .map((above) => `${above}sessions`)
    .filter((folder) => isPlainFolder(join(root, folder)))

const headerEdit = (below: string, map: PathMap): FileMove => ({
  type: 'edit',
  below,
  to: below,
  unit: 'line',
  edit: (line) => editJson(line, pathEditor(['cwd'], [map])),
})

/** An index has no texts of messages, so that each of its paths counts. */
const indexEdit = (below: string, map: PathMap): FileMove => ({
  type: 'edit',
  below,
  to: below,
  unit: 'whole',
  edit: (text) => editJson(text, (_, value, isName) => (isName ? undefined : mappedPath(value, [map]))),
})
