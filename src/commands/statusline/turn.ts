import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readOwn, replaceOwn } from '../../io/own-files.ts'
import { asObject } from '../../model/json.ts'
import { holdLock, withLock } from '../../store/sqlite/lock.ts'

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
const LARGEST = 64 * 1024
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
  mkdirSync(folder, { recursive: true, mode: 0o700 })
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
  mkdirSync(folder, { recursive: true, mode: 0o700 })
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
    const found = asObject(JSON.parse(readOwn(turnPath(folder), LARGEST)?.toString() ?? 'null'))
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
