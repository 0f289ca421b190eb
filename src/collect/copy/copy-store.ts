import { finish, type Steps } from '../../model/steps.ts'
import type { FileContent, FileCopy } from '../../store/file-copy.ts'
import type { Store } from '../../store/store.ts'
import { type IsForgotten, isForgottenArtifact } from '../forgotten.ts'

/** Limits of one batch: the bytes of its texts, its items, and its files. */
const BATCH = { bytes: 8 * 1024 * 1024, messages: 20_000, files: 200 }

/** How much there is of the files of one machine. */
export interface DeviceCounts {
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
  /** Files of forgotten sessions, which are not copied. */
  forgotten: number
  /** What the source has, and what the target has of the same files, by machine. */
  source: DeviceCounts[]
  target: DeviceCounts[]
  /** Files of which the target has another number of messages, tokens or bytes than the source. */
  differing: string[]
}

export interface CopyOptions {
  /** The name of the machine to which files without one belong. */
  device: string
  isForgotten?: IsForgotten | undefined
  /** Changes files on their way. */
  prepare?(copy: FileCopy): FileCopy
  /** The machine of a file. By default the one that the source names. */
  deviceOf?(file: FileContent): string
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
  file: FileContent
  key: string
  device: string
  copies: boolean
}

/**
 * Copies all files of a store into another one, batch by batch. A copy that was interrupted continues when it
 * is run again: files that the target has already are skipped. Compares what both have at the end. The caller
 * is the writer of the target.
 */
export function* copyStore(source: Store, target: Store, options: CopyOptions): Steps<CopyReport> {
  const { isForgotten, progress, dryRun = false } = options
  const deviceOf = options.deviceOf ?? (({ device }: FileContent) => device ?? options.device)
  const keyOf = ({ device = options.device, path }: FileContent): string => `${device} ${path}`
  const there = new Map(target.contents().map((file) => [keyOf(file), file] as const))
  const report: CopyReport = {
    ...{ copied: 0, same: 0, newer: 0, forgotten: 0, source: [], target: [], differing: [] },
  }
  const planned: Planned[] = []
  for (const file of source.contents()) {
    const device = deviceOf(file)
    const key = keyOf({ ...file, device })
    const known = there.get(key)
    const isNewer = known !== undefined && known.modifiedMs > file.modifiedMs
    const isSame = known !== undefined && known.revision === file.revision && hasSame(file, known)
    if (isNewer) report.newer++
    else if (isSame) report.same++
    planned.push({ file, key, device, copies: !isNewer && !isSame })
  }
  const unlinked = new Set(source.unlinked())
  const forgotten = new Set<string>()
  const linked: string[] = []
  progress?.start(
    'Copying',
    planned.reduce((sum, { file, copies }) => sum + (copies ? file.bytes : 0), 0),
  )
  for (const batch of batchesOf(planned.filter(({ copies }) => copies))) {
    const devices = new Map(batch.map(({ file, device }) => [file.id, device] as const))
    const ids = batch.map(({ file }) => file.id)
    const copies: FileCopy[] = []
    for (const [index, copy] of source.copiesOf(ids).entries()) {
      const of = batch[index]
      if (isForgotten && isForgottenArtifact(copy.artifact, isForgotten)) {
        report.forgotten++
        if (of) forgotten.add(of.key)
        continue
      }
      const device = devices.get(ids[index]!)!
      const named = { ...copy, device }
      copies.push(options.prepare ? options.prepare(named) : named)
      if (of && !unlinked.has(of.file.id)) linked.push(of.key)
    }
    if (!dryRun) target.putCopies(copies)
    report.copied += copies.length
    progress?.advance(batch.reduce((sum, { file }) => sum + file.bytes, 0))
    yield
  }
  progress?.stop()
  const wanted = planned.filter(({ key }) => !forgotten.has(key))
  report.source = countsOf(wanted.map(({ file, device }) => ({ ...file, device })))
  if (dryRun) return report
  // Their links came with them.
  yield* target.indexWords()
  const now = new Map(target.contents().map((file) => [keyOf(file), file] as const))
  target.linked(linked.flatMap((key) => now.get(key)?.id ?? []))
  compare(report, wanted, now)
  return report
}

/** Counts what the target has of the files that were copied or that it had. */
function compare(
  report: CopyReport,
  wanted: readonly Planned[],
  now: ReadonlyMap<string, FileContent>,
): void {
  const found: (FileContent & { device: string })[] = []
  for (const { file, key, device, copies } of wanted) {
    const there = now.get(key)
    if (there) found.push({ ...there, device })
    // Of some, the target has a later state.
    const isNewer = !copies && there !== undefined && there.modifiedMs > file.modifiedMs
    if (!there || (!isNewer && !hasSame(file, there))) report.differing.push(key)
  }
  report.target = countsOf(found)
}

const hasSame = (one: FileContent, other: FileContent): boolean =>
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

function countsOf(files: readonly (FileContent & { device: string })[]): DeviceCounts[] {
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
