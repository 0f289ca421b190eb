import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ScrollbackError } from '../errors.ts'
import { createFileSink } from './file.ts'
import { createHttpSink } from './http.ts'
import type { Compression } from './http-compression.ts'
import type { Sink } from './sink.ts'
import { createStdoutSink } from './stdout.ts'

/** What sinks need of the machine. */
export interface SinkContext {
  home: string
  /** The current directory. */
  directory: string
  variables: Readonly<Record<string, string | undefined>>
  nowMs(): number
  lock(path: string): { release(): void } | undefined
  /** Resolves when the pipe took it. */
  writeOut(bytes: Uint8Array): Promise<void>
}

/** What is said of one destination beside its address. */
export interface SinkOptions {
  /** Name of an environment variable, or path of a file, that holds the token. */
  tokenEnv?: string
  tokenFile?: string
  /** How requests are packed. */
  compression?: Compression
  /** Records above this become stubs, in bytes. */
  recordLimit?: number
  /** A segment of a directory, in bytes. */
  segmentBytes?: number
}

const KINDS = ['file:', 'stdout:', 'http:', 'https:'] as const
const SERVER = /^https?:/

/** An address in the one form that its state is kept under: without anything secret. */
export function normalAddress(
  address: string,
  { home, directory }: Pick<SinkContext, 'home' | 'directory'>,
): string {
  if (address === 'stdout:' || address === '-') return 'stdout:'
  if (SERVER.test(address)) {
    if (!URL.canParse(address))
      throw new ScrollbackError(
        'bad-option',
        `${address}: no address of a server`,
        'Write it as https://host/path.',
      )
    const url = new URL(address)
    if (url.username !== '' || url.password !== '')
      throw new ScrollbackError(
        'bad-option',
        `${url.protocol}//${url.host}: a name or password in the address would stand in the list of processes`,
        'Put the token into an environment variable or a file: --token-env or --token-file.',
      )
    return url.href
  }
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
      `${address}: no kind of destination that I know`,
      `Name a directory (file:~/archive), or ${KINDS.slice(1).join(', ')}.`,
    )
  return `file:${pathOf(path, home, directory)}`
}

const pathOf = (path: string, home: string, directory: string): string =>
  path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(directory, path)

/** Opens a destination by its normal address. Throws a `SinkError` where it cannot be used. */
export async function openSink(address: string, options: SinkOptions, context: SinkContext): Promise<Sink> {
  if (address === 'stdout:') return withLimit(createStdoutSink(context.writeOut), options)
  if (SERVER.test(address)) {
    const { tokenFile } = options
    const { home, directory } = context
    const place = tokenFile === undefined ? undefined : pathOf(tokenFile, home, directory)
    return withLimit(createHttpSink({ ...context, ...options, address, tokenFile: place }), options)
  }
  const folder = address.slice('file:'.length)
  return withLimit(createFileSink({ folder, ...context, segmentBytes: options.segmentBytes }), options)
}

const withLimit = (sink: Sink, { recordLimit }: SinkOptions): Sink => ({
  ...sink,
  recordLimit: recordLimit ?? sink.recordLimit,
})
