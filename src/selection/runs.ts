import * as z from 'zod/mini'
import type { ReadingContext } from '../context/context.ts'
import { faultOf } from '../context/read-files.ts'
import { isoTime } from '../context/time.ts'
import type { Artifact, Notice } from '../model/artifact.ts'
import { conversationOf, originalsFirst } from '../model/conversation.ts'
import type { Session } from '../model/session.ts'
import { beginOfRun, durationOfRun, type LocatedSpawn, type SubagentRun } from '../model/subagent-run.ts'
import { identityOf } from '../platforms/identities.ts'
import { platforms } from '../platforms/index.ts'
import type { Messages, Store } from '../store/store.ts'
import { readSpawns } from '../sync/read/read-spawns.ts'
import { type Loaded, loadSessions } from './load-sessions.ts'

/** All sessions and subagent runs of the machine, with the artifacts to read them from. */
export interface LoadedRuns extends Loaded {
  runs: Ran[]
  /** Includes files that are gone, if the store knows them. */
  artifactOf(session: Session): Artifact | undefined
  link(runs: readonly Ran[]): LinkedRun[]
}

/**
 * In a team store, runs are the sessions of subagents: the records of clients and the calls are in files
 * elsewhere.
 */
export function loadRuns(context: ReadingContext): LoadedRuns {
  const loaded = loadSessions({}, context)
  const books = loaded.roots
    .filter((root) => root.found && !context.remote)
    .flatMap((root) => platforms.find(({ id }) => id === root.platform)?.subagents?.runs?.(root) ?? [])
  const notices: Notice[] = books.flatMap((book) => book.notices)
  for (const { path, message } of notices) context.note(`${path}: ${message}`, 'partly')
  const artifacts = new Map(loaded.artifacts.map((artifact) => [artifact.path, artifact]))
  let known: ReturnType<Store['known']> | undefined
  const artifactOf = ({ path }: Session): Artifact | undefined => {
    const artifact = artifacts.get(path)
    if (artifact) return artifact
    known ??= context.fresh?.store.known()
    return known?.get(path)?.artifact
  }
  const spawnsOf = (session: Session): LocatedSpawn[] => {
    const artifact = artifacts.get(session.path)
    // Only the file names the calls that started subagents, and it is gone or elsewhere.
    if (!artifact || context.remote) return []
    try {
      return readSpawns(artifact)
    } catch (error) {
      context.note(`${session.path} ${faultOf(error)}`, 'partly')
      return []
    }
  }
  return {
    ...loaded,
    notices: [...loaded.notices, ...notices],
    runs: subagentsIn(
      loaded.sessions,
      books.flatMap((book) => book.runs),
    ),
    artifactOf,
    link: (runs) => linkRuns(runs, loaded.sessions, spawnsOf),
  }
}

/** A subagent run: the record of its agent, its own transcript, or both. */
export interface Ran {
  record?: SubagentRun
  session?: Session
}

/** A run with its start in the parent, if known. */
export interface LinkedRun extends Ran {
  parent?: Session
  /** The call in the parent, and its line. Absent if only the time links them. */
  callId?: string
  line?: number
  /** How it ended, as the parent was told. */
  status?: string
  /** It began before its parent, or after the parent's last message. */
  outside?: boolean
}

/** The runs without those of forks, which have copies of the subagents of their originals. */
export function withoutForked(runs: readonly LinkedRun[]): LinkedRun[] {
  const originals = new Map<string, LinkedRun>()
  const keyOf = ({ session }: LinkedRun): string | undefined => session && conversationOf(session)
  for (const run of runs) {
    const key = keyOf(run)
    const other = key === undefined ? undefined : originals.get(key)
    if (key !== undefined && (!other || isBefore(run, other))) originals.set(key, run)
  }
  return runs.filter((run) => {
    const key = keyOf(run)
    return key === undefined || originals.get(key) === run
  })
}

const isBefore = ({ parent: one }: LinkedRun, { parent: other }: LinkedRun): boolean =>
  one !== undefined && other !== undefined && originalsFirst([other, one])[0] === one

/** Clocks on one machine differ by no more than this, in ms. */
const SLACK_MS = 60_000
/** How many characters of a task identify a subagent. */
const TASK_LENGTH = 200

/**
 * The subagents in `sessions`, joined with the records of agents. Forks that the client makes of a
 * conversation do not count, nor do subagents that it starts in advance without a task. Subagents that write
 * into their parent's transcript need no link.
 */
