import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isLink, isPlainFolder, listDirectory } from '../../io/directories.ts'
import { editJson } from '../../io/edit-json.ts'
import { readLines } from '../../io/lines.ts'
import { openSource, readSmall } from '../../io/source.ts'
import type { Root } from '../../model/artifact.ts'
import { asObject, asText, parsedJson } from '../../model/json.ts'
import type { FileMove, MovedFiles, Moving, PathMap } from '../platform.ts'
import { mappedPath, pathEditor } from '../rewriting.ts'
import { claudeCodeIdentity } from './identity.ts'
import { DIRECTORIES, mappedSlug, slugOf } from './restoring.ts'

/**
 * The places in which Claude Code holds the path of a project: the name of the folder, the records of
 * sessions and of subagents, the small files of both, the prompt history, and the list of projects in
 * `.claude.json`.
 */
export const moving: Moving = {
  changes:
    'the folder of the sessions, their records and those of subagents, the prompt history and the list of projects',
  moves(root, map, environment) {
    const found = inProjects(root, map)
    const history = 'history.jsonl'
    const edit = editing(['project'], map)
    if (isLink(join(root.path, history))) found.left.push(`${join(root.path, history)}: it is a link`)
    else if (existsSync(join(root.path, history)))
      found.moves.push({ type: 'edit', below: history, to: history, unit: 'line', edit })
    const folders = root.path === join(environment.home, claudeCodeIdentity.folder) ? [environment.home] : []
    return [found, ...[root.path, ...folders].flatMap((folder) => projectList(folder, map) ?? [])]
  },
}

/** Replaces the path in the named members. */
const editing =
  (members: readonly string[], map: PathMap) =>
  (text: string): string =>
    editJson(text, pathEditor(members, [map]))

function inProjects(root: Root, map: PathMap): MovedFiles {
  const found: MovedFiles = { root: root.path, moves: [], sessions: [], left: [] }
  const projects = join(root.path, 'projects')
  const begin = slugOf(map.from).slice(0, LONG)
  for (const { name: slug } of listDirectory(projects).entries)
    if (slug.startsWith(begin) && isPlainFolder(join(projects, slug))) moveFolder(slug, map, root, found)
  return found
}

/** Longer names are cut and end in a hash, which differs between builds. */
const LONG = 200

/** Several directories can have one slug. The sessions say in which of them they ran. */
function moveFolder(slug: string, map: PathMap, root: Root, found: MovedFiles): void {
  const folder = join(root.path, 'projects', slug)
  const entries = listDirectory(folder).entries
  const names = new Set(entries.map(({ name }) => name))
  const handled = new Set<string>()
  let target: string | undefined
  let others = 0
  for (const entry of entries) {
    const id = /^(.+)\.jsonl$/s.exec(entry.name)?.[1]
    if (id === undefined || !entry.isFile()) continue
    const own = directoryOf(join(folder, entry.name))
    if (own === undefined || mappedPath(own, [map]) === undefined) {
      others++
      handled.add(entry.name).add(id)
      continue
    }
    const to = mappedSlug(slug, own, [map], (path) => mappedPath(path, [map]))
    target ??= to
    handled.add(entry.name).add(id)
    const path = `projects/${slug}/${entry.name}`
    if (to !== slug && existsSync(join(root.path, 'projects', to, entry.name))) {
      found.left.push(`${join(root.path, path)}: ${TAKEN}`)
      others++
      continue
    }
    found.sessions.push(id)
    found.moves.push(edited(path, `projects/${to}/${entry.name}`, 'line', map))
    if (names.has(id)) moveSession(`projects/${slug}/${id}`, `projects/${to}/${id}`, map, root, found)
  }
  if (target === undefined || target === slug || others > 0) return
  for (const { name } of entries) {
    if (handled.has(name)) continue
    const [from, to] = [`projects/${slug}/${name}`, `projects/${target}/${name}`]
    if (existsSync(join(root.path, to))) found.left.push(`${join(root.path, from)}: ${TAKEN}`)
    else if (name === INDEX)
      found.moves.push(indexMove(from, to, join(root.path, 'projects'), slug, target, map))
    else found.moves.push({ type: 'rename', below: from, to })
  }
  found.moves.push({ type: 'clear', below: `projects/${slug}` })
}

