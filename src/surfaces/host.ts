import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'

/** The reader of our output has closed the pipe. */
export class ClosedPipe extends Error {}

/** Where text goes: to a terminal, a pipe or a file. */
export interface HostStream {
  isTTY: boolean
  /** The size of the terminal, at this moment. Undefined without one. */
  readonly columns: number | undefined
  readonly rows: number | undefined
  /** Writes immediately, and waits if the reader is slow. Throws `ClosedPipe` if it is gone. */
  write(bytes: Uint8Array): void
  /** Node's own stream, for libraries that write to one. */
  stream(): NodeJS.WriteStream
}

/**
 * What the program may use of the process in which it runs. Everything comes from here, so that a test can
 * run a command in its own process: `main(args, host, version)`.
 */
export interface Host {
  /** The process runs nothing else: flags of V8 may be set, and programs that we start get its terminal. */
  isOurs: boolean
  env: NodeJS.ProcessEnv
  /** The current directory. Throws if it was deleted. */
  cwd(): string
  /** Milliseconds since 1970. */
  now(): number
  stdin: { isTTY: boolean; stream(): NodeJS.ReadStream }
  stdout: HostStream
  stderr: HostStream
  /** How this process was started. */
  started: { executable: string; script: string | undefined }
  /** Calls back on a signal. Returns a function that stops this. */
  on(signal: NodeJS.Signals, handle: () => void): () => void
  /** Sends a signal to this process. */
  raise(signal: NodeJS.Signals): void
  /** Ends this process at once. */
  exit(code: number): never
}

const pause = new Int32Array(new SharedArrayBuffer(4))

function writeOut(descriptor: number, bytes: Uint8Array): void {
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

/** Node opens a stream when it is first asked for, which takes a millisecond, so only terminals are. */
const streamOf = (descriptor: 1 | 2): HostStream => {
  const isTTY = isatty(descriptor)
  const stream = (): NodeJS.WriteStream => (descriptor === 1 ? process.stdout : process.stderr)
  return {
    isTTY,
    get columns() {
      return isTTY ? stream().columns : undefined
    },
    get rows() {
      return isTTY ? stream().rows : undefined
    },
    write: (bytes) => writeOut(descriptor, bytes),
    stream,
  }
}

/** The process itself. */
export const processHost = (): Host => ({
  isOurs: true,
  env: process.env,
  cwd: () => process.cwd(),
  now: () => Date.now(),
  stdin: { isTTY: isatty(0), stream: () => process.stdin },
  stdout: streamOf(1),
  stderr: streamOf(2),
  started: { executable: process.execPath, script: process.argv[1] },
  on(signal, handle) {
    process.on(signal, handle)
    return () => process.off(signal, handle)
  },
  raise: (signal) => void process.kill(process.pid, signal),
  exit: (code) => process.exit(code),
})

/** Clients usually write before this program runs. Without input it answers after this time. */
const PATIENCE_MS = 1000
const MOST_BYTES = 256 * 1024

/** Reads standard input to its end, for a short time at most. */
export async function standardInput(host: Host): Promise<string> {
  const stdin = host.stdin.stream()
  if (stdin.isTTY) return ''
  return new Promise((settle) => {
    const pieces: Buffer[] = []
    let held = 0
    const finish = (): void => {
      clearTimeout(timer)
      stdin.pause()
      stdin.unref?.()
      settle(Buffer.concat(pieces).toString())
    }
    const timer = setTimeout(finish, PATIENCE_MS)
    stdin.on('data', (piece: Buffer) => {
      pieces.push(piece)
      held += piece.length
      if (held > MOST_BYTES) finish()
    })
    stdin.once('end', finish)
    stdin.once('error', finish)
  })
}
