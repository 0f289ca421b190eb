import { dirname, join, sep } from 'node:path'
import { bytesBelow, listDirectory } from '../io/directories.ts'
import { expandBraces } from '../io/glob.ts'
import { unpackedName } from '../io/source.ts'
import type { Environment, Root } from '../model/artifact.ts'
import type { TableRow } from '../model/delivery.ts'
import { platformOf } from '../platforms/index.ts'
import { isSkipped, rowFor } from './delivery/inventory.ts'

/** A folder below a root with files that look like transcripts and that no rule lists. */
export interface Unlisted {
  platform: string
  /** The deepest folder that contains all of them. */
  path: string
  files: number
  bytes: number
}

/** A file that may be a transcript, by its name alone. Nothing is opened that no rule lists. */
const TRANSCRIPT = /\.jsonl(?:\.zst)?$/
/** Folders in which a client may keep transcripts that this version does not know. */
const FOLDER = /session|transcript|conversation|chat|thread|rollout/i
/** Folders are not entered beyond that. */
const MOST_ENTRIES = 200_000

/**
 * Counts the files that look like transcripts and are not read, such as those of a later version of a client.
 * Looks where transcripts of the platform are, and in folders of a root with a name like that.
 */
export function unlistedIn(roots: readonly Root[], environment: Environment): Unlisted[] {
  const listed = new Set<string>()
  const closed = new Set<string>()
  // What `--deleted` and `--backups` read is listed too.
  for (const root of roots) {
    if (!root.found) continue
    const { files, memory } = platformOf(root.platform)
    const found = files.discover(root, { ...environment, deleted: true, backups: true })
    for (const { path } of [...found.artifacts, ...found.unread, ...found.notices]) listed.add(path)
    for (const { path } of memory?.documents(root, environment) ?? []) listed.add(path)
    for (const { path } of files.refused(root)) closed.add(path)
  }
  // A folder that is itself a root is looked at below that root.
  for (const { path } of roots) closed.add(path)
  return roots.filter(({ found }) => found).flatMap((root) => unlistedBelow(root, listed, closed))
}

function unlistedBelow(root: Root, listed: ReadonlySet<string>, closed: ReadonlySet<string>): Unlisted[] {
  const { table } = platformOf(root.platform).delivery
  const areas = new Set(table.flatMap(areasOf))
  const documents = table.flatMap(documentEndingsOf)
  const isLike = (name: string): boolean =>
    TRANSCRIPT.test(name) || (FOLDER.test(dirname(name)) && documents.some((ending) => name.endsWith(ending)))
  const found = new Map<string, string[]>()
  const isOpen = (name: string): boolean => !closed.has(join(root.path, name)) && !isSkipped(name, table)
  const waiting = listDirectory(root.path).entries.flatMap((entry) =>
    entry.isDirectory() && (areas.has(entry.name) || FOLDER.test(entry.name)) && isOpen(entry.name)
      ? [entry.name]
      : [],
  )
  let entries = 0
  for (let below = waiting.pop(); below !== undefined && entries < MOST_ENTRIES; below = waiting.pop())
    for (const entry of listDirectory(join(root.path, below)).entries) {
      entries++
      const name = `${below}/${entry.name}`
      const path = join(root.path, name)
      if (entry.name.startsWith('.') || !isOpen(name)) continue
      if (entry.isDirectory()) waiting.push(name)
      else if (
        entry.isFile() &&
        isLike(name) &&
        ![path, unpackedName(path)].some((each) => listed.has(each))
      ) {
        const row = rowFor(name, table)
        if (row && row.kind !== 'transcript') continue
        const [area] = name.split('/') as [string]
        const paths = found.get(area)
        if (paths) paths.push(path)
        else found.set(area, [path])
      }
    }
  return [...found.values()].map((paths) => ({
    platform: root.platform,
    path: commonFolder(paths),
    files: paths.length,
    bytes: paths.reduce((sum, path) => sum + bytesBelow(path), 0),
  }))
}

/** The folders of a root that contain transcripts, by the rows of its table. */
const areasOf = (row: TableRow): string[] =>
  'skip' in row || row.kind !== 'transcript'
    ? []
    : expandBraces(row.pattern).flatMap((pattern) => {
        const [area] = pattern.split('/') as [string]
        return area.includes('*') || area === pattern ? [] : [area]
      })

/** How the names of transcripts end that are JSON documents, such as `.messages.json`. */
const documentEndingsOf = (row: TableRow): string[] =>
  'skip' in row || row.kind !== 'transcript' || !row.pattern.endsWith('.json')
    ? []
    : [row.pattern.slice(row.pattern.lastIndexOf('*') + 1)]

/** The deepest folder that contains all of these files. */
function commonFolder(paths: readonly string[]): string {
  let folder = dirname(paths[0]!)
  for (const path of paths)
    while (!path.startsWith(`${folder}${sep}`) && folder !== dirname(folder)) folder = dirname(folder)
  return folder
}