const TAKEN = 'something is at its new place'
const INDEX = 'sessions-index.json'

/** The index of older clients has the path of the project and of each transcript. */
const indexMove = (
  below: string,
  to: string,
  projects: string,
  slug: string,
  target: string,
  map: PathMap,
): FileMove => ({
  type: 'edit',
  below,
  to,
  unit: 'whole',
  edit: (text) =>
    editJson(text, (_, value, isName) =>
      isName
        ? undefined
        : mappedPath(value, [map, { from: join(projects, slug), to: join(projects, target) }]),
    ),
})

const edited = (below: string, to: string, unit: 'line' | 'whole', map: PathMap): FileMove => ({
  type: 'edit',
  below,
  to,
  unit,
  edit: editing(DIRECTORIES, map),
})

/**
 * The folder of a session: records of subagents are edited, everything else is renamed without being opened.
 */
function moveSession(below: string, to: string, map: PathMap, root: Root, found: MovedFiles): void {
  if (!isPlainFolder(join(root.path, below))) return
  for (const entry of listDirectory(join(root.path, below)).entries) {
    const [from, target] = [`${below}/${entry.name}`, `${to}/${entry.name}`]
    if (entry.isDirectory() && /^(?:subagents|workflows|wf_[\w-]+)$/.test(entry.name))
      moveSession(from, target, map, root, found)
    else if (entry.isFile() && /^agent-.*\.jsonl$/s.test(entry.name))
      found.moves.push(edited(from, target, 'line', map))
    else if (entry.isFile() && /^agent-.*\.meta\.json$/s.test(entry.name))
      found.moves.push(edited(from, target, 'whole', map))
    else if (from !== target) found.moves.push({ type: 'rename', below: from, to: target })
  }
  if (below !== to) found.moves.push({ type: 'clear', below })
}

/** Records before the first one with a directory are few. */
const MOST_BYTES = 4 * 1024 * 1024

/** The directory in which a session began. */
function directoryOf(path: string): string | undefined {
  let own: string | undefined
  const source = openSource(path)
  try {
    readLines(
      source,
      ({ bytes, start, end, oversized }) => {
        if (own !== undefined || oversized) return
        const text = bytes.toString('utf8', start, end)
        if (text.includes('"cwd"')) own = asText(asObject(parsedJson(text))?.cwd)
      },
      { enough: MOST_BYTES, full: () => own !== undefined },
    )
  } finally {
    source.close()
  }
  return own
}

const LARGEST = 64 * 1024 * 1024

/**
 * The list of projects, in a file that also has the account and keys: in the directory that is configured, or
 * next to the default one. Only names of projects and paths of repositories are replaced, and nothing of it
 * is shown or stored anywhere else.
 */
function projectList(root: string, map: PathMap): MovedFiles | undefined {
  const below = '.claude.json'
  const file = join(root, below)
  if (!existsSync(file)) return undefined
  const text = isLink(file) ? undefined : readSmall(file, LARGEST)?.toString('utf8')
  const projects = asObject(asObject(parsedJson(text))?.projects)
  if (!projects) {
    const reason = isLink(file) ? 'it is a link' : 'it has no list of projects that can be read'
    return { root, moves: [], sessions: [], left: [`${file}: ${reason}`] }
  }
  const taken = Object.keys(projects).filter((name) => {
    const target = mappedPath(name, [map])
    return target !== undefined && Object.hasOwn(projects, target)
  })
  const edit = (whole: string): string =>
    editJson(whole, (at, value, isName) => {
      const isProject = isName && at.length === 1 && at[0] === 'projects' && !taken.includes(value)
      const isPath = !isName && (at[0] === 'githubRepoPaths' || isWorktree(at))
      return isProject || isPath ? mappedPath(value, [map]) : undefined
    })
  const left = taken.length > 0 ? [`${file}: it has an entry of the new folder already`] : []
  return { root, moves: [{ type: 'edit', below, to: below, unit: 'whole', edit }], sessions: [], left }
}

/** `projects.<path>.activeWorktreeSession.originalCwd` and the like. */
const isWorktree = (at: readonly string[]): boolean =>
  at[0] === 'projects' && at.length > 2 && (DIRECTORIES as readonly string[]).includes(at.at(-1)!)
