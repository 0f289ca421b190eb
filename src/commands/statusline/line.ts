import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolders, readOwn, replaceOwn } from '../../io/own-files.ts'
import type { Environment } from '../../model/artifact.ts'
import { shortName } from '../../model/hidden.ts'
import { textDigest } from '../../model/item-key.ts'
import { asObject, asText } from '../../model/json.ts'
import { identities } from '../../platforms/identities.ts'
import { holdLock, withLock } from '../../store/sqlite/files.ts'

/** The JSON that Claude Code writes to a status line, as far as it is used. */
interface ClientState {
  model?: string
  session?: string
  /** The cost of the session according to the client, in US dollars. */
  cost?: number
  /** How much of the context is used, in percent. */
  context?: number
}

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
/** Older figures are marked with their age. */
const OLD_MS = 5 * MINUTE_MS
const LONGEST_NAME = 40

/** Reads the client's input. Missing and invalid fields are left out. */
export function clientState(text: string): ClientState {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return {}
  }
  const state = asObject(given)
  const model = asObject(state?.model)
  return {
    model: (asText(model?.display_name) ?? asText(model?.id))?.slice(0, LONGEST_NAME),
    session: asText(state?.session_id),
    cost: asAmount(asObject(state?.cost)?.total_cost_usd),
    context: asAmount(asObject(state?.context_window)?.used_percentage),
  }
}

const asAmount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

/**
 * One line: the model, the cost of the session, the day and the block of five hours, and the age of these
 * figures.
 */
export function statusLine(
  { model, session, cost, context }: ClientState,
  figures: StatusFigures | undefined,
  { now, today, forbidden = false }: { now: number; today: string; forbidden?: boolean },
): string {
  const spent = cost ?? (session === undefined ? undefined : own(figures?.sessions, session))
  const parts = [
    model === undefined ? undefined : shortName(model),
    spent === undefined ? undefined : `${dollars(spent)} session`,
    ...(figures
      ? [dayPart(figures, today), blockPart(figures, now)]
      : [forbidden ? NEVER : 'reading earlier sessions, figures follow']),
    context === undefined ? undefined : `context ${Math.round(context)} %`,
    figures?.vanishing ? `${figures.vanishing} to be deleted: scrollback keep` : undefined,
    figures && now - figures.at > OLD_MS ? `as of ${span(now - figures.at)} ago` : undefined,
  ]
  return parts.filter((part) => part !== undefined).join(' | ')
}

/** Instead of figures that nothing can be computed for in the background. */
const NEVER = 'no figures: set SCROLLBACK_HOME to a folder that you may write to'

const own = (record: Record<string, number> | undefined, key: string): number | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined

const dayPart = ({ today: { day, cost } }: StatusFigures, today: string): string =>
  `${dollars(day === today ? (cost ?? 0) : 0)} today`

function blockPart({ block }: StatusFigures, now: number): string | undefined {
  if (!block || now >= block.untilMs) return undefined
  const left = `${span(block.untilMs - now)} left`
  if (block.cost === null) return `block ${left}`
  const pace = block.costPerHour === null ? '' : `, ${dollars(block.costPerHour)}/h`
  const then = block.projectedCost === null ? '' : ` to ${dollars(block.projectedCost)}`
  return `${dollars(block.cost)} block, ${left}${pace}${then}`
}

const dollars = (value: number): string => `$${value.toFixed(2)}`

/** `2h 5m`, `14m`. */
function span(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS)
  return minutes < HOUR_MINUTES
    ? `${minutes}m`
    : `${Math.floor(minutes / HOUR_MINUTES)}h ${minutes % HOUR_MINUTES}m`
}

/** The last update of the figures. */
interface Turn {
  /** The process that runs it, or ran it. */
  pid: number
  startedMs: number
  /** When the last update of each tree began, in ms. */
  begun: Record<string, number>
}

/** The shortest time between two updates. */
const EVERY_MS = 15_000
/** How long a process may take to get the lock. No process waits for it, so nothing shows that it ended. */
const STARTING_MS = 30_000
const TREES = 50
const LARGEST_TURN = 64 * 1024
const NOBODY: Turn = { pid: 0, startedMs: 0, begun: {} }

const turnPath = (folder: string): string => join(folder, 'refresh.json')
const runningLock = (folder: string): string => join(folder, 'refresh.lock')

/**
 * Starts an update of the figures of a tree, unless one began a moment ago or is running, for any tree. If
 * several processes call this at once, one starts it, and none waits. `start` returns the id of the started
 * process.
 */
