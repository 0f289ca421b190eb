import { accessSync, constants, statSync } from 'node:fs'
import * as z from 'zod/mini'
import type { FreshStore, ReadingContext } from '../../context/context.ts'
import { faultOf } from '../../context/read-files.ts'
import { unknownFormOf, unreadOf, unreadShape } from '../../context/scanned.ts'
import { isoTime } from '../../context/time.ts'
import { unlistedIn } from '../../deliver/unlisted.ts'
import { bytesBelow } from '../../io/directories.ts'
import type { Artifact } from '../../model/artifact.ts'
import { isTimeShared } from '../../model/item-key.ts'
import { append } from '../../model/iteration.ts'
import { type Item, isEmptySession, type Session } from '../../model/session.ts'
import { shellWord } from '../../model/shell-word.ts'
import { platforms } from '../../platforms/index.ts'
import { counted } from '../../render/table.ts'
import { isStated } from '../../store/cut-session.ts'
import type { Known } from '../../store/increment.ts'
import type { Messages, Store } from '../../store/store.ts'
import { readSession } from '../../sync/read/read-session.ts'
import { type Refreshed, withLinks } from '../../sync/refresh.ts'
import { driftShape } from './drift.ts'

/** Compares the disk with the store. `deep` reads every file again. */
export function diagnose(fresh: FreshStore, deep: boolean, context: ReadingContext): Diagnosis {
  const { store, found } = fresh
  const known = store.known()
  const sessions = new Map(store.sessions().map(({ session }) => [session.path, session]))
  const here = new Set(found.artifacts.map(({ path }) => path))
  const roots = new Set(found.roots.map(({ path }) => path))
  const gone = [...known.values()].filter(
    ({ artifact: { root, path } }) => roots.has(root) && !here.has(path) && sessions.has(path),
  )
  const diagnoseFile = createFileDiagnosis(fresh, { here, deep })
  const progress = deep ? context.progress : undefined
  progress?.start(
    'Comparing',
    sum(found.artifacts, ({ bytes }) => bytes),
  )
  const artifacts = [...found.artifacts, ...gone.map(({ artifact }) => artifact)].map(
    (artifact): FileDiagnosis => {
      const row = diagnoseFile(artifact, known.get(artifact.path), sessions.get(artifact.path))
      progress?.advance(here.has(artifact.path) ? artifact.bytes : 0)
      return row
    },
  )
  progress?.stop()
  const ok = artifacts.every(({ problems }) => problems.length === 0) && found.notices.length === 0
  if (!ok) context.partly?.()
  const { storeBytes, messages, occurrences } = store.statistics()
  return {
    version: 1,
    ok,
    deep,
    sources: found.roots.map((root) => ({ ...root })),
    store: { path: store.path, bytes: storeBytes, messages, occurrences },
    artifacts,
    refused: refusedOf(fresh, here),
    unread: unreadOf(found).map((each) => ({ ...each, bytes: bytesBelow(each.path) })),
    unlisted: unlistedIn(found.roots, context.environment),
    warnings: warningsOf({ store, found, known, here, context }),
  }
}

/** The refusals, and the files that could not be opened. */
function refusedOf({ found }: FreshStore, here: ReadonlySet<string>): Diagnosis['refused'] {
  const byPlatform = found.roots.flatMap((root) =>
    root.found ? (platforms.find(({ id }) => id === root.platform)?.files.refused(root) ?? []) : [],
  )
  return (
    [...byPlatform, ...found.notices.map(({ path, message }) => ({ path, reason: message }))]
      // With `--deleted`, some of them are read.
      .filter(({ path }) => !here.has(path))
      .map((each) => ({ ...each, bytes: bytesBelow(each.path) }))
  )
}

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((all, row) => all + of(row), 0)

