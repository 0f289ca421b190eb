import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { CommanderError } from 'commander'
import { commands } from '../../commands/index.ts'
import { type Command, refuseSecrets } from '../../context/command.ts'
import { spanOf } from '../../context/filters.ts'
import { type GlobalFlags, noteOf } from '../../context/flags.ts'
import { prepareStore } from '../../context/fresh-store.ts'
import { incompleteLine, incompleteOf } from '../../context/scanned.ts'
import { parseTime } from '../../context/time.ts'
import type { FromArchive } from '../../deliver/archive/from-archive.ts'
import { ScrollbackError } from '../../errors.ts'
import { type Gate, jsonOfAnswer, type Printed, textOfPiece } from '../../render/gate.ts'
import { widthOf, wrapTalk } from '../../render/terminal.ts'
import { currentDirectory, DEMO_NOW, dataFolder, timeOf } from '../environment.ts'
import { ClosedPipe, type Host } from '../host.ts'
import { teamStore } from '../team-store.ts'
import { createSession, isDumb, type Session } from './context.ts'
import type { Output } from './output.ts'
import type { Left } from './picker/open.ts'
import { startedByNpm } from './processes.ts'
import { parseInput } from './program.ts'

/** The exit code of an answer without a result, and of errors. */
const NOTHING_FOUND = 1

interface Question {
  command: Command
  /** Unchecked values by field. */
  given: Record<string, unknown>
  flags: GlobalFlags
  version: string
  host: Host
}

/** Of a question, what is the same for those that follow from it. */
type Asked = Pick<Question, 'flags' | 'version' | 'host'>

/** Runs a command and prints its answer. Returns the exit code. */
export async function answer({ command, given, flags, version, host }: Question): Promise<number> {
  const input = parseInput(command.name, command.input, given)
  checkTimes(command, input, timeOf(flags, host))
  const remote = flags.store === undefined ? undefined : await teamStore(command.name, flags, host.env)
  const archived = flags.from === undefined ? undefined : await unpacked(flags.from, host)
  const session = createSession(command, given, flags, { host, version }, { remote, archived })
  try {
    refuseSecrets(command, session.context)
    command.check?.(input, session.context)
    if (canPick(command, flags, host)) {
      const { openPicker } = await import('./picker/open.ts')
      const left = await openPicker({ ...session, host })
      if (left) return await afterPicker(left, session, { flags, version, host })
    }
    const needs = typeof command.needs === 'function' ? command.needs(input, session.context) : command.needs
    if (needs) await prepareStore(session.context, { words: needs === 'words' }, command.isWhole)
    const found = await command.run(input, session.context)
    const isDemoWanted =
      command.name === 'overview' &&
      (startedByNpm(host) || session.screen.terminal) &&
      !flags.json &&
      !flags.demo
    if (isDemoWanted && isEmpty(found)) {
      session.output.printPieces(command.render(found, session.screen))
      return await showDemo(session, { flags, version, host })
    }
    await print(command, found, session, { flags, host })
    if (command.name === 'overview' && flags.demo && !flags.json) session.output.say(DEMO_DAY)
    if (session.isPartly()) return 3
    return command.isNothing?.(found) ? NOTHING_FOUND : 0
  } catch (error) {
    // What was not found may be in what could not be read.
    if (!session.isPartly() || !(error instanceof ScrollbackError) || !error.isMissing) throw error
    const incomplete = incompleteOf(session.context)
    if (incomplete) session.output.say(incompleteLine(incomplete))
    report(error, session.output)
    return 3
  } finally {
    session.end()
  }
}

/** The picker opens by itself only where a person can use it. */
const canPick = ({ name }: Command, { json }: GlobalFlags, host: Host): boolean =>
  name === 'overview' &&
  !json &&
  !isDumb(host) &&
  !host.env.CI &&
  [host.stdin, host.stdout, host.stderr].every(({ isTTY }) => isTTY)

/** So many commands are worth learning at once. */
const MOST_LEARNED = 3

