import { writeSync } from 'node:fs'
import type { Gate } from '../../condense/gate.ts'
import { wrapTalk } from '../../condense/wrap.ts'

/** The reader of our output went away; there is nobody left to tell anything. */
export class ClosedPipe extends Error {}

const pause = new Int32Array(new SharedArrayBuffer(4))
const GATHER = 64 * 1024

/** Writes to a file descriptor at once, waiting where the reader is slow. Throws `ClosedPipe` when it is gone. */
export function writeOut(descriptor: number, bytes: Uint8Array): void {
  let at = 0
  while (at < bytes.length) {
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE') throw new ClosedPipe()
      if (code !== 'EAGAIN') throw error
      Atomics.wait(pause, 0, 0, 5)
    }
  }
}

/** Hands on records that were made for a program to read. Throws the system's error where nobody took them. */
export function deliverOut(descriptor: number, bytes: Uint8Array): void {
  try {
    writeOut(descriptor, bytes)
  } catch (error) {
    throw error instanceof ClosedPipe ? Object.assign(new Error('closed'), { code: 'EPIPE' }) : error
  }
}

/** The only way to a terminal: everything that is printed passes the gate. */
export interface Output {
  /** The answer. */
  print(text: string): void
  /** The same in pieces, small ones gathered so that each write is worth its system call. */
  printPieces(pieces: Iterable<string | Uint8Array>): void
  /** Talk beside it. */
  say(text: string): void
  /** Draws on the line of the cursor, after clearing it. */
  draw(text: string): void
}

const LONG = 4 * 1024 * 1024
const ANSWER = 1
const TALK = 2

export function createOutput(gate: Gate, talkColumns = Number.POSITIVE_INFINITY): Output {
  const print = (text: string): void => {
    for (const part of parts(text)) writeOut(ANSWER, Buffer.from(gate.output(part)))
  }
  return {
    print,
    printPieces(pieces) {
      let held = ''
      for (const piece of pieces) {
        if (typeof piece !== 'string') {
          if (held !== '') print(held)
          held = ''
          printBytes(piece, gate)
          continue
        }
        held += piece
        if (held.length < GATHER) continue
        print(held)
        held = ''
      }
      if (held !== '') print(held)
    },
    say: (text) => writeOut(TALK, Buffer.from(wrapTalk(gate.output(text), talkColumns))),
    draw: (text) => writeOut(TALK, Buffer.from(`\r\x1b[2K${gate.text(text)}`)),
  }
}

/** A text of many megabytes in parts of whole lines, or words, so that the gate need not hold several copies of it. */
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

/** UTF-8 that is ready to be written goes on as it is, unless the gate changes something. */
function printBytes(bytes: Uint8Array, gate: Gate): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  const shown = gate.output(text)
  writeOut(ANSWER, shown === text ? bytes : Buffer.from(shown))
}