export const output = () => {
  const count = z.number()
  return z.object({
    version: z.literal(1),
    ok: z.boolean(),
    deep: z.boolean(),
    sources: z.array(
      z.object({ platform: z.string(), path: z.string(), reason: z.string(), found: z.boolean() }),
    ),
    store: z.object({ path: z.string(), bytes: count, messages: count, occurrences: count }),
    artifacts: z.array(
      z.object({
        path: z.string(),
        kind: z.string(),
        state: z.string(),
        bytes: count,
        lines: count,
        accounting: z.nullable(
          z.object({
            events: count,
            skipped: z.record(z.string(), count),
            unknown: z.record(z.string(), count),
            malformed: count,
            malformedAt: z.optional(z.array(count)),
          }),
        ),
        stored: z.nullable(
          z.object({
            messages: count,
            offset: count,
            line: count,
            generation: count,
            goneSince: z.nullable(z.string()),
          }),
        ),
        problems: z.array(z.string()),
      }),
    ),
    refused: z.array(
      z.object({ path: z.string(), reason: z.string(), bytes: z.number(), spare: z.optional(z.boolean()) }),
    ),
    unread: unreadShape(),
    /** Folders with files that look like transcripts, by their names, and that no rule lists. */
    unlisted: z.array(z.object({ platform: z.string(), path: z.string(), files: count, bytes: count })),
    warnings: z.array(z.string()),
    drift: z.optional(driftShape()),
    /** With `--vanishing`: what clients delete within a week, the next one first. */
    vanishing: z.optional(
      z.array(
        z.object({
          id: z.string(),
          platform: z.string(),
          project: z.nullable(z.string()),
          path: z.string(),
          title: z.nullable(z.string()),
          deletesAt: z.string(),
          /** The archive that has all of it, or `null`. */
          archive: z.nullable(z.string()),
        }),
      ),
    ),
  })
}

export type Diagnosis = z.output<ReturnType<typeof output>>
/** The diagnosis of one file. */
export type FileDiagnosis = Diagnosis['artifacts'][number]

/** The sum of counts by type. */
export const total = (counts: Record<string, number> | undefined): number =>
  Object.values(counts ?? {}).reduce((sum, each) => sum + each, 0)

const UNREADABLE = 'cannot be read (permission denied)'

interface Options {
  /** The paths of all files on disk. */
  here: ReadonlySet<string>
  /** Read the file again and compare it with the store, row by row. */
  deep: boolean
}

/** Returns a function that compares one file with the store. */
function createFileDiagnosis({ store, found }: FreshStore, { here, deep }: Options) {
  const faults = new Map(found.faults.map(({ path, fault }) => [path, fault]))
  return (artifact: Artifact, stored: Known | undefined, session: Session | undefined): FileDiagnosis => {
    const { path, kind, database } = artifact
    const isHere = here.has(path)
    const unread = faults.get(path) ?? (isHere && !isReadable(database ?? path) ? UNREADABLE : undefined)
    const problems: string[] = []
    const form = session && unknownFormOf(session)
    if (form !== undefined) problems.push(form)
    if (unread !== undefined) problems.push(unread)
    else if (!stored || !session) problems.push('is not stored')
    if (stored && session && isHere) {
      append(problems, unaccounted(artifact, stored, session))
      if (deep && unread === undefined)
        append(problems, compareWithFile(store, withLinks(artifact, stored.artifact.links), session))
    }
    return {
      path,
      kind,
      state: stored?.goneMs === undefined ? artifact.state : 'gone',
      // The length of a database session is only known after reading it.
      bytes: database ? (session?.bytes ?? 0) : artifact.bytes,
      lines: session?.lines ?? 0,
      accounting: session?.accounting ?? null,
      stored: stored ? storedOf(stored, store.countMessages(path)) : null,
      problems,
    }
  }
}

/** Reports bytes that were not read, and lines that are missing in the accounting. */
function unaccounted(artifact: Artifact, { checkpoint }: Known, session: Session): string[] {
  const problems: string[] = []
  if (checkpoint.size !== artifact.bytes)
    problems.push(`has ${artifact.bytes} bytes, of which ${checkpoint.size} were read`)
  const { events, skipped, unknown, malformed } = session.accounting
  const accounted = events + total(skipped) + total(unknown) + malformed
  if (accounted !== session.lines) problems.push(`${session.lines - accounted} lines are not accounted for`)
  return problems
}

const storedOf = ({ checkpoint, goneMs }: Known, messages: number): FileDiagnosis['stored'] => ({
  messages,
  offset: checkpoint.offset,
  line: checkpoint.line,
  generation: checkpoint.generation,
  goneSince: isoTime(goneMs),
})

/** An unreadable file may be stored completely, but later additions to it will be missing. */
function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

const NAMED = 3

/** Reads a file again and compares it with the store, row by row. Returns the differences in words. */
function compareWithFile(store: Messages, artifact: Artifact, stored: Session): string[] {
  let read: { session: Session; items: Item[] }
  try {
    read = readSession(artifact)
  } catch (error) {
    return [faultOf(error)]
  }
  const problems: string[] = []
  const rows = new Map<string, Item>(store.messages(artifact.path).map((each) => [positionKey(each), each]))
  const missing: number[] = []
  const different: number[] = []
  for (const item of read.items) {
    const row = rows.get(positionKey(item))
    if (row === undefined) missing.push(item.line)
    else if (!isSame(row, item) || !isAsComplete(row, item)) different.push(item.line)
    rows.delete(positionKey(item))
  }
  if (missing.length > 0)
    problems.push(`not stored: ${counted(missing.length, 'message')} at ${lines(missing)}`)
  if (different.length > 0)
    problems.push(`stored differently: ${counted(different.length, 'message')} at ${lines(different)}`)
  if (rows.size > 0) problems.push(`not in the file, but stored: ${counted(rows.size, 'message')}`)
  const keeps = (name: keyof Session): boolean =>
    EXTENDED.includes(name) || (isEmptySession(read.session) && !isStated(read.session[name]))
  const fields = differing(stored, read.session).filter(
    (name) => stored.cut === undefined || !keeps(name as keyof Session),
  )
  if (fields.length > 0) problems.push(`its index row differs: ${fields.join(', ')}`)
  return problems
}