function subagentsIn(sessions: readonly Session[], records: readonly SubagentRun[]): Ran[] {
  const runs: Ran[] = sessions
    .filter((session) => session.kind === 'subagent' && session.fork === undefined && wasAsked(session))
    .map((session) => ({ session }))
  const byKey = new Map(runs.map((run) => [run.session!.sessionKey ?? run.session!.id, run]))
  const byMinute = Map.groupBy(
    runs.filter(({ session }) => session!.sessionKey === undefined),
    ({ session }) => minuteOf(session!.startedMs),
  )
  const near = (record: SubagentRun): Ran[] => {
    const minute = minuteOf(beginOfRun(record) ?? 0)
    return [minute - 1, minute, minute + 1].flatMap((each) => byMinute.get(each) ?? [])
  }
  for (const record of records) {
    const known =
      (record.childKey === undefined ? undefined : byKey.get(record.childKey)) ??
      near(record).find((run) => !run.record && isOf(record, run.session!))
    if (known && (known.record === undefined || known.record.id === record.id)) known.record = record
    else runs.push({ record, session: known?.session })
  }
  return runs
}

const wasAsked = ({ firstProgram, toolCalls, parentCallId }: Session): boolean =>
  firstProgram !== undefined || toolCalls > 0 || parentCallId !== undefined

const minuteOf = (ms = Number.POSITIVE_INFINITY): number => Math.floor(ms / SLACK_MS)

/** A transcript without a key is identified by its start and its task. */
const isOf = ({ root, task, ...record }: SubagentRun, session: Session): boolean =>
  session.root === root &&
  session.sessionKey === undefined &&
  Math.abs((beginOfRun({ root, task, ...record }) ?? 0) - (session.startedMs ?? Number.POSITIVE_INFINITY)) <=
    SLACK_MS &&
  says(session, task)

const plainWords = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, TASK_LENGTH)

const says = ({ firstProgram }: Session, task: string | undefined): boolean =>
  firstProgram !== undefined &&
  plainWords(task ?? '') !== '' &&
  firstProgram.replace(/\s+/g, ' ').includes(plainWords(task!))

/**
 * Finds where each run was started: by the call that its transcript names, by the id in the result of a call,
 * or by its task. Otherwise the parent is the session that is recorded as such, if it was active at that
 * time. `spawnsOf` reads a transcript and is called once for each.
 */
function linkRuns(
  runs: readonly Ran[],
  sessions: readonly Session[],
  spawnsOf: (session: Session) => readonly LocatedSpawn[],
): LinkedRun[] {
  const read = new Map<Session, Calls>()
  const callsOf = (session: Session): Calls => {
    let calls = read.get(session)
    if (!calls) {
      calls = indexCalls(session.toolCalls === 0 ? [] : spawnsOf(session))
      read.set(session, calls)
    }
    return calls
  }
  const families = new Map<string, Relatives>()
  for (const [key, family] of Map.groupBy(sessions, familyKey))
    families.set(key, relativesIn(family, callsOf))
  return runs.map((run) => {
    const relatives = families.get(familyKey((run.session ?? run.record)!))
    const named = relatives?.named(run)
    for (const parent of named ? [named] : []) {
      const call = callFor(run, callsOf(parent))
      if (call) return { ...run, parent, ...call, ...outsideOf(run, parent) }
    }
    for (const parent of relatives?.others(run) ?? []) {
      const call = parent === named ? undefined : callFor(run, callsOf(parent))
      if (call) return { ...run, parent, ...call, ...outsideOf(run, parent) }
    }
    return { ...run, parent: named, ...(named && outsideOf(run, named)) }
  })
}

const familyKey = ({ platform, root }: Pick<Session, 'platform' | 'root'>): string => `${platform} ${root}`

interface Calls {
  byId: Map<string, LocatedSpawn>
  byChild: Map<string, LocatedSpawn>
  /** How the subagents of calls ended, the last time, by the id of the call or of the subagent. */
  ends: Map<string, string>
  /** Calls with a task, and the same by the words of the task. Each one starts one subagent. */
  tasks: Set<LocatedSpawn>
  byTask: Map<string, LocatedSpawn[]>
}

