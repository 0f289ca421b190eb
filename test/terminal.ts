import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { variablesOf } from './program.ts'

export interface Shown {
  /** Everything that was written to the terminal, with its escape sequences. */
  raw: string
  /** The same as text. */
  text: string
  code: number
}

/** Input that is typed once a text is on the screen. */
export interface Typed {
  after: string | RegExp
  keys: string
}

export const KEYS = {
  escape: '\x1b',
  enter: '\r',
  down: '\x1b[B',
  up: '\x1b[A',
  interrupt: '\x03',
  backspace: '\x7f',
}

/** Runs a command line in a pseudo-terminal of 80 columns and 24 lines, and types the input. */
export async function inTerminal(
  line: string,
  {
    cwd,
    env = {},
    types = [],
    columns = 80,
  }: { cwd: string; env?: NodeJS.ProcessEnv; types?: Typed[]; columns?: number },
): Promise<Shown> {
  const sized = `stty cols ${columns} rows 24; trap : INT; ${line}; echo "exit:$?"`
  const child = spawn('script', ['-qec', sized, '/dev/null'], {
    cwd,
    env: { ...variablesOf(cwd), TERM: 'xterm', ...env },
    stdio: 'pipe',
  })
  const waiting = [...types]
  let raw = ''
  let from = 0
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    raw += piece
    const next = waiting[0]
    const rest = raw.slice(from)
    if (next && (typeof next.after === 'string' ? rest.includes(next.after) : next.after.test(rest))) {
      waiting.shift()
      from = raw.length
      child.stdin.write(next.keys)
    }
  })
  await once(child, 'close')
  // A line that was cleared is no longer on the screen.
  const left = raw.replace(/[^\n]*\r\x1b\[2K/g, '')
  const text = stripVTControlCharacters(left).replaceAll('\r', '')
  const code = Number(/exit:(\d+)\s*$/.exec(text)?.[1] ?? Number.NaN)
  return { raw, text: text.replace(/exit:\d+\s*$/, ''), code }
}
