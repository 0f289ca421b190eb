import type { PlatformId } from '../model/platform-id.ts'
import type { ProjectFacts } from '../model/project-facts.ts'
import type { Session } from '../model/session.ts'
import { slugMatches } from '../model/slug.ts'
import { ownFolders } from '../platforms/identities.ts'
import { groupName } from './agents.ts'
import { folderKey, isProjectPath, type ProjectRef, projectOf } from './identity.ts'
import { lastParts } from './words.ts'

/** Sessions that belong together. */
export interface Project<Member extends ProjectFacts = Session> {
  /** Short, and unique within one listing. Every command accepts it. */
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
      project = { name: found.path ?? key, path: found.path, by: found.by, platforms: [], sessions: [] }
      projects.set(key, project)
    }
    if (STRENGTH[found.by] > STRENGTH[project.by]) project.by = found.by
    add(project, session)
  }
  name([...projects.values()], new Set(sessions.map(({ agent }) => agent)))
  return [...projects.values()].sort((a, b) => (b.lastActivityMs ?? 0) - (a.lastActivityMs ?? 0))
}

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
  return path === undefined || by === 'slug' ? path : lastParts(path, 1)
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
      const short = lastParts(project.path!, depth)
      taken.set(short, (taken.get(short) ?? 0) + 1)
    }
    let ambiguous = false
    for (const project of open) {
      if (project.name !== project.path && depth > 1) continue
      const short = lastParts(project.path!, depth)
      if (taken.get(short) === 1 && !agents.has(short)) project.name = short
      else ambiguous = true
    }
    if (!ambiguous) return
  }
}
