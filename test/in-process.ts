import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'

/** A command line for a worker. */
export interface Asked {
  args: readonly string[]
  env: NodeJS.ProcessEnv
  cwd: string
}

/** What it printed. */
export interface Told {
  stdout: string
  stderr: string
  code: number
}

interface Warm {
  ask(asked: Asked): Told
  end(): void
}

/**
 * A file that is read this soon after it was written is read again, in ms: a tick of the clock of files, and
 * one millisecond more, because the program counts whole ones.
 */
const CLOCK_TICK_MS = 9
/** Only what hangs takes longer. */
const PATIENCE_MS = 240_000

/** One for each program and its flags of Node, for as long as the test process lives. */
const KEY = Symbol.for('scrollback: workers that run commands')
const shared = globalThis as { [KEY]?: Map<string, Warm> }
shared[KEY] ??= new Map()
const workers = shared[KEY]

/**
 * Runs a command in a thread that has the program loaded: a process would take ten times as long, and most of
 * that to start. Blocks until the command ends.
 */
export function runInProcess(program: string, folder: string, flags: readonly string[], asked: Asked): Told {
  const key = [program, ...flags].join('\0')
  const warm = workers.get(key) ?? start(program, folder, flags)
  workers.set(key, warm)
  try {
    return warm.ask(asked)
  } catch (error) {
    warm.end()
    workers.delete(key)
    throw error
  }
}

/** What nobody wakes. A thread says that it is done before it wakes, which may then end a wait for something else. */
const nobody = new Int32Array(new SharedArrayBuffer(4))

/**
 * Nothing of this process may be seen by a command, except for where the compiled sources are. A variable
 * that is undefined would become the text `undefined`, and Node would create a folder of that name.
 */
const seenBy = (path: string): NodeJS.ProcessEnv => {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const shown = { PATH, TZ: 'UTC', HOME: dirname(path), NODE_COMPILE_CACHE }
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined))
}

function start(program: string, folder: string, flags: readonly string[]): Warm {
  const done = new Int32Array(new SharedArrayBuffer(4))
  const { port1, port2 } = new MessageChannel()
  const sources = join(folder, 'src/surfaces/cli/main.ts')
  const path = existsSync(sources) ? sources : join(folder, 'dist/cli.js')
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const worker = new Worker(join(import.meta.dirname, 'command-worker.ts'), {
    workerData: { module: pathToFileURL(path).href, program, version, port: port2, done },
    transferList: [port2],
    execArgv: [...flags],
    env: seenBy(path),
  })
  worker.unref()
  port1.unref()
  return {
    ask(asked) {
      // The start of a process takes longer.
      Atomics.wait(nobody, 0, 0, CLOCK_TICK_MS)
      Atomics.store(done, 0, 0)
      port1.postMessage(asked)
      while (Atomics.load(done, 0) === 0)
        if (Atomics.wait(done, 0, 0, PATIENCE_MS) === 'timed-out')
          throw new Error(`did not end: ${asked.args.join(' ')}`)
      return (receiveMessageOnPort(port1) as { message: Told }).message
    },
    end: () => void worker.terminate(),
  }
}
