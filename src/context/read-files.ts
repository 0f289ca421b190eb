import { databaseFault } from '../io/sqlite.ts'
import type { Artifact } from '../model/artifact.ts'
import type { Session } from '../model/session.ts'
import { counted } from '../render/table.ts'
import { inOrder } from '../sync/pool.ts'
import { readSession } from '../sync/read/read-session.ts'
import type { ReadingContext } from './context.ts'

/** Whatever of a session was written by people and programs. */
const TEXTS = [
  'title',
  'firstHuman',
  'lastHuman',
  'opening',
  'asked',
  'firstProgram',
  'subagent',
  'cwds',
  'touched',
  'origins',
  'branches',
  'entry',
] as const satisfies readonly (keyof Session)[]

/**
 * A stored session, with its texts as they stand in the file if secrets are to be shown. Without a file, it
 * keeps the texts of the store.
 */
export function withTexts(session: Session, context: ReadingContext): Session {
  if (context.redact || session.goneMs !== undefined || session.state === 'purged') return session
  const artifact = context.fresh?.store.knownFile({ path: session.path })?.artifact
  if (!artifact) return session
  try {
    const { session: read } = readSession(artifact, { keep: 'counts', redact: false })
    const texts = TEXTS.filter((name) => read[name] !== undefined).map((name) => [name, read[name]])
    return { ...session, ...Object.fromEntries(texts) }
  } catch (error) {
    context.note(`${session.path} ${faultOf(error)}`, 'partly')
    return session
  }
}

/**
 * Why one file could not be read, in words. An error in this program costs only that file and is reported
 * with its location. Everything else can still be answered.
 */
export function faultOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException)?.code
  if (typeof code !== 'string') return ownFault(error)
  if (code === 'ERR_SQLITE_ERROR') {
    const { what, then } = databaseFault(error)
    return `cannot be read from its database: ${what}. ${then}`
  }
  const known: Record<string, string> = {
    ENOENT: 'vanished while it was being read',
    EACCES: 'cannot be read (permission denied)',
    EPERM: 'cannot be read (permission denied)',
    EISDIR: 'is a folder',
    ERR_NO_FILE: 'is no longer a file',
    EIO: 'cannot be read from the disk',
    ERR_PACKED_FILE_MISSING: 'was moved into another file, which is missing',
    ERR_WRITTEN_MEANWHILE: 'changed while it was read; run the command again',
    ERR_TORN_DOCUMENT:
      'is torn: it was not written to its end. What was read before is still stored; it is read again when it is whole.',
    ERR_BUFFER_TOO_LARGE: 'is too large after unpacking',
    Z_BUF_ERROR: 'cannot be unpacked: it is cut off',
    ZSTD_error_prefix_unknown: 'cannot be unpacked: all or a part of it is not compressed',
  }
  if (code.startsWith('ZSTD_error_')) return known[code] ?? 'cannot be unpacked: it is damaged'
  return known[code] ?? `cannot be read (${code})`
}

const STACK_LINES = 5

function ownFault(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const lines = stack.split('\n', STACK_LINES).map((line) => line.slice(0, 200))
  return `was skipped because of a bug in scrollback; please report it with these lines:\n  ${lines.join('\n  ')}`
}

interface Searched {
  path: string
  /** The number of lines that were too long to search. */
  tooLong: number
}

interface FileSearch<Found extends Searched, Settings> {
  job: string
  settings: Settings
  run(artifact: Artifact): Found | { path: string; fault: string }
}

/**
 * Searches files on all threads and yields the results in the order of the files. Reports progress,
 * unreadable files, and lines that are too long.
 */
export function* searchFiles<Found extends Searched, Settings>(
  artifacts: readonly Artifact[],
  { job, settings, run }: FileSearch<Found, Settings>,
  context: ReadingContext,
): Generator<{ artifact: Artifact; found: Found }> {
  const threads = threadsFor(artifacts, context.threads)
  const bytes = artifacts.reduce((sum, artifact) => sum + artifact.bytes, 0)
  let index = 0
  context.progress?.start('Searching', bytes)
  for (const found of inOrder<Artifact, Found | { path: string; fault: string }>({
    tasks: artifacts,
    run,
    threads,
    worker: threads > 1 ? workerUrl() : undefined,
    settings: { job, settings },
  })) {
    const artifact = artifacts[index++]!
    context.progress?.advance(artifact.bytes)
    if ('fault' in found) {
      context.note(`${found.path} ${found.fault}`, 'partly')
      continue
    }
    if (found.tooLong > 0)
      context.note(`${found.path}: ${counted(found.tooLong, 'line')} too long to search`, 'partly')
    yield { artifact, found }
  }
  context.progress?.stop()
}

/** For fewer bytes, starting a second thread takes longer than it saves. */
const WORTH_BYTES = 24 * 1024 * 1024
const WORTH_FILES = 1500

/** The script of worker threads, in another folder of the sources, and next to this code in the bundle. */
export const workerUrl = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? '../commands/worker.ts' : './worker.js', import.meta.url)

export function threadsFor(files: readonly { bytes: number }[], available: number): number {
  let bytes = 0
  for (const file of files) bytes += file.bytes
  return bytes >= WORTH_BYTES || files.length >= WORTH_FILES ? available : 1
}
