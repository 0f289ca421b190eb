import { type ProjectFacts, slugMatches } from '../model/project.ts'
import { foreignWorktree, identities, ownFolders } from '../platforms/identities.ts'

/** The project of a session, and the evidence for it. */
export interface ProjectRef {
  /** The project folder. Undefined if no file on disk names one. */
  path?: string
  by: 'cwd' | 'slug' | 'touched' | 'none'
}

/** Folders that contain projects but are not projects themselves. */
const CONTAINERS =
  /^(?:dev|develop|development|src|source|projects?|code|coding|work|workspaces?|repos?|git|github|github\.com|sites|documents|desktop|apps)$/i
/** Folders of agents, and folders in which every process may run. */
const NOWHERE =
  /^(?:\/|\/app|\/root|\/tmp|\/home\/[^/]+|\/Users\/[^/]+|[A-Za-z]:\\?|[A-Za-z]:\\Users\\[^\\]+)$/
const WORKSPACE = /[/\\]workspace(?:-[^/\\]+)?$/
/** Clients create their work trees inside the repository, some of them in a folder of their own. */
const FOLDERS = identities.flatMap(({ folder, ownFolders }) =>
  ownFolders ? [] : folder.replaceAll('.', '\\.'),
)
const WORKTREE = new RegExp(`^(.+?)[/\\\\](?:(?:${FOLDERS.join('|')})[/\\\\]|\\.)worktrees?[/\\\\][^/\\\\]+`)

const isAgentHome = (path: string): boolean => identities.some(({ agentHome }) => agentHome?.test(path))

/** Normalizes a Windows path: upper-case drive letter, backslashes. Returns other paths unchanged. */
export const oneForm = (path: string): string =>
  /^[A-Za-z]:[/\\]/.test(path) ? path[0]!.toUpperCase() + path.slice(1).replaceAll('/', '\\') : path

/** Whether a directory can be a project. */
export function isProjectPath(path: string, agentOwned: boolean): boolean {
  if (isAgentHome(path)) return false
  return !agentOwned || !(NOWHERE.test(path) || WORKSPACE.test(path))
}

/** A path by which folders are compared: Windows does not distinguish capitals. */
export const folderKey = (path: string): string => (separatorOf(path) === '\\' ? path.toLowerCase() : path)

/**
 * Finds the project of a session. Directories in the transcript come first, starting with the one the session
 * was started in. Then the files that tools touched, resolved to a known project if there is one. The slug
 * comes last, because it is only a name.
 */
export function projectOf(session: ProjectFacts, known: ReadonlySet<string>): ProjectRef {
  const directory = directoryOf(session)
  if (directory !== undefined) return { path: directory, by: 'cwd' }
  const touched = mostTouched(session, known)
  if (touched !== undefined) return { path: touched, by: 'touched' }
  return session.slug === undefined ? { by: 'none' } : { path: session.slug, by: 'slug' }
}

/** Cached, because each session is resolved several times per command. */
const directories = new WeakMap<ProjectFacts, { path: string | undefined }>()

/** The project folder according to the directories in the transcript. */
function directoryOf(session: ProjectFacts): string | undefined {
  let directory = directories.get(session)
  if (!directory) {
    directory = { path: judged(session) }
    directories.set(session, directory)
  }
  return directory.path
}

function judged({ platform, slug, cwds, origins }: ProjectFacts): string | undefined {
  const possible = cwds
    .map(([path]) => oneForm(path))
    .filter((path) => isProjectPath(path, ownFolders(platform)))
  const started = slug === undefined ? undefined : possible.find((path) => slugMatches(slug, path))
  const directory = origins.at(-1) ?? started ?? possible[0]
  return directory === undefined ? undefined : withoutWorktree(trimmed(oneForm(directory)))
}

const trimmed = (path: string): string => (path.length > 1 ? path.replace(/[/\\]+$/, '') : path)

/** The folder of the work tree that a path is in. */
export const worktreeOf = (path: string): string | undefined =>
  WORKTREE.exec(path)?.[0] ?? foreignWorktree(path)?.tree

/** Whether a path is a folder or something in it. */
export function isInFolder(path: string, folder: string): boolean {
  const [one, other] = [oneForm(path), oneForm(folder)]
  return one === other || one.startsWith(`${other}${separatorOf(other)}`)
}

const withoutWorktree = (path: string): string =>
  WORKTREE.exec(path)?.[1] ?? foreignWorktree(path)?.project ?? path

function mostTouched(session: ProjectFacts, known: ReadonlySet<string>): string | undefined {
  const votes = new Map<string, number>()
  for (const [written, count] of session.touched) {
    const path = oneForm(written)
    if (isAgentHome(path)) continue
    const project = knownAncestor(path, known) ?? projectIn(path)
    if (project !== undefined) votes.set(project, (votes.get(project) ?? 0) + count)
  }
  let best: string | undefined
  for (const [path, count] of votes) if (best === undefined || count > votes.get(best)!) best = path
  return best
}

function knownAncestor(path: string, known: ReadonlySet<string>): string | undefined {
  const separator = separatorOf(path)
  for (let at = path; at.length > 1; at = at.slice(0, Math.max(0, at.lastIndexOf(separator))))
    if (known.has(at)) return at
  return undefined
}

/** The folder below home, or below folders that only contain projects. */
function projectIn(path: string): string | undefined {
  const separator = separatorOf(path)
  const parts = path.split(separator)
  const home = path.startsWith('~/')
    ? 1
    : parts[1] === 'home' || parts[1] === 'Users'
      ? 3
      : parts[1] === 'root'
        ? 2
        : undefined
  if (home === undefined) return undefined
  let depth = home
  while (depth < parts.length - 1 && CONTAINERS.test(parts[depth]!)) depth++
  const name = parts[depth]
  // A file directly in the home directory belongs to no project.
  if (!name || name.startsWith('.') || (depth >= parts.length - 1 && /\.\w{1,5}$/.test(name)))
    return undefined
  return parts.slice(0, depth + 1).join(separator)
}

/** Expects a normalized path. On other systems, names may contain backslashes. */
export const separatorOf = (path: string): string => (/^[A-Z]:\\/.test(path) ? '\\' : '/')
