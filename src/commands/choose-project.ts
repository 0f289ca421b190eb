import { printable } from '../condense/printable.ts'
import { ScrollbackError } from '../errors.ts'
import type { Session } from '../model/session.ts'
import { groupByProject, type Project } from '../project/group.ts'
import { type Candidate, clearWinner, matchProjects, projectAt } from '../project/match.ts'
import type { Context } from './command.ts'
import type { Loaded } from './load.ts'
import { cleaner } from './read-job.ts'
import { counted, homely } from './table.ts'

/** The sessions that were asked for, and the short name of each one's project. */
export interface Chosen {
  sessions: Session[]
  nameOf(session: Session): string | undefined
}

/**
 * The sessions of the named project; without a name those of the current directory, or of every project. Asks a human
 * where the name means several; fails with the list where nobody can be asked.
 */
export async function chooseProject(
  loaded: Loaded,
  name: string | undefined,
  all: boolean,
  context: Context,
): Promise<Chosen> {
  const projects = groupByProject(loaded.sessions)
  const names = new Map<Session, string>()
  for (const project of projects)
    if (project.path !== undefined) for (const session of project.sessions) names.set(session, project.name)
  const nameOf = (session: Session): string | undefined => names.get(session)
  const take = (sessions: readonly Session[]): Chosen => {
    const wanted = new Set(sessions)
    return { sessions: loaded.sessions.filter((session) => wanted.has(session)), nameOf }
  }
  if (name === undefined) {
    if (all) return { sessions: loaded.sessions, nameOf }
    const here = projectAt(projects, context.directory)
    if (here) return take(here.sessions)
    throw notHere(loaded, projects, context)
  }
  const candidates = await candidatesFor(projects, name, context)
  if (candidates.length === 0) throw noMatch(loaded, projects, name, context)
  if (all) return take(candidates.flatMap((candidate) => candidate.sessions))
  const winner = clearWinner(candidates) ?? (await ask(candidates, name, context))
  return take(winner.sessions)
}

async function candidatesFor(
  projects: readonly Project[],
  name: string,
  context: Context,
): Promise<Candidate[]> {
  if (
    name === '.' ||
    name.startsWith('./') ||
    name.startsWith('../') ||
    name.startsWith('/') ||
    name.startsWith('~/')
  ) {
    const { resolve, join } = await import('node:path')
    const path = name.startsWith('~/')
      ? join(context.environment.home, name.slice(2))
      : resolve(context.directory, name)
    const project = projectAt(projects, path)
    if (project)
      return [
        {
          project,
          score: 100,
          evidence: [{ kind: 'path', value: path, score: 100 }],
          sessions: project.sessions,
        },
      ]
  }
  return matchProjects(projects, name, cleaner(context.redact))
}

async function ask(candidates: readonly Candidate[], name: string, context: Context): Promise<Candidate> {
  const home = context.environment.home
  const options = candidates.map(({ project, sessions, evidence }) => ({
    label: printable(project.path === undefined ? project.name : homely(project.path, home)),
    hint: `${counted(sessions.length, 'session')}; ${evidenceText(evidence, home)}`,
  }))
  const picked = await context.choose?.(`Which project is "${name}"?`, options)
  if (picked !== undefined) return candidates[picked]!
  const list = options.map((option) => `  ${option.label}  (${option.hint})`).join('\n')
  throw new ScrollbackError(
    'several-projects',
    `"${name}" may be any of ${candidates.length} projects:\n${list}`,
    'Name one of them more fully (a part of its path will do), or take them all with --all.',
  )
}

export function evidenceText(evidence: Candidate['evidence'], home: string): string {
  return evidence
    .map(({ kind, value, score }) => `${kind} ${printable(homely(value, home))} [${score}]`)
    .join(', ')
}

function scannedText(loaded: Loaded, projects: readonly Project[], context: Context): string {
  const home = context.environment.home
  const roots = loaded.roots
    .map((root) => `  ${homely(root.path, home)}${root.found ? '' : ' (not there)'}`)
    .join('\n')
  const some = projects.slice(0, 8).map((project) => project.name)
  const known =
    some.length > 0 ? `\nProjects found: ${some.join(', ')}${projects.length > some.length ? ', …' : ''}` : ''
  return `Looked through ${counted(loaded.sessions.length, 'session')} in:\n${roots}${known}`
}

function noMatch(
  loaded: Loaded,
  projects: readonly Project[],
  name: string,
  context: Context,
): ScrollbackError {
  return new ScrollbackError(
    'no-project',
    `No project matches "${name}".\n${scannedText(loaded, projects, context)}`,
    'See them all with: scrollback projects. Try the command on invented data with --demo.',
  )
}

function notHere(loaded: Loaded, projects: readonly Project[], context: Context): ScrollbackError {
  return new ScrollbackError(
    loaded.sessions.length === 0 ? 'nothing-found' : 'no-project',
    `No session belongs to ${homely(context.directory, context.environment.home)}.\n${scannedText(loaded, projects, context)}`,
    'Name a project, or take every one with --all. Try the command on invented data with --demo.',
  )
}
