import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isPlainFolder, listDirectory } from '../../io/directories.ts'
import { editJson } from '../../io/edit-json.ts'
import { readLines } from '../../io/lines.ts'
import { openSource } from '../../io/source.ts'
import { asObject, asText, parsedJson } from '../../model/json.ts'
import type { MovedFiles, Moving, PathMap } from '../platform.ts'
import { mappedPath, pathEditor } from '../rewriting.ts'

/** The folder of a working directory below `sessions`. */
export const folderFor = (directory: string): string =>
  `--${directory.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`

/** A folder that was moved: its path is in the name of the folder of its sessions, and in their headers. */
export const moving: Moving = {
  changes: 'the folder of the sessions, and their headers',
  moves({ path: root }, map) {
    const found: MovedFiles = { root, moves: [], sessions: [], left: [] }
    for (const above of ['sessions/', ''])
      for (const { name } of listDirectory(join(root, above)).entries)
        if (/^--.+--$/.test(name) && isPlainFolder(join(root, above, name)))
          moveFolder(`${above}${name}`, name, map, found)
    return [found]
  },
}

/** Several directories can have one folder. The headers say in which of them the sessions ran. */
function moveFolder(folder: string, name: string, map: PathMap, found: MovedFiles): void {
  const above = folder.slice(0, -name.length)
  let hasMoved = false
  for (const entry of listDirectory(join(found.root, folder)).entries) {
    const below = `${folder}/${entry.name}`
    if (!entry.isFile() || !entry.name.endsWith('.jsonl')) continue
    const directory = directoryIn(join(found.root, below))
    const target = directory === undefined ? undefined : mappedPath(directory, [map])
    if (target === undefined) continue
    const targetFolder = name === folderFor(directory!) ? `${above}${folderFor(target)}` : folder
    const to = `${targetFolder}/${entry.name}`
    if (targetFolder !== folder && existsSync(join(found.root, to))) {
      found.left.push(`${join(found.root, below)}: something is at its new place`)
      continue
    }
    const edit = (line: string): string => editJson(line, pathEditor(['cwd'], [map]))
    found.moves.push({ type: 'edit', below, to, unit: 'line', edit })
    // What a session has next to it, such as its subagents.
    const own = entry.name.slice(0, -'.jsonl'.length)
    if (targetFolder !== folder && isPlainFolder(join(found.root, folder, own)))
      found.moves.push({ type: 'rename', below: `${folder}/${own}`, to: `${targetFolder}/${own}` })
    hasMoved ||= targetFolder !== folder
  }
  if (hasMoved) found.moves.push({ type: 'clear', below: folder })
}

const HEAD = 64 * 1024

/** The directory in the header of a session. */
function directoryIn(path: string): string | undefined {
  const source = openSource(path)
  let header: unknown
  try {
    readLines(
      source,
      ({ bytes, start, end, oversized }) => {
        if (header === undefined && !oversized) header = parsedJson(bytes.toString('utf8', start, end))
      },
      { enough: HEAD, full: () => header !== undefined },
    )
  } finally {
    source.close()
  }
  return asText(asObject(header)?.cwd)
}
