import type { PlatformId } from '../model/artifact.ts'
import type { PlacedSession } from '../model/placed-session.ts'
import type { Session } from '../model/session.ts'
import { slugMatches } from '../model/slug.ts'
import { groupName } from './agents.ts'
import { isProjectPath, type Place, placeOf } from './identity.ts'
import { lastParts } from './words.ts'

/** Sessions that belong together. */
export interface Project<Member extends PlacedSession = Session> {
  /** Short, and unique among the projects of one listing; every command takes it. */
  name: string
  /** The folder, or the slug where only that is known; undefined for sessions without a project. */
  path?: string
  by: Place['by']
  platforms: PlatformId[]
  sessions: Member[]
  /** Of what has a time: that of a file is none. */
  startedMs?: number
  lastActivityMs?: number
}

/** Which word counts when several sessions place a project. */
const STRENGTH: Record<Place['by'], number> = { none: 0, slug: 1, touched: 2, cwd: 3 }

/** Sorts sessions into projects, most recently active first. Sessions that nothing places form a group per agent. */
export function groupByProject<Member extends PlacedSession>(sessions: readonly Member[]): Project<Member>[] {
  const known = new Set<string>()
  const nowhere = new Set<string>()
  for (const session of sessions) {
    const { by, path } = placeOf(session, nowhere)
    if (by !== 'cwd' || !path || known.has(path)) continue
    if (isProjectPath(path, session.platform === 'openclaw')) known.add(path)
  }
  const bySlug = new Map<string, string>()
  for (const session of sessions) {
    if (session.slug === undefined) continue
    const { by, path } = placeOf(session, known)
    if (by !== 'cwd' || !path || path === bySlug.get(session.slug)) continue
    if (slugMatches(session.slug, path)) bySlug.set(session.slug, path)
  }
  const byId = new Map(sessions.map((session) => [session.id, session]))
  const projects = new Map<string, Project<Member>>()
  for (const session of sessions) {
    let place = placeOf(session, known)
    // A subagent belongs where its parent does: it may have run in a folder of its own.
    const parent = session.parentSessionId === undefined ? undefined : byId.get(session.parentSessionId)
    if (place.by !== 'cwd' && parent && parent !== session) place = placeOf(parent, known)
    // A session that names no directory lies in the folder of others that do.
    const neighbours = place.by === 'slug' ? bySlug.get(place.path!) : undefined
    if (neighbours !== undefined) place = { path: neighbours, by: 'slug' }
    const key = place.path ?? groupName(session)
    let project = projects.get(key)
    if (!project) {
      project = { name: key, path: place.path, by: place.by, platforms: [], sessions: [] }
      projects.set(key, project)
    }
    if (STRENGTH[place.by] > STRENGTH[project.by]) project.by = place.by
    add(project, session)
  }
  name([...projects.values()], new Set(sessions.map(({ agent }) => agent)))
  return [...projects.values()].sort((a, b) => (b.lastActivityMs ?? 0) - (a.lastActivityMs ?? 0))
}

function add<Member extends PlacedSession>(project: Project<Member>, session: Member): void {
  project.sessions.push(session)
  if (!project.platforms.includes(session.platform)) project.platforms.push(session.platform)
  const { startedMs, lastActivityMs = startedMs } = session
  if (startedMs !== undefined) project.startedMs = Math.min(startedMs, project.startedMs ?? startedMs)
  if (lastActivityMs !== undefined)
    project.lastActivityMs = Math.max(lastActivityMs, project.lastActivityMs ?? lastActivityMs)
}

/** The folder of the project of a session that is looked at by itself. */
export const projectPathOf = (session: Session): string | undefined => placeOf(session, new Set()).path

/** What to call the project of a session that is looked at by itself. */
export function projectNameOf(session: Session): string | undefined {
  const { path, by } = placeOf(session, new Set())
  return path === undefined || by === 'slug' ? path : lastParts(path, 1)
}

/** The last folder of the path, with as many of those above it as it takes to tell two apart, and from agents of that name. */
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
