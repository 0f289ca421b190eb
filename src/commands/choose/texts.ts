import { resolve } from 'node:path'
import { among, ScrollbackError } from '../../errors.ts'
import { isFile } from '../../io/kinds.ts'
import type { Session } from '../../model/session.ts'
import type { Project } from '../../project/group.ts'
import type { Candidate } from '../../project/match.ts'
import { counted, homely } from '../../render/table.ts'
import { printable } from '../../render/terminal.ts'
import type { Context } from '../kit/command.ts'
import type { Dialog, Machine } from '../kit/context.ts'
import type { Loaded } from '../kit/load.ts'
import { shellWord } from '../kit/shell-word.ts'

/** How many candidates an error lists. */
const LISTED = 20

/** Asks a human which match they mean, or all. Without a terminal, it fails with the list. */
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
  throw among(
    new ScrollbackError(
      'several-projects',
      `"${name}" is ambiguous: ${candidates.length} matches:\n${list}${more}`.trimEnd(),
      `Use one of these names.${context.suggest.takes('all') ? ' --all selects all of them.' : ''}`,
    ),
    candidates.map((each) => each.name),
  )
}

const labelOf = ({ name, project }: Candidate, home: string): string =>
  printable(project?.path === undefined ? name : homely(project.path, home))

/** Reports the other matches of a name. */
export function notTaken(others: readonly Candidate[], { suggest }: Dialog): string {
  const names = others
    .slice(0, LISTED)
    .map(({ name, sessions }) => `${printable(name)} (${counted(sessions.length, 'session')})`)
  const more = others.length > LISTED ? `, and ${others.length - LISTED} more` : ''
  return `Not selected: ${names.join(', ')}${more}.${suggest.takes('all') ? ` Select every match: ${suggest.again({ flags: ['--all'] })}` : ''}`
}

export const evidenceText = (evidence: Candidate['evidence'], home: string): string =>
  evidence.map(({ kind, value, score }) => `${kind} ${printable(homely(value, home))} [${score}]`).join(', ')

function scannedText(loaded: Loaded, projects: readonly Project[], context: Context): string {
  const home = context.environment.home
  const roots = loaded.roots
    .map((root) => `  ${homely(root.path, home)}${root.found ? '' : ' (missing)'}`)
    .join('\n')
  const some = projects.slice(0, 8).map((project) => printable(project.name))
  const known =
    some.length > 0 ? `\nProjects found: ${some.join(', ')}${projects.length > some.length ? ', …' : ''}` : ''
  return `Searched ${counted(loaded.sessions.length, 'session')} in:\n${roots}${known}`
}

export const fileHere = (name: string, { directory }: Machine): string =>
  isFile(resolve(directory, name))
    ? ' There is a file with that name here, but it is not a transcript (*.jsonl).'
    : ''

export const noMatch = (
  loaded: Loaded,
  projects: readonly Project[],
  name: string,
  context: Context,
): ScrollbackError =>
  new ScrollbackError(
    'no-project',
    `"${name}": no such project, agent or session.${fileHere(name, context)}${context.fresh?.asIs === 'busy' ? ' Another process is indexing, so it may not be stored yet.' : ''}${context.redact ? '' : ' --no-redact reads only files, so sessions whose file is gone are not found.'}\n${scannedText(loaded, projects, context)}`,
    `See all projects with: ${context.suggest('projects')}\nSearch all messages: ${context.suggest('search', name)}`,
  )

export const notHere = (loaded: Loaded, projects: readonly Project[], context: Context): ScrollbackError =>
  new ScrollbackError(
    loaded.sessions.length === 0 ? 'nothing-found' : 'no-project',
    `No session ran in ${homely(context.directory, context.environment.home)}.\n${scannedText(loaded, projects, context)}`,
    'Name a project, select every one with --all, or try the demo data with --demo.',
  )
