import type { Gate, Printed } from '../../render/gate.ts'
import { printableJson, wrapTalk } from '../../render/terminal.ts'
import { ClosedPipe, type Host, type HostStream } from '../host.ts'

const GATHER = 64 * 1024

/**
 * Writes records of JSON for another program. On a terminal, what that would execute or hide is escaped.
 * Throws the system's error if the reader is gone.
 */
export const deliverOut = ({ stdout }: Pick<Host, 'stdout'>, records: Uint8Array): void =>
  writeOut(stdout, stdout.isTTY ? Buffer.from(printableJson(Buffer.from(records).toString())) : records)

/** Throws the system's error if the reader is gone. */
export function writeOut(stdout: HostStream, bytes: Uint8Array): void {
  try {
    stdout.write(bytes)
  } catch (error) {
    throw error instanceof ClosedPipe ? Object.assign(new Error('closed'), { code: 'EPIPE' }) : error
  }
}

/** The only way to a terminal. Everything printed passes the gate. */
export interface Output {
  /** Prints the answer to stdout. */
  print(text: string): void
  /** Prints pieces of the answer, joining small ones to save system calls. */
  printPieces(pieces: Iterable<Printed>): void
  /** Prints messages to stderr. */
  say(text: string): void
  /** Clears the line of the cursor and draws on it. The line stays until something else is written. */
  draw(text: string): void
  /** Clears the line that was drawn. Call it before another program or a dialog writes to the terminal. */
  clear(): void
}

/** Hosts with something drawn on the line of the cursor: several outputs may write to one terminal. */
const drawn = new WeakSet<Pick<Host, 'stderr'>>()

const LONG = 4 * 1024 * 1024
const CLEARED = '\r\x1b[2K'

export function createOutput(gate: Gate, host: Host): Output {
  const { stdout, stderr } = host
  const talkColumns = columnsOf(stderr, host.env)
  const clear = (): void => {
    if (drawn.delete(host)) stderr.write(Buffer.from(CLEARED))
  }
  const print = (text: string): void => {
    clear()
    for (const part of parts(text)) stdout.write(Buffer.from(gate.output(part)))
  }
  return {
    print,
    printPieces(pieces) {
      let held = ''
      for (const piece of pieces) {
        if (typeof piece !== 'string') {
          if (held !== '') print(held)
          held = ''
          clear()
          stdout.write(gate.bytes(piece))
          continue
        }
        held += piece
        if (held.length < GATHER) continue
        print(held)
        held = ''
      }
      if (held !== '') print(held)
    },
    say(text) {
      clear()
      stderr.write(Buffer.from(wrapTalk(gate.output(text), talkColumns)))
    },
    draw(text) {
      drawn.add(host)
      stderr.write(Buffer.from(`${CLEARED}${gate.text(text)}`))
    },
    clear,
  }
}

/** Splits a text of many megabytes at lines or words, so that the gate need not hold several copies of it. */
function* parts(text: string): Generator<string> {
  let start = 0
  while (text.length - start > LONG) {
    const line = text.lastIndexOf('\n', start + LONG) + 1
    const end = line > start ? line : text.lastIndexOf(' ', start + LONG) + 1
    if (end <= start) break
    yield text.slice(start, end)
    start = end
  }
  yield start === 0 ? text : text.slice(start)
}

/** Narrower output cannot be formatted. */
const NARROWEST = 20
const USUAL = 80

/**
 * The maximum width of lines: that of the terminal, or of `COLUMNS`. Infinite in a pipe without `COLUMNS`.
 */
export function columnsOf(
  { isTTY, columns = 0 }: Pick<HostStream, 'isTTY' | 'columns'>,
  env: NodeJS.ProcessEnv,
): number {
  if (isTTY && columns > 0) return Math.max(NARROWEST, columns)
  const given = Number(env.COLUMNS)
  if (Number.isInteger(given) && given > 0) return Math.max(NARROWEST, given)
  return isTTY ? USUAL : Number.POSITIVE_INFINITY
}