function indexCalls(spawns: readonly LocatedSpawn[]): Calls {
  const calls: Calls = {
    byId: new Map(),
    byChild: new Map(),
    ends: new Map(),
    tasks: new Set(),
    byTask: new Map(),
  }
  for (const spawn of spawns) {
    const { callId, child, prompt, status } = spawn
    if (status !== undefined) {
      calls.ends.set(callId ?? child ?? '', status)
      continue
    }
    // The call precedes its result, and the result precedes calls that resume the same subagent.
    if (callId !== undefined && !calls.byId.has(callId)) calls.byId.set(callId, spawn)
    if (child !== undefined && !calls.byChild.has(child)) calls.byChild.set(child, spawn)
    if (prompt === undefined) continue
    calls.tasks.add(spawn)
    addTo(calls.byTask, plainWords(prompt), spawn)
  }
  return calls
}

function addTo<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** The call that started a run. */
type StartingCall = { line: number } & Pick<LinkedRun, 'callId' | 'status'>

/** What a run may be called in its parent. */
const namesOf = ({ session, record }: Ran): string[] =>
  [session?.id.replace(/^agent-/, ''), session?.sessionKey, record?.childKey].filter(
    (name) => name !== undefined,
  )

function callFor(run: Ran, calls: Calls): StartingCall | undefined {
  const { session } = run
  const named = session?.parentCallId === undefined ? undefined : calls.byId.get(session.parentCallId)
  if (named) return callAt(named, calls)
  for (const name of namesOf(run)) {
    const spawn = calls.byChild.get(name)
    if (spawn) return callAt(spawn, calls)
  }
  const found = session && taskOf(session, calls)
  if (!found) return undefined
  calls.tasks.delete(found)
  return callAt(found, calls)
}

/** With more tasks than this, only the beginning of a prompt is compared with them. */
const MANY_TASKS = 500

/** The call whose task is the prompt of a session, or a part of it. */
function taskOf(session: Session, { tasks, byTask }: Calls): LocatedSpawn | undefined {
  if (session.firstProgram === undefined || tasks.size === 0) return undefined
  const same = byTask.get(plainWords(session.firstProgram))?.find((spawn) => tasks.has(spawn))
  if (same || tasks.size > MANY_TASKS) return same
  return tasks.values().find(({ prompt }) => says(session, prompt))
}

/** The sessions below one root, by what subagents know of their parent. */
interface Relatives {
  /** The session that is recorded as the parent. */
  named(run: Ran): Session | undefined
  /** Other sessions that may have started it: those that name it first. */
  others(run: Ran): Iterable<Session>
}

function relativesIn(family: readonly Session[], callsOf: (session: Session) => Calls): Relatives {
  const byId = Map.groupBy(family, ({ id }) => id)
  const byKey = Map.groupBy(family, ({ sessionKey = '' }) => sessionKey)
  const byParent = Map.groupBy(family, ({ parentSessionId = '' }) => parentSessionId)
  const naming = new Map<readonly Session[], Map<string, Session[]>>()

  /** The sessions of a group by the ids of calls and subagents that they name. */
  function namingIn(group: readonly Session[]): Map<string, Session[]> {
    let found = naming.get(group)
    if (!found) {
      found = new Map()
      for (const session of group) {
        const { byId: calls, byChild } = callsOf(session)
        for (const name of [...calls.keys(), ...byChild.keys()]) addTo(found, name, session)
      }
      naming.set(group, found)
    }
    return found
  }

  return {
    named(run) {
      const { session, record } = run
      const begin = beginOf(run)
      const parentId = record?.parentSessionId ?? session?.parentSessionId ?? ''
      const isOther = (each: Session): boolean => each !== session
      const isThere = (each: Session): boolean => isOther(each) && ranAt(each, begin)
      return (
        byId.get(parentId)?.find(isThere) ??
        (record?.parentKey === undefined ? undefined : byKey.get(record.parentKey)?.find(isThere)) ??
        // Its time may be wrong, but its id is reliable.
        byId.get(parentId)?.find(isOther)
      )
    },
    *others(run) {
      const { session, record } = run
      const begin = beginOf(run)
      const parentId = record?.parentSessionId ?? session?.parentSessionId ?? ''
      // A subagent of a subagent is in the same folder. A reset session has lost its key.
      const anywhere = (session && identityOf(session.platform).manyAgents) !== false
      const group = anywhere ? family : (byParent.get(parentId) ?? [])
      const names = [...(session?.parentCallId === undefined ? [] : [session.parentCallId]), ...namesOf(run)]
      const known = namingIn(group)
      const isThere = (each: Session): boolean => each !== session && ranAt(each, begin)
      for (const name of names) for (const each of known.get(name) ?? []) if (isThere(each)) yield each
      if (group.length > MANY_TASKS) return
      for (const each of group) if (isThere(each)) yield each
    },
  }
}

