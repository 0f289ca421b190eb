import type { Session } from '../../model/session.ts'
import { beginOfRun, type LocatedSpawn, type SubagentRun } from '../../model/subagent-run.ts'
import { identityOf } from '../../platforms/identities.ts'

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
  /** It began before its parent, or after the parent's last message. */
  outside?: boolean
}

/** Clocks on one machine differ by no more than this, in ms. */
const SLACK_MS = 60_000
/** How many characters of a task identify a subagent. */
const TASK_LENGTH = 200

/**
 * The subagents in `sessions`, joined with the records of agents. Forks that the client makes of a
 * conversation do not count, nor do subagents that it starts in advance without a task. Subagents that write
 * into their parent's transcript need no link.
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
export function linkRuns(
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
  byId: Map<string, LocatedSpawn>
  byChild: Map<string, LocatedSpawn>
  /** Calls with a task. Each one starts one subagent. */
  tasks: LocatedSpawn[]
}

function indexCalls(spawns: readonly LocatedSpawn[]): Calls {
  const calls: Calls = { byId: new Map(), byChild: new Map(), tasks: [] }
  for (const spawn of spawns) {
    const { callId, child, prompt } = spawn
    // The call precedes its result, and the result precedes calls that resume the same subagent.
    if (callId !== undefined && !calls.byId.has(callId)) calls.byId.set(callId, spawn)
    if (child !== undefined && !calls.byChild.has(child)) calls.byChild.set(child, spawn)
    if (prompt !== undefined) calls.tasks.push(spawn)
  }
  return calls
}

function callFor({ session, record }: Ran, calls: Calls): { callId?: string; line: number } | undefined {
  const named = session?.parentCallId === undefined ? undefined : calls.byId.get(session.parentCallId)
  if (named) return callAt(named, calls)
  for (const id of [session?.id.replace(/^agent-/, ''), session?.sessionKey, record?.childKey]) {
    const spawn = id === undefined ? undefined : calls.byChild.get(id)
    if (spawn) return callAt(spawn, calls)
  }
  const task = calls.tasks.findIndex(({ prompt }) => session !== undefined && says(session, prompt))
  if (task < 0) return undefined
  const [found] = calls.tasks.splice(task, 1)
  return callAt(found!, calls)
}

/** The line of the call itself, if another line describes it. */
function callAt({ callId, line }: LocatedSpawn, { byId }: Calls): { callId?: string; line: number } {
  const call = callId === undefined ? undefined : byId.get(callId)
  return { callId, line: call?.line ?? line }
}

const outsideOf = ({ session, record }: Ran, parent: Session): Pick<LinkedRun, 'outside'> =>
  ranAt(parent, session?.startedMs ?? (record && beginOfRun(record))) ? {} : { outside: true }

/** Sessions that may have started it. `named` is the recorded parent, which is tried first. */
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
    // Its time may be wrong, but its id is reliable.
    family.find((each) => each !== session && each.id === parentId)
  const claimed = new Set<Session>(named ? [named] : [])
  // A subagent of a subagent is in the same folder. A reset session has lost its key.
  for (const each of others)
    if (each.parentSessionId === parentId || (session && identityOf(session.platform).manyAgents) !== false)
      claimed.add(each)
  return { named, all: [...claimed] }
}

const ranAt = ({ startedMs, lastActivityMs, modifiedMs }: Session, at: number | undefined): boolean =>
  at === undefined || ((startedMs ?? 0) - SLACK_MS <= at && at <= (lastActivityMs ?? modifiedMs) + SLACK_MS)
