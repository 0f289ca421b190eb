import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { printable } from '../condense/printable.ts'
import { ScrollbackError } from '../errors.ts'
import type { Session } from '../model/session.ts'
import type { Agent } from '../project/agents.ts'
import { groupByProject, type Project } from '../project/group.ts'
import { type Candidate, covers, matchProjects, namedExactly, projectAt } from '../project/match.ts'
import { type Mention, mentionsOf } from '../project/mentions.ts'
import { ask, fileHere, noMatch, notHere, notTaken } from './choose-texts.ts'
import type { Context } from './command.ts'
import type { Loaded } from './load.ts'
import { cleaner } from './read-job.ts'
import { pickSession, sessionsOfId } from './session-ids.ts'
import { counted } from './table.ts'

/** Which sessions are asked for. */
export interface Wanted {
  /** A project, an agent, a folder, a session id or its beginning, `latest`, or `<any of these>:latest`. */
  name?: string
  /** Everything that the name fits; without a name, every project. */
  all: boolean
  /** The sessions were narrowed to an agent: without a name, those of every project. */
  agent?: string
}

/** The sessions that were asked for, the newest first. */
export interface Chosen {
  sessions: Session[]
  /** What they were chosen by. */
  by: 'everything' | 'folder' | 'name' | 'id' | 'latest'
  /** The short name of a session's project. */
  nameOf(session: Session): string | undefined
  /** The folder of a session's project. */
  folderOf(session: Session): string | undefined
  /** Where a name meant all that an agent did: which. */
  agent?: Agent
  /** Sessions without a project that only say the name early on; not among `sessions`. */
  mentions: Mention[]
}

type Choice = Pick<Chosen, 'sessions' | 'by' | 'agent'> & { mentions?: Mention[] }

/**
 * The sessions that a name means; without one those of the current folder, or of every project. Words that were said are no
 * name: sessions found by them are `mentions`. Asks a human where the name means several; where nobody can be asked, takes what
 * is called exactly so and says what it did not take, or fails with the list.
 */
export async function chooseSessions(loaded: Loaded, wanted: Wanted, context: Context): Promise<Chosen> {
  const projects = groupByProject(loaded.sessions)
  const owners = new Map<Session, Project>()
  for (const project of projects)
    if (project.path !== undefined) for (const session of project.sessions) owners.set(session, project)
  const { sessions, by, agent, mentions = [] } = await choiceOf(loaded, projects, wanted, context)
  const chosen = new Set(sessions)
  return {
    by,
    mentions,
    sessions: loaded.sessions.filter((session) => chosen.has(session)),
    nameOf: (session) => owners.get(session)?.name,
    folderOf: (session) => owners.get(session)?.path,
    ...(agent ? { agent } : {}),
  }
}

/** The same, for commands that show no sessions which only say the name: those are named on the side. */
export async function chooseNamed(loaded: Loaded, wanted: Wanted, context: Context): Promise<Chosen> {
  const chosen = await chooseSessions(loaded, wanted, context)
  const { mentions } = chosen
  if (mentions.length === 0) return chosen
  const lines = mentions
    .slice(0, MENTIONS)
    .map(
      ({ session, words }) =>
        `  ${context.suggest('read', session.id.replace(/^agent-/, '').slice(0, 8))}  ${printable(words)}\n`,
    )
    .join('')
  const all = context.suggest('sessions', wanted.name ?? '')
  if (chosen.sessions.length === 0)
    throw new ScrollbackError(
      'no-project',
      `No project or agent is called "${wanted.name}".${fileHere(wanted.name ?? '', context)} ${counted(mentions.length, 'session')} without a project ${mentions.length === 1 ? 'says' : 'say'} it early on:\n${lines.trimEnd()}`,
      `All of them: ${all}`,
    )
  context.note(
    `Not included: ${counted(mentions.length, 'session')} without a project that only ${mentions.length === 1 ? 'says' : 'say'} "${wanted.name}" early on. See: ${all}`,
  )
  return chosen
}

const MENTIONS = 5
const LATEST = /^(?:(.+):)?(?:latest|last)$/is

