import type { Session } from '../model/session.ts'
import { beginOfRun, type PlacedSpawn, type SubagentRun } from '../model/subagent-run.ts'

/** A subagent that ran: what its agent recorded of it, its own transcript, or both. */
export interface Ran {
  record?: SubagentRun
  session?: Session
}

/** The same with where it was started, as far as that can be told. */
export interface LinkedRun extends Ran {
  parent?: Session
  /** The call in the parent, and its line. Absent where only the time tells that it belongs there. */
  callId?: string
  line?: number
  /** It began before its parent did, or after that said its last. */
  outside?: boolean
}

/** Clocks of one machine differ by no more, in ms. */
const SLACK_MS = 60_000
/** So much of what a subagent was told tells it from others. */
const TASK_LENGTH = 200

/**
 * Subagents in `sessions`, joined with the records of agents. The client's own forks of a conversation are none, nor are those it
 * starts to be warm, which are told nothing. Those that write into their parent's transcript need no link.
 */
export function subagentsIn(sessions: readonly Session[], records: readonly SubagentRun[]): Ran[] {
  const runs: Ran[] = sessions
    .filter((session) => session.kind === 'subagent' && session.fork === undefined && wasAsked(session))
    .map((session) => ({ session }))
  const byKey = new Map(runs.map((run) => [run.session!.sessionKey ?? '', run]))
  for (const record of records) {
    const known =
      (record.childKey === undefined ? undefined : byKey.get(record.childKey)) ??
      runs.find((run) => !run.record && isOf(record, run.session!))
    if (known && (known.record === undefined || known.record.id === record.id)) known.record = record
    else runs.push({ record, session: known?.session })
  }
  return runs
}

const wasAsked = ({ firstProgram, toolCalls, parentCallId }: Session): boolean =>
  firstProgram !== undefined || toolCalls > 0 || parentCallId !== undefined

/** A transcript without a key, for its index forgot it, is told by when it began and by its task. */
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
 * Finds for each run the place it was started at: by the call that is named beside its transcript, by the id that the result of
 * a call tells, by the words it was told. Where none of these is found, a session that is said to be its parent is, if it
 * ran at that time. `spawnsOf` reads a transcript; each is asked for once.
 */
export function linkRuns(
  runs: readonly Ran[],
  sessions: readonly Session[],
  spawnsOf: (session: Session) => readonly PlacedSpawn[],
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
  const families = Map.groupBy(sessions, ({ platform, root }) => `${platform} ${root}`)
  return runs.map((run) => {
    const { platform, root } = (run.session ?? run.record)!
    const family = families.get(`${platform} ${root}`) ?? []
    const candidates = parentsOf(run, family)
    for (const parent of candidates.all) {
      const call = callFor(run, callsOf(parent))
      if (call) return { ...run, parent, ...call, ...outsideOf(run, parent) }
    }
    const { named } = candidates
    return { ...run, parent: named, ...(named && outsideOf(run, named)) }
  })
}

interface Calls {
  byId: Map<string, PlacedSpawn>
  byChild: Map<string, PlacedSpawn>
  /** That tell what the subagent is to do; each is one subagent. */
  tasks: PlacedSpawn[]
}

function indexCalls(spawns: readonly PlacedSpawn[]): Calls {
  const calls: Calls = { byId: new Map(), byChild: new Map(), tasks: [] }
  for (const spawn of spawns) {
    const { callId, child, prompt } = spawn
    // The call stands before its result, and that before what resumes the same subagent.
    if (callId !== undefined && !calls.byId.has(callId)) calls.byId.set(callId, spawn)
    if (child !== undefined && !calls.byChild.has(child)) calls.byChild.set(child, spawn)
    if (prompt !== undefined) calls.tasks.push(spawn)
  }
  return calls
}

function callFor({ session, record }: Ran, calls: Calls): { callId?: string; line: number } | undefined {
  const named = session?.parentCallId === undefined ? undefined : calls.byId.get(session.parentCallId)
  if (named) return placeOf(named, calls)
  for (const id of [session?.id.replace(/^agent-/, ''), session?.sessionKey, record?.childKey]) {
    const told = id === undefined ? undefined : calls.byChild.get(id)
    if (told) return placeOf(told, calls)
  }
  const task = calls.tasks.findIndex(({ prompt }) => session !== undefined && says(session, prompt))
  if (task < 0) return undefined
  const [found] = calls.tasks.splice(task, 1)
  return placeOf(found!, calls)
}

/** The line of the call itself, where what tells of it is another one. */
function placeOf({ callId, line }: PlacedSpawn, { byId }: Calls): { callId?: string; line: number } {
  const call = callId === undefined ? undefined : byId.get(callId)
  return { callId, line: call?.line ?? line }
}

const outsideOf = ({ session, record }: Ran, parent: Session): Pick<LinkedRun, 'outside'> =>
  ranAt(parent, session?.startedMs ?? (record && beginOfRun(record))) ? {} : { outside: true }

/** Sessions that may have started it: `named` is the one that is said to; it is tried first. */
function parentsOf(
  { session, record }: Ran,
  family: readonly Session[],
): { named?: Session; all: Session[] } {
  const begin = session?.startedMs ?? (record && beginOfRun(record))
  const others = family.filter((each) => each !== session && ranAt(each, begin))
  const parentId = record?.parentSessionId ?? session?.parentSessionId
  const named =
    others.find(({ id }) => id === parentId) ??
    others.find(({ sessionKey }) => sessionKey !== undefined && sessionKey === record?.parentKey) ??
    // Its time may be wrong, its name is not.
    family.find((each) => each !== session && each.id === parentId)
  const claimed = new Set<Session>(named ? [named] : [])
  // A subagent of a subagent lies in the same folder; a session that was reset has lost its key.
  for (const each of others)
    if (each.parentSessionId === parentId || session?.platform !== 'claude-code') claimed.add(each)
  return { named, all: [...claimed] }
}

const ranAt = ({ startedMs, lastActivityMs, modifiedMs }: Session, at: number | undefined): boolean =>
  at === undefined || ((startedMs ?? 0) - SLACK_MS <= at && at <= (lastActivityMs ?? modifiedMs) + SLACK_MS)
