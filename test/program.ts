import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { cpSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'
import { commands } from '../src/commands/index.ts'
import type { Context } from '../src/context/context.ts'
import { suggesting } from '../src/context/flags.ts'
import { prepareStore } from '../src/context/fresh-store.ts'
import type { Environment } from '../src/model/artifact.ts'
import { type Printed, textOfPiece } from '../src/render/gate.ts'
import type { Screen } from '../src/render/terminal.ts'
import { shortId } from '../src/selection/session-names.ts'
import { contextFor } from './context.ts'
import { runInProcess } from './in-process.ts'
import { installed } from './installed.ts'
import { temporaryHome } from './records.ts'

export const checkout = resolve(import.meta.dirname, '..')
/** The program of the checkout, which runs the sources. */
export const sourceProgram = resolve(checkout, 'bin/scrollback.js')
/** The tested program: that of the installed package, or with `SCROLLBACK_PROGRAM=sources` that of the checkout. */
export const program = process.env.SCROLLBACK_PROGRAM === 'sources' ? sourceProgram : installed().program

/** The program to start with these variables. Modules can only be added to the sources. */
export const programFor = (env: NodeJS.ProcessEnv | undefined): string =>
  env?.NODE_OPTIONS?.includes('--import') ? sourceProgram : program

/** The folder of the tested program, with its demo. */
export const packageFolder = resolve(realpathSync(program), '../..')

/**
 * For the environment of every started process: each has a home of its own, which contains no compiled code
 * yet.
 */
export const compileCache = resolve(checkout, 'node_modules/.cache/compiled')

/** The variables of every started process, and further ones. */
export const variablesOf = <More extends NodeJS.ProcessEnv>(home: string, more?: More) => ({
  ...{ HOME: home, TZ: 'UTC', PATH: process.env.PATH!, NODE_COMPILE_CACHE: compileCache },
  ...more,
})

export interface Answer {
  stdout: string
  stderr: string
  code: number | null
}

/** Runs the sources, as the parts of the program do that a test imports. */
export const runSources = (
  args: readonly string[],
  home: string,
  env: Readonly<Record<string, string>> = {},
): Answer => start(sourceProgram, args, home, { env })

/** The same in a thread that has the sources loaded. */
export const runSourcesInThread = (
  args: readonly string[],
  home: string,
  env: Readonly<Record<string, string>> = {},
): Answer => inThreadOf(sourceProgram, args, home, { env })

/**
 * Runs the program in an environment with only the given variables: in a thread of the test process, unless
 * the command or an option needs a process of its own.
 */
export function run(args: readonly string[], home: string, options: SpawnSyncOptions = {}): Answer {
  return needsProcess(args, options) ? runProcess(args, home, options) : runInThread(args, home, options)
}

/** Runs a command that stays unless it refuses, which has to refuse. */
export const refused = (
  args: readonly string[],
  home: string,
  options: Pick<SpawnSyncOptions, 'env'> = {},
): Answer => runInThread(args, home, options)

function runInThread(
  args: readonly string[],
  home: string,
  options: Pick<SpawnSyncOptions, 'env' | 'cwd'>,
): Answer {
  return inThreadOf(programFor(options.env), args, home, options)
}

function inThreadOf(
  tested: string,
  args: readonly string[],
  home: string,
  options: Pick<SpawnSyncOptions, 'env' | 'cwd'>,
): Answer {
  const folder = tested === program ? packageFolder : checkout
  const { NODE_OPTIONS, NODE_COMPILE_CACHE: _, ...env }: NodeJS.ProcessEnv = variablesOf(home, options.env)
  const given = Object.entries(env).filter(([, value]) => value !== undefined)
  const flags = NODE_OPTIONS?.split(' ') ?? []
  const asked = { args, env: Object.fromEntries(given), cwd: String(options.cwd ?? home) }
  return runInProcess(tested, folder, flags, asked)
}

/** Runs the program in a process of its own, for tests of what only a process does. */
export function runProcess(args: readonly string[], home: string, options: SpawnSyncOptions = {}): Answer {
  return start(programFor(options.env), args, home, options)
}

/** The words after `scrollback` in a line, as a shell understands it. It runs nothing. */
export function shellWords(line: string, home: string): string[] {
  const script = `scrollback() { printf '%s\\0' "$@"; }\n${line}\n`
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8', cwd: home, env: { HOME: home } })
  return stdout.split('\0').slice(0, -1)
}

/** Commands that read standard input, stay, or are answered without most of the program. */
const STAYING = new Set(['follow', 'mcp', 'receive', 'serve', 'statusline'])

/** A process has what these are about: a clock of its own, a cache of compiled code, input, an end by signal. */
const needsProcess = (args: readonly string[], { cwd: _, encoding: __, env, ...others }: SpawnSyncOptions) =>
  args.some((word) => STAYING.has(word)) ||
  Object.keys(others).length > 0 ||
  (env?.TZ ?? 'UTC') !== 'UTC' ||
  (env?.NODE_COMPILE_CACHE ?? compileCache) !== compileCache

/** Whatever a command prints as JSON. */
export type Json = ReturnType<typeof JSON.parse>

/** The JSON that a command prints, whatever its exit code. */
export const json = (home: string, ...args: string[]): Json =>
  JSON.parse(run([...args, '--json'], home).stdout)

/** What a command prints that succeeds and reports nothing. */
export function printed(home: string, ...args: string[]): string {
  const { stdout, stderr, code } = run(args, home)
  expect({ stderr, code }, args.join(' ')).toEqual({ stderr: '', code: 0 })
  return stdout
}

/** A home with the sessions of the demo. */
export function demoHome(home = temporaryHome()): string {
  for (const name of ['.claude', '.openclaw'])
    cpSync(join(checkout, 'demo', name), join(home, name), { recursive: true })
  return home
}

function start(path: string, args: readonly string[], home: string, options: SpawnSyncOptions): Answer {
  const { env, ...others } = options
  const { stdout, stderr, status } = spawnSync(process.execPath, [path, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    cwd: home,
    ...others,
    env: variablesOf(home, env),
  })
  return { stdout: String(stdout), stderr: String(stderr), code: status }
}

const wide: Screen = {
  columns: Number.POSITIVE_INFINITY,
  color: false,
  terminal: false,
  home: '/home/dev',
  now: 0,
  suggest: suggesting('scrollback', () => [], undefined, shortId),
}

/** What the last command opened stays open until the next one, because its answer may be read late. */
let closeLast = (): void => {}

/** Runs a command in this process, so that a test can observe which files it opens. */
export async function answer(
  name: string,
  given: Record<string, unknown>,
  environment: Environment,
  as: {
    screen?: Partial<Screen>
    json?: boolean
    redact?: boolean
    directory?: string
    store?: string
    untilInterrupted?: Context['untilInterrupted']
  } = {},
): Promise<{ text: string; notes: string[]; json(): string }> {
  const command = await commands[name]!()
  const notes: string[] = []
  const directory = as.directory ?? environment.home
  closeLast()
  const opened: (() => void)[] = []
  closeLast = () => {
    for (const close of opened.splice(0)) close()
  }
  const context = contextFor(environment, {
    atEnd: (close) => opened.push(close),
    ...{ directory, here: directory, redact: as.redact ?? true, storePath: as.store ?? ':memory:' },
    note: (message) => notes.push(message),
    ...(as.untilInterrupted && { untilInterrupted: as.untilInterrupted }),
  })
  const input = command.input.parse(given)
  const needs = typeof command.needs === 'function' ? command.needs(input, context) : command.needs
  if (as.untilInterrupted) await prepareStore(context, { words: needs !== 'messages' }, command.isWhole)
  const output = await command.run(input, context)
  const textOf = (pieces: Iterable<Printed>): string => Array.from(pieces, textOfPiece).join('')
  const asJson = (): string => textOf(command.json?.(output) ?? [JSON.stringify(output, null, 2)])
  const text = as.json ? asJson() : textOf(command.render(output, { ...wide, ...as.screen }))
  return { text, notes, json: asJson }
}

/** For `NODE_OPTIONS`: makes the program believe that it runs on another system. */
export const asSystem = (system: string): string =>
  `--import=data:text/javascript,Object.defineProperty(process,'platform',{value:'${system}'})`
