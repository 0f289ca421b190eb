import { existsSync } from 'node:fs'
import type { Context, FreshStore } from '../context/context.ts'
import { dirFlags } from '../context/dir-flags.ts'
import { type GlobalFlags, machineWords } from '../context/flags.ts'
import { among, ScrollbackError } from '../errors.ts'
import type { Session } from '../model/session.ts'
import { agentsOf, groupByProject } from '../project/group.ts'
import { printable, type Suggest } from '../render/terminal.ts'
import type { Known } from '../store/increment.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import type { StorePart } from '../store/team.ts'

/** The shortest accepted prefix of an id. A shorter text only matches a whole id. */
const SHORTEST = 3

/** Ids that are longer than this do not widen the column of ids, so that titles have room. */
export const LONGEST_ID = 16

/** `ses_df00248d2ffe`, `session_640ab4c7` or `1795829202727`: the rest is random. */
const BEGINNING = /^(?:[a-z]{2,5}_[0-9a-f]{12}|session_[0-9a-f]{8}(?=-)|\d{13}(?=_\w{4,6}$))/

type WithId = Pick<Session, 'id'>

/**
 * The short form of an id that `read` accepts: a prefix of a random id, the time in an id that begins with
 * one (perhaps after a word), and any other id in full, because the ids of subagents all begin alike.
 */
export function shortId(id: string): string {
  const own = id.replace(/^agent-(?!\d+\.)/, '')
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(own)) return own.slice(0, 13)
  const begun = BEGINNING.exec(own)?.[0]
  if (begun !== undefined) return begun
  return /^[0-9a-f]{8}(?!\d{5}_)/.test(own) ? own.slice(0, 8) : own
}

/** What precedes the part of an id that differs: a word, or what the ids of subagents begin with. */
const SAME = /^(?:agent-|[a-z]{2,7}_)/
const LEAST = 8

/**
 * The shortest beginning of an id that no other shares, with `LEAST` characters of what differs or more, or
 * with as many characters as `shortId` takes.
 */
export function shortestIds(ids: readonly string[], least?: 'usual'): (id: string) => string {
  const own = (id: string): string => id.replace(/^agent-/, '')
  const sorted = [...new Set(ids.map(own))].sort()
  const short = new Map<string, string>()
  const shared = (one: string, other = ''): number => {
    let length = 0
    while (length < one.length && one[length] === other[length]) length++
    return length
  }
  for (const [at, id] of sorted.entries()) {
    const differs = Math.max(shared(id, sorted[at - 1]), shared(id, sorted[at + 1])) + 1
    const length = Math.max(differs, least ? shortId(id).length : (SAME.exec(id)?.[0].length ?? 0) + LEAST)
    // A hyphen at the end tells nothing.
    short.set(id, /^[\w.-]+$/.test(id) ? id.slice(0, length).replace(/-$/, '') : id)
  }
  return (id) => short.get(own(id)) ?? own(id)
}

/**
 * `shortId`, or as much more of the id as sets it apart from those of all other sessions in the store. To
 * look one up takes 20 µs, and a story cites the same session thousands of times.
 */
export function shortIds(freshStore: () => FreshStore | undefined): (id: string) => string {
  let of: FreshStore | undefined
  let names = new Map<string, string>()
  return (id) => {
    const fresh = freshStore()
    if (fresh !== of) names = new Map()
    of = fresh
    const name = names.get(id) ?? nameAmong(id, fresh)
    names.set(id, name)
    return name
  }
}

function nameAmong(id: string, fresh: FreshStore | undefined): string {
  const ids = new Set(fresh && idsBegunBy(shortId(id), fresh))
  ids.delete(id)
  if (ids.size === 0) return shortId(id)
  const name = shortestIds([id, ...ids], 'usual')(id)
  return ids.has(name) ? id : name
}

/** The same suggestions, which name the sessions of a store. */
export const naming = (suggest: Suggest, freshStore: () => FreshStore | undefined): Suggest =>
  Object.assign(suggest.bind(undefined), suggest, { id: shortIds(freshStore) })

/** A team store is asked once for all ids: each question takes a way over the network. */
const idsOfTeam = new WeakMap<FreshStore, readonly string[]>()

