import type { Worker, WorkerOptions } from 'node:worker_threads'
import { workerThreads } from './on-demand.ts'

/** Threads inherit it. */
const KEY = 'scrollback: the process is ours'

let isClaimed = false

/**
 * Says that the process is ours alone: V8's flags may be set, which apply to all of it. A library never says
 * so.
 */
export function claimProcess(): void {
  isClaimed = true
}

export const isOwnProcess = (): boolean => isClaimed || workerThreads().getEnvironmentData(KEY) === true

/** Starts a thread, which knows whether the process is ours. */
export function createThread(script: URL, options: WorkerOptions): Worker {
  const { setEnvironmentData, Worker } = workerThreads()
  if (isClaimed) setEnvironmentData(KEY, true)
  return new Worker(script, options)
}
