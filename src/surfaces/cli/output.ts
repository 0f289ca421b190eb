import { writeSync } from 'node:fs'

/** The reader of our output went away; there is nobody left to tell anything. */
export class ClosedPipe extends Error {}

const pause = new Int32Array(new SharedArrayBuffer(4))
const GATHER = 64 * 1024

/** Writes to a file descriptor at once, waiting where the reader is slow. Throws `ClosedPipe` when it is gone. */
export function writeOut(descriptor: number, text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
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

/** The same for whoever has to know that nobody took it: throws the system's error. */
export function writeOutOrFail(descriptor: number, bytes: Uint8Array): void {
  try {
    writeOut(descriptor, bytes)
  } catch (error) {
    throw error instanceof ClosedPipe ? Object.assign(new Error('closed'), { code: 'EPIPE' }) : error
  }
}

/** Gathers small pieces so that each write is worth its system call. */
export function writePieces(descriptor: number, pieces: Iterable<string | Uint8Array>): void {
  let held = ''
  for (const piece of pieces) {
    if (typeof piece !== 'string') {
      if (held !== '') writeOut(descriptor, held)
      held = ''
      writeOut(descriptor, piece)
      continue
    }
    held += piece
    if (held.length < GATHER) continue
    writeOut(descriptor, held)
    held = ''
  }
  if (held !== '') writeOut(descriptor, held)
}
