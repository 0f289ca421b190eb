import { spawn } from 'node:child_process'
import { once } from 'node:events'
import xterm from '@xterm/headless'
import { variablesOf } from './program.ts'

/** Keys that are typed once something is on the screen. */
export interface Step {
  /** What the screen has to show first. */
  when: string | RegExp | ((screen: string, raw: string) => boolean)
  keys: string
}

export interface Played {
  /** The screen before each step, as a person saw it, without blanks at the ends of lines. */
  screens: string[]
  /** What is on the screen after the end. */
  left: string
  code: number
  /** Everything that was written, with its escape sequences. */
  raw: string
}

/** A program that still waits for a key after this time will never end. */
const PATIENCE_MS = 25_000

/** Programs say that a frame begins and ends, so that terminals draw it at once. */
const FRAME_BEGINS = '\x1b[?2026h'
const FRAME_ENDS = '\x1b[?2026l'

export const PICKER_KEYS = {
  escape: '\x1b',
  enter: '\r',
  tab: '\t',
  up: '\x1b[A',
  down: '\x1b[B',
  pageDown: '\x1b[6~',
  f2: '\x1bOQ',
  interrupt: '\x03',
  suspend: '\x1a',
  backspace: '\x7f',
}

interface Setting {
  cwd: string
  env?: NodeJS.ProcessEnv
  columns?: number
  rows?: number
  /** Called with the terminal before each step. */
  see?(terminal: xterm.Terminal): void
}

/** Plays keys to a command line in a terminal, and returns the screens that a person would have seen. */
export async function play(
  line: string,
  steps: readonly Step[],
  { cwd, env = {}, columns = 80, rows = 24, see = () => {} }: Setting,
): Promise<Played> {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
  const child = spawn(
    'script',
    ['-qec', `stty cols ${columns} rows ${rows}; ${line}; echo "exit:$?"`, '/dev/null'],
    {
      cwd,
      env: { ...variablesOf(cwd), TERM: 'xterm-256color', CI: '', ...env },
      stdio: 'pipe',
    },
  )
  const screens: string[] = []
  const waiting = [...steps]
  let raw = ''
  /** How much of it is on the screen. */
  let drawn = 0
  const shown = (): string => {
    const { active } = terminal.buffer
    return Array.from({ length: terminal.rows }, (_, row) =>
      active
        .getLine(active.baseY + row)!
        .translateToString(true)
        .trimEnd(),
    ).join('\n')
  }
  const look = (): void => {
    const [next] = waiting
    // In the middle of a frame, a person sees the one before.
    const isWhole = raw.lastIndexOf(FRAME_BEGINS, drawn) <= raw.lastIndexOf(FRAME_ENDS, drawn)
    if (!next || !isWhole) return
    const screen = shown()
    if (!isThen(next.when, screen, raw)) return
    waiting.shift()
    screens.push(screen)
    see(terminal)
    child.stdin.write(next.keys)
  }
  // The terminal answers questions about itself.
  terminal.onData((data) => void child.stdin.write(data))
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    raw += piece
    const length = raw.length
    terminal.write(piece, () => {
      drawn = length
      look()
    })
  })
  // What the next step waits for may be there already.
  const timer = setInterval(look, 50)
  const watchdog = setTimeout(() => child.kill(), PATIENCE_MS)
  let stuck = ''
  child.once('exit', (_, signal) => {
    if (signal !== null) stuck = shown()
  })
  await once(child, 'close')
  clearInterval(timer)
  clearTimeout(watchdog)
  await new Promise<void>((done) => terminal.write('', done))
  const left = shown()
  const code = Number(/exit:(\d+)/.exec(raw.slice(-200))?.[1] ?? Number.NaN)
  terminal.dispose()
  if (waiting.length > 0)
    throw new Error(`The screen never showed ${String(waiting[0]!.when)}. It was:\n${stuck}\n---\n${left}`)
  return { screens, left: left.replace(/exit:\d+\s*$/, '').trimEnd(), code, raw }
}

function isThen(when: Step['when'], screen: string, raw: string): boolean {
  if (typeof when === 'string') return screen.includes(when)
  return typeof when === 'function' ? when(screen, raw) : when.test(screen)
}
