import { availableParallelism, hostname, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { CommanderError, InvalidArgumentError, Option, Command as Program } from 'commander'
import type { Command, Context, Screen } from '../../commands/command.ts'
import { completionNames } from '../../commands/completion-names.ts'
import { fromArchive } from '../../commands/from-archive.ts'
import { commands } from '../../commands/index.ts'
import { suggesting } from '../../commands/shell-word.ts'
import { parseTime } from '../../commands/time.ts'
import { createGate } from '../../condense/gate.ts'
import { printableJson } from '../../condense/printable.ts'
import { wrapTalk } from '../../condense/wrap.ts'
import { ScrollbackError } from '../../errors.ts'
import { dataFolder, environmentOf, type MachineFlags, storePathOf, timeOf } from '../environment.ts'
import { listen } from '../receiver.ts'
import { offerTools } from '../tool-server.ts'
import { chooserFor } from './choose.ts'
import { commandNamed, unknownCommand } from './command-names.ts'
import { completionScript, SHELLS } from './completions.ts'
import { addFlags, flagsOf, guarded, parseInput, unguarded } from './flags.ts'
import { helpText, programHelp } from './help.ts'
import { ClosedPipe, createOutput, deliverOut, type Output } from './output.ts'
import { page } from './pager.ts'
import { createProgress } from './progress.ts'
import { columnsOf } from './width.ts'

interface SurfaceFlags extends MachineFlags {
  json?: boolean
  redact?: boolean
  color?: boolean
  pager?: boolean
  retention?: number
  from?: string
}

function daysOf(text: string): number {
  const days = Number(text)
  if (!Number.isFinite(days) || days < 1)
    throw new InvalidArgumentError('a number of days is wanted, 1 or more.')
  return days
}

/** Runs one command line. Returns the exit code; everything printed is printed here. */
export async function main(args: readonly string[], version: string): Promise<number> {
  // Until the flags are read nobody asked for secrets or colours.
  const output = createOutput(createGate({ redact: true, colours: false }), columnsOf(process.stderr))
  try {
    return await run(args, version, output)
  } catch (error) {
    if (error instanceof ClosedPipe || (error as NodeJS.ErrnoException)?.code === 'EPIPE') return 0
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof ScrollbackError) {
      report(error, output)
      return error.exitCode
    }
    if (isShortage(error)) {
      output.say(`scrollback: the system refused: ${(error as Error).message}\n`)
      return 1
    }
    output.say(
      `scrollback: this is a fault of the program itself; please report it with the lines below.\n${(error as Error)?.stack ?? error}\n`,
    )
    return 1
  }
}

function report({ message, wayOut }: ScrollbackError, output: Output): void {
  output.say(`scrollback: ${message}\n${wayOut ? `${wayOut}\n` : ''}`)
}

/** The system is out of something, or a disk fails: nothing that the program did. */
const SHORTAGES = new Set(['EMFILE', 'ENFILE', 'EIO', 'ENOSPC', 'EDQUOT', 'ENOMEM', 'EROFS'])
const isShortage = (error: unknown): boolean => SHORTAGES.has(String((error as NodeJS.ErrnoException)?.code))

async function run(args: readonly string[], version: string, output: Output): Promise<number> {
  const name = args.find((arg) => !arg.startsWith('-'))
  if (name === 'completions') return completions(args, output)
  const wantsProgramHelp = args[0] === '--help' || args[0] === '-h' || args[0] === 'help'
  if (wantsProgramHelp && args.length === 1) {
    output.print(await programHelp(version, columnsOf(process.stdout)))
    return 0
  }
  const named = name === undefined || name === 'help' ? undefined : commandNamed(name)
  const asked = name === 'help' ? args[args.indexOf('help') + 1] : undefined
  if (asked === 'completions') return completions([asked], output)
  const helped = asked === undefined ? undefined : commandNamed(asked)
  if (asked !== undefined && helped === undefined) throw unknownCommand(asked)
  const command = await commands[named ?? helped ?? 'overview']!()
  const position = named ? args.indexOf(name!) : -1
  const rest = helped ? ['--help'] : args.filter((_, index) => index !== position)
  if (name !== undefined && !named && !helped && flagValueBefore(args, name) === undefined)
    throw unknownCommand(name)
  const program = programFor(command, output)
  program.parse(guarded(rest, command), { from: 'user' })
  const flags = program.opts<SurfaceFlags & Record<string, unknown>>()
  const given: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(flags)) given[name] = unguarded(value)
  // Of a command with levels of redaction, --no-redact is one.
  if ('redact' in command.input.shape && typeof given.redact === 'boolean')
    given.redact = given.redact ? undefined : 'off'
  for (const [index, flag] of flagsOf(command.input)
    .filter((each) => each.positional)
    .entries())
    given[flag.field] = unguarded(program.processedArgs[index])
  return answer(command, given, flags, version)
}

