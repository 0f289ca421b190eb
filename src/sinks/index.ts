import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ScrollbackError } from '../errors.ts'
import { createFileSink } from './file.ts'
import { createHttpSink } from './http.ts'
import { type Compression, LOGS_PATH, RECORDS_PATH } from './http-request.ts'
import { type Batch, type KnownSink, type Sink, SinkError } from './sink.ts'

/** What sinks need from the system. */
export interface SinkContext {
  home: string
  /** The current directory. */
  directory: string
  variables: Readonly<Record<string, string | undefined>>
  nowMs(): number
  lock(path: string): { release(): void } | undefined
  /** Resolves when the pipe has accepted the bytes. */
  writeOut(bytes: Uint8Array): Promise<void>
}

/** Options of one destination. */
export interface SinkOptions {
  /** The environment variable, or the file, that contains the token. */
  tokenEnv?: string
  tokenFile?: string
  /** The compression of requests. */
  compression?: Compression
  /** Larger records become stubs, in bytes. */
  recordLimit?: number
  /** The size of a segment of an archive, in bytes. */
  segmentBytes?: number
  /** The archive of earlier deliveries. Any other archive is refused. */
  known?: KnownSink | undefined
}

const KINDS = ['file:', 'stdout:', 'https://host/path', 'otlp:https://host:4318'] as const
const SERVER = /^(otlp:)?(https?:.*)$/s

/** Normalizes an address to the form under which its state is stored. Contains no secrets. */
export function normalAddress(
  address: string,
  { home, directory }: Pick<SinkContext, 'home' | 'directory'>,
): string {
  if (address === 'stdout:' || address === '-') return 'stdout:'
  const server = SERVER.exec(address)
  if (server) return (server[1] ?? '') + normalUrl(server[2]!, server[1] ? LOGS_PATH : RECORDS_PATH)
  const path = address.startsWith('file://')
    ? fileURLToPath(address)
    : address.startsWith('file:')
      ? address.slice('file:'.length)
      : /^[./~]/.test(address)
        ? address
        : undefined
  if (path === undefined || path === '')
    throw new ScrollbackError(
      'bad-option',
      `${address}: unknown kind of destination`,
      `Use a directory (file:~/archive), or ${KINDS.slice(1).join(', ')}.`,
    )
  return `file:${pathOf(path, home, directory)}`
}

function normalUrl(address: string, path: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url)
    // The address is not quoted, because any part of it may be secret.
    throw new ScrollbackError('bad-option', 'The address of the server is invalid.', 'Use https://host/path.')
  if (url.username !== '' || url.password !== '')
    throw new ScrollbackError(
      'bad-option',
      `${url.protocol}//${url.host}: a name or password in the address would be visible in the process list`,
      'Put the token into an environment variable or a file: --token-env or --token-file.',
    )
  url.hash = ''
  if (url.pathname === '/') url.pathname = path
  return url.href
}

const pathOf = (path: string, home: string, directory: string): string =>
  path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(directory, path)

/** Opens a destination by its normalized address. Throws a `SinkError` if it cannot be used. */
export async function openSink(address: string, options: SinkOptions, context: SinkContext): Promise<Sink> {
  if (address === 'stdout:') return withLimit(createStdoutSink(context.writeOut), options)
  const server = SERVER.exec(address)
  if (server) {
    const { tokenFile } = options
    const { home, directory } = context
    const path = tokenFile === undefined ? undefined : pathOf(tokenFile, home, directory)
    const asked = { ...context, ...options, address: server[2]!, tokenFile: path }
    if (!server[1]) return withLimit(createHttpSink(asked), options)
    // Loaded lazily, because no other command needs its libraries.
    const { createOtlpSink } = await import('./otlp.ts')
    return withLimit(createOtlpSink(asked), options)
  }
  const folder = address.slice('file:'.length)
  const { segmentBytes, known } = options
  return withLimit(await createFileSink({ folder, ...context, segmentBytes, known }), options)
}

const withLimit = (sink: Sink, { recordLimit }: SinkOptions): Sink => ({
  ...sink,
  recordLimit: recordLimit ?? sink.recordLimit,
})

/**
 * A pipe. Bytes that it accepted are acknowledged. If the reader goes away, the rest is sent again next time.
 */
export function createStdoutSink(write: (bytes: Uint8Array) => Promise<void>): Sink {
  return {
    name: 'stdout:',
    window: 1,
    async write({ bytes }: Batch) {
      try {
        await write(bytes)
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code
        if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED')
          throw new SinkError('closed', 'The pipe was closed.', { cause: error })
        throw new SinkError('stop', `The pipe cannot be written to: ${(error as Error).message}`, {
          cause: error,
        })
      }
    },
  }
}
