import { hash } from 'node:crypto'
import type { PlatformId } from '../model/artifact.ts'
import { shownName } from '../model/hidden.ts'
import {
  type AssignedFacts,
  type ProjectEvidence,
  type ProjectFacts,
  type ProjectMembers,
  slugMatches,
} from '../model/project.ts'
import type { Session } from '../model/session.ts'
import { foreignWorktree, identities, ownFolders } from '../platforms/identities.ts'
import { lastParts } from './words.ts'

/** The project of a session, and the evidence for it. */
interface ProjectRef {
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

/** `\\?\C:\…`, `\\?\UNC\server\…`: the same folders, for programs that use long paths. */
const VERBATIM = /^[/\\]{2}\?[/\\](?:UNC[/\\](?=[^/\\])|(?=[A-Za-z]:[/\\]))/i
const DRIVE = /^[A-Za-z]:[/\\]/
/** The folders of a Linux distribution, as Windows shows them. The older name is `wsl$`. */
const DISTRIBUTION = /^[/\\]{2}wsl(?:\$|\.localhost)[/\\]/i
const DISTRIBUTIONS = '\\\\wsl.localhost\\'

/**
 * Normalizes a Windows path: upper-case drive letter, backslashes, the newer name of folders in Linux.
 * Returns other paths unchanged.
 */
export function oneForm(written: string): string {
  const path = written.replace(VERBATIM, (start) => (/unc/i.test(start) ? '\\\\' : ''))
  if (DRIVE.test(path)) return path[0]!.toUpperCase() + path.slice(1).replaceAll('/', '\\')
  return DISTRIBUTION.test(path) ? DISTRIBUTIONS + path.replace(DISTRIBUTION, '').replaceAll('/', '\\') : path
}

/** Whether a directory can be a project. */
export function isProjectPath(path: string, agentOwned: boolean): boolean {
  if (isAgentHome(path)) return false
  return !agentOwned || !(NOWHERE.test(path) || WORKSPACE.test(path))
}

/** A drive of Windows, as Linux on it shows the drive. */
const MOUNTED = /^\/mnt\/([a-z])(?=\/)/

/**
 * What folders are compared by, of a normalized path. Windows does not distinguish capitals, Linux on it
 * does.
 */
export function folderKey(path: string): string {
  if (DRIVE.test(path)) return path.toLowerCase()
  return MOUNTED.test(path) ? path.replace(MOUNTED, '$1:').replaceAll('/', '\\').toLowerCase() : path
}

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
export const separatorOf = (path: string): string =>
  /^[A-Za-z]:\\/.test(path) || path.startsWith(DISTRIBUTIONS) ? '\\' : '/'

/** Sessions that belong together. */
export interface Project<Member extends ProjectFacts = Session> {
  /** Short, in one line, and unique within one listing. Every command accepts it. */
  name: string
  /** The folder, or the slug if only that is known. Undefined for sessions without a project. */
  path?: string
  by: ProjectRef['by']
  platforms: PlatformId[]
  sessions: Member[]
  /** Computed from recorded times only. The time of a file does not count. */
  startedMs?: number
  lastActivityMs?: number
}

/** The strongest evidence wins if several sessions belong to a project. */
const STRENGTH: Record<ProjectRef['by'], number> = { none: 0, slug: 1, touched: 2, cwd: 3 }

/**
 * Groups sessions into projects, most recently active first. Sessions without a project form one group per
 * agent.
 */
export function groupByProject<Member extends ProjectFacts>(sessions: readonly Member[]): Project<Member>[] {
  const known = new Set<string>()
  const nowhere = new Set<string>()
  for (const session of sessions) {
    const { by, path } = projectOf(session, nowhere)
    if (by !== 'cwd' || !path || known.has(path)) continue
    if (isProjectPath(path, ownFolders(session.platform))) known.add(path)
  }
  const bySlug = new Map<string, string>()
  for (const session of sessions) {
    if (session.slug === undefined) continue
    const { by, path } = projectOf(session, known)
    const other = bySlug.get(session.slug)
    // Of several directories with one slug, the same one whatever the order of the sessions.
    if (by !== 'cwd' || !path || (other !== undefined && path >= other)) continue
    if (slugMatches(session.slug, path)) bySlug.set(session.slug, path)
  }
  const byId = new Map(sessions.map((session) => [session.id, session]))
  const projects = new Map<string, Project<Member>>()
  for (const session of sessions) {
    let found = projectOf(session, known)
    // A subagent may have run in a folder of its own. It belongs to the project of its parent.
    const parent = session.parentSessionId === undefined ? undefined : byId.get(session.parentSessionId)
    if (found.by !== 'cwd' && parent && parent !== session) found = projectOf(parent, known)
    // A session without a directory belongs to the folder of other sessions with the same slug.
    const neighbors = found.by === 'slug' ? bySlug.get(found.path!) : undefined
    if (neighbors !== undefined) found = { path: neighbors, by: 'slug' }
    const key = found.path === undefined ? groupName(session) : folderKey(found.path)
    let project = projects.get(key)
    if (!project) {
      project = {
        name: shownName(found.path ?? key),
        path: found.path,
        by: found.by,
        platforms: [],
        sessions: [],
      }
      projects.set(key, project)
    }
    if (STRENGTH[found.by] > STRENGTH[project.by]) project.by = found.by
    add(project, session)
  }
  name([...projects.values()], new Set(sessions.map(({ agent }) => agent)))
  return lastFirst([...projects.values()])
}

/** The projects with those of their sessions that filters leave. Their names and folders stay. */
export function narrowProjects<Member extends ProjectFacts>(
  projects: readonly Project<Member>[],
  isLeft: (session: Member) => boolean,
): Project<Member>[] {
  return lastFirst(
    projects.flatMap(({ name, path, by, sessions }) => {
      const own = sessions.filter(isLeft)
      if (own.length === 0) return []
      const project: Project<Member> = { name, path, by, platforms: [], sessions: [] }
      for (const session of own) add(project, session)
      return project
    }),
  )
}

const lastFirst = <Member extends ProjectFacts>(projects: Project<Member>[]): Project<Member>[] =>
  projects.sort((a, b) => (b.lastActivityMs ?? 0) - (a.lastActivityMs ?? 0))

function add<Member extends ProjectFacts>(project: Project<Member>, session: Member): void {
  project.sessions.push(session)
  if (!project.platforms.includes(session.platform)) project.platforms.push(session.platform)
  const { startedMs, lastActivityMs = startedMs } = session
  if (startedMs !== undefined) project.startedMs = Math.min(startedMs, project.startedMs ?? startedMs)
  if (lastActivityMs !== undefined)
    project.lastActivityMs = Math.max(lastActivityMs, project.lastActivityMs ?? lastActivityMs)
}

/** The project folder of a single session. */
export const projectPathOf = (session: Session): string | undefined => projectOf(session, new Set()).path

/** The project name of a single session. */
export function projectNameOf(session: Session): string | undefined {
  const { path, by } = projectOf(session, new Set())
  return path === undefined ? undefined : shownName(by === 'slug' ? path : lastParts(path, 1))
}

/**
 * Names each project after its last folder, with as many parent folders as needed to make it unique, also
 * among the names of agents.
 */
function name(projects: Pick<Project, 'name' | 'by' | 'path'>[], agents: ReadonlySet<string>): void {
  const open = projects.filter((project) => project.by !== 'slug' && project.path !== undefined)
  for (let depth = 1; depth < 20; depth++) {
    const taken = new Map<string, number>()
    for (const project of open) {
      const short = shownName(lastParts(project.path!, depth))
      taken.set(short, (taken.get(short) ?? 0) + 1)
    }
    let ambiguous = false
    for (const project of open) {
      if (project.name !== shownName(project.path!) && depth > 1) continue
      const short = shownName(lastParts(project.path!, depth))
      if (taken.get(short) === 1 && !agents.has(short)) project.name = short
      else ambiguous = true
    }
    if (!ambiguous) return
  }
}

/** A project as a machine has named it. */
export interface FolderName {
  folder: string
  name: string
}

/**
 * One name for each folder of several machines, by the folder. Names that do not come from a folder stay as
 * they are.
 */
export function namesOfFolders(
  named: readonly FolderName[],
  agents: ReadonlySet<string>,
): Map<string, string> {
  const projects = new Map<string, Pick<Project, 'name' | 'by' | 'path'>>()
  for (const { folder, name } of named)
    if (isEndOf(folder, name))
      projects.set(folderKey(folder), { name: shownName(folder), by: 'cwd', path: folder })
  name([...projects.values()], agents)
  return new Map(
    named.map(({ folder, name }) => [folder, projects.get(folderKey(folder))?.name ?? name] as const),
  )
}

const isEndOf = (folder: string, name: string): boolean =>
  name === shownName(folder) || name === shownName(lastParts(folder, name.split('/').length))

/** An agent with all of its sessions. */
export interface Agent {
  platform: PlatformId
  id: string
  /** An unambiguous name: `agent:garden`. */
  name: string
  sessions: Session[]
}

/** The name of the list of an agent's sessions without a project. */
export const groupName = ({ platform, agent }: Pick<ProjectFacts, 'platform' | 'agent'>): string =>
  `${platform}:${agent}`

/** The agents of these sessions. */
export function agentsOf(sessions: readonly Session[]): Agent[] {
  const agents = new Map<string, Agent>()
  for (const session of sessions) {
    const key = groupName(session)
    let agent = agents.get(key)
    if (!agent) {
      agent = { platform: session.platform, id: session.agent, name: '', sessions: [] }
      agents.set(key, agent)
    }
    agent.sessions.push(session)
  }
  const all = [...agents.values()]
  for (const agent of all) {
    const alone = all.every((each) => each === agent || each.id.toLowerCase() !== agent.id.toLowerCase())
    agent.name = alone ? `agent:${agent.id}` : `agent:${agent.platform}:${agent.id}`
  }
  return all
}

/** Raise this when projects are derived in another way. */
const RULES = 4

/** A store of sessions with their projects. */
interface Assignments {
  projectFacts(): AssignedFacts[]
  unassigned(): readonly (AssignedFacts & { before?: ProjectEvidence })[] | undefined
  projectWith(evidence: ProjectEvidence): ProjectMembers['project']
  assignProjects(
    projects: readonly ProjectMembers[],
    evidenceOf: (artifact: number) => ProjectEvidence | undefined,
  ): void
}

/**
 * Assigns sessions to projects. The project of a session depends on other sessions, so all of them are read
 * again, unless what was written since cannot change any project.
 */
export function assignProjects(store: Assignments): void {
  const written = store.unassigned()
  if (written?.length === 0) return
  const own = written && assignedAlone(written, store)
  const facts = own ? written : store.projectFacts()
  const byArtifact = new Map(facts.map((each) => [each.artifact, each]))
  store.assignProjects(own ?? changedProjects(facts), (artifact) => {
    const found = byArtifact.get(artifact)
    return found && evidenceOf(found)
  })
}

/** The projects of new sessions, if they are all that can change. */
function assignedAlone(
  written: readonly (AssignedFacts & { before?: ProjectEvidence })[],
  store: Assignments,
): ProjectMembers[] | undefined {
  const assigned: ProjectMembers[] = []
  for (const { before, ...facts } of written) {
    const now = evidenceOf(facts)
    if (before) {
      if (!isEqual(before, now)) return undefined
      continue
    }
    const project = isCertain(facts) ? store.projectWith(now) : undefined
    if (!project) return undefined
    assigned.push({ project, artifacts: [facts.artifact] })
  }
  return assigned
}

/** All sessions whose project is not the one they are assigned to. */
function changedProjects(facts: readonly AssignedFacts[]): ProjectMembers[] {
  return groupByProject(facts).flatMap(({ name, path, sessions }) => {
    const project = path === undefined ? undefined : { name, path }
    const others = sessions.filter(
      ({ assigned }) => assigned?.name !== project?.name || assigned?.path !== project?.path,
    )
    return others.length > 0 ? { project, artifacts: others.map(({ artifact }) => artifact) } : []
  })
}

const NOTHING: ReadonlySet<string> = new Set()

/** Whether other sessions cannot change the folder of its project. */
const isCertain = (facts: AssignedFacts): boolean => projectOf(facts, NOTHING).by === 'cwd'

function evidenceOf(facts: AssignedFacts): ProjectEvidence {
  const { artifact, id, parentSessionId, platform, agent, slug, touched } = facts
  const { by, path } = projectOf(facts, NOTHING)
  const found = by === 'cwd' ? { path } : { touched: hash('sha1', JSON.stringify(touched), 'base64url') }
  return {
    artifact,
    session: id,
    parent: parentSessionId,
    evidence: JSON.stringify({ rules: RULES, platform, agent, slug, ...found }),
  }
}

const isEqual = (one: ProjectEvidence, other: ProjectEvidence): boolean =>
  one.session === other.session && one.parent === other.parent && one.evidence === other.evidence
