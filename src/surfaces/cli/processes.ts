import type { ChildProcess } from 'node:child_process'
import type { Piped, PipeLimits } from '../../context/context.ts'
import type { Steps } from '../../model/iteration.ts'
import type { Host } from '../host.ts'

/** Aborts on Ctrl-C and when the system asks the process to end, so that work can be finished first. */
export function stopSignal(host: Host): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A second one ends the process as usual.
    const leave = host.on(signal, () => {
      leave()
      stop.abort()
    })
  }
  return stop.signal
}

/** After this much work in ms, signals are received. */
const TURN_MS = 50

/** Runs the steps until Ctrl-C, and then returns undefined. A second Ctrl-C ends the process as usual. */
export async function untilInterrupted<Result>(
  steps: Steps<Result>,
  host: Host,
): Promise<Result | undefined> {
  let isInterrupted = false
  const leave = host.on('SIGINT', () => {
    isInterrupted = true
    leave()
  })
  try {
    let step = steps.next()
    for (let began = Date.now(); !step.done; step = steps.next()) {
      if (Date.now() - began < TURN_MS) continue
      await new Promise((next) => setImmediate(next))
      if (isInterrupted) break
      began = Date.now()
    }
    if (step.done) return step.value
    steps.return(undefined as Result)
    return undefined
  } finally {
    leave()
  }
}

/**
 * Shows a dialog, and again after a person has stopped this process and brought it back (Ctrl-Z, `fg`): the
 * screen is another one then, and Node has paused the input. `show` ends when the signal aborts.
 */
export async function shownAgain<Result>(
  host: Host,
  show: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const leave = new AbortController()
    // Node's own handler comes first.
    const release = host.on('SIGCONT', () => void setImmediate(() => leave.abort()))
    try {
      const answer = await show(leave.signal)
      if (!leave.signal.aborted) return answer
    } finally {
      release()
    }
  }
}

/**
 * Starts a program on our terminal without a shell. Resolves to its exit code, or undefined if there is no
 * such program.
 */
export async function startProgram(
  words: readonly string[],
  directory: string,
  variables: Record<string, string>,
  { host, output }: { host: Host; output: 'aside' | undefined },
): Promise<number | undefined> {
  const [name, ...args] = words
  const { spawn } = await import('node:child_process')
  return new Promise((settle) => {
    const child = spawn(name!, args, {
      cwd: directory,
      stdio: host.isOurs ? (output === 'aside' ? ['ignore', 2, 2] : 'inherit') : ['ignore', 'pipe', 'pipe'],
      env: { ...host.env, ...variables },
    })
    // Nothing else has the terminal of a host.
    child.stdout?.on('data', (bytes: Buffer) => (output === 'aside' ? host.stderr : host.stdout).write(bytes))
    child.stderr?.on('data', (bytes: Buffer) => host.stderr.write(bytes))
    child.on('error', () => settle(undefined))
    child.on(host.isOurs ? 'exit' : 'close', (code, signal) => settle(signal === null ? (code ?? 1) : 1))
  })
}

export const startedByNpm = ({ env }: Host): boolean => env.npm_lifecycle_event === 'start'

/** The programs that open an address in the user's browser. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** How long the program may take to fail, in ms. It may run as long as the browser. */
const OPENING_MS = 2000

/** Opens an address in the user's browser, without a shell. Resolves to false if that fails. */
export async function openBrowser(address: string): Promise<boolean> {
  const [name, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const { spawn } = await import('node:child_process')
  return new Promise((settle) => {
    const child = spawn(name!, [...args, address], { stdio: 'ignore', detached: true })
    child.on('error', () => settle(false))
    child.on('exit', (code) => settle(code === 0))
    setTimeout(() => settle(true), OPENING_MS).unref()
    child.unref()
  })
}

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
  host: Host,
): Promise<Piped> {
  const [name, ...args] = words
  const { spawn } = await import('node:child_process')
  const child = spawn(name!, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: host.env,
    // Inherited otherwise, even one that was deleted.
    cwd: host.isOurs ? undefined : host.cwd(),
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
  const release = endWith(child, host)
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
function endWith(child: ChildProcess, host: Host): () => void {
  const handlers = SIGNALS.map((signal) =>
    host.on(signal, () => {
      release()
      child.once('close', () => host.raise(signal))
      endGroup(child)
    }),
  )
  const release = (): void => {
    for (const leave of handlers) leave()
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
