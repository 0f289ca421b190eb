import { join, resolve } from 'node:path'
import type { Context, Dialog, Machine } from '../context/context.ts'
import { alike } from '../context/flags.ts'
import { scannedLines, scannedOf } from '../context/scanned.ts'
import { among, ScrollbackError } from '../errors.ts'
import { isFile, isFolder } from '../io/directories.ts'
import type { PlatformId } from '../model/artifact.ts'
import { shownName } from '../model/hidden.ts'
import { isEmptySession, type Session } from '../model/session.ts'
import { shellWord } from '../model/shell-word.ts'
import {
  type Agent,
  groupByProject,
  groupName,
  isInFolder,
  type Project,
  worktreeOf,
} from '../project/group.ts'
import {
  type Candidate,
  covers,
  type Mention,
  matchProjects,
  mentionsOf,
  namedExactly,
  projectAt,
} from '../project/match.ts'
import { counted, homely } from '../render/table.ts'
import { shownLine } from '../render/terminal.ts'
import { sessionsByPath } from '../store/store.ts'
import type { Loaded } from './load-sessions.ts'
import { cleaner } from './read-messages.ts'
import { LATEST, ownerNamed, pickSession, sessionsOfId, tooShort } from './session-names.ts'

/** The sessions that the user requested. */
interface Wanted {
  /**
   * A project, an agent, a folder, a session id or its beginning, `latest`, or `<any of these>:latest`. Of a
   * team store also `device:<name>` and `person:<name>`.
   */
  name?: string
  /** Take everything that the name matches. Without a name: every project. */
  all: boolean
  /** Without a name, take every project if no session ran in the current folder. A note says so. */
  orEverything?: boolean
  /** The sessions were narrowed to an agent. Without a name, they are those of every project. */
  agent?: string
  /** The sessions were narrowed to a platform. If it has none in the current folder, none ran there. */
  platform?: PlatformId | undefined
  /** Also take sessions that only mention the name in their first messages, of any project. */
  mentioned?: boolean
  /** `latest` may mean a session without messages. */
  mayBeEmpty?: boolean
}

/** The requested sessions, newest first. */
interface Chosen {
  sessions: Session[]
  /** How they were chosen. */
  by: 'everything' | 'folder' | 'name' | 'owner' | 'id' | 'latest'
  /** The short name of a session's project. */
  nameOf(session: Session): string | undefined
  /** The folder of a session's project. */
  folderOf(session: Session): string | undefined
  /** The agent, if the name means all its sessions. */
  agent?: Agent
  /** Sessions without a project that mention the name early on. They are not in `sessions`. */
  mentions: Mention[]
}

/** A name is resolved over all sessions. `isLeft`: those that the filters leave. */
type Resolving = Wanted & { isLeft(session: Session): boolean }

type Choice = Pick<Chosen, 'sessions' | 'by' | 'agent'> & { mentions?: Mention[] }

/**
 * Resolves a name to sessions. Without a name: those of the current folder, or of every project. A word in a
 * message is not a name: sessions found by it are `mentions`. An exact match is taken, and the
 * others are reported. If a name is ambiguous, a human is asked. Without a terminal, it fails with the list.
 */
export async function chooseSessions(loaded: Loaded, wanted: Wanted, context: Context): Promise<Chosen> {
  const projects = groupByProject(loaded.all)
  const owners = new Map<string, Project>()
  for (const project of projects)
    if (project.path !== undefined) for (const { path } of project.sessions) owners.set(path, project)
  const filtered = new Map(loaded.sessions.map((session) => [session.path, session]))
  const isLeft = ({ path }: Session): boolean => filtered.has(path)
  const {
    sessions,
    by,
    agent,
    mentions = [],
  } = await choiceOf(loaded, projects, { ...wanted, isLeft }, context)
  const chosen = new Set(sessions.map(({ path }) => path))
  // Of a space, perhaps only a part is loaded, and names depend on all projects.
  const storedOf = context.remote && sessionsByPath(context.fresh?.store)
  return {
    by,
    mentions: mentions.filter(({ session }) => isLeft(session)),
    sessions: loaded.sessions.filter(({ path }) => chosen.has(path)),
    nameOf: ({ path }) => storedOf?.(path)?.project ?? owners.get(path)?.name,
    folderOf: ({ path }) => owners.get(path)?.path,
    ...(agent ? { agent } : {}),
  }
}

