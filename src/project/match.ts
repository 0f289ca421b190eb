import { shownName } from '../model/hidden.ts'
import { slugOf } from '../model/project.ts'
import type { Session } from '../model/session.ts'
import { identityOf, ownFolders } from '../platforms/identities.ts'
import {
  type Agent,
  agentsOf,
  folderKey,
  isProjectPath,
  oneForm,
  type Project,
  separatorOf,
  worktreeOf,
} from './group.ts'
import { lastParts, nameScore, partsOf, pathScore, slugScore, spellings, squash } from './words.ts'

/** Why a name resolves to a project. */
export interface Evidence {
  kind: 'path' | 'cwd' | 'slug' | 'touched' | 'agent'
  /** The directory or name that matched. */
  value: string
  /** 0 to 100. */
  score: number
}

/** A project or agent that a name may mean. */
export interface Candidate {
  /** Its unambiguous name. */
  name: string
  /** Absent for an agent. */
  project?: Project
  agent?: Agent
  score: number
  evidence: Evidence[]
  sessions: Session[]
  /**
   * How exactly the name was given: 3 to the letter, 2 except for case, 1 except for punctuation, 0 only a
   * part.
   */
  exact: 0 | 1 | 2 | 3
  /** The name only matches with one letter changed. */
  slip: boolean
}

const EVIDENCE_LIMIT = 3

/**
 * Every project and agent that a name may mean, best first, with the evidence. Ignores case and punctuation.
 * Names with one wrong letter count only if no other name matches, and not without `slips`. The text of
 * sessions is no evidence.
 * `shown` maps names to their printed form, which is accepted too.
 */