async function choiceOf(
  loaded: Loaded,
  projects: readonly Project[],
  { name, all, agent }: Wanted,
  context: Context,
): Promise<Choice> {
  if (name === undefined) {
    if (all || agent !== undefined) return { by: 'everything', sessions: loaded.sessions }
    const here = projectAt(projects, context.directory)
    if (!here) throw notHere(loaded, projects, context)
    return { by: 'folder', sessions: here.sessions }
  }
  if (isPath(name)) return atPath(loaded, projects, name, context)
  const clean = cleaner(context.redact)
  const candidates = matchProjects(projects, name, (text) => printable(clean(text)))
  const exact = namedExactly(candidates)
  if (!exact) {
    const [matched, base] = LATEST.exec(name) ?? []
    if (matched !== undefined) {
      const choice: Choice =
        base === undefined
          ? { by: 'everything', sessions: loaded.sessions }
          : await choiceOf(loaded, projects, { name: base, all: false, agent }, context)
      if (choice.sessions.length === 0 && choice.mentions?.length) return choice
      return { by: 'latest', sessions: latestOf(choice.sessions, name, context) }
    }
    const ofId = sessionsOfId(loaded.sessions, name)
    if (ofId.length > 0) return { by: 'id', sessions: await pickSession(ofId, name, context) }
  }
  const taken = await decide(candidates, exact, name, all, context)
  const isAgent = exact?.agent !== undefined
  const chosen = new Set(taken)
  const homeless = projects.flatMap(({ by, sessions }) => (by === 'none' ? sessions : []))
  const mentions = mentionsOf(
    homeless.filter((session) => !chosen.has(session)),
    name,
    clean,
  )
  if (taken.length === 0 && mentions.length === 0) throw noMatch(loaded, projects, name, context)
  // An agent's sessions are all there are of it: others that say its name are counted, and not shown.
  if (isAgent && mentions.length > 0)
    context.note(
      `${counted(mentions.length, 'session')} of other agents ${mentions.length === 1 ? 'says' : 'say'} "${name}" too: ${context.suggest('search', name)}`,
    )
  return { by: 'name', sessions: taken, mentions: isAgent ? [] : mentions, agent: exact?.agent }
}

/** What is taken of all that a name may mean. */
async function decide(
  candidates: readonly Candidate[],
  exact: Candidate | undefined,
  name: string,
  all: boolean,
  context: Context,
): Promise<Session[]> {
  if (candidates.length === 0) return []
  if (all) return [...new Set(candidates.flatMap(({ sessions }) => sessions))]
  // The sessions of a folder are among those of the agent that lives in it.
  const others = candidates.filter((each) => each !== exact && !(exact && covers(exact, each)))
  if (exact && others.length === 0) return exact.sessions
  if (!exact && candidates.length === 1) {
    if (candidates[0]!.slip)
      context.note(`Nothing is called "${name}": this is ${printable(candidates[0]!.name)}.`)
    return candidates[0]!.sessions
  }
  const offered = exact ? [exact, ...others] : candidates
  if (exact && !context.choose) {
    context.note(notTaken(others))
    return exact.sessions
  }
  return ask(offered, name, context)
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Whether somebody wrote a path, and no name that has slashes. */
export const isPath = (name: string): boolean => /^(?:\.{1,2}$|\.{0,2}\/|~\/|~$)/.test(name)

/** The project around a folder, or the session in a file. */
function atPath(
  loaded: Loaded,
  projects: readonly Project[],
  name: string,
  context: Context,
): Choice | Promise<Choice> {
  const path = name.startsWith('~')
    ? join(context.environment.home, name.slice(1))
    : resolve(context.directory, name)
  const inFile = loaded.sessions.filter((session) => session.path === path)
  if (inFile.length > 0) return { by: 'id', sessions: inFile }
  const project = projectAt(projects, path)
  // Of a folder that is not there any more, only what ran in it is known: it may never have been one.
  const isKnown =
    project?.path === path || project?.sessions.some(({ cwds }) => cwds.some(([cwd]) => cwd === path))
  if (project && (isKnown || project.by === 'slug' || isDirectory(path)))
    return { by: 'folder', sessions: project.sessions }
  throw new ScrollbackError(
    'no-project',
    isFile(path) ? `${name} is a file, and no transcript that was found.` : `No session ran in ${path}.`,
    isFile(path)
      ? `To read a transcript that lies elsewhere: ${context.suggest('read', name)}`
      : `See where sessions ran: ${context.suggest('projects')}`,
  )
}

/** The session that was active last; one of a subagent belongs to another. */
function latestOf(sessions: readonly Session[], name: string, context: Context): Session[] {
  const own = sessions.filter(({ kind }) => kind !== 'subagent')
  const newest = (own.length > 0 ? own : sessions).reduce<Session | undefined>(
    (best, each) => (!best || lastOf(each) > lastOf(best) ? each : best),
    undefined,
  )
  if (newest) return [newest]
  throw new ScrollbackError(
    'nothing-found',
    `"${name}": there is no session at all.`,
    `See where was looked: ${context.suggest('doctor')}`,
  )
}

const lastOf = ({ lastActivityMs, modifiedMs }: Session): number => lastActivityMs ?? modifiedMs