const beginOf = ({ session, record }: Ran): number | undefined =>
  session?.startedMs ?? (record && beginOfRun(record))

/** The line of the call itself, if another line describes it. */
function callAt({ callId = '', child, line }: LocatedSpawn, { byId, ends }: Calls): StartingCall {
  const status = ends.get(callId) ?? ends.get(child ?? '')
  return {
    ...(callId && { callId }),
    line: byId.get(callId)?.line ?? line,
    ...(status !== undefined && { status }),
  }
}

const outsideOf = ({ session, record }: Ran, parent: Session): Pick<LinkedRun, 'outside'> =>
  ranAt(parent, session?.startedMs ?? (record && beginOfRun(record))) ? {} : { outside: true }

const ranAt = ({ startedMs, lastActivityMs, modifiedMs }: Session, at: number | undefined): boolean =>
  at === undefined || ((startedMs ?? 0) - SLACK_MS <= at && at <= (lastActivityMs ?? modifiedMs) + SLACK_MS)

const text = () => z.nullable(z.string())

/** One subagent run as JSON. */
export const runShape = () =>
  z.object({
    id: z.string(),
    platform: z.string(),
    agent: z.string(),
    task: text(),
    label: text(),
    type: text(),
    model: text(),
    status: text(),
    error: text(),
    result: text(),
    startedAt: text(),
    endedAt: text(),
    durationMs: z.nullable(z.number()),
    toolCalls: z.nullable(z.number()),
    parent: z.nullable(z.object({ session: z.string(), path: z.string(), line: z.nullable(z.number()) })),
    outsideParent: z.optional(z.boolean()),
    child: z.nullable(z.object({ session: z.string(), path: z.string() })),
    path: z.string(),
  })

export type RunJson = z.output<ReturnType<typeof runShape>>

/** How a run ended: by its record, by a file beside its transcript, or as its parent was told. */
export const statusOf = ({ record, session, status }: LinkedRun): string | undefined =>
  record?.status ?? session?.subagent?.status ?? status

/** How many items are read at once from the end of a transcript. */
const AT_ONCE = 20

/** The last words of the agent in a transcript, which are what a subagent reports. */
function lastWords({ path }: Session, store: Pick<Messages, 'itemsAt'>): string | undefined {
  const { total } = store.itemsAt(path, 0, 0)
  for (let end = total; end > 0; end -= AT_ONCE) {
    const begin = Math.max(0, end - AT_ONCE)
    const { items } = store.itemsAt(path, begin, end - begin)
    const last = items.findLast(({ who, text }) => who === 'agent' && text !== undefined)
    if (last) return last.text
  }
  return undefined
}

/**
 * `clean` redacts what records contain. What is from the store, such as the result that no record has, is
 * already redacted.
 */
export function runJson(
  { record, session, parent, line, outside, status }: LinkedRun,
  clean: (text: string) => string,
  store?: Pick<Messages, 'itemsAt'>,
): RunJson {
  const words = (value: string | undefined): string | null => (value ? clean(value) : null)
  const timed = record && beginOfRun(record) !== undefined ? record : undefined
  const startedMs = timed ? beginOfRun(timed) : session?.startedMs
  const endedMs = timed ? timed.endedMs : session?.lastActivityMs
  return {
    id: record?.id ?? session!.id,
    platform: (record ?? session)!.platform,
    agent: (record ?? session)!.agent,
    task: words(record?.task) ?? session?.firstProgram ?? null,
    label: words(record?.label) ?? session?.subagent?.description ?? null,
    type: session?.subagent?.type ?? null,
    model: words(record?.model) ?? session?.model ?? null,
    status: words(statusOf({ record, session, status })),
    error: words(record?.error),
    result: words(record?.result) ?? (session && store && lastWords(session, store)) ?? null,
    startedAt: isoTime(startedMs),
    endedAt: isoTime(endedMs),
    durationMs: (timed ? durationOfRun(timed) : spanOf(startedMs, endedMs)) ?? null,
    toolCalls: session?.toolCalls ?? record?.toolCalls ?? null,
    parent: parent ? { session: parent.id, path: parent.path, line: line ?? null } : null,
    ...(outside ? { outsideParent: true } : {}),
    child: session ? { session: session.id, path: session.path } : null,
    path: record?.path ?? session!.path,
  }
}

const spanOf = (from: number | undefined, to: number | undefined): number | undefined =>
  from === undefined || to === undefined ? undefined : Math.max(0, to - from)