/** Tells which commands do the same as what was done in the picker, and resumes a session if that was it. */
async function afterPicker(
  { did, resume }: Left,
  { output, isPartly }: Session,
  asked: Asked,
): Promise<number> {
  for (const line of [...new Set(did)].slice(-MOST_LEARNED)) output.say(`${line}\n`)
  if (resume !== undefined)
    return answer({ command: await commands.resume!(), given: { session: resume, run: true }, ...asked })
  return isPartly() ? 3 : 0
}

async function unpacked(archive: string, host: Host): Promise<FromArchive> {
  const { fromArchive } = await import('../../deliver/archive/from-archive.ts')
  return fromArchive(resolve(currentDirectory(host), archive), dataFolder(host))
}

async function print(
  command: Command,
  found: unknown,
  session: Session,
  { flags, host }: Pick<Asked, 'flags' | 'host'>,
): Promise<void> {
  const { context, screen, forJson } = session
  const { gate, output } = command.isJson?.(found) ? forJson : session
  const incomplete = command.needs ? incompleteOf(context) : undefined
  if (flags.json) {
    const answer = incomplete && isRecord(found) ? { ...found, incomplete } : found
    forJson.output.printPieces(command.json?.(found) ?? [jsonOfAnswer(answer, command)])
    return
  }
  const { columns, terminal } = screen
  const answered = command.render(found, screen)
  const rendered =
    incomplete && !command.isVerbatim?.(found) ? after(incompleteLine(incomplete), answered) : answered
  const pieces = command.isVerbatim?.(found) ? rendered : inWidth(rendered, columns)
  const isPaged = terminal && !isDumb(host) && flags.pager !== false && !command.stays
  if (isPaged) await page(pieces, { output, gate, host, columns })
  else output.printPieces(pieces)
  const more = terminal && context.choose && (await command.follow?.(found, screen, context.choose))
  if (more) output.printPieces(more)
}

/** Refuses an invalid time before anything is read. */
function checkTimes({ input: { shape } }: Command, input: Record<string, unknown>, now: number): void {
  for (const [name, schema] of Object.entries(shape)) {
    const edge = noteOf(schema)?.time
    const text = input[name]
    if (edge !== undefined && typeof text === 'string') parseTime(text, edge, now)
  }
  const { since, until } = input
  if (typeof since === 'string' && typeof until === 'string') spanOf({ since, until }, { now })
}

/** Wraps lines that are still too wide. */
function* inWidth(pieces: Iterable<Printed>, columns: number): Generator<Printed> {
  for (const piece of pieces) yield typeof piece === 'string' ? wrapTalk(piece, columns) : piece
}

