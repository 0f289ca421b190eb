import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import type { Worker, WorkerOptions } from 'node:worker_threads'
import { workerThreads } from './on-demand.ts'

/** Threads inherit it. */
const KEY = 'scrollback: the process is ours'

/** The environment that threads get. Undefined in a process that is not ours. */
let claimed: NodeJS.ProcessEnv | undefined

/**
 * Says that the process is ours alone: V8's flags may be set, which apply to all of it. A library never says
 * so.
 */
export function claimProcess(environment: NodeJS.ProcessEnv): void {
  claimed = environment
}

export const isOwnProcess = (): boolean =>
  claimed !== undefined || workerThreads().getEnvironmentData(KEY) === true

/** Starts a thread, which knows whether the process is ours. */
export function createThread(script: URL, options: WorkerOptions): Worker {
  const { setEnvironmentData, Worker } = workerThreads()
  if (!claimed) return new Worker(script, options)
  setEnvironmentData(KEY, true)
  return new Worker(script, { env: withCompileCache(claimed), ...options })
}

/** Threads do not share the process's cache of compiled code by themselves. */
function withCompileCache(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir()
  // It is in a directory of this version of Node, which the thread appends again.
  return cache === undefined ? env : { NODE_COMPILE_CACHE: dirname(cache), ...env }
}
