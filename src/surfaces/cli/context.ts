import type { Command } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { type GlobalFlags, suggesting } from '../../context/flags.ts'
import type { FromArchive } from '../../deliver/archive/from-archive.ts'
import { createGate, type Gate } from '../../render/gate.ts'
import { readableBytes } from '../../render/table.ts'
import type { Screen } from '../../render/terminal.ts'
import { machineWordsFor, shortIds } from '../../selection/session-names.ts'
import {
  DEMO_RETENTION_DAYS,
  dataFolder,
  dirsOf,
  environmentOf,
  onlyDirs,
  ownMachine,
  storePathOf,
  timeOf,
} from '../environment.ts'
import { type Host, standardInput } from '../host.ts'
import { listen, offerTools, servePage } from '../servers.ts'
import { withoutDisk } from '../team-store.ts'
import { columnsOf, createOutput, deliverOut, type Output, writeOut } from './output.ts'
import {
  openBrowser,
  pipeThrough,
  shownAgain,
  startedByNpm,
  startProgram,
  stopSignal,
  untilInterrupted,
} from './processes.ts'

/** The environment of one command line. */
export interface Session {
  context: Context
  screen: Screen
  gate: Gate
  output: Output
  /** The same for an answer that is JSON. */
  forJson: { gate: Gate; output: Output }
  /** Whether the answer is incomplete. */
  isPartly(): boolean
  /** Call this after the answer is written. */
  end(): void
}

/** The terminal only prints text, such as that of an editor: no bar, no dialog, no pager. */
export const isDumb = ({ env }: Pick<Host, 'env'>): boolean => env.TERM === 'dumb'

export function createSession(
  command: Command,
  given: Readonly<Record<string, unknown>>,
  flags: GlobalFlags,
  { host, version }: { host: Host; version: string },
  from: { remote?: Context['remote'] | undefined; archived?: FromArchive | undefined } = {},
): Session {
  const { remote, archived } = from
  const dirs = dirsOf(flags, host)
  const here = environmentOf({ ...flags, dirs: archived?.dirs ?? dirs }, host)
  const { directory } = here
  const environment = remote ? withoutDisk(here.environment) : here.environment
  let partly = false
  const noted = new Set<string>()
  const endings: (() => void)[] = []
  const { env, stderr } = host
  const terminal = host.stdout.isTTY
  const columns = columnsOf(host.stdout, env)
  const color = flags.color ?? (terminal && !env.NO_COLOR && !isDumb(host))
  const redact = flags.redact !== false
  const gate = createGate({ redact, colors: color })
  const output = createOutput(gate, host)
  const jsonGate = createGate({ redact, colors: false, json: true })
  const forJson = { gate: jsonGate, output: createOutput(jsonGate, host) }
  const context: Context = {
    environment,
    ...(archived ? { ownDirs: onlyDirs(dirs, host), ownStorePath: storePathOf(flags, host) } : {}),
    directory,
    redact,
    color,
    globalFlags: flags,
    ...ownMachine(host),
    version,
    now: timeOf(flags, host),
    storePath: archived?.storePath ?? storePathOf(flags, host),
    dataFolder: dataFolder(host),
    ...(remote ? { remote } : {}),
    storePasswords: {
      to: env.SCROLLBACK_STORE_PASSWORD,
      from: env.SCROLLBACK_STORE_PASSWORD_FROM,
    },
    start: (words, directory, variables, where) => {
      output.clear()
      return startProgram(words, directory, variables, { host, output: where })
    },
    pipe: (words, text, limits) => pipeThrough(words, text, limits, host),
    openBrowser: terminal ? openBrowser : undefined,
    onReload: (reload) => host.on('SIGHUP', reload),
    deliverOut: async (bytes) => {
      output.clear()
      deliverOut(host, bytes)
    },
    standardInput: () => standardInput(host),
    print: async (piece, form) => {
      output.clear()
      writeOut(host.stdout, (form === 'json' ? jsonGate : gate).bytes(piece))
    },
    retentionDays: flags.retention ?? (flags.demo ? DEMO_RETENTION_DAYS : undefined),
    stop: endsOnSignal(command, given) ? stopSignal(host) : undefined,
    listen,
    servePage,
    offerTools: (offered) => offerTools(offered, { version, host }),
    columns: Number.isFinite(columns) ? columns : undefined,
    partly: () => {
      partly = true
    },
    atEnd: (done) => void endings.push(done),
    untilInterrupted: (steps) => untilInterrupted(steps, host),
    progress:
      stderr.isTTY && !isDumb(host)
        ? createProgress(stderr.columns ?? 80, output)
        : createProgressLine(output),
    choose: flags.json ? undefined : chooserFor(gate, output, host),
    suggest: suggesting(
      startedByNpm(host) ? 'npm start --' : 'scrollback',
      machineWordsFor(flags, () => context.fresh),
      { command, given },
      shortIds(() => context.fresh),
    ),
    note(message, weight) {
      if (weight === 'partly') partly = true
      // Two parts of the work may report the same fault.
      if (noted.has(message)) return
      noted.add(message)
      output.say(`${message}\n`)
    },
  }
  for (const note of archived?.notes ?? []) context.note(note, 'partly')
  return {
    context,
    gate,
    output,
    forJson,
    isPartly: () => partly,
    screen: { columns, color, terminal, home: environment.home, now: context.now, suggest: context.suggest },
    end() {
      output.clear()
      for (const done of endings) done()
    },
  }
}