/** The same for commands that do not list `mentions`. They are reported in a note. */
export async function chooseNamed(loaded: Loaded, wanted: Wanted, context: Context): Promise<Chosen> {
  const chosen = await chooseSessions(loaded, wanted, context)
  const { mentions } = chosen
  if (mentions.length === 0) return chosen
  if (wanted.mentioned) {
    const mentioning = new Set(mentions.map(({ session }) => session.path))
    const own = new Set(chosen.sessions.map(({ path }) => path))
    const sessions = loaded.sessions.filter(({ path }) => own.has(path) || mentioning.has(path))
    return { ...chosen, sessions }
  }
  const all = context.suggest('sessions', [wanted.name ?? ''])
  if (chosen.sessions.length === 0) {
    const some = mentions
      .slice(0, MENTIONS)
      .map(
        ({ session, words }) =>
          `  ${shownLine(words)}:\n    ${context.suggest('read', [context.suggest.id(session.id)])}`,
      )
    const none = new ScrollbackError(
      'no-project',
      [
        `"${wanted.name}": no such project or agent.${tooShort(loaded.all, wanted.name ?? '')}${fileHere(wanted.name ?? '', context)} ${counted(mentions.length, 'session')} without a project ${mentions.length === 1 ? 'mentions' : 'mention'} it in the first messages:`,
        ...some,
      ].join('\n'),
      `All of them: ${all}`,
    )
    throw among(
      none,
      mentions.map(({ session }) => session.id),
    )
  }
  context.note(
    `Not included: ${counted(mentions.length, 'session')} without a project that only ${mentions.length === 1 ? 'mentions' : 'mention'} "${wanted.name}" in the first messages. See: ${all}`,
  )
  return chosen
}

const MENTIONS = 5

async function choiceOf(
  loaded: Loaded,
  projects: readonly Project[],
  { name, all, orEverything, agent, platform, mentioned, mayBeEmpty, isLeft }: Resolving,
  context: Context,
): Promise<Choice> {
  if (name === undefined) {
    if (all || agent !== undefined) return { by: 'everything', sessions: [...loaded.all] }
    const here = projectAt(projects, context.directory)
    const isOfPlatform = (session: Session): boolean => (platform ?? session.platform) === session.platform
    if (here?.sessions.some(isOfPlatform)) return { by: 'folder', sessions: here.sessions }
    if (!orEverything || loaded.all.length === 0) throw notHere(loaded, projects, context)
    context.note(
      `No session ran in ${homely(context.directory, context.environment.home)}, so this is every project.`,
    )
    return { by: 'everything', sessions: [...loaded.all] }
  }
  const ofOne = ofOwner(loaded.all, name)
  if (ofOne.length > 0) return { by: 'owner', sessions: ofOne }
  if (isPath(name)) return atPath(loaded, projects, name, context)
  // A team store has files of other machines, as `machine:path`.
  const inFile = loaded.all.filter((session) => session.path === name)
  if (inFile.length > 0) return { by: 'id', sessions: inFile }
  const ofKey = loaded.all.filter((session) => session.sessionKey === name)
  if (ofKey.length > 0) return { by: 'id', sessions: ofKey }
  const clean = cleaner(context.redact)
  const [isLatest, base] = LATEST.exec(name) ?? []
  const candidates = matchProjects(projects, name, {
    shown: (text) => shownName(clean(text)),
    slips: isLatest === undefined,
  })
  const exact = namedExactly(candidates)
  if (!exact) {
    if (isLatest !== undefined) {
      const choice: Choice =
        base === undefined
          ? { by: 'everything', sessions: [...loaded.all] }
          : await choiceOf(loaded, projects, { name: base, all: false, agent, isLeft }, context)
      if (choice.sessions.length === 0 && choice.mentions?.length) return choice
      return {
        by: 'latest',
        sessions: latestOf(choice.sessions.filter(isLeft), { name, mayBeEmpty }, context),
      }
    }
    const ofId = sessionsOfId(loaded.all, name)
    const chosen = ofId.filter(isLeft)
    if (ofId.length > 0)
      return { by: 'id', sessions: await pickSession(chosen.length > 0 ? chosen : ofId, name, context) }
  }
  const taken = await decide(candidates, exact, name, all, context)
  const isAgent = exact?.agent !== undefined
  const chosen = new Set(taken)
  const homeless = projects.flatMap(({ by, sessions }) => (mentioned || by === 'none' ? sessions : []))
  const mentions = mentionsOf(
    homeless.filter((session) => !chosen.has(session)),
    name,
    clean,
  )
  if (taken.length === 0 && mentions.length === 0) throw noMatch(loaded, projects, name, context)
  // All sessions of the agent are listed. Others that mention its name are only counted.
  if (isAgent && !mentioned && mentions.length > 0)
    context.note(
      `${counted(mentions.length, 'session')} of other agents ${mentions.length === 1 ? 'says' : 'say'} "${name}" too: ${context.suggest('search', [name])}`,
    )
  return { by: 'name', sessions: taken, mentions: isAgent && !mentioned ? [] : mentions, agent: exact?.agent }
}

