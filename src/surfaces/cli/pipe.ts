import type { ChildProcess } from 'node:child_process'
import type { Piped, PipeLimits } from '../../commands/kit/context.ts'

/** How long a program may take to end after a request to do so, in ms. */
const GRACE_MS = 2000
const MOST_ERRORS = 4000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Gives a text to another program and returns what it prints. It runs without a shell, in a process group of
 * its own, so that everything that it started ends with it: after a limit, or when this process is
 * interrupted.
 */
export async function pipeThrough(
  words: readonly string[],
  text: string,
  { milliseconds, bytes }: PipeLimits,
): Promise<Piped> {
  const [name, ...args] = words
  const { spawn } = await import('node:child_process')
  const child = spawn(name!, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const pieces: Buffer[] = []
  let [size, errors] = [0, '']
  let limit: 'slow' | 'long' | undefined
  const stopFor = (reason: 'slow' | 'long'): void => {
    limit ??= reason
    endGroup(child)
  }
  const timer = setTimeout(() => stopFor('slow'), milliseconds)
  const release = endWith(child)
  // It may not read everything, or nothing at all.
  child.stdin.on('error', () => {})
  child.stdin.end(text)
  child.stdout.on('data', (piece: Buffer) => {
    size += piece.length
    if (size > bytes) stopFor('long')
    else pieces.push(piece)
  })
  child.stderr.on('data', (piece: Buffer) => {
    errors = (errors + piece.toString()).slice(-MOST_ERRORS)
  })
  try {
    const code = await new Promise<number | null | 'missing'>((settle) => {
      child.on('error', () => settle('missing'))
      child.on('close', (exit) => settle(exit))
    })
    const output = Buffer.concat(pieces).toString('utf8')
    if (code === 'missing') return { ended: 'missing', code: null, output, errors }
    return { ended: limit ?? 'exited', code, output, errors }
  } finally {
    clearTimeout(timer)
    release()
  }
}

/** Ends the program when this process is interrupted, and then this process in the usual way. */
function endWith(child: ChildProcess): () => void {
  const handlers = SIGNALS.map((signal) => {
    const handle = (): void => {
      release()
      child.once('close', () => process.kill(process.pid, signal))
      endGroup(child)
    }
    process.once(signal, handle)
    return { signal, handle }
  })
  const release = (): void => {
    for (const { signal, handle } of handlers) process.off(signal, handle)
  }
  return release
}

/** Asks the whole group to end, and insists after a while. */
function endGroup(child: ChildProcess): void {
  send(child, 'SIGTERM')
  const insist = setTimeout(() => send(child, 'SIGKILL'), GRACE_MS)
  child.once('close', () => clearTimeout(insist))
}

function send(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It has ended already.
  }
}