/** Whether a word is the value of a flag that stands before it, as in `--claude-dir x`. */
const flagValueBefore = (args: readonly string[], word: string): string | undefined => {
  const before = args[args.indexOf(word) - 1]
  return before && /^--(?:claude-dir|openclaw-dir|from)$/.test(before) ? before : undefined
}

function programFor(command: Command, output: Output): Program {
  const program = new Program(command.name === 'overview' ? 'scrollback' : `scrollback ${command.name}`)
  addFlags(program, command)
  const gather = (value: string, before: string[] = []): string[] => [...before, value]
  program
    .option('--json', 'the answer as JSON')
    .option(
      '--claude-dir <dir>',
      'read this Claude Code folder instead of the usual places; may be repeated',
      gather,
    )
    .option(
      '--openclaw-dir <dir>',
      'read this OpenClaw folder instead of the usual places; may be repeated',
      gather,
    )
    .option('--from <dir>', 'read an archive that "scrollback collect" made instead of this machine')
    .option('--deleted', 'also sessions that were deleted but still lie there')
    .option('--backups', 'also copies of transcripts that somebody made')
    .option('--demo', 'run on the bundled, invented data')
    .option('--no-redact', 'show secrets as they stand: reads the transcripts, never the store')
    .addOption(
      new Option(
        '--retention <days>',
        'days after which Claude Code deletes transcripts (30 unless its settings say otherwise)',
      ).argParser(daysOf),
    )
    .option('--no-pager', 'print at once what is longer than the screen')
    .option('--color', 'colours although this is no terminal')
    .option('--no-color', 'no colours')
  program.helpInformation = () => helpText(command, program, columnsOf(process.stdout))
  return program
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({
      writeOut: (text) => output.print(text),
      writeErr: (text) => output.say(text.replace(/^error: /, 'scrollback: ')),
    })
    .showHelpAfterError(
      `See: scrollback ${command.name === 'overview' ? '' : `${command.name} `}--help${
        flagsOf(command.input).some((flag) => flag.words)
          ? `\nTo look for words that begin so, put -- before them: scrollback ${command.name} -- --word`
          : ''
      }`,
    )
}

async function answer(
  command: Command,
  given: Record<string, unknown>,
  flags: SurfaceFlags,
  version: string,
): Promise<number> {
  const input = parseInput(command, given)
  checkTimes(input, timeOf(flags))
  const archived = flags.from === undefined ? undefined : fromArchive(resolve(flags.from), dataFolder())
  const { environment, directory } = environmentOf(
    archived ? { ...flags, claudeDir: archived.claudeDirs, openclawDir: archived.openclawDirs } : flags,
  )
  let partly = false
  const said = new Set<string>()
  const endings: (() => void)[] = []
  const terminal = process.stdout.isTTY === true
  const columns = columnsOf(process.stdout)
  const color = flags.color ?? (terminal && !process.env.NO_COLOR && process.env.TERM !== 'dumb')
  const gate = createGate({ redact: flags.redact !== false, colours: color })
  const output = createOutput(gate, columnsOf(process.stderr))
  const context: Context = {
    environment,
    directory,
    here: process.cwd(),
    now: timeOf(flags),
    threads: Math.min(8, availableParallelism()),
    redact: flags.redact !== false,
    storePath: archived?.storePath ?? storePathOf(flags),
    dataFolder: dataFolder(),
    machine: { device: hostname(), user: userName() },
    started: { executable: process.execPath, script: resolve(process.argv[1] ?? '') },
    start: startProgram,
    onReload: (reload) => {
      process.on('SIGHUP', reload)
      return () => process.off('SIGHUP', reload)
    },
    deliverOut: async (bytes) => deliverOut(1, bytes),
    print: async (text) => deliverOut(1, Buffer.from(gate.output(text))),
    retentionDays: flags.retention,
    stop: endsWhenTold(command, given) ? stopSignal() : undefined,
    listen,
    offerTools: (given) => offerTools(given, version),
    columns: Number.isFinite(columns) ? columns : undefined,
    color,
    partly: () => {
      partly = true
    },
    atEnd: (done) => void endings.push(done),
    progress: process.stderr.isTTY ? createProgress(process.stderr.columns, output) : undefined,
    choose: flags.json ? undefined : chooserFor(gate),
    suggest: suggesting(startedByNpm() ? 'npm start --' : 'scrollback', placesOf(flags)),
    note(message, weight) {
      if (weight === 'partly') partly = true
      // Two parts of the work may meet the same fault.
      if (said.has(message)) return
      said.add(message)
      output.say(`${message}\n`)
    },
  }
  const screen: Screen = {
    columns,
    color,
    terminal,
    home: environment.home,
    now: context.now,
    suggest: context.suggest,
  }
  for (const note of archived?.notes ?? []) context.note(note, 'partly')
  try {
    return await told()
  } catch (error) {
    // What was not found may be in what could not be looked through.
    if (!partly || !(error instanceof ScrollbackError) || !error.isMissing) throw error
    report(error, output)
    return 3
  } finally {
    for (const end of endings) end()
  }

  async function told(): Promise<number> {
    const found = await command.run(input, context)
    if (command.name === 'overview' && isEmpty(found) && startedByNpm() && !flags.json && !flags.demo) {
      output.printPieces(command.render(found, screen))
      return showDemo(flags, version, output)
    }
    if (!flags.json) {
      const verbatim = command.isVerbatim?.(found) === true
      const pieces = verbatim
        ? command.render(found, screen)
        : inWidth(command.render(found, screen), columns)
      const paged = terminal && flags.pager !== false && !command.stays
      if (paged) await page(pieces, { output, gate, rows: process.stdout.rows || 24, columns })
      else output.printPieces(pieces)
      const more = terminal && context.choose && (await command.follow?.(found, screen, context.choose))
      if (more) output.printPieces(more)
    } else if (command.json) output.printPieces(command.json(found))
    else output.print(printableJson(`${JSON.stringify(gate.value(found), null, 2)}\n`))
    return partly ? 3 : 0
  }
}