const endsOnSignal = ({ name }: Command, given: Readonly<Record<string, unknown>>): boolean =>
  ['collect', 'receive', 'follow', 'mcp', 'serve'].includes(name) ||
  (name === 'index' && given.watch === true)

/** Asks on the terminal, and prints the dialog to stderr. Only for an interactive terminal. */
function chooserFor(gate: Gate, output: Output, host: Host): Context['choose'] {
  if (!host.stdin.isTTY || !host.stderr.isTTY || isDumb(host)) return undefined
  return async (question, options) => {
    const { isCancel, select } = await import('@clack/prompts')
    output.clear()
    const picked = await shownAgain(host, (signal) =>
      select({
        message: gate.text(question),
        options: options.map(({ label, hint }, value) => ({
          value,
          label: gate.text(label),
          hint: hint === undefined ? undefined : gate.text(hint),
        })),
        output: host.stderr.stream(),
        signal,
      }),
    )
    return isCancel(picked) ? undefined : picked
  }
}

/** Short work needs no bar, so nothing is drawn before this time. */
const QUIET_MS = 400
const REDRAW_MS = 100
const WIDTH = 24

/**
 * A progress bar on stderr with the rate and remaining time. It is drawn as the work advances, because the
 * work blocks timers. It stays until something else is printed, also between two phases of long work.
 */
export function createProgress(columns: number, output: Output): NonNullable<Context['progress']> {
  const began = performance.now()
  let label = ''
  let unit: 'messages' | undefined
  let total = 0
  let done = 0
  let started = 0
  let drawn = 0
  const draw = (now: number, text: string): void => {
    drawn = now
    output.draw(text.slice(0, Math.max(0, columns - 1)))
  }
  const bar = (part: number): string =>
    `${label} ${'█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░')} ${Math.round(part * 100)}%`
  const amount = (count: number): string =>
    unit ? `${Math.round(count).toLocaleString('en')} ${unit}` : readableBytes(count)
  return {
    start(text, count, counted) {
      const isNext = label !== ''
      label = text
      total = count
      unit = counted
      done = 0
      started = performance.now()
      if (isNext && started - began >= QUIET_MS) draw(started, total === 0 ? `${label} …` : bar(0))
    },
    advance(count) {
      done += count
      const now = performance.now()
      if (now - began < QUIET_MS || now - drawn < REDRAW_MS) return
      if (total === 0) return draw(now, `${label} … ${amount(done)}`)
      // Nothing can be said about the rest before something is done.
      if (done === 0) return draw(now, bar(0))
      const rate = (done / (now - started)) * 1000
      draw(
        now,
        `${bar(Math.min(1, done / total))}  ${amount(rate)}/s  ${secondsLeft(total - done, rate)} s left`,
      )
    },
    stop() {
      if (drawn > 0) draw(performance.now(), total === 0 ? `${label} …` : bar(1))
    },
  }
}

const secondsLeft = (rest: number, rate: number): number => Math.max(0, Math.ceil(rest / rate))

/** In a pipe, so much silence is followed by a line, if so many bytes or messages are left. */
const SILENCE_MS = 1500
const MUCH = { bytes: 8 * 1024 * 1024, messages: 50_000 }

/** Where no bar can be drawn: one line on stderr about work that takes long. */
export function createProgressLine(output: Pick<Output, 'say'>): NonNullable<Context['progress']> {
  const began = Date.now()
  let wasPrinted = false
  let work = { label: '', total: 0, started: 0, done: 0, unit: 'bytes' as keyof typeof MUCH }
  return {
    start(label, total, unit) {
      work = { label, total, unit: unit ?? 'bytes', started: Date.now(), done: 0 }
    },
    advance(count) {
      work.done += count
      const now = Date.now()
      const { label, total, unit, done, started } = work
      if (wasPrinted || done === 0 || now - began < SILENCE_MS || total - done < MUCH[unit]) return
      wasPrinted = true
      const amount = unit === 'bytes' ? readableBytes(total) : `${total.toLocaleString('en')} ${unit}`
      const left = secondsLeft(total - done, (done / (now - started)) * 1000)
      output.say(`${label} ${amount}: ${Math.round((done / total) * 100)} %, about ${left} s left.\n`)
    },
    stop() {},
  }
}
