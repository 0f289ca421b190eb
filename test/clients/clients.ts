import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { program } from '../program.ts'
import { inTerminal, type Typed } from '../terminal.ts'
import type { ScriptedPrompt } from './script.ts'

export interface Client {
  name: string
  /** The page of its format, which contains the version. */
  page: string
  version: string
  /** All prompts that it gets, and the tasks that its agent gives to subagents. */
  prompts: readonly ScriptedPrompt[]
  tasks: readonly string[]
  /** Whether it records which prompts were typed into a terminal. */
  isMarked: boolean
  /** Whether it counts what was written to the cache as input. */
  writesAreInput?: true
  /** Whether a command that ends with another code than 0, and prints no error, is no failure to it. */
  failsSilently?: true
  /** Whether it finds a session by the folder in which it ran. */
  findsByFolder?: true
  /** Sends the prompts to a model server, in a home of its own. Throws with its output if it fails. */
  talk(home: string, address: string): Promise<void>
  /**
   * Sends another prompt in the session of the prompts, in a home that has got it from elsewhere. Without an
   * id, in the last session of the folder.
   */
  proceed?(home: string, address: string, session: string | undefined, prompt: string): Promise<void>
  /** Whether it resumes a session only in the folder in which it ran. */
  staysInFolder?: true
  /** Whether it also resumes a transcript that was made from the store. */
  readsCondensed?: true
  /** How it is started in a terminal, in a home where it has talked before. */
  begins?(home: string, address: string): Begins | Promise<Begins>
}

interface Begins {
  /** What `handoff --to` calls it, and its program. */
  to: string
  name: string
  /** The program by its path, with the options of the script. */
  words: readonly string[]
  variables: NodeJS.ProcessEnv
  types: Typed[]
  /** A program that has to run meanwhile, and what it prints when it is ready. */
  beside?: { words: readonly string[]; ready: string }
}

export interface Installed {
  folder: string
  version: string
}

/**
 * Installs the newest release from npm into a folder, or an older one if that fails. Returns the reason if
 * neither can be installed.
 */
export function install(name: string, folder: string, older?: string): Installed | { reason: string } {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const newest = npm(['view', name, 'version'], folder)
  if (newest.status !== 0) return { reason: `npm does not report the newest ${name}` }
  let failure = ''
  for (const version of [newest.stdout.trim(), ...(older === undefined ? [] : [older])]) {
    const { status, stderr } = npm(['install', '--no-audit', '--no-fund', `${name}@${version}`], folder)
    if (status === 0) return installedIn(folder, name)
    failure = stderr.trim().split('\n').at(-1)!
  }
  return { reason: `npm cannot install ${name}: ${failure}` }
}

function installedIn(folder: string, name: string): Installed {
  const own = join(folder, 'node_modules', name)
  const { version } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { version: string }
  // Its program is downloaded by a script that npm does not run by default.
  const script = ['install.cjs', 'postinstall.mjs'].map((each) => join(own, each)).find(existsSync)
  if (script) spawnSync(process.execPath, [script], { cwd: own, stdio: 'ignore' })
  return { folder, version }
}

const npm = (args: readonly string[], cwd: string) =>
  spawnSync('npm', args, { cwd, encoding: 'utf8', timeout: 600_000, env: withOwnNode(process.env) })

/** Clients need a recent Node, so ours comes first. */
const withOwnNode = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  PATH: `${dirname(process.execPath)}:${env.PATH}`,
})

const PATIENCE_MS = 120_000

/** Starts a program that stays, and waits until it is ready. It ends with the scope of the caller. */
export async function startBeside(
  { words: [program, ...args], ready }: NonNullable<Begins['beside']>,
  home: string,
): Promise<AsyncDisposable> {
  const child = spawn(program!, args, {
    cwd: home,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: withOwnNode({ HOME: home, PATH: process.env.PATH, TZ: 'UTC', LANG: 'C.UTF-8' }),
  })
  const ended = new Promise((settle) => child.on('close', settle))
  const end = async (): Promise<void> => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid)
    await ended
  }
  let printed = ''
  const isReady = await new Promise<boolean>((settle) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk
        if (printed.includes(ready)) settle(true)
      })
    child.on('close', () => settle(false))
    setTimeout(() => settle(false), PATIENCE_MS).unref()
  })
  if (!isReady) {
    await end()
    throw new Error(`${program} is not ready: ${printed.slice(-2000)}`)
  }
  return { [Symbol.asyncDispose]: end }
}

/** The directory that the clients work in. */
export const workIn = (home: string): string => join(home, 'shop')

/** Runs a client in a clean environment and an empty working directory of its home. */
export async function run(
  program: string,
  args: readonly string[],
  home: string,
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  const work = workIn(home)
  mkdirSync(work, { recursive: true })
  const child = spawn(program, args, {
    cwd: work,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    env: withOwnNode({ HOME: home, PATH: process.env.PATH, TZ: 'UTC', LANG: 'C.UTF-8', ...variables }),
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk
    })
  const code = await new Promise<number | null>((settle) => {
    child.on('close', (status) => settle(status))
    child.on('error', () => settle(null))
  })
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${printed.slice(-2000)}`)
}

/** The program that npm has linked for a client. */
export const programIn = (folder: string, name: string): string => join(folder, 'node_modules/.bin', name)

/** Sends prompts one after another: the first with these options, the others with those that resume it. */
export async function inOrder(
  prompts: readonly ScriptedPrompt[],
  say: (text: string, options: readonly string[]) => Promise<void>,
  first: readonly string[],
  others: readonly string[],
): Promise<void> {
  for (const [index, { text }] of prompts.entries()) await say(text, index === 0 ? first : others)
}

/** Writes a file of settings below a home: a text, or an object as JSON. */
export function settle(home: string, below: string, settings: object | string): void {
  const path = join(home, below)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof settings === 'string' ? settings : JSON.stringify(settings))
}

/** The command line of Scrollback in a home that its environment names. */
export const scrollbackIn = (...args: string[]): string[] => [process.execPath, program, ...args]

/** How a client starts the MCP server of Scrollback. */
export const serverOf = (home: string) => ({
  command: process.execPath,
  args: [program, 'mcp'],
  env: { HOME: home },
})

const SECONDS = 60

/**
 * Runs a client in a terminal, in the working directory of its home. Throws with its output if it fails.
 * `stopsAfter`: it is stopped after so many seconds, because it does not end by itself.
 */
export async function runInTerminal(
  words: readonly string[],
  home: string,
  variables: NodeJS.ProcessEnv,
  types: Typed[],
  stopsAfter?: number,
): Promise<void> {
  const work = workIn(home)
  mkdirSync(work, { recursive: true })
  const line = words.map((word) => `'${word}'`).join(' ')
  const { code, text } = await inTerminal(
    `cd '${work}' && timeout --foreground --kill-after=5 ${stopsAfter ?? SECONDS} ${line}`,
    { cwd: home, columns: 120, env: { ...variables, LANG: 'C.UTF-8' }, types },
  )
  if (code !== 0 && stopsAfter === undefined)
    throw new Error(`${basename(words[0]!)} in a terminal ended with ${code}: ${text.slice(-2000)}`)
}
