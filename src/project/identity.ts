import type { PlacedSession } from '../model/placed-session.ts'
import { slugMatches } from '../model/slug.ts'

/** Where a session belongs, and what says so. */
export interface Place {
  /** The project's folder. Undefined when nothing on disk tells one. */
  path?: string
  by: 'cwd' | 'slug' | 'touched' | 'none'
}

/** Folders that hold projects rather than being one. */
const CONTAINERS =
  /^(?:dev|develop|development|src|source|projects?|code|coding|work|workspaces?|repos?|git|github|github\.com|sites|documents|desktop|apps)$/i
/** An agent's own folders and those every process may find itself in. */
const NOWHERE =
  /^(?:\/|\/app|\/root|\/tmp|\/home\/[^/]+|\/Users\/[^/]+|[A-Za-z]:\\?|[A-Za-z]:\\Users\\[^\\]+)$/
const AGENT_HOME = /[/\\]\.(?:openclaw|clawdbot|moltbot|moldbot)(?:-[^/\\]+)?(?:[/\\]|$)/
const WORKSPACE = /[/\\]workspace(?:-[^/\\]+)?$/
/** Claude Code keeps the work trees it makes inside the repository. */
const WORKTREE = /^(.+?)[/\\]\.(?:claude[/\\])?worktrees?[/\\][^/\\]+/

/** Whether a directory can be a project at all. */
export function isProjectPath(path: string, agentOwned: boolean): boolean {
  if (AGENT_HOME.test(path)) return false
  return !agentOwned || !(NOWHERE.test(path) || WORKSPACE.test(path))
}

/**
 * Places one session. Directories inside the file come first, among them the one the session was started in; then the
 * folders that tools touched, led to a project others work in where there is one; then the slug, which is a name only.
 */
export function placeOf(session: PlacedSession, known: ReadonlySet<string>): Place {
  const directory = directoryOf(session)
  if (directory !== undefined) return { path: directory, by: 'cwd' }
  const touched = mostTouched(session, known)
  if (touched !== undefined) return { path: touched, by: 'touched' }
  return session.slug === undefined ? { by: 'none' } : { path: session.slug, by: 'slug' }
}

/** Each session is placed several times, and again with each question. */
const directories = new WeakMap<PlacedSession, { path: string | undefined }>()

/** The project's folder by the directories inside the file. */
function directoryOf(session: PlacedSession): string | undefined {
  let directory = directories.get(session)
  if (!directory) {
    directory = { path: judged(session) }
    directories.set(session, directory)
  }
  return directory.path
}

function judged({ platform, slug, cwds, origins }: PlacedSession): string | undefined {
  const possible = cwds.map(([path]) => path).filter((path) => isProjectPath(path, platform === 'openclaw'))
  const started = slug === undefined ? undefined : possible.find((path) => slugMatches(slug, path))
  const directory = origins.at(-1) ?? started ?? possible[0]
  return directory === undefined ? undefined : withoutWorktree(trimmed(directory))
}

const trimmed = (path: string): string => (path.length > 1 ? path.replace(/[/\\]+$/, '') : path)

const withoutWorktree = (path: string): string => WORKTREE.exec(path)?.[1] ?? path

function mostTouched(session: PlacedSession, known: ReadonlySet<string>): string | undefined {
  const votes = new Map<string, number>()
  for (const [path, count] of session.touched) {
    if (AGENT_HOME.test(path)) continue
    const project = knownAncestor(path, known) ?? projectIn(path)
    if (project !== undefined) votes.set(project, (votes.get(project) ?? 0) + count)
  }
  let best: string | undefined
  for (const [path, count] of votes) if (best === undefined || count > votes.get(best)!) best = path
  return best
}

function knownAncestor(path: string, known: ReadonlySet<string>): string | undefined {
  for (let at = path; at.length > 1; at = at.slice(0, Math.max(0, at.lastIndexOf('/'))))
    if (known.has(at)) return at
  return undefined
}

/** The folder below home, or below folders that only hold projects. */
function projectIn(path: string): string | undefined {
  const parts = path.split('/')
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
  // A file that stands in the home itself is nobody's project.
  if (!name || name.startsWith('.') || (depth >= parts.length - 1 && /\.\w{1,5}$/.test(name)))
    return undefined
  return parts.slice(0, depth + 1).join('/')
}
