import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import type { Context, Screen } from '../src/commands/command.ts'
import { commands } from '../src/commands/index.ts'
import { suggesting } from '../src/commands/shell-word.ts'
import type { Environment } from '../src/model/artifact.ts'

export const checkout = resolve(import.meta.dirname, '..')
export const program = resolve(checkout, 'bin/scrollback.js')

/** For the environment of every process that is started: each has a home of its own, which holds no compiled code yet. */
export const compileCache = resolve(checkout, 'node_modules/.cache/compiled')

export interface Answer {
  stdout: string
  stderr: string
  code: number | null
}

/** Runs the real program in a process of its own, in an empty environment but for what is given. */
export function run(args: readonly string[], home: string, options: SpawnSyncOptions = {}): Answer {
  const { env, ...others } = options
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    cwd: home,
    ...others,
    env: { HOME: home, TZ: 'UTC', PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...env },
  })
  return { stdout: String(stdout), stderr: String(stderr), code: status }
}

const wide: Screen = {
  columns: Number.POSITIVE_INFINITY,
  color: false,
  terminal: false,
  home: '/home/dev',
  now: 0,
  suggest: suggesting('scrollback', []),
}

/** Runs a command inside this process, so that a test can watch what it opens. */
export async function answer(
  name: string,
  given: Record<string, unknown>,
  environment: Environment,
  as: { screen?: Partial<Screen>; json?: boolean; redact?: boolean; directory?: string; store?: string } = {},
): Promise<{ text: string; notes: string[] }> {
  const command = await commands[name]!()
  const notes: string[] = []
  const context: Context = {
    environment,
    now: Date.parse('2026-11-20T12:00:00Z'),
    directory: as.directory ?? environment.home,
    here: as.directory ?? environment.home,
    threads: 1,
    redact: as.redact ?? true,
    storePath: as.store,
    dataFolder: join(environment.home, '.scrollback'),
    machine: { device: 'test-machine', user: 'ann' },
    started: { executable: 'node', script: 'scrollback.js' },
    suggest: suggesting('scrollback', []),
    print: async () => {},
    deliverOut: async () => {},
    note: (message) => notes.push(message),
  }
  const output = await command.run(command.input.parse(given), context)
  const pieces = as.json
    ? (command.json?.(output) ?? [JSON.stringify(output, null, 2)])
    : command.render(output, { ...wide, ...as.screen })
  return { text: Buffer.concat([...pieces].map((piece) => Buffer.from(piece as string))).toString(), notes }
}