/**
 * The sessions of a machine or a person of a team store, as `device:oak` and `person:ann`. Part of a name is
 * enough, unless it is the whole name of another one.
 */
function ofOwner(sessions: readonly Session[], name: string): Session[] {
  const owner = ownerNamed(name)
  if (!owner) return []
  const wanted = owner.name.toLowerCase()
  const ownerOf = (session: Session) => session[owner.dimension]?.toLowerCase()
  const exact = sessions.filter((session) => ownerOf(session) === wanted)
  return exact.length > 0 ? exact : sessions.filter((session) => ownerOf(session)?.includes(wanted))
}

/** Decides which of several matches are taken. */
async function decide(
  candidates: readonly Candidate[],
  exact: Candidate | undefined,
  name: string,
  all: boolean,
  context: Context,
): Promise<Session[]> {
  if (candidates.length === 0) return []
  if (all) return [...new Set(candidates.flatMap(({ sessions }) => sessions))]
  // The agent that lives in the folder also owns the sessions of that folder.
  const others = candidates.filter((each) => each !== exact && !(exact && covers(exact, each)))
  if (exact && others.length === 0) return exact.sessions
  if (!exact && candidates.length === 1) {
    if (candidates[0]!.slip)
      context.note(`"${name}": no exact match, using ${shownName(candidates[0]!.name)}.`)
    return candidates[0]!.sessions
  }
  // The whole name of one is no question.
  if (!exact) return ask(candidates, name, context)
  context.note(notTaken(others, context))
  return exact.sessions
}

/** Whether the text is a path and not a name that contains slashes. */
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
  const inFile = loaded.all.filter((session) => session.path === path)
  if (inFile.length > 0) return { by: 'id', sessions: inFile }
  const project = projectAt(projects, path)
  // A work tree belongs to the project of its repository, and the workspace of an agent to no project.
  const ran = loaded.all.filter(({ cwds }) => cwds.some(([cwd]) => isInFolder(cwd, path)))
  if (ran.length > 0 && (worktreeOf(path) === path || project?.path === undefined))
    return { by: 'folder', sessions: ran }
  // If the folder no longer exists, only its sessions are known. It may never have been a project.
  const isKnown =
    project?.path === path || project?.sessions.some(({ cwds }) => cwds.some(([cwd]) => cwd === path))
  if (project && (isKnown || project.by === 'slug' || isFolder(path)))
    return { by: 'folder', sessions: project.sessions }
  throw new ScrollbackError(
    'no-project',
    isFile(path)
      ? `${name}: a file, but not one of the discovered transcripts.`
      : `${path}: no session ran in this folder.`,
    isFile(path)
      ? `To read a transcript outside the usual folders: ${context.suggest('read', [name])}`
      : `See where sessions ran: ${context.suggest('projects')}`,
  )
}

/**
 * The session that was active last: of a person, if there is one. Subagents do not count, because they
 * belong to other sessions. Sessions without messages count only if there are no others.
 */
function latestOf(
  sessions: readonly Session[],
  { name, mayBeEmpty = false }: Pick<Wanted, 'mayBeEmpty'> & { name: string },
  context: Context,
): Session[] {
  const own = sessions.filter(({ kind }) => kind !== 'subagent')
  const spoken = own.filter((session) => !isEmptySession(session))
  const ofPeople = spoken.filter(({ kind }) => kind === 'human')
  const candidates =
    (mayBeEmpty ? [own, sessions] : [ofPeople, spoken, own, sessions]).find(({ length }) => length > 0) ?? []
  const newest = candidates.reduce<Session | undefined>(
    (best, each) => (!best || lastOf(each) > lastOf(best) ? each : best),
    undefined,
  )
  if (newest) return [newest]
  throw new ScrollbackError(
    'nothing-found',
    `"${name}": no sessions found.`,
    `See which folders were read: ${context.suggest('doctor')}`,
  )
}

