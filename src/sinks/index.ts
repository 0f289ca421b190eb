import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ScrollbackError } from '../errors.ts'
import { createFileSink } from './file.ts'
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
  /** Records above this become stubs, in bytes. */
  recordLimit?: number
  compression?: 'zstd' | 'gzip' | 'none'
  /** A segment of a directory, in bytes. */
  segmentBytes?: number
}

const KINDS = ['file:', 'stdout:'] as const

/** An address in the one form that its state is kept under: without anything secret. */
export function normalAddress(
  address: string,
  { home, directory }: Pick<SinkContext, 'home' | 'directory'>,
): string {
  if (address === 'stdout:' || address === '-') return 'stdout:'
  if (/^(?:https?|otlp):/.test(address)) {
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
  const whole = path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(directory, path)
  return `file:${whole}`
}

/** Opens a destination by its normal address. Throws a `SinkError` where it cannot be used. */
export async function openSink(address: string, options: SinkOptions, context: SinkContext): Promise<Sink> {
  if (address === 'stdout:') return withLimit(createStdoutSink(context.writeOut), options)
  const folder = address.slice('file:'.length)
  return withLimit(createFileSink({ folder, ...context, segmentBytes: options.segmentBytes }), options)
}

const withLimit = (sink: Sink, { recordLimit }: SinkOptions): Sink => ({
  ...sink,
  recordLimit: recordLimit ?? sink.recordLimit,
})
