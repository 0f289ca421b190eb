import { OWN_MEMORY } from '../model/artifact.ts'
import { append, finish, type Steps } from '../model/iteration.ts'
import type { FileContent, FileCopy } from '../store/file-copy.ts'
import type { Store } from '../store/store.ts'
import { type IsForgotten, isForgottenArtifact } from '../sync/forgotten.ts'

/** Limits of one batch: the bytes of its texts, its items, and its files. */
const BATCH = { bytes: 8 * 1024 * 1024, messages: 20_000, files: 200 }

/** How much there is of the files of one machine. */
interface DeviceCounts {
  device: string
  files: number
  messages: number
  tokens: number
  /** The bytes of all texts. */
  bytes: number
}

export interface CopyReport {
  /** Files that were copied, that the target already had, and of which it has a later state. */
  copied: number
  same: number
  newer: number
  /** Files of sessions that were forgotten. They are not copied. */
  forgotten: number
  /** Files whose rows in the source are malformed. They are not copied. */
  unreadable: string[]
  /** What the source has, and what the target has of the same files, by machine. */
  source: DeviceCounts[]
  target: DeviceCounts[]
  /** Files of which the target has another number of messages, tokens or bytes than the source. */
  differing: string[]
}

export interface CopyOptions {
  /** The name of the machine to which files without one belong. */
  device: string
  /** Whose files those are that name no person. By default those of this machine belong to its user. */
  person?: string | undefined
  /** The name of this machine. By default `device`. */
  thisDevice?: string
  isForgotten?: IsForgotten | undefined
  /** The machine and the path there, if the source has a file at another place than its machine. */
  originOf?(path: string): { device: string; path: string } | undefined
  /** Only counts. */
  dryRun?: boolean
  progress?:
    | {
        start(label: string, total: number): void
        advance(count: number): void
        stop(): void
      }
    | undefined
}

/** What happens to a file. */
interface Planned {
  file: FileContent & { device: string }
  key: string
  copies: boolean
}

/**
 * Copies all files of a store into the store of a machine, batch by batch. A copy that was interrupted
 * continues when it is run again: files that the target has already are skipped. Compares what both have at
 * the end. The caller is the writer of the target.
 */
export function* copyStore(source: Store, target: Store, options: CopyOptions): Steps<CopyReport> {
  const { progress, dryRun = false } = options
  const there = byKey(target.contents(), options.device)
  const report: CopyReport = {
    copied: 0,
    same: 0,
    newer: 0,
    forgotten: 0,
    unreadable: [],
    source: [],
    target: [],
    differing: [],
  }
  const planned = source.contents().map((file): Planned => {
    const { device = options.device, path } = options.originOf?.(file.path) ?? file
    const attributed = { ...file, device, path }
    const key = keyOf(attributed)
    const known = there.get(key)
    const isNewer = known !== undefined && known.modifiedMs > file.modifiedMs
    const isSame = known !== undefined && known.revision === file.revision && hasSame(file, known)
    if (isNewer) report.newer++
    else if (isSame) report.same++
    return { file: attributed, key, copies: !isNewer && !isSame }
  })
  const copied = planned.filter(({ copies }) => copies)
  const unlinked = new Set(source.unlinked())
  const forgotten = new Set<string>()
  progress?.start(
    'Copying',
    copied.reduce((sum, { file }) => sum + file.bytes, 0),
  )
  for (const batch of batchesOf(copied)) {
    const wellFormed = source
      .copiesOf(batch.map(({ file }) => file.id))
      .map((copy) => copyAtOrigin(copy, options))
    const read = new Set(wellFormed.map(keyOfCopy))
    append(
      report.unreadable,
      batch.flatMap(({ key }) => (read.has(key) ? [] : key)),
    )
    const copies = wellFormed.filter((copy) => {
      const isOut = isForgottenCopy(copy, options)
      if (isOut) forgotten.add(keyOfCopy(copy))
      return !isOut
    })
    if (!dryRun) target.putCopies(copies.map((copy) => localCopy(copy, options)))
    report.copied += copies.length
    progress?.advance(batch.reduce((sum, { file }) => sum + file.bytes, 0))
    yield
  }
  progress?.stop()
  report.forgotten = forgotten.size
  const unreadable = new Set(report.unreadable)
  const wanted = planned.filter(({ key }) => !forgotten.has(key) && !unreadable.has(key))
  report.source = countsOf(wanted.map(({ file }) => file))
  if (dryRun) return report
  yield* target.indexWords()
  const now = byKey(target.contents(), options.device)
  // The links of the others came with them.
  target.linked(copied.flatMap(({ file, key }) => (unlinked.has(file.id) ? [] : (now.get(key)?.id ?? []))))
  compare(report, wanted, now)
  return report
}

