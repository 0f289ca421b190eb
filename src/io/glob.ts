import { type Dirent, lstatSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import {
  type Allows,
  fileInside,
  isFile,
  isFolder,
  isFolderInside,
  isLink,
  listDirectory,
  NO_LINKS,
} from './directories.ts'

const SPECIAL = /[\\^$.+()|{}[\]]/g

/**
 * Compiles a pattern: `*` matches within a name, `**` matches any folders. Neither matches a name that begins
 * with a dot.
 */
export function matcherOf(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return (name) => name === pattern
  const source = pattern
    .split('/')
    .map((segment) => (segment === '**' ? segment : segmentSource(segment)))
    .join('/')
    .replaceAll('**/', '(?:(?!\\.)[^/]+/)*')
    // At the end: everything below.
    .replace(/\*\*$/, '(?:(?!\\.)[^/]+/)*(?!\\.)[^/]+')
  const expression = new RegExp(`^${source}$`, 's')
  return (name) => expression.test(name)
}

const segmentSource = (segment: string): string =>
  (segment.startsWith('*') ? '(?!\\.)' : '') +
  segment
    .replace(SPECIAL, '\\$&')
    .replaceAll('*', '[^/]*')
    .replace(/^\[\^\/\]\*$/, '[^/]+')

/** A match of a pattern: its path, and the part below the root with `/` between names. */
export interface Match {
  path: string
  name: string
  stats: Stats
}

/** What may hide files that match, such as a folder without the right to list it, and why. */
export interface Obstacle {
  path: string
  message: string
}

/** Expands `{a,b}/*` to `a/*` and `b/*`. */
export function expandBraces(pattern: string): string[] {
  const found = /\{([^{}]*)\}/.exec(pattern)
  if (!found) return [pattern]
  const [whole, inside] = found
  const before = pattern.slice(0, found.index)
  const after = pattern.slice(found.index + whole.length)
  return inside!.split(',').flatMap((each) => expandBraces(before + each + after))
}

/**
 * Plain files below a root that match a pattern, sorted by name. A link is followed if its target matches
 * too. What cannot be listed and links that are not followed are added to `obstacles`.
 */
export function filesMatching(root: string, pattern: string, obstacles: Obstacle[] = []): Match[] {
  return walk(root, pattern, fileInside, obstacles)
}

/** Everything below a root whose name matches, whatever it is. Nothing is opened or entered. */
export function namesMatching(root: string, pattern: string): Match[] {
  return walk(root, pattern, (_, path) => lstatSync(path, { throwIfNoEntry: false }), [])
}

const NOT_FOLLOWED = 'is a link and was not followed'
const NOTHING_THERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])

function walk(
  root: string,
  pattern: string,
  statsOf: (folder: string, path: string, allows: Allows) => Stats | undefined,
  obstacles: Obstacle[],
): Match[] {
  const found = new Map<string, Match>()
  for (const plain of expandBraces(pattern)) step(root, '', plain.split('/'))
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))

  function step(folder: string, below: string, [segment, ...rest]: string[]): void {
    if (segment === '**') {
      // At the end of a pattern it means every file, in any folder.
      step(folder, below, rest.length > 0 ? rest : ['*'])
      for (const entry of list(folder)) {
        const path = join(folder, entry.name)
        if (enters(folder, path, entry, NO_LINKS)) step(path, `${below}${entry.name}/`, ['**', ...rest])
      }
      return
    }
    const fits = matcherOf(segment!)
    for (const entry of list(folder)) {
      if (!fits(entry.name)) continue
      const path = join(folder, entry.name)
      const name = `${below}${entry.name}`
      if (rest.length > 0) {
        if (enters(folder, path, entry, fits)) step(path, `${name}/`, rest)
        continue
      }
      const stats = statsOf(folder, path, fits)
      if (stats) found.set(path, { path, name, stats })
      else if (isLink(path) && isFile(path)) hidden(path, `${NOT_FOLLOWED}; make it a file`)
    }
  }

  function list(folder: string): Dirent[] {
    const { entries, error } = listDirectory(folder)
    if (error !== undefined && !NOTHING_THERE.has(error)) hidden(folder, `cannot be listed (${error})`)
    return entries
  }

  function enters(folder: string, path: string, entry: Dirent, allows: Allows): boolean {
    if (isFolderInside(folder, path, entry, allows)) return true
    if (entry.isSymbolicLink() && isFolder(path)) hidden(path, `${NOT_FOLLOWED}; make it a directory`)
    return false
  }

  function hidden(path: string, message: string): void {
    if (!obstacles.some((each) => each.path === path)) obstacles.push({ path, message })
  }
}