const lastOf = ({ lastActivityMs, modifiedMs }: Session): number => lastActivityMs ?? modifiedMs

const OFFERED = 20

/** The requested session, and the command that the way out of an error names. */
interface Single {
  name: string
  agent?: string
}

/** Finds the one session that a name means. Of several files, the live one. */
export async function chooseOne(loaded: Loaded, { name, agent }: Single, context: Context): Promise<Session> {
  const { sessions, by } = await chooseNamed(loaded, { name, all: false, agent }, context)
  const living = sessions.filter(({ state, goneMs }) => state === 'live' && goneMs === undefined)
  const candidates = living.length > 0 ? living : sessions
  if (candidates.length === 0)
    throw new ScrollbackError(
      'nothing-found',
      `"${name}": no session of ${agent ?? 'any agent'}.`,
      `See all of them: ${context.suggest('sessions', [name])}`,
    )
  if (candidates.length === 1) return candidates[0]!
  if (by === 'id') return ofOneAgent(candidates, name, context)
  const newest = candidates.filter(({ kind }) => kind !== 'subagent').slice(0, OFFERED)
  const options = newest.map(({ id, title = '' }) => ({
    label: id,
    hint: title.replace(/\s+/g, ' ').slice(0, 60),
  }))
  const picked = await context.choose?.(`Which session of "${name}"?`, options)
  if (picked !== undefined) return newest[picked]!
  throw among(
    new ScrollbackError(
      'several-sessions',
      `"${name}" has ${candidates.length} sessions. The last ones:\n${options
        .slice(0, 5)
        .map(({ label, hint }) => `  ${label}  ${hint}`)
        .join('\n')}`,
      `Name one of them, or use the last one: ${context.suggest.again({ renamed: { from: name, to: `${name}:latest` } })}`,
    ),
    newest.map(({ id }) => id),
  )
}

/** The first of the sessions with one id. If several agents have it, a human picks one. */
async function ofOneAgent(sessions: readonly Session[], name: string, context: Context): Promise<Session> {
  const each = [...Map.groupBy(sessions, groupName).entries()]
  if (each.length === 1) return sessions[0]!
  const options = each.map(([label, sessions]) => ({
    label,
    hint: shownLine(sessions[0]!.title ?? '').slice(0, 60),
  }))
  const picked = await context.choose?.(`Whose session is "${name}"?`, options)
  if (picked !== undefined) return each[picked]![1][0]!
  throw new ScrollbackError(
    'several-sessions',
    `"${name}": ${each.length} agents have a session with this id:\n${options.map(({ label, hint }) => `  ${label}  ${hint}`).join('\n')}`,
    `Name the transcript: ${context.suggest.again({ renamed: { from: name, to: each[0]![1][0]!.path } })}`,
  )
}

/** How many candidates an error lists. */
const LISTED = 20