function* after(first: Printed, rest: Iterable<Printed>): Generator<Printed> {
  yield first
  yield* rest
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (found: unknown): boolean => (found as { platforms: unknown[] }).platforms.length === 0

/** The clock of the demo does not go on. */
const DEMO_DAY = `The demo takes place on ${new Date(DEMO_NOW).toISOString().slice(0, 10)}: "today" and "7d" refer to that day.\n`

/** Shows a user without transcripts what a list looks like: in the picker, or else printed. */
async function showDemo({ output }: Session, asked: Asked): Promise<number> {
  const demo = { ...asked, flags: { ...asked.flags, demo: true } }
  const overview = await commands.overview!()
  if (canPick(overview, demo.flags, asked.host)) return answer({ command: overview, given: {}, ...demo })
  output.print('\n')
  return answer({ command: await commands.sessions!(), given: { all: true }, ...demo })
}

/** Ends immediately if everything fits, keeps colors, and leaves the text on the screen. */
const USUAL = ['less', '-FRX']

interface Paging {
  output: Output
  gate: Gate
  host: Host
  columns: number
}

/**
 * Shows a text that is longer than the screen in `$PAGER` or `less`. A shorter one is printed. Text that the
 * user does not scroll to is never created. Without a pager, everything is printed.
 */
async function page(pieces: Iterable<Printed>, { output, gate, host, columns }: Paging): Promise<void> {
  const rows = host.stdout.rows || 24
  const words = host.env.PAGER?.split(/\s+/).filter((word) => word !== '') ?? USUAL
  const rest = pieces[Symbol.iterator]()
  let begun = ''
  let lines = 0
  while (lines < rows) {
    const { done, value } = rest.next()
    if (done) return output.print(begun)
    const text = textOfPiece(value)
    begun += text
    lines += linesOf(text, columns)
  }
  output.clear()
  const child = words.length === 0 || words[0] === 'cat' ? undefined : await started(words, host)
  if (!child) {
    output.print(begun)
    return output.printPieces({ [Symbol.iterator]: () => rest })
  }
  // While the pager runs, it decides what an interrupt means.
  const release = host.on('SIGINT', () => {})
  try {
    await feed(child, begun, rest, gate)
  } finally {
    release()
  }
}

function linesOf(text: string, columns: number): number {
  let count = 0
  for (const line of text.split('\n').slice(0, -1)) count += Math.max(1, Math.ceil(widthOf(line) / columns))
  return count
}

/** Starts the pager on our terminal. Undefined if there is no such program. */
async function started([name, ...args]: readonly string[], host: Host): Promise<ChildProcess | undefined> {
  const { spawn } = await import('node:child_process')
  const env = { LESS: 'FRX', LESSCHARSET: 'utf-8', ...host.env }
  const child = spawn(name!, args, { stdio: ['pipe', 'inherit', 'inherit'], env })
  return new Promise((settle) => {
    child.once('spawn', () => settle(child))
    child.once('error', () => settle(undefined))
  })
}

/** Writes as fast as the pager reads, until it is closed. */
async function feed(child: ChildProcess, begun: string, rest: Iterator<Printed>, gate: Gate): Promise<void> {
  const { stdin } = child
  let closed = false
  const end = once(child, 'close').then(() => {
    closed = true
  })
  // Quitting before the end closes the pipe.
  stdin!.on('error', () => {
    closed = true
  })
  for (let text: string | undefined = begun; text !== undefined && !closed; ) {
    if (!stdin!.write(gate.output(text))) await Promise.race([once(stdin!, 'drain').catch(() => {}), end])
    const { done, value } = closed ? { done: true, value: undefined } : rest.next()
    text = done ? undefined : textOfPiece(value!)
  }
  rest.return?.()
  stdin!.end()
  await end
}

const FILES = 'Close other programs, or raise the limit of open files: ulimit -n 4096'
const SPACE =
  'Free some space where this was to be written. If it is the store: SCROLLBACK_HOME names a folder on another disk.'
/** What to do if the system lacks a resource, or a disk fails. Not a fault of this program. */
const SHORTAGES = new Map([
  ['EMFILE', FILES],
  ['ENFILE', FILES],
  ['ENOSPC', SPACE],
  ['EDQUOT', SPACE],
  ['EIO', 'Check the disk, or set SCROLLBACK_HOME to a folder on another one.'],
  ['EROFS', 'Set SCROLLBACK_HOME to a folder that you may write to.'],
  ['ENOMEM', 'Close other programs.'],
])

/** Reports the error that ended the program, and returns the exit code. */
export function reportFault(error: unknown, output: Output): number {
  const code = String((error as NodeJS.ErrnoException)?.code)
  if (error instanceof ClosedPipe || code === 'EPIPE') return 0
  // Commander has already printed it.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof ScrollbackError) {
    report(error, output)
    return error.exitCode
  }
  const wayOut = SHORTAGES.get(code)
  if (wayOut !== undefined) {
    output.say(`scrollback: ${(error as Error).message}\n${wayOut}\n`)
    return 1
  }
  output.say(
    `scrollback: this is a fault of the program itself; please report it with the lines below.\n${(error as Error)?.stack ?? error}\n`,
  )
  return 1
}

function report({ message, wayOut }: ScrollbackError, output: Output): void {
  output.say(`scrollback: ${message}\n${wayOut ? `${wayOut}\n` : ''}`)
}