function isForgottenCopy(
  { artifact, device }: FileCopy & { device: string },
  { device: own, thisDevice = own, isForgotten }: CopyOptions,
): boolean {
  if (!isForgotten) return false
  const { platform, kind } = artifact
  const isOwnMemory = kind === 'memory' && device === thisDevice
  return isForgottenArtifact(artifact, isForgotten) || (isOwnMemory && isForgotten(platform, OWN_MEMORY))
}

const keyOf = ({ device, path }: { device: string; path: string }): string => `${device} ${path}`

const keyOfCopy = ({ device, artifact: { path } }: FileCopy & { device: string }): string =>
  keyOf({ device, path })

const byKey = (files: readonly FileContent[], own: string): Map<string, FileContent> =>
  new Map(files.map((file) => [keyOf({ device: own, ...file }), file] as const))

/** A copy with its machine and person, and with its paths there. */
function copyAtOrigin(
  copy: FileCopy,
  { device: own, thisDevice = own, person: given, originOf }: CopyOptions,
): FileCopy & { device: string } {
  const origin = originOf?.(copy.artifact.path)
  const device = origin?.device ?? copy.device ?? own
  const named = copy.person === '' ? undefined : copy.person
  // The target knows the user of this machine.
  const person = named ?? given ?? (device === thisDevice ? undefined : '')
  const attributed = { ...copy, device, ...(person === undefined ? {} : { person }) }
  const root = originOf?.(copy.artifact.root)?.path
  if (!origin || root === undefined) return attributed
  const at = { path: origin.path, root }
  return {
    ...attributed,
    artifact: { ...copy.artifact, ...at },
    ...(copy.session ? { session: { ...copy.session, ...at } } : {}),
  }
}

/** The store of a machine has no machine for its own files. */
function localCopy(copy: FileCopy, { device: own }: CopyOptions): FileCopy {
  const { device, person, ...others } = copy
  return device === own ? others : copy
}

/** Counts what the target has of the files that were copied or that it had. */
function compare(
  report: CopyReport,
  wanted: readonly Planned[],
  now: ReadonlyMap<string, FileContent>,
): void {
  const found: (FileContent & { device: string })[] = []
  for (const { file, key, copies } of wanted) {
    const there = now.get(key)
    if (there) found.push({ ...there, device: file.device })
    // Of some, the target has a later state.
    const isNewer = !copies && there !== undefined && there.modifiedMs > file.modifiedMs
    if (!there || (!isNewer && !hasSame(file, there))) report.differing.push(key)
  }
  report.target = countsOf(found)
}

export const hasSame = (one: FileContent, other: FileContent): boolean =>
  one.messages === other.messages && one.bytes === other.bytes && one.tokens === other.tokens

/** Whole files, as many as fit into a batch. */
function* batchesOf(planned: readonly Planned[]): Generator<Planned[]> {
  let batch: Planned[] = []
  let bytes = 0
  let messages = 0
  for (const each of planned) {
    const { file } = each
    const isFull =
      bytes + file.bytes > BATCH.bytes ||
      messages + file.messages > BATCH.messages ||
      batch.length >= BATCH.files
    if (batch.length > 0 && isFull) {
      yield batch
      batch = []
      bytes = 0
      messages = 0
    }
    batch.push(each)
    bytes += file.bytes
    messages += file.messages
  }
  if (batch.length > 0) yield batch
}

export function countsOf(files: readonly (FileContent & { device: string })[]): DeviceCounts[] {
  const counts = new Map<string, DeviceCounts>()
  for (const { device, messages, tokens, bytes } of files) {
    const own = counts.get(device) ?? { device, files: 0, messages: 0, tokens: 0, bytes: 0 }
    counts.set(device, own)
    own.files++
    own.messages += messages
    own.tokens += tokens
    own.bytes += bytes
  }
  return [...counts.values()].sort((a, b) => (a.device < b.device ? -1 : 1))
}

/** The same at once, with the target locked. Undefined if another process is writing to it. */
export const copyLocked = (source: Store, target: Store, options: CopyOptions): CopyReport | undefined =>
  finish(
    options.dryRun
      ? copyStore(source, target, options)
      : target.asWriter(() => copyStore(source, target, options)),
  )
