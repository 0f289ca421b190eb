import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

/** Threads inherit it. */
const KEY = 'scrollback: the process is ours'

/**
 * Says that the process is ours alone: V8's flags may be set, which apply to all of it. A library never says
 * so.
 */
export const claimProcess = (): void => setEnvironmentData(KEY, true)

export const isOwnProcess = (): boolean => getEnvironmentData(KEY) === true
