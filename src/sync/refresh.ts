import { collectGarbage } from '../io/process.ts'
import type { Artifact, Environment, PlatformId, SessionLinks } from '../model/artifact.ts'
import { append, finish, type Steps } from '../model/iteration.ts'
import { platforms } from '../platforms/index.ts'
import type { Increment, Known } from '../store/increment.ts'
import type { Store, Writer } from '../store/store.ts'
import { type Discovery, rememberPathsOf } from './discover.ts'
import { costOf, newestSteps, type Plan, plan, queueSteps, type Step, stepOf, type Waiting } from './plan.ts'
import { inOrder } from './pool.ts'
import { hasSecretPaths } from './read/seal.ts'
import {
  type FoldedFile,
  type FoldedFiles,
  type IncrementTask,
  type ReadIncrement,
  readIncrement,
  tornDocument,
} from './read-increment.ts'
import { refreshDocuments } from './refresh-documents.ts'
import { refreshHistories } from './refresh-history.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'

/** Limits of one transaction: approximate bytes of rows, and files. */
const BATCH_BYTES = 6 * 1024 * 1024
const BATCH_FILES = 500
/** Larger increments are read in slices. Each is written before the next is read. */
const LARGE = 24 * 1024 * 1024

export type IncrementResult = ReadIncrement | { path: string; fault: string }

export interface RefreshOptions {
  environment: Environment
  now: number
  only?: PlatformId
  /** The disk, if it was looked at just now. */
  scanned?: Scan
  /** Read everything again, regardless of checkpoints. */
  rebuild?: boolean
  /** The number of threads for files with this many new bytes. */
  threads(files: readonly { bytes: number }[]): number
  /** Script of the worker threads. */
  worker?: URL
  /** Describes a file system error. Throws any other error. */
  faultOf(error: unknown): string
  progress?: {
    start(label: string, total: number, unit?: 'messages'): void
    advance(count: number): void
    stop(): void
  }
  /** False leaves the words of messages for later. Only a search needs them. */
  words?: boolean | undefined
  /** Only so many bytes of the newest files are read. The rest is left for later. */
  budget?: number | undefined
  /** Only this file is read. The rest is left for later. */
  path?: string | undefined
  /** Called before what is new in a file is stored. */
  willWrite?: ((path: string) => void) | undefined
  /** While files are read, `store` stores what was read so far. Call it between two steps. */
  unstored?: { store?(): void } | undefined
  /** Transcripts that stay folded between refreshes. */
  folded?: FoldedFiles | undefined
}

/** What is not indexed yet. `bytes` are those of the files, `messages` those whose words are needed. */
export interface Missing {
  files: number
  bytes: number
  messages: number
}

/** The result of a refresh. */
export interface Refreshed extends Snapshot {
  /** Files that were read, in whole or in part, and the bytes read. */
  read: number
  bytes: number
  unchanged: number
  gone: number
  moved: number
  /** Files that could not be read. What is stored of them stays unchanged. */
  faults: { path: string; fault: string }[]
  missing?: Missing
}

/** What was on disk, and which version of the store it was taken with. */
export interface Scan {
  snapshot: Snapshot
  version: number
}

/** What the store does not contain of the files on disk. Undefined if it contains everything. */
export function missingOf(
  store: Store,
  found: Snapshot,
  { environment, words }: Pick<RefreshOptions, 'environment' | 'words'>,
): Missing | undefined {
  const { steps } = plan(found, store.known(), environment)
  const messages = words === false ? 0 : store.unindexed()
  return steps.length + messages > 0 ? { files: steps.length, bytes: bytesOf(steps), messages } : undefined
}

const bytesOf = (steps: readonly Step[]): number => steps.reduce((sum, step) => sum + costOf(step), 0)

/** Looks at the disk before anybody compares it with the store. */
export function scan(store: Store, options: Pick<RefreshOptions, 'environment' | 'only'>): Scan {
  const version = store.othersWrote()
  return { version, snapshot: takeSnapshot(options.environment, options.only) }
}

/**
 * The result of a refresh if nothing on disk has changed since the last settled one. Compares no files and
 * needs no lock. Undefined if anything may have changed.
 */
export function unchanged(
  store: Store,
  options: Pick<RefreshOptions, 'environment' | 'only' | 'scanned'>,
): Refreshed | undefined {
  const { snapshot } = options.scanned ?? scan(store, options)
  const settled = store.settled(snapshot.scope)
  if (settled !== snapshot.inventory && settled !== withSecretPaths(snapshot.inventory)) return undefined
  if (settled !== snapshot.inventory) rememberPathsOf(snapshot)
  releaseAll()
  return nothingDone(snapshot)
}

export const nothingDone = (snapshot: Snapshot): Refreshed =>
  // Not a copy, which would create the artifacts.
  Object.assign(snapshot, { read: 0, bytes: 0, unchanged: snapshot.count, gone: 0, moved: 0, faults: [] })

