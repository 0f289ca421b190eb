import type { Session } from '../model/session.ts'
import { slugOf } from '../model/slug.ts'
import { type Agent, agentScore, agentsOf, namesOfAgent } from './agents.ts'
import { byName } from './exact.ts'
import type { Project } from './group.ts'
import { isProjectPath } from './identity.ts'
import { pathScore, slugScore } from './scores.ts'
import { lastParts, partsOf } from './words.ts'

/** Why a project was taken for the one that was asked for. */
export interface Evidence {
  kind: 'path' | 'cwd' | 'slug' | 'touched' | 'agent'
  /** The directory or name that matched. */
  value: string
  /** 0 to 100. */
  score: number
}

/** A project, or an agent, that a name may mean. */
export interface Candidate {
  /** What means it alone. */
  name: string
  /** Absent for an agent. */
  project?: Project
  agent?: Agent
  score: number
  evidence: Evidence[]
  sessions: Session[]
  /** How exactly the name is its own: 3 to the letter, 2 but for capitals, 1 but for punctuation, 0 only a part of it. */
  exact: 0 | 1 | 2 | 3
  /** The name fits only with one letter changed. */
  slip: boolean
}

const EVIDENCE_LIMIT = 3

/**
 * Every project and agent that a name may mean, best first, each with what speaks for it. Ignores case and punctuation; names
 * that are wrong in one letter count only where no other fits. What was said in a session is no evidence. `shown` makes of a
 * name what is printed: that is accepted too.
 */
export function matchProjects(
  projects: readonly Project[],
  query: string,
  shown: (text: string) => string = (text) => text,
): Candidate[] {
  const fitting = candidatesFor(projects, query, shown, false)
  return fitting.length > 0 ? fitting : candidatesFor(projects, query, shown, true)
}

function candidatesFor(
  projects: readonly Project[],
  query: string,
  shown: (text: string) => string,
  slips: boolean,
): Candidate[] {
  const candidates: Candidate[] = []
  for (const project of projects) {
    const evidence = evidenceFor(project, query, slips)
    const exact = byName(namesOf(project, query), query, shown)
    if (exact > 0 && evidence.length === 0)
      evidence.push({ kind: project.by === 'none' ? 'agent' : 'path', value: project.name, score: 97 })
    if (evidence.length > 0) {
      const { name, sessions } = project
      candidates.push({ name, project, score: evidence[0]!.score, evidence, sessions, exact, slip: slips })
    }
  }
  // Sessions without a project are listed under a name of their own, which means them alone.
  const taken = new Set(projects.flatMap(({ name, by }) => (by === 'none' ? [name] : [])))
  for (const agent of agentsOf(projects.flatMap(({ sessions }) => sessions))) {
    const names = namesOfAgent(agent).filter((name) => !taken.has(name))
    const exact = byName(names, query, shown)
    const found = agentScore(agent, query, slips) ?? (exact > 0 ? { value: agent.id, score: 97 } : undefined)
    if (!found) continue
    const { name, sessions } = agent
    const evidence: Evidence[] = [{ kind: 'agent', ...found }]
    candidates.push({ name, agent, score: found.score, evidence, sessions, exact, slip: slips })
  }
  return candidates.sort((a, b) => b.exact - a.exact || b.score - a.score || lastOf(b) - lastOf(a))
}

/**
 * The one whose name was given, where exactly one has it. An agent and the folder it works in are one: the one with all the
 * sessions of the others is meant.
 */
export function namedExactly(candidates: readonly Candidate[]): Candidate | undefined {
  const most = candidates.reduce((top, { exact }) => Math.max(top, exact), 0)
  if (most === 0) return undefined
  const named = candidates.filter(({ exact }) => exact === most)
  return named.find((each) => named.every((other) => other === each || covers(each, other)))
}

/** Whether all sessions of another candidate are among those of this one. */
export function covers(one: Candidate, other: Candidate): boolean {
  if (other.sessions.length > one.sessions.length) return false
  const sessions = new Set(one.sessions)
  return other.sessions.every((session) => sessions.has(session))
}

/** The project that stands at a directory or around it. */
export function projectAt(projects: readonly Project[], directory: string): Project | undefined {
  let best: Project | undefined
  for (const project of projects) {
    if (project.path === undefined || project.by === 'slug') {
      if (project.path === slugOf(directory)) best ??= project
      continue
    }
    const around = directory === project.path || directory.startsWith(`${project.path}/`)
    if (around && (best?.path === undefined || project.path.length > best.path.length)) best = project
  }
  return (
    best ??
    projects.find((project) =>
      project.sessions.some((session) => session.cwds.some(([path]) => path === directory)),
    )
  )
}

/** Names that mean a project when they are given whole: its own, and the end of its path. */
function namesOf({ name, path, by, sessions }: Project, query: string): string[] {
  if (path === undefined) return [name]
  const slugs = new Set(sessions.flatMap(({ slug }) => slug ?? []))
  if (by === 'slug') return [name, path, ...slugs]
  return [name, path, lastParts(path, Math.max(1, partsOf(query).length)), ...slugs]
}

function evidenceFor(project: Project, query: string, slips: boolean): Evidence[] {
  const found: Evidence[] = []
  if (project.by === 'none') return found
  const note = (kind: Evidence['kind'], value: string, score: number): void => {
    if (score > 0 && !found.some((each) => each.value === value))
      found.push({ kind, value, score: Math.round(score) })
  }
  if (project.path !== undefined) {
    const kind = project.by === 'slug' ? 'slug' : project.by === 'touched' ? 'touched' : 'path'
    note(kind, project.path, pathScore(project.path, query, slips) * (kind === 'touched' ? 0.9 : 1))
  }
  // Most sessions of a project name the same folders. Those of the agents themselves are no project's.
  const folders = new Set<string>()
  for (const { cwds, platform } of project.sessions)
    for (const [path] of cwds) if (isProjectPath(path, platform === 'openclaw')) folders.add(path)
  for (const path of folders) note('cwd', path, pathScore(path, query, slips) * 0.95)
  for (const slug of new Set(project.sessions.map((session) => session.slug)))
    if (slug !== undefined) note('slug', slug, slugScore(slug, query))
  return found.sort((a, b) => b.score - a.score).slice(0, EVIDENCE_LIMIT)
}

function lastOf({ sessions }: Candidate): number {
  let last = 0
  for (const { lastActivityMs, modifiedMs } of sessions) last = Math.max(last, lastActivityMs ?? modifiedMs)
  return last
}
