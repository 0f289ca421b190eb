import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { printable } from '../condense/printable.ts'
import { ScrollbackError } from '../errors.ts'
import type { Session } from '../model/session.ts'
import type { Project } from '../project/group.ts'
import type { Candidate } from '../project/match.ts'
import type { Context } from './command.ts'
import type { Loaded } from './load.ts'
import { shellWord } from './shell-word.ts'
import { counted, homely } from './table.ts'

/** As many as anybody reads of what is listed beside an error. */
const LISTED = 20

/** Lets a human choose among what a name may mean, or all of it; fails with the list where nobody can be asked. */
export async function ask(
  candidates: readonly Candidate[],
  name: string,
  context: Context,
): Promise<Session[]> {
  const home = context.environment.home
  const options = candidates.map((candidate) => ({
    label: labelOf(candidate, home),
    hint: `${counted(candidate.sessions.length, 'session')}; ${evidenceText(candidate.evidence, home)}`,
  }))
  const picked = await context.choose?.(`Which one is "${name}"?`, [
    ...options,
    { label: 'All of them', hint: 'the same as --all' },
  ])
  if (picked === candidates.length) return [...new Set(candidates.flatMap(({ sessions }) => sessions))]
  if (picked !== undefined) return candidates[picked]!.sessions
  const list = candidates
    .slice(0, LISTED)
    .map((each, index) => `  ${shellWord(printable(each.name))}  (${options[index]!.hint})\n`)
    .join('')
  const more = candidates.length > LISTED ? `  and ${candidates.length - LISTED} more\n` : ''
  throw new ScrollbackError(
    'several-projects',
    `"${name}" may mean any of ${candidates.length}:\n${list}${more}`.trimEnd(),
    'Name one of them as it is listed, or take them all with --all.',
  )
}

const labelOf = ({ name, project }: Candidate, home: string): string =>
  printable(project?.path === undefined ? name : homely(project.path, home))

/** What a name also fits. */
export function notTaken(others: readonly Candidate[]): string {
  const names = others
    .slice(0, LISTED)
    .map(({ name, sessions }) => `${printable(name)} (${counted(sessions.length, 'session')})`)
  const more = others.length > LISTED ? `, and ${others.length - LISTED} more` : ''
  return `Not taken: ${names.join(', ')}${more}. Take every match with --all.`
}

export const evidenceText = (evidence: Candidate['evidence'], home: string): string =>
  evidence.map(({ kind, value, score }) => `${kind} ${printable(homely(value, home))} [${score}]`).join(', ')

function scannedText(loaded: Loaded, projects: readonly Project[], context: Context): string {
  const home = context.environment.home
  const roots = loaded.roots
    .map((root) => `  ${homely(root.path, home)}${root.found ? '' : ' (not there)'}`)
    .join('\n')
  const some = projects.slice(0, 8).map((project) => printable(project.name))
  const known =
    some.length > 0 ? `\nProjects found: ${some.join(', ')}${projects.length > some.length ? ', …' : ''}` : ''
  return `Looked through ${counted(loaded.sessions.length, 'session')} in:\n${roots}${known}`
}

export const fileHere = (name: string, { directory }: Context): string =>
  statSync(resolve(directory, name), { throwIfNoEntry: false })?.isFile()
    ? ' There is a file of that name here, but it is no transcript: those end in .jsonl.'
    : ''

export const noMatch = (
  loaded: Loaded,
  projects: readonly Project[],
  name: string,
  context: Context,
): ScrollbackError =>
  new ScrollbackError(
    'no-project',
    `No project, agent or session is called "${name}".${fileHere(name, context)}${context.fresh?.busy ? ' Another scrollback is indexing: it may not be stored yet.' : ''}${context.redact ? '' : ' With --no-redact only files are read, so sessions whose file is gone are not looked for.'}\n${scannedText(loaded, projects, context)}`,
    `See all projects with: ${context.suggest('projects')}\nLook for words that were said: ${context.suggest('search', name)}`,
  )

export const notHere = (loaded: Loaded, projects: readonly Project[], context: Context): ScrollbackError =>
  new ScrollbackError(
    loaded.sessions.length === 0 ? 'nothing-found' : 'no-project',
    `No session belongs to ${homely(context.directory, context.environment.home)}.\n${scannedText(loaded, projects, context)}`,
    'Name a project, or take every one with --all. Try the command on invented data with --demo.',
  )
