/**
 * Modules of Node that few commands need. Each takes a millisecond or more to load, so it is loaded when it
 * is first used.
 */

export const zlib = (): typeof import('node:zlib') => process.getBuiltinModule('node:zlib')
export const workerThreads = (): typeof import('node:worker_threads') =>
  process.getBuiltinModule('node:worker_threads')
export const v8 = (): typeof import('node:v8') => process.getBuiltinModule('node:v8')
export const filePromises = (): typeof import('node:fs/promises') =>
  process.getBuiltinModule('node:fs/promises')