/** Marks an inventory with paths that contain secrets. The others need not be checked for secrets again. */
const withSecretPaths = (inventory: string): string => `${inventory} with secret paths`

/**
 * Records that everything is stored, so that the next refresh can be short. Call it when all work that
 * depends on the refresh is done.
 */
export function settle(store: Store, { scope, inventory, faults, missing }: Refreshed): void {
  if (faults.length > 0 || missing) return
  store.settle(scope, hasSecretPaths() ? withSecretPaths(inventory) : inventory)
}

/** Brings the store up to date, reading only what is new. The caller holds the writer's lock. */
export const refresh = (store: Store, options: RefreshOptions): Refreshed =>
  finish(refreshInSteps(store, options))

/** The same in steps. The caller may read from the store in between. */
export function* refreshInSteps(store: Store, options: RefreshOptions): Steps<Refreshed> {
  const { scanned } = options
  // If another process has written before we got the lock, it may have read newer files than we have seen.
  const isCurrent = scanned !== undefined && scanned.version === store.othersWrote()
  const found = isCurrent ? scanned.snapshot : takeSnapshot(options.environment, options.only)
  rememberPathsOf(found)
  const known = store.known()
  const planned = plan(found, known, options.environment)
  const steps = options.rebuild ? everything(found, known, planned) : planned.steps
  const result = Object.assign(nothingDone(found), {
    unchanged: planned.unchanged,
    gone: planned.gone.length,
    moved: planned.steps.filter((step) => step.moved).length,
  })
  if (planned.gone.length > 0)
    store.markGone(
      planned.gone.map(({ id }) => id),
      options.now,
    )
  if (planned.returned.length > 0)
    store.markGone(
      planned.returned.map(({ id }) => id),
      undefined,
    )
  const chosen = chosenOf(steps, options)
  const isAll = chosen.length === steps.length
  if (!isAll) {
    const bytes = bytesOf(steps) - bytesOf(chosen)
    result.missing = { files: steps.length - chosen.length, bytes, messages: 0 }
  }
  if (chosen.length > 0) yield* readSteps(store, queueSteps(chosen, found), options, result)
  if (options.path !== undefined) {
    releaseAll()
    return result
  }
  // Whether a session has a transcript is only known when all files are read.
  const recovered = isAll ? refreshHistories(store, found, options) : { bytes: 0, faults: [] }
  if (recovered.bytes > 0) result.read++
  result.bytes += recovered.bytes
  append(result.faults, recovered.faults)
  const texts = refreshDocuments(store, known, found, options)
  result.read += texts.read
  result.bytes += texts.bytes
  result.gone += texts.gone
  append(result.faults, texts.faults)
  if (isAll) {
    linkSessions(store)
    const messages = store.unindexed()
    if (result.bytes > LARGE) collectGarbage()
    if (options.words !== false && messages > 0) yield* indexWords(store, messages, options)
  }
  releaseAll()
  return result
}

const chosenOf = (steps: Step[], { path, budget }: RefreshOptions): Step[] =>
  path !== undefined
    ? steps.filter(({ artifact }) => artifact.path === path)
    : budget !== undefined && bytesOf(steps) > budget
      ? newestSteps(steps, budget)
      : steps

/** Indexes the words of messages that have none yet. */
export function* indexWords(store: Store, messages: number, options: RefreshOptions): Steps<void> {
  const { progress } = options
  progress?.start('Indexing words', messages, 'messages')
  yield* store.indexWords({
    collectGarbage,
    advanced: (count) => progress?.advance(count),
  })
  progress?.stop()
}

/** Releases readers and databases of the previous group. */
function releaseAll(): void {
  for (const platform of platforms) platform.files.close?.()
}

function everything(found: Discovery, known: ReturnType<Store['known']>, planned: Plan): Step[] {
  const moved = new Map(planned.steps.flatMap((step) => (step.moved ? [[step.artifact.path, step]] : [])))
  return found.artifacts.map((artifact) => ({
    artifact,
    known: moved.get(artifact.path)?.known ?? known.get(artifact.path),
    moved: moved.has(artifact.path),
    again: true,
  }))
}

