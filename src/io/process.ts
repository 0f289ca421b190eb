import { existsSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { dirname, join, posix, win32 } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Worker, WorkerOptions } from 'node:worker_threads'
import { isFile } from './directories.ts'
import { closeFoldersIn } from './own-files.ts'

/**
 * Modules of Node that few commands need. Each takes a millisecond or more to load, so it is loaded when it
 * is first used.
 */

export const zlib = (): typeof import('node:zlib') => process.getBuiltinModule('node:zlib')
export const workerThreads = (): typeof import('node:worker_threads') =>
  process.getBuiltinModule('node:worker_threads')
export const v8 = (): typeof import('node:v8') => process.getBuiltinModule('node:v8')

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

const isOwnProcess = (): boolean => claimed !== undefined || workerThreads().getEnvironmentData(KEY) === true

/** Starts a thread, which knows whether the process is ours. */
export function createThread(script: URL, options: WorkerOptions): Worker {
  const { setEnvironmentData, Worker } = workerThreads()
  if (!claimed) return new Worker(script, options)
  setEnvironmentData(KEY, true)
  const cache = getCompileCacheDir()
  const thread = new Worker(script, { env: withCompileCache(claimed, cache), ...options })
  // With other flags, it makes a directory of its own, with the rights that the mask of the process leaves.
  if (cache !== undefined) thread.once('online', () => closeFoldersIn(dirname(cache)))
  return thread
}

/** Threads do not share the process's cache of compiled code by themselves. */
function withCompileCache(env: NodeJS.ProcessEnv, cache: string | undefined): NodeJS.ProcessEnv {
  // It is in a directory of this version of Node, which the thread appends again.
  return cache === undefined ? env : { NODE_COMPILE_CACHE: dirname(cache), ...env }
}

/**
 * Keeps V8 from growing the heap by a hundred megabytes or more while transcripts larger than memory stream
 * through it. Almost nothing of that stays alive. The young generation keeps its current size, and the old
 * generation is collected when it has grown by a third, because much memory outside the heap depends on it.
 * Threads started later get a young generation of two megabytes; with one, most objects would be copied twice
 * before they die. The last stage of optimization begins after 50,000 calls of a function instead of 3,000:
 * over a few hundred megabytes, it takes more time than it saves. Does nothing in a process that is not ours.
 */
export function keepHeapSmall(): void {
  if (!isOwnProcess()) return
  const { setFlagsFromString } = v8()
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=30')
  setFlagsFromString('--invocation-count-for-turbofan=50000')
  setFlagsFromString('--min-semi-space-size=2')
}

/**
 * For a process that stays: V8 compiles less, discards code that is not used, and optimizes code where it
 * runs instead of in four other threads, each of which would keep the memory that this once took. The young
 * generation does not grow. Saves a tenth of the memory. Applies to threads that start later. Does nothing in
 * a process that is not ours.
 */
export function preferSmallMemory(): void {
  if (!isOwnProcess()) return
  const { setFlagsFromString } = v8()
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--optimize-for-size')
  setFlagsFromString('--no-concurrent-recompilation')
}

/** See V8's extension that exposes its garbage collector. */
type Collect = (options?: { type: 'major'; flavor: 'regular' | 'last-resort' }) => void

let collect: Collect | undefined

/**
 * Collects garbage now. Call it after a very large record: V8 would wait for its heap to grow, but most of
 * the memory to free is outside the heap. With `all`, it takes several times as long, and returns free pages
 * to the system. Does nothing in a process that is not ours.
 */
export function collectGarbage({ all = false } = {}): void {
  if (!isOwnProcess()) return
  if (!collect) {
    const { setFlagsFromString } = v8()
    setFlagsFromString('--expose-gc')
    collect = process.getBuiltinModule('node:vm').runInNewContext('gc') as Collect
    setFlagsFromString('--no-expose-gc')
  }
  // V8 holds the text that a regular expression matched last.
  ;/^/.test('')
  collect({ type: 'major', flavor: all ? 'last-resort' : 'regular' })
}

/** What the objects of this thread take, in bytes, in the heap and outside: in use, or not collected yet. */
export function heapUsed(): number {
  const { used_heap_size, external_memory } = v8().getHeapStatistics()
  return used_heap_size + external_memory
}

/** Whether a process with this id runs on this machine. */
export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid > MOST_PID) return false
  try {
    // Signal 0 only checks for existence.
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const MOST_PID = 2 ** 31 - 1

/** The extensions of programs, if Windows does not say which it starts. */
const EXTENSIONS = '.COM;.EXE;.BAT;.CMD'

/**
 * The paths at which a program may be found, in the order in which a shell looks for it. `platform` is one of
 * `process.platform`: on Windows, the variable may be called `Path`, and names have an extension.
 */
export function programPaths(
  name: string,
  variables: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string[] {
  const isWindows = platform === 'win32'
  const { join, delimiter } = isWindows ? win32 : posix
  const value = (wanted: string): string | undefined =>
    isWindows
      ? Object.entries(variables).find(([key]) => key.toUpperCase() === wanted)?.[1]
      : variables[wanted]
  const extensions = isWindows ? (value('PATHEXT') || EXTENSIONS).split(';') : ['']
  const folders = (value('PATH') ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => extensions.map((extension) => join(folder, `${name}${extension}`)))
}

/** Whether a shell would find the program. */
export const isOnPath = (name: string, variables: Readonly<Record<string, string | undefined>>): boolean =>
  programPaths(name, variables, process.platform).some(isFile)

/**
 * What is wrong with a program that could not be started. npm installs `.cmd` files on Windows, which only a
 * shell runs, and nothing of ours goes through one.
 */
export const notStarted = (): string =>
  process.platform === 'win32'
    ? 'is not installed, or not on your PATH as an .exe file (the .cmd files that npm installs cannot be started from here)'
    : 'is not installed, or not on your PATH'

/**
 * A path in our own package, run from the bundle or from the sources. Undefined if the package does not
 * contain it.
 */
export function inPackage(name: string): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, name))) {
    if (dirname(folder) === folder) return undefined
    folder = dirname(folder)
  }
  return join(folder, name)
}
