import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isPlainFolder, listDirectory } from '../../io/directories.ts'
import { editJson } from '../../io/edit-json.ts'
import { asText, parsedJson } from '../../model/json.ts'
import type { MovedFiles, Moving, PathMap } from '../platform.ts'
import { holdsPath, mappedPath, pathEditor } from '../rewriting.ts'

/** A folder in `workspace.yaml`, plain or in quotes. */
const FOLDER = /^((?:cwd|git_root): +)(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\n]|'')*)'|([^\s"'][^\n]*))$/gm

/** The text of `workspace.yaml` with other folders. */
export const mappedWorkspace = (text: string, maps: readonly PathMap[]): string =>
  text.replace(FOLDER, (line, ...groups) => mappedLine(line, groups, maps))

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

/** The members of a record that are paths of directories. */
export const DIRECTORIES = ['data.context.cwd', 'data.context.gitRoot'] as const

/** A folder that was moved: its path is in the description and in the records of each session. */
export const moving: Moving = {
  changes: '`workspace.yaml` of each session, and the records that state its folder',
  moves({ path: root }, map) {
    const found: MovedFiles = { root, moves: [], sessions: [], left: [] }
    const state = join(root, 'session-state')
    const sessions = isPlainFolder(state) ? listDirectory(state).entries : []
    for (const { name } of sessions) {
      const below = `session-state/${name}`
      if (!isPlainFolder(join(root, below))) continue
      const [workspace, events] = [`${below}/workspace.yaml`, `${below}/events.jsonl`]
      const edit = (text: string): string => mappedWorkspace(text, [map])
      if (existsSync(join(root, workspace)))
        found.moves.push({ type: 'edit', below: workspace, to: workspace, unit: 'text', edit })
      if (!existsSync(join(root, events)) || !holdsPath(join(root, events), map.from)) continue
      const line = (text: string): string => editJson(text, pathEditor(DIRECTORIES, [map]))
      found.moves.push({ type: 'edit', below: events, to: events, unit: 'line', edit: line })
      found.sessions.push(name)
    }
    return [found]
  },
}