function idsBegunBy(name: string, fresh: FreshStore): readonly string[] {
  const { store, reload } = fresh
  if (!reload) {
    const paths = [...store.pathsOf(name), ...store.pathsOf(`agent-${name}`)]
    return paths.length < 2
      ? []
      : paths.flatMap((path) => store.knownFile({ path })?.artifact.sessionId ?? [])
  }
  let ids = idsOfTeam.get(fresh)
  if (!ids) {
    ids = Array.from(store.known().values(), ({ artifact }) => artifact.sessionId)
    idsOfTeam.set(fresh, ids)
  }
  return ids.filter((id) => isNamed(id, name))
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether an id begins with a name, or a name that is a uuid begins with the id: a client resumes by it. */
export const isNamed = (id: string, name: string): boolean =>
  id.startsWith(name) || id.startsWith(`agent-${name}`) || (UUID.test(name) && id === name.slice(0, 8))

/** The sessions with this id, or with an id that begins with it. */
export function sessionsOfId<Kind extends WithId>(sessions: readonly Kind[], name: string): Kind[] {
  const exact = sessions.filter(({ id }) => id === name)
  return exact.length > 0 || name.length < SHORTEST ? exact : sessions.filter(({ id }) => isNamed(id, name))
}

/** Says that ids begin with a name that is too short to be the beginning of one. Otherwise nothing. */
export function tooShort(sessions: readonly WithId[], name: string): string {
  if (name.length >= SHORTEST) return ''
  const begun = new Set(
    sessions.map(({ id }) => id.replace(/^agent-/, '')).filter((id) => id.startsWith(name)),
  )
  const [first] = begun
  if (first === undefined) return ''
  const short = shortestIds(
    sessions.map(({ id }) => id),
    'usual',
  )
  const many = begun.size === 1 ? 'The id of one session begins' : `The ids of ${begun.size} sessions begin`
  return ` ${many} with it, and the beginning of an id takes ${SHORTEST} characters or more, such as ${short(first)}.`
}

/**
 * Finds the session with an id. If there are several, a human picks one. Without a terminal, it fails with
 * the list.
 */
export async function pickSession<Kind extends WithId & { title?: string; path: string }>(
  sessions: readonly Kind[],
  name: string,
  context: Context,
): Promise<Kind[]> {
  const ids = [...new Set(sessions.map(({ id }) => id))]
  if (ids.length === 1) return [...sessions]
  const options = ids.map((id) => {
    const one = sessions.find((each) => each.id === id)!
    return { label: id, hint: one.title?.replace(/\s+/g, ' ').slice(0, 60) ?? one.path }
  })
  const picked = await context.choose?.(`Which session is "${name}"?`, options)
  if (picked !== undefined) return sessions.filter(({ id }) => id === ids[picked])
  throw among(
    new ScrollbackError(
      'several-sessions',
      `"${name}" is ambiguous: ${ids.length} session ids begin with it:\n${options.map(({ label, hint }) => `  ${label}  ${hint}`).join('\n')}`,
      'Use a longer part of the id.',
    ),
    ids,
  )
}

/** Shortens citations of transcripts to what `read` accepts: `640ab4c7:12`. */
export interface ShortNames {
  /** A unique name of a transcript: a prefix of its session id, or its path if ids are ambiguous. */
  nameOf(path: string): string
  /** The path of the transcript with this name. */
  pathOf(name: string): string | undefined
}

const made = new WeakMap<object, ShortNames>()

/** Computed once for each state of the store. */
export function shortNames(known: ReadonlyMap<string, Known>): ShortNames {
  let names = made.get(known)
  if (!names) {
    names = create(known)
    made.set(known, names)
  }
  return names
}

/**
 * The flags that a command line needs to read the same folders. Of a line about one session, those of its
 * platform are enough, unless it ran through another platform's client.
 */
export function machineWordsFor(
  flags: GlobalFlags,
  freshStore: () => FreshStore | undefined,
): (words: readonly string[]) => string[] {
  const all = machineWords(flags)
  const given = dirFlags.filter(({ field }) => (flags as Record<string, unknown>)[field] !== undefined)
  const here = machineWords({ ...flags, demo: undefined, from: undefined, store: undefined } as GlobalFlags)
  return ([command, session = '']) => {
    if (command === ONLY_HERE) return here
    const name = session.replace(/:\d+$/, '')
    const found = given.length > 1 && isWholeId(name) ? freshStore()?.found.artifacts : undefined
    const own = sessionsOfId(found?.map((each) => ({ ...each, id: each.sessionId })) ?? [], name)
    const [platform, ...more] = new Set(own.map((artifact) => artifact.platform))
    if (platform === undefined || more.length > 0 || own.some(({ entry }) => entry?.runtimeSessions))
      return all
    const others = given.filter((each) => each.platform !== platform)
    return machineWords({ ...flags, ...Object.fromEntries(others.map(({ field }) => [field, undefined])) })
  }
}

/** The command that is about this machine only, whatever was asked about another one. */
const ONLY_HERE = 'keep'

/** Marks a name that several transcripts share. */
const SEVERAL = ''

function create(known: ReadonlyMap<string, Known>): ShortNames {
  const paths = new Map<string, string>()
  const claim = (name: string, path: string): void => {
    const other = paths.get(name)
    paths.set(name, other === undefined || other === path ? path : SEVERAL)
  }
  for (const [path, { artifact }] of known) {
    if (artifact.kind !== 'transcript') continue
    claim(artifact.sessionId, path)
    claim(shortId(artifact.sessionId), path)
  }
  return {
    nameOf(path) {
      const id = known.get(path)?.artifact.sessionId ?? ''
      return [shortId(id), id].find((name) => name !== '' && paths.get(name) === path) ?? path
    },
    pathOf: (name) => paths.get(name) || undefined,
  }
}

/** `latest`, or the latest session of what is named before it: `garden:latest`. */
export const LATEST = /^(?:(.+):)?(?:latest|last)$/is

/** A machine or a person, whose sessions a team store has among others. */
interface Owner {
  dimension: 'device' | 'person'
  /** Its name, or a part of one, as somebody wrote it. */
  name: string
}

/** The machine or person that is meant by `device:oak` or `person:ann`. Undefined for any other name. */
export function ownerNamed(text: string): Owner | undefined {
  const [, dimension, name] = /^(device|person):(.+)$/is.exec(text) ?? []
  return name === undefined ? undefined : { dimension: dimension!.toLowerCase() as Owner['dimension'], name }
}

const DAY = 86_400_000

/** Whether a name is long enough to be the beginning of an id and not the name of a project. */
export const isWholeId = (name: string): boolean => /^(?:agent-)?[0-9a-f]{8}[0-9a-f-]*$/.test(name)

/**
 * The sessions that are enough for a list: those of a machine or a person, or since some time. A day more,
 * because copies of a session, and what it ran through, belong to it. Undefined if all are needed.
 */
export function partOfList({
  name = '',
  sinceMs,
}: {
  name?: string | undefined
  sinceMs: number
}): StorePart | undefined {
  const owner = ownerNamed(LATEST.exec(name)?.[1] ?? name)
  const part = {
    ...(owner && { [owner.dimension]: owner.name }),
    ...(Number.isFinite(sinceMs) ? { sinceMs: sinceMs - DAY } : {}),
  }
  return Object.keys(part).length === 0 ? undefined : part
}

/**
 * The sessions that are enough to read what is named: sessions by their ids, with a line or without, or those
 * of a machine or a person. Undefined if all are needed.
 */
export function partOfNames(names: readonly string[]): StorePart | undefined {
  const ids = names.map((name) => name.replace(/:\d{1,9}$/, ''))
  if (ids.length > 0 && ids.every(isWholeId)) return { ids }
  return names.length === 1 ? partOfList({ name: names[0], sinceMs: Number.NEGATIVE_INFINITY }) : undefined
}

/** How many sessions are offered, newest first. */
const OFFERED = 100

/**
 * Lists what a shell offers as the name of a project, agent or session, one per line. Reads the store without
 * updating it, because a person is waiting. Yields nothing if there is no readable store.
 */
export async function completionNames(what: 'names' | 'agents', storePath: string): Promise<string> {
  if (!existsSync(storePath)) return ''
  try {
    const { store } = openSqliteStore(storePath, Date.now())
    try {
      const sessions = store
        .sessions()
        .map(({ session }) => session)
        .sort((a, b) => (b.lastActivityMs ?? b.modifiedMs) - (a.lastActivityMs ?? a.modifiedMs))
      const agents = agentsOf(sessions).map(({ id }) => id)
      const short = shortestIds(
        sessions.map(({ id }) => id),
        'usual',
      )
      const names =
        what === 'agents'
          ? agents
          : [
              ...groupByProject(sessions).map(({ name }) => name),
              ...agents,
              'latest',
              ...sessions.slice(0, OFFERED).map(({ id }) => short(id)),
            ]
      return [...new Set(names)].map((name) => `${printable(name).replace(/\s+/g, ' ')}\n`).join('')
    } finally {
      store.close()
    }
  } catch {
    return ''
  }
}