export function matchProjects(
  projects: readonly Project[],
  query: string,
  { shown = (text) => text, slips = true }: { shown?: (text: string) => string; slips?: boolean } = {},
): Candidate[] {
  const fitting = candidatesFor(projects, query, shown, false)
  return fitting.length > 0 || !slips ? fitting : candidatesFor(projects, query, shown, true)
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
  for (const each of worktreesNamed(projects, query, shown)) candidates.push(each)
  // Each list of sessions without a project has an unambiguous name.
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

/** The work trees with this name, each with the sessions that ran in it. */
function worktreesNamed(
  projects: readonly Project[],
  query: string,
  shown: (text: string) => string,
): Candidate[] {
  return projects.flatMap((project) => {
    const trees = new Map<string, Session[]>()
    for (const session of project.sessions)
      for (const tree of new Set(session.cwds.flatMap(([path]) => worktreeOf(path) ?? []))) {
        const ran = trees.get(tree)
        if (ran) ran.push(session)
        else trees.set(tree, [session])
      }
    return [...trees].flatMap(([path, sessions]): Candidate[] => {
      const exact = byName([lastParts(path, 1)], query, shown)
      if (exact === 0) return []
      const evidence: Evidence[] = [{ kind: 'cwd', value: path, score: 97 }]
      return [
        { name: shownName(lastParts(path, 1)), project, score: 97, evidence, sessions, exact, slip: false },
      ]
    })
  })
}

/**
 * The only candidate with exactly this name. An agent and the folder it works in count as one: the candidate
 * that includes all sessions of the others wins.
 */
export function namedExactly(candidates: readonly Candidate[]): Candidate | undefined {
  const most = candidates.reduce((top, { exact }) => Math.max(top, exact), 0)
  if (most === 0) return undefined
  const named = candidates.filter(({ exact }) => exact === most)
  return named.find((each) => named.every((other) => other === each || covers(each, other)))
}

/** Whether one candidate includes all sessions of another. */
export function covers(one: Candidate, other: Candidate): boolean {
  if (other.sessions.length > one.sessions.length) return false
  const sessions = new Set(one.sessions)
  return other.sessions.every((session) => sessions.has(session))
}

/** The project whose folder is this directory or the closest one above it. */
export function projectAt(projects: readonly Project[], given: string): Project | undefined {
  const directory = oneForm(given)
  let best: Project | undefined
  for (const project of projects) {
    if (project.path === undefined || project.by === 'slug') {
      if (project.path === slugOf(directory)) best ??= project
      continue
    }
    const folder = folderKey(project.path)
    const own = folderKey(directory)
    const around = own === folder || own.startsWith(`${folder}${separatorOf(folder)}`)
    if (around && (best?.path === undefined || project.path.length > best.path.length)) best = project
  }
  return (
    best ??
    projects.find((project) =>
      project.sessions.some((session) => session.cwds.some(([path]) => oneForm(path) === directory)),
    )
  )
}

/** Names that mean a project when given in full: its name, and the end of its path. */
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
  // Most sessions of a project share the same folders. The folders of agents belong to no project.
  const folders = new Set<string>()
  for (const { cwds, platform } of project.sessions)
    for (const [path] of cwds) if (isProjectPath(path, ownFolders(platform))) folders.add(path)
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

/**
 * How exactly a name was given: 3 to the letter, 2 except for case, 1 except for punctuation, 0 not at all.
 */
function byName(names: readonly string[], query: string, shown: (text: string) => string): 0 | 1 | 2 | 3 {
  if (names.some((name) => name === query || shown(name) === query)) return 3
  const lower = query.toLowerCase()
  if (names.some((name) => name.toLowerCase() === lower)) return 2
  const squashed = squash(query)
  return squashed !== '' && names.flatMap(spellings).some((name) => squash(name) === squashed) ? 1 : 0
}

/** A session without a project that mentions a name early on. */
export interface Mention {
  session: Session
  /** The name with its surrounding text. */
  words: string
}

/** Shorter names must be words of their own, because they occur inside too many others. */
const SHORTEST_PART = 4

/**
 * The sessions whose first five human messages contain a name in any spelling. Pass only sessions without a
 * project; the others have a folder. `clean` redacts the quoted part.
 */
export function mentionsOf(
  sessions: readonly Session[],
  query: string,
  clean: (text: string) => string,
): Mention[] {
  const wanted = squash(query)
  if (wanted === '') return []
  const pattern = written(wanted)
  const found: Mention[] = []
  for (const session of sessions) {
    const mention = openingOf(session).find(
      ({ text, squashed }) => squashed.includes(wanted) && pattern.test(text),
    )
    if (mention) found.push({ session, words: around(clean(mention.text), pattern) })
  }
  return found
}

/**
 * The letters in order, with any punctuation between them. A short name only matches as a word of its own.
 */
function written(wanted: string): RegExp {
  const letters = [...wanted].map((letter) => letter.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const body = letters.join('[^\\p{L}\\p{N}]*')
  const alone = letters.length < SHORTEST_PART && /^[\p{Script=Latin}\p{N}]+$/u.test(wanted)
  return new RegExp(alone ? `(?<![\\p{L}\\p{N}])${body}(?![\\p{L}\\p{N}])` : body, 'iu')
}

interface OpeningMessage {
  text: string
  squashed: string
}

/** Cached per session, because sessions are searched repeatedly. */
const known = new WeakMap<Session, OpeningMessage[]>()

function openingOf(session: Session): OpeningMessage[] {
  let opening = known.get(session)
  if (!opening) {
    const texts = session.opening ?? (session.firstHuman === undefined ? [] : [session.firstHuman])
    opening = texts.map((text) => ({ text, squashed: squash(text) }))
    known.set(session, opening)
  }
  return opening
}

const REACH = 30

/** The text around the match. */
function around(text: string, pattern: RegExp): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const match = pattern.exec(line)
  const at = match?.index ?? 0
  const from = Math.max(0, at - REACH)
  const to = Math.min(line.length, at + (match?.[0].length ?? 0) + REACH)
  return `${from > 0 ? '…' : ''}${line.slice(from, to).toWellFormed()}${to < line.length ? '…' : ''}`
}

/** Names that mean the agent when given in full: its id and its folders. */
const namesOfAgent = (agent: Agent): string[] => [
  agent.id,
  agent.name,
  `${agent.platform}:${agent.id}`,
  `agent:${agent.platform}:${agent.id}`,
  ...(folderOf(agent) ?? []),
  ...workspaces(agent).map((path) => lastParts(path, 1)),
  ...workspaces(agent),
]

/** How well a name fits the agent's own folders, and which of them. */
function agentScore(
  agent: Agent,
  query: string,
  slips: boolean,
): { value: string; score: number } | undefined {
  let best: { value: string; score: number } | undefined
  const note = (value: string, score: number): void => {
    if (score > (best?.score ?? 0)) best = { value, score: Math.round(score) }
  }
  note(agent.id, nameScore(agent.id, query, slips))
  for (const path of workspaces(agent)) note(path, nameScore(lastParts(path, 1), query, slips) * 0.97)
  return best
}

function folderOf({ platform, id }: Agent): string[] | undefined {
  const folder = identityOf(platform).agentFolder?.(id)
  return folder === undefined ? undefined : [folder]
}

const knownWorkspaces = new WeakMap<Agent, string[]>()

function workspaces(agent: Agent): string[] {
  let found = knownWorkspaces.get(agent)
  if (!found) {
    const paths = agent.sessions.flatMap(({ cwds }) => cwds.map(([path]) => path))
    const { workspace } = identityOf(agent.platform)
    found = workspace ? [...new Set(paths)].filter((path) => workspace.test(path)) : []
    knownWorkspaces.set(agent, found)
  }
  return found
}
