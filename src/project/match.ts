import type { Session } from '../model/session.ts'
import type { Project } from './group.ts'
import { slugOf } from './slug.ts'

/** Why a project was taken for the one that was asked for. */
export interface Evidence {
  kind: 'path' | 'cwd' | 'slug' | 'touched' | 'message'
  /** The directory, folder name or words that matched. */
  value: string
  /** 0 to 100. */
  score: number
}

export interface Candidate {
  project: Project
  score: number
  evidence: Evidence[]
  /** The project's sessions; of a group without a folder only those whose words matched. */
  sessions: Session[]
}

const EVIDENCE_LIMIT = 3
/** Words of a first message prove less than any name on disk. */
const MESSAGE_SCORE = 30
/** A winner stands this far above the next. */
const CLEAR = 8

/**
 * Everything a name may mean, best first, each with what speaks for it. Matching ignores case and punctuation. `clean`
 * takes secrets out of a message before a part of it is quoted.
 */
export function matchProjects(
  projects: readonly Project[],
  query: string,
  clean: (text: string) => string,
): Candidate[] {
  const candidates: Candidate[] = []
  for (const project of projects) {
    const evidence = evidenceFor(project, query)
    if (evidence.length > 0)
      candidates.push({ project, score: evidence[0]!.score, evidence, sessions: project.sessions })
    else {
      const told = byMessage(project, query, clean)
      if (told) candidates.push(told)
    }
  }
  return candidates.sort(
    (a, b) => b.score - a.score || (b.project.lastActivityMs ?? 0) - (a.project.lastActivityMs ?? 0),
  )
}

/** The one that is clearly meant, if there is one. */
export function clearWinner(candidates: readonly Candidate[]): Candidate | undefined {
  const [first, second] = candidates
  if (!first) return undefined
  return !second || first.score - second.score >= CLEAR ? first : undefined
}

/** Sessions of the project that stands at a directory or around it. */
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

function evidenceFor(project: Project, query: string): Evidence[] {
  const found: Evidence[] = []
  const note = (kind: Evidence['kind'], value: string, score: number): void => {
    if (score > 0 && !found.some((each) => each.value === value))
      found.push({ kind, value, score: Math.round(score) })
  }
  if (project.path !== undefined) {
    const kind = project.by === 'slug' ? 'slug' : project.by === 'touched' ? 'touched' : 'path'
    note(kind, project.path, pathScore(project.path, query) * (kind === 'touched' ? 0.9 : 1))
  }
  // Most sessions of a project name the same folders.
  const folders = new Set(
    project.by === 'none' ? [] : project.sessions.flatMap(({ cwds }) => cwds.map(([path]) => path)),
  )
  for (const path of folders) note('cwd', path, pathScore(path, query) * 0.95)
  for (const slug of new Set(project.sessions.map((session) => session.slug)))
    if (slug !== undefined) note('slug', slug, slugScore(slug, query))
  return found.sort((a, b) => b.score - a.score).slice(0, EVIDENCE_LIMIT)
}

/** For sessions without a folder: what was first asked in them. */
function byMessage(project: Project, query: string, clean: (text: string) => string): Candidate | undefined {
  const sessions: Session[] = []
  const evidence: Evidence[] = []
  const wanted = squash(query)
  for (const session of project.sessions) {
    const told = wordsOf(session).find(({ squashed }) => squashed.includes(wanted))?.text
    if (told === undefined) continue
    sessions.push(session)
    if (evidence.length < EVIDENCE_LIMIT)
      evidence.push({ kind: 'message', value: around(clean(told), query), score: MESSAGE_SCORE })
  }
  return sessions.length === 0 ? undefined : { project, score: MESSAGE_SCORE, evidence, sessions }
}

interface Words {
  text: string
  squashed: string
}

/** Sessions may be looked through again: of each this is done once. */
const squashedWords = new WeakMap<Session, Words[]>()

function wordsOf(session: Session): Words[] {
  const known = squashedWords.get(session)
  if (known) return known
  const texts = [session.title, session.firstHuman, ...session.lastHuman, session.firstProgram]
  const words = texts.flatMap((text) => (text === undefined ? [] : [{ text, squashed: squash(text) }]))
  squashedWords.set(session, words)
  return words
}

/** How well a name fits a path: whole folder names count most, the last one more than those above it. */
export function pathScore(path: string, query: string): number {
  const wanted = squash(query)
  if (wanted === '') return 0
  if (path === query) return 100
  const parts = path
    .split(/[/\\]/)
    .filter((part) => part !== '')
    .map(squash)
  let best = followed(parts, query)
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1
    if (part === wanted) best = Math.max(best, last ? 98 : 86)
    else if (part.startsWith(wanted)) best = Math.max(best, last ? 80 : 66)
    else if (part.includes(wanted)) best = Math.max(best, last ? 72 : 60)
    else if (wanted.length >= 4 && withinOneSlip(part, wanted)) best = Math.max(best, last ? 52 : 44)
  }
  if (best > 0) return best
  return squash(path).includes(wanted) ? 50 : 0
}

/** `eastore/api`: folders that follow each other. */
function followed(parts: readonly string[], query: string): number {
  const wanted = query.split(/[/\\]/).flatMap((part) => squash(part) || [])
  if (wanted.length < 2) return 0
  const at = parts.findLastIndex((_, start) => wanted.every((part, index) => parts[start + index] === part))
  return at < 0 ? 0 : at + wanted.length === parts.length ? 97 : 85
}

function slugScore(slug: string, query: string): number {
  const wanted = squash(query)
  if (wanted === '') return 0
  if (squash(slug) === wanted) return 76
  const words = slug.split('-').map((word) => word.toLowerCase())
  if (words.at(-1) === wanted) return 70
  if (words.includes(wanted)) return 62
  return squash(slug).includes(wanted) ? 48 : 0
}

/** Letters and digits only, lower case: `Ea-store_v2` and `eastore v2` are one. */
const squash = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** One letter changed, missing, too much, or two swapped. */
function withinOneSlip(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  let end = 0
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const left = one.slice(start, one.length - end)
  const right = other.slice(start, other.length - end)
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

const REACH = 30

/** The words around the match. */
function around(text: string, query: string): string {
  const line = text.replace(/\s+/g, ' ')
  const at = Math.max(0, line.toLowerCase().indexOf(query.toLowerCase()))
  const from = Math.max(0, at - REACH)
  const to = Math.min(line.length, at + query.length + REACH)
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}