export function startInTurn(
  folder: string,
  scope: string,
  now: number,
  start: () => number | undefined,
): void {
  if (!isDue(readTurn(folder), scope, now)) return
  makeFolders(folder)
  withLock(join(folder, 'starting.lock'), () => {
    const turn = readTurn(folder)
    if (!isDue(turn, scope, now)) return
    const running = holdLock(runningLock(folder))
    if (!running) return
    running.release()
    const begun = Object.fromEntries([...Object.entries(turn.begun).slice(-TREES), [scope, now]])
    // Until the new process has an id, the caller counts as its owner, so that a failure cannot start two
    // updates.
    replaceOwn(turnPath(folder), JSON.stringify({ pid: process.pid, startedMs: now, begun }))
    const pid = start()
    if (pid !== undefined) replaceOwn(turnPath(folder), JSON.stringify({ pid, startedMs: now, begun }))
  })
}

/** Does the work unless another process is doing it. Returns whether it was done. */
export async function inTurn(folder: string, work: () => Promise<void>): Promise<boolean> {
  makeFolders(folder)
  const lock = holdLock(runningLock(folder))
  if (!lock) return false
  try {
    await work()
    return true
  } finally {
    lock.release()
  }
}

/** A time in the future was written by a wrong clock. */
const isWithin = (ms: number, since: number, now: number): boolean => since <= now && now - since < ms

const isDue = ({ pid, startedMs, begun }: Turn, scope: string, now: number): boolean =>
  !(Object.hasOwn(begun, scope) && isWithin(EVERY_MS, begun[scope]!, now)) &&
  !(isWithin(STARTING_MS, startedMs, now) && runs(pid))

function runs(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    // Another process owns it.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function readTurn(folder: string): Turn {
  try {
    const found = asObject(JSON.parse(readOwn(turnPath(folder), LARGEST_TURN)?.toString() ?? 'null'))
    const begun = asObject(found?.begun)
    if (!found || !begun) return NOBODY
    const { pid, startedMs } = found
    const times = Object.entries(begun).filter(
      (each): each is [string, number] => typeof each[1] === 'number',
    )
    return { pid: Number(pid), startedMs: Number(startedMs), begun: Object.fromEntries(times) }
  } catch {
    return NOBODY
  }
}

/** The figures of a status line, as of the last update of the store. */
export interface StatusFigures {
  version: 1
  /** The time of that update, in ms. */
  at: number
  today: { day: string; cost: number | null; tokens: number }
  /** The block of five hours that was running then. */
  block: StatusBlock | null
  /** The cost of recent sessions, in US dollars, by id. */
  sessions: Record<string, number>
  /** How many sessions the client deletes within a week that are in no archive. */
  vanishing?: number
}

interface StatusBlock {
  untilMs: number
  cost: number | null
  tokens: number
  costPerHour: number | null
  projectedCost: number | null
}

const LARGEST_FIGURES = 256 * 1024

/** The folder of the status line's cached figures. */
export const statusFolder = (dataFolder: string): string => join(dataFolder, 'statusline')

/** Whether the folder of cached figures can neither be written to nor be made. */
export function isForbidden(folder: string): boolean {
  let existing = folder
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing)
  try {
    accessSync(existing, constants.W_OK | constants.X_OK)
    return false
  } catch {
    return true
  }
}

/** Identifies the folders that are read, because each tree has its own figures. */
export const scopeOf = ({ home, variables, dirs, deleted, backups }: Environment): string =>
  textDigest(
    JSON.stringify([
      home,
      ...identities.flatMap((each) => each.variables.map((name) => variables[name])),
      dirs,
      deleted,
      backups,
    ]),
  ).toString(36)

const pathOf = (folder: string, scope: string): string => join(folder, `${scope}.json`)

/** The figures of a tree. Undefined if there are no usable ones. */
export function readFigures(folder: string, scope: string): StatusFigures | undefined {
  try {
    const found = asObject(JSON.parse(readOwn(pathOf(folder, scope), LARGEST_FIGURES)?.toString() ?? 'null'))
    const whole = asObject(found?.today) && asObject(found?.sessions)
    return found?.version === 1 && whole ? (found as unknown as StatusFigures) : undefined
  } catch {
    // A damaged file is rewritten.
    return undefined
  }
}

/** Throws the system's error. */
export function writeFigures(folder: string, scope: string, figures: StatusFigures): void {
  makeFolders(folder)
  replaceOwn(pathOf(folder, scope), JSON.stringify(figures))
}