/** Reads files. */
function* readSteps(
  store: Store,
  queue: readonly Waiting[],
  options: RefreshOptions,
  result: Refreshed,
): Steps<void> {
  const { progress } = options
  progress?.start(
    'Indexing',
    queue.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  const batch = createBatch(store)
  const others = queue.filter(({ bytes }) => bytes <= LARGE)
  const threads = options.threads(others)
  const taskOf = (waiting: Waiting): IncrementTask => taskFor(stepOf(waiting, result), options.folded)
  const results = inOrder<IncrementTask, IncrementResult>({
    tasks: { length: others.length, at: (index) => taskOf(others[index]!) },
    run: (task) => incrementOf(task, options.faultOf, options.folded !== undefined),
    threads,
    worker: threads > 1 ? options.worker : undefined,
    settings: { job: 'increment' },
  })
  const { unstored = {} } = options
  unstored.store = batch.flush
  try {
    for (const waiting of queue) {
      const large = waiting.bytes > LARGE
      if (large) batch.flush()
      const more = take(large ? read(taskOf(waiting)) : (results.next().value as IncrementResult))
      if (more) yield* readOn(taskOf(waiting), more)
      progress?.advance(waiting.bytes)
      yield
    }
  } finally {
    delete unstored.store
    // What was read when the work was interrupted is stored as well.
    results.return(undefined)
    batch.flush()
  }
  progress?.stop()

  function read(task: IncrementTask): IncrementResult {
    return incrementOf(task, options.faultOf, options.folded !== undefined)
  }

  /** Stores an increment. Returns only where to resume, because the increment itself may be large. */
  function take(each: IncrementResult): Slice | undefined {
    if ('fault' in each) {
      result.faults.push(each)
      return undefined
    }
    const { increment, bytesRead, weight, reading, torn } = each
    if (torn) result.faults.push({ path: increment.artifact.path, fault: options.faultOf(tornDocument()) })
    if (!increment.more) result.read++
    result.bytes += bytesRead
    options.willWrite?.(increment.artifact.path)
    batch.add(increment, weight)
    // A file that was read from its first byte may never grow.
    options.folded?.put(increment, increment.fresh || increment.more ? undefined : reading)
    const { fresh, more, checkpoint } = increment
    return more ? { offset: checkpoint.offset, fresh, weight, reading } : undefined
  }

  /** Reads the remaining slices of a large file, or of one that unpacks to one. */
  function* readOn(task: IncrementTask, first: Slice): Steps<void> {
    for (let slice: Slice | undefined = first; slice; ) {
      batch.flush()
      if (slice.weight > LARGE) collectGarbage()
      const after = store.knownFile({ path: task.artifact.path })
      if (after?.checkpoint.offset !== slice.offset) return
      const next = { ...task, again: false, base: baseOf(after), reading: slice.reading }
      slice = take(read(next))
      // The file is being rewritten repeatedly. The next refresh continues.
      if (slice?.fresh) return
      yield
    }
  }
}

/** Where reading a file resumes. */
interface Slice {
  offset: number
  /** Approximate memory of the increment, in bytes. */
  weight: number
  /** The increment began at the first byte. */
  fresh: boolean
  reading?: FoldedFile | undefined
}

/** Collects increments until they are worth a transaction. */
function createBatch(store: Store) {
  let batch: Increment[] = []
  let bytes = 0
  const flush = (): void => {
    if (batch.length > 0) store.write(batch)
    batch = []
    bytes = 0
  }
  return {
    flush,
    add(increment: Increment, weight: number): void {
      batch.push(increment)
      bytes += weight
      if (bytes >= BATCH_BYTES || batch.length >= BATCH_FILES) flush()
    },
  }
}

const baseOf = ({ id, revision, checkpoint }: NonNullable<Step['known']>) => ({ id, revision, checkpoint })

function taskFor({ artifact, known, again }: Step, folded: FoldedFiles | undefined): IncrementTask {
  if (!known) return { artifact }
  const reading = folded?.get(artifact.path)
  return {
    ...(reading && { reading }),
    artifact: withLinks(artifact, known.artifact.links),
    again,
    base: baseOf(known),
  }
}

/**
 * Reads one file. An unreadable file is reported and does not stop the others. With `keeps`, what was folded
 * is returned, too; otherwise only if more follows.
 */
export function incrementOf(
  task: IncrementTask,
  faultOf: (error: unknown) => string,
  keeps = false,
): IncrementResult {
  try {
    const { reading, ...read } = readIncrement(task)
    return (read.increment.more || keeps) && reading ? { ...read, reading } : read
  } catch (error) {
    return { path: task.artifact.path, fault: faultOf(error) }
  }
}

/**
 * Decides the speakers again in files about which others say something new: a prompt that another session
 * sent, or one that many sessions share. Reads these files again. Files that are gone stay as they are.
 */
function linkSessions(store: Writer): void {
  const ids = store.unlinked()
  if (ids.length === 0) return
  for (const id of ids) {
    const known = store.knownFile({ id })
    const linked = known && known.goneMs === undefined ? withOwnLinks(store, known) : undefined
    if (linked) store.write([linked])
  }
  store.linked(ids)
}

/** The file, read again. Undefined if nothing new is said about it, or if it disappeared meanwhile. */
function withOwnLinks(store: Writer, known: Known): Increment | undefined {
  const links = store.links(known.id)
  if (JSON.stringify(links) === JSON.stringify(known.artifact.links)) return undefined
  const artifact: Artifact = { ...known.artifact, links }
  try {
    return readIncrement({ artifact, base: known, relinked: true }).increment
  } catch (error) {
    // The next refresh reports what is wrong with the file. Anything else is a fault of this program.
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return undefined
    throw error
  }
}

/** The artifact with what other sessions say about it so far. */
export const withLinks = (artifact: Artifact, links: SessionLinks | undefined): Artifact =>
  links === undefined ? artifact : { ...artifact, links }
