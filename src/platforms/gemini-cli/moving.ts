import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isPlainFolder, listDirectory } from '../../io/directories.ts'
import { editJson } from '../../io/edit-json.ts'
import { readSmall } from '../../io/source.ts'
import { asObject, parsedJson } from '../../model/json.ts'
import type { MovedFiles, Moving } from '../platform.ts'
import { mappedPath } from '../rewriting.ts'

const LIST = 'projects.json'
const LARGEST = 16 * 1024 * 1024

/** A folder that was moved: its path is in the list of projects, and in the folder of its sessions. */
export const moving: Moving = {
  changes: 'the list of projects, and `.project_root` in the folder of its sessions',
  moves({ path: root }, map) {
    const found: MovedFiles = { root, moves: [], sessions: [], left: [] }
    const path = join(root, LIST)
    const text = existsSync(path) ? readSmall(path, LARGEST)?.toString('utf8') : undefined
    const projects = asObject(asObject(parsedJson(text ?? ''))?.projects) ?? {}
    const targets = Object.keys(projects).map((name) => mappedPath(name, [map]))
    if (targets.some((target) => target !== undefined && Object.hasOwn(projects, target))) {
      found.left.push(`${path}: it has an entry of the new folder already`)
      return [found]
    }
    const edit = (whole: string): string =>
      editJson(whole, (at, value, isName) =>
        isName && at.length === 1 && at[0] === 'projects' ? mappedPath(value, [map]) : undefined,
      )
    if (text !== undefined) found.moves.push({ type: 'edit', below: LIST, to: LIST, unit: 'whole', edit })
    const folders = isPlainFolder(join(root, 'tmp')) ? listDirectory(join(root, 'tmp')).entries : []
    for (const { name } of folders) {
      const below = `tmp/${name}/.project_root`
      if (isPlainFolder(join(root, 'tmp', name)) && existsSync(join(root, below)))
        found.moves.push({
          type: 'edit',
          below,
          to: below,
          unit: 'text',
          edit: (stated) => mappedPath(stated.trim(), [map]) ?? stated,
        })
    }
    return [found]
  },
}