/** Asks a human which match they mean, or all. Without a terminal, it fails with the list. */
async function ask(candidates: readonly Candidate[], name: string, context: Context): Promise<Session[]> {
  const home = context.environment.home
  const options = candidates.map((candidate) => ({
    label: labelOf(candidate, home),
    hint: hintOf(candidate, home),
  }))
  const picked = await context.choose?.(`Which one is "${name}"?`, [
    ...options,
    { label: 'All of them', hint: 'the same as --all' },
  ])
  if (picked === candidates.length) return [...new Set(candidates.flatMap(({ sessions }) => sessions))]
  if (picked !== undefined) return candidates[picked]!.sessions
  const list = candidates
    .slice(0, LISTED)
    .map((each, index) => `  ${shellWord(shownName(each.name))}  (${options[index]!.hint})\n`)
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

/** The size and the folder of a match, and where else the words are. */
const hintOf = ({ sessions, project, evidence }: Candidate, home: string): string =>
  [
    `${counted(sessions.length, 'session')}${project?.path === undefined ? '' : ` in ${shownName(homely(project.path, home))}`}`,
    ...evidence.flatMap(({ kind, value }) =>
      kind === 'path' || kind === 'slug' || value === project?.path
        ? []
        : `${kind} ${shownName(homely(value, home))}`,
    ),
  ].join('; ')

const labelOf = ({ name, project }: Candidate, home: string): string =>
  shownName(project?.path === undefined ? name : homely(project.path, home))

/** Reports the other matches of a name. */
function notTaken(others: readonly Candidate[], { suggest }: Dialog): string {
  const names = others
    .slice(0, LISTED)
    .map(({ name, sessions }) => `${shownName(name)} (${counted(sessions.length, 'session')})`)
  const more = others.length > LISTED ? `, and ${others.length - LISTED} more` : ''
  return `Not selected: ${names.join(', ')}${more}.${suggest.takes('all') ? ` Select every match: ${suggest.again({ flags: ['--all'] })}` : ''}`
}

export const evidenceText = (evidence: Candidate['evidence'], home: string): string =>
  evidence.map(({ kind, value, score }) => `${kind} ${shownName(homely(value, home))} [${score}]`).join(', ')

function scannedText(loaded: Loaded, projects: readonly Project[], context: Context): string {
  const roots = [...scannedLines(scannedOf(loaded), context.environment.home)].join('')
  const some = projects.slice(0, 8).map((project) => shownName(project.name))
  const known =
    some.length > 0 ? `Projects found: ${some.join(', ')}${projects.length > some.length ? ', …' : ''}` : ''
  return `Searched ${counted(loaded.sessions.length, 'session')} in:\n${roots}${known}`.trimEnd()
}

const fileHere = (name: string, { directory }: Machine): string =>
  isFile(resolve(directory, name))
    ? ' There is a file with that name here, but it is not a transcript (*.jsonl).'
    : ''

/** The project that the user may have meant. */
function meant(name: string, projects: readonly Project[]): string {
  const near = alike(name, [...new Set(projects.map((project) => project.name))]).slice(0, 3)
  return near.length === 0 ? '' : ` Did you mean ${near.map((each) => shellWord(each)).join(' or ')}?`
}

/** The command with the name as a time, if it may be one. */
const asTime = (name: string, { suggest }: Context): string =>
  /^\d+[mhdw]$/.test(name) && suggest.takes('since')
    ? `As a time: ${suggest.again({ flags: [`--since=${name}`], arguments: [] })}\n`
    : ''

const noMatch = (
  loaded: Loaded,
  projects: readonly Project[],
  name: string,
  context: Context,
): ScrollbackError =>
  new ScrollbackError(
    'no-project',
    `"${name}": no such project, agent or session.${tooShort(loaded.all, name)}${meant(name, projects)}${fileHere(name, context)}${context.fresh?.found.obstacle === 'busy' ? ' Another process is indexing, so it may not be stored yet.' : ''}\n${scannedText(loaded, projects, context)}`,
    `${asTime(name, context)}See all projects with: ${context.suggest('projects')}\nSearch all messages: ${context.suggest('search', [name])}`,
  )

const notHere = (loaded: Loaded, projects: readonly Project[], context: Context): ScrollbackError =>
  loaded.sessions.length === 0
    ? new ScrollbackError(
        'nothing-found',
        `No sessions found.\n${scannedText(loaded, projects, context)}`,
        `They may be elsewhere: ${context.suggest('help', ['sources'])}\nOr look around in invented ones: ${context.suggest.again({ flags: ['--demo'] })}`,
      )
    : new ScrollbackError(
        'no-project',
        `No session ran in ${homely(context.directory, context.environment.home)}.\n${scannedText(loaded, projects, context)}`,
        `Name a project, ${context.suggest.takes('all') ? 'select every one with --all, ' : ''}or try the demo data with --demo.`,
      )

/**
 * Whether a name means a file that is not a transcript of this machine. Only the command line opens those.
 * `name` may end with the number of a line.
 */
export function isForeignFile(name: string, { fresh, directory }: Context): boolean {
  const base = /^(.+):\d{1,9}$/s.exec(name)?.[1] ?? name
  const known = fresh!.store.known()
  if (known.has(base) || known.has(name)) return false
  if (name.includes('\0')) return true
  return [base, name].some((each) => {
    const path = resolve(directory, each)
    return !known.has(path) && isFile(path)
  })
}