/** What is no time is refused before anything is read for it. */
function checkTimes(input: Record<string, unknown>, now: number): void {
  for (const [name, edge] of [
    ['since', 'since'],
    ['until', 'until'],
    ['at', 'until'],
  ] as const) {
    const text = input[name]
    if (typeof text === 'string') parseTime(text, edge, now)
  }
}

/** Lines that no renderer made fit are broken between words. */
function* inWidth(pieces: Iterable<string | Uint8Array>, columns: number): Generator<string | Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? wrapTalk(piece, columns) : piece
}

const endsWhenTold = ({ name }: Command, given: Record<string, unknown>): boolean =>
  ['collect', 'receive', 'follow', 'mcp'].includes(name) || (name === 'index' && given.watch === true)

/** Ctrl-C and the system's request to end: what was begun is finished first. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}

/** With our terminal, and no shell between. */
async function startProgram(
  words: readonly string[],
  directory: string,
  variables: Record<string, string>,
): Promise<number | undefined> {
  const [name, ...args] = words
  const { spawn } = await import('node:child_process')
  return new Promise((settle) => {
    const child = spawn(name!, args, {
      cwd: directory,
      stdio: 'inherit',
      env: { ...process.env, ...variables },
    })
    child.on('error', () => settle(undefined))
    child.on('exit', (code, signal) => settle(signal === null ? (code ?? 1) : 1))
  })
}

/** A user without a name in the system has none here either. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}

/** The flags that say which machine is read, as they were given. */
const placesOf = ({
  claudeDir = [],
  openclawDir = [],
  from,
  deleted,
  backups,
  demo,
}: SurfaceFlags): string[] => [
  ...claudeDir.flatMap((path) => ['--claude-dir', path]),
  ...openclawDir.flatMap((path) => ['--openclaw-dir', path]),
  ...(from === undefined ? [] : ['--from', from]),
  ...(deleted ? ['--deleted'] : []),
  ...(backups ? ['--backups'] : []),
  ...(demo ? ['--demo'] : []),
]

const startedByNpm = (): boolean => process.env.npm_lifecycle_event === 'start'

const isEmpty = (found: unknown): boolean => (found as { platforms: unknown[] }).platforms.length === 0

/** A newcomer without transcripts sees at once what reading one is like. */
async function showDemo(flags: SurfaceFlags, version: string, output: Output): Promise<number> {
  output.print('\nThis is one of them:\n\n')
  return answer(
    await commands.read!(),
    { target: ['640ab4c7'], fold: true },
    { ...flags, demo: true },
    version,
  )
}

async function completions(args: readonly string[], output: Output): Promise<number> {
  const shell = args[args.indexOf('completions') + 1]
  if (shell === 'names' || shell === 'agents') {
    output.print(await completionNames(shell, join(dataFolder(), 'store.sqlite')))
    return 0
  }
  if (!SHELLS.some((each) => each === shell))
    throw new ScrollbackError(
      'bad-option',
      `completions ${shell ?? ''}: which shell?`,
      'scrollback completions bash|zsh|fish, e.g. scrollback completions bash > ~/.local/share/bash-completion/completions/scrollback',
    )
  output.print(await completionScript(shell as (typeof SHELLS)[number]))
  return 0
}