const positionKey = ({ line, order }: Item): string => `${line}.${order}`

const lines = (all: readonly number[]): string =>
  `line ${all.slice(0, NAMED).join(', ')}${all.length > NAMED ? ', …' : ''}`

const isSame = (row: Item, item: Item): boolean =>
  comparable(isTimeShared(item) ? { ...row, at: item.at } : row) === comparable(item)

const comparable = (item: Item): string => {
  const { who, at, text, tool, line, offset, length, label, marker, sure, media, offBranch } = item
  return JSON.stringify({
    who,
    at,
    text,
    name: tool?.name,
    target: tool?.target,
    line,
    offset,
    length,
    label,
    marker,
    sure,
    media,
    offBranch,
  })
}

/** A copy in another file may have the end of a reply that this one lacks. */
const isAsComplete = (row: Item, item: Item): boolean =>
  (item.stopReason === undefined || row.stopReason === item.stopReason) &&
  (row.usage?.output ?? 0) >= (item.usage?.output ?? 0)

/**
 * Fields that also depend on the path of a file or on its neighbors. They may differ from what the file alone
 * yields.
 */
const FROM_ELSEWHERE: readonly (keyof Session)[] = [
  ...([
    'title',
    'state',
    'kind',
    'sessionKey',
    'entry',
    'parentSessionId',
    'bytes',
    'modifiedMs',
    'path',
  ] as const),
]

/** Fields that also count what the client has cut off the file, which the store keeps. */
const EXTENDED: readonly (keyof Session)[] = [
  ...(['human', 'agentMessages', 'toolCalls', 'errors', 'possibleErrors', 'cut'] as const),
  ...(['firstHuman', 'lastHuman', 'startedMs', 'lastActivityMs', 'usage', 'recorded'] as const),
]

function differing(stored: Session, read: Session): string[] {
  const plain = JSON.parse(JSON.stringify(read)) as Record<string, unknown>
  const rows = stored as unknown as Record<string, unknown>
  const names = new Set([...Object.keys(rows), ...Object.keys(plain)])
  return [...names].filter(
    (name) =>
      !FROM_ELSEWHERE.includes(name as keyof Session) &&
      JSON.stringify(rows[name]) !== JSON.stringify(plain[name]),
  )
}

const DAY_MS = 86_400_000

interface State {
  store: Store
  found: Refreshed
  known: ReadonlyMap<string, Known>
  /** The paths of all files on disk. */
  here: ReadonlySet<string>
  context: ReadingContext
}

/** What is not missing yet, but may soon be. */
const warningsOf = (state: State): string[] =>
  [inTheFuture, openToOthers, unterminated].flatMap((warn) => warn(state) ?? [])

function inTheFuture({ found, context }: State): string | undefined {
  // The time of the demo is fixed, but its files were written when it was installed.
  const now = Math.max(context.now, Date.now())
  const ahead = found.artifacts.filter(({ modifiedMs }) => modifiedMs > now + DAY_MS)
  if (ahead.length === 0) return undefined
  return `${counted(ahead.length, 'file')} ${ahead.length === 1 ? 'has' : 'have'} a modification time in the future, for example ${ahead[0]!.path}: the clock of this machine, or of the machine that wrote it, is wrong. Until then, changes are found by size.`
}

function openToOthers({ store: { path } }: State): string | undefined {
  try {
    if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return undefined
    return `The store can be read by others on this machine: chmod 600 ${shellWord(path)}`
  } catch {
    return undefined
  }
}

function unterminated({ known, here }: State): string | undefined {
  const open = [...known.values()].filter(
    ({ artifact: { path, database }, checkpoint }) =>
      here.has(path) && checkpoint.offset < checkpoint.size && !database && !path.endsWith('.zst'),
  )
  if (open.length === 0) return undefined
  return `${counted(open.length, 'file')} end${open.length === 1 ? 's' : ''} without a newline, for example ${open[0]!.artifact.path}: the last line is shown as is, and read again when it is complete.`
}
