import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  futimesSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { listDirectory } from '../directories.ts'
import { createOwn, draftOf, NotOurs, syncFolder, writeAt } from '../own-files.ts'
import {
  backupsName,
  backupsOf,
  DamagedJournal,
  dropAll,
  dropJournal,
  dropOtherBackups,
  type Journal,
  readJournal,
  type Step,
  writeJournal,
} from './journal.ts'
import { digestOf as digestOfFile, lookAt, NotBelow, pathBelow, stampOf } from './paths.ts'

/**
 * What a command wants to change below an agent's folder. Each path occurs once. `before`: the SHA-256 of the
 * file as it was when the change was planned, or null if there was none.
 */
export type Planned =
  | {
      type: 'write'
      root: string
      below: string
      before: string | null
      content: () => Iterable<Uint8Array>
      /** The modification time, in ms. Without one, it is now. */
      modifiedMs?: number | undefined
    }
  | { type: 'remove'; root: string; below: string; before: string }
  | { type: 'rename'; root: string; below: string; to: string }
  | { type: 'clear'; root: string; below: string }

interface Where {
  /** Our own data folder, which has the journal and the backups. */
  dataFolder: string
}

/** A hook for tests, called before every single change on disk. */
export const changeHook = { step: undefined as ((what: string) => void) | undefined }

/** A file is no longer as it was when the change was planned or made. */
export class ChangedMeanwhile extends Error {
  readonly code = 'ERR_CHANGED'
  readonly paths: readonly string[]

  constructor(paths: readonly string[]) {
    super(`${paths.join(', ')} changed meanwhile`)
    this.paths = paths
  }
}

/** What was done about a change that had been interrupted. */
export interface Settled {
  done: 'completed' | 'rolled-back' | 'undone'
  command: string
  /** Files that the client has changed since, which were left as they are. */
  left: string[]
}

/**
 * The digest of a file. A database that was opened since has a write-ahead log, without which its file means
 * something else: it is as no plan and no change left it.
 */
const digestOf = (path: string): string | null =>
  (lookAt(`${path}-wal`)?.size ?? 0) > 0 ? 'has a log' : digestOfFile(path)

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

/**
 * Folders with new names, which are durable once the folder is. Synced together, because a folder with many
 * files takes as long for one of them as for all.
 */
type Touched = Set<string>

function syncAll(touched: Touched): void {
  for (const folder of touched) syncFolder(folder)
  touched.clear()
}

/**
 * Makes changes below agents' folders, all of them or none. New files are written completely next to their
 * places, then each takes its name in one step. If something fails, everything is as before. If the process
 * is killed, `settleChanges` completes or reverses it. Nothing is overwritten whose content differs from
 * `before`: throws `ChangedMeanwhile`. Throws `NotBelow` or `NotOurs` for links and paths that lead out of a
 * root, and the system's errors. The caller holds a lock and has settled what was interrupted before.
 */
export function applyChanges(
  planned: readonly Planned[],
  {
    dataFolder,
    command,
    nowMs,
    stored,
  }: Where & { command: string; nowMs: number; stored?: string[] | undefined },
): void {
  const journal: Journal = {
    version: 1,
    state: 'preparing',
    command,
    at: new Date(nowMs).toISOString(),
    backups: backupsName(),
    ...(stored && { stored }),
    ...stepsFor(planned),
  }
  act('journal', () => writeJournal(dataFolder, journal))
  try {
    act('drop former backups', () => dropOtherBackups(dataFolder, journal))
    for (const folder of journal.folders) makeFolder(folder)
    const touched: Touched = new Set()
    const modeOf = neighborModes()
    for (const [index, step] of journal.steps.entries())
      prepare(step, planned[index]!, backupsOf(dataFolder, journal), { touched, modeOf })
    syncAll(touched)
    journal.state = 'ready'
    act('journal is ready', () => writeJournal(dataFolder, journal))
  } catch (error) {
    reverseAll(journal)
    act('drop journal', () => dropJournal(dataFolder, journal))
    throw error
  }
  try {
    completeAll(journal)
  } catch (error) {
    journal.state = 'undoing'
    act('journal goes back', () => writeJournal(dataFolder, journal))
    reverseAll(journal)
    act('drop journal', () => dropJournal(dataFolder, journal))
    throw error
  }
  journal.state = 'done'
  act('journal is done', () => writeJournal(dataFolder, journal))
}

/** Completes or reverses a change that was interrupted. Undefined if there is none. */
export function settleChanges({ dataFolder }: Where): Settled | undefined {
  const journal = readJournal(dataFolder)
  if (!journal || journal.state === 'done') return undefined
  const { command, state } = journal
  if (state === 'ready' && journal.steps.every(canComplete)) {
    completeAll(journal)
    journal.state = 'done'
    act('journal is done', () => writeJournal(dataFolder, journal))
    return { done: 'completed', command, left: [] }
  }
  if (state === 'ready') {
    journal.state = 'undoing'
    act('journal goes back', () => writeJournal(dataFolder, journal))
  }
  const left = reverseAll(journal)
  act('drop journal', () => dropJournal(dataFolder, journal))
  return { done: state === 'undoing' ? 'undone' : 'rolled-back', command, left }
}

/** The change that can be undone. */
export function lastChange({
  dataFolder,
}: Where): Pick<Journal, 'command' | 'at' | 'steps' | 'stored'> | undefined {
  const journal = readJournal(dataFolder)
  return journal?.state === 'done' ? journal : undefined
}

/** Deletes the backups of the last change, which then cannot be undone. One that was interrupted stays. */
export function dropLastChange({ dataFolder }: Where): void {
  try {
    const state = readJournal(dataFolder)?.state ?? 'done'
    if (state === 'done') dropAll(dataFolder)
  } catch (error) {
    if (!(error instanceof DamagedJournal)) throw error
    dropAll(dataFolder)
  }
}

/** Reverses the last change. Throws `ChangedMeanwhile` if one of its files was changed since. */
export function undoChanges({ dataFolder }: Where): void {
  const journal = readJournal(dataFolder)
  if (journal?.state !== 'done') return
  const changed = journal.steps.filter((step) => !isAfter(step)).map(pathOf)
  if (changed.length > 0) throw new ChangedMeanwhile(changed)
  journal.state = 'undoing'
  act('journal goes back', () => writeJournal(dataFolder, journal))
  reverseAll(journal)
  act('drop journal', () => dropJournal(dataFolder, journal))
}

function act<Result>(what: string, work: () => Result): Result {
  changeHook.step?.(what)
  return work()
}

/** The path that a step is about, as it is afterward. */
const pathOf = (step: Step): string => join(step.root, step.type === 'rename' ? step.to : step.below)

function stepsFor(planned: readonly Planned[]): Pick<Journal, 'steps' | 'folders'> {
  const taken = new Set<string>()
  const folders = new Map<string, Journal['folders'][number]>()
  const steps = planned.map((each, index): Step => {
    const { root, below } = each
    const path = pathBelow(root, below)
    const target = each.type === 'rename' ? pathBelow(root, each.to) : path
    if (taken.has(target)) throw new Error(`${target} would be changed twice`)
    taken.add(target)
    if (each.type === 'write' || each.type === 'rename')
      for (const folder of missingFolders(root, each.type === 'rename' ? each.to : below))
        folders.set(`${root}\0${folder}`, { root, below: folder })
    const backup = String(index)
    if (each.type === 'write')
      return { type: 'write', root, below, before: each.before, after: '', draft: draftOf(path), backup }
    if (each.type === 'remove')
      return { type: 'remove', root, below, before: each.before, draft: draftOf(path), backup }
    if (each.type === 'clear')
      return { type: 'clear', root, below, mode: (lookAt(path)?.mode ?? 0o700) & 0o777 }
    const before = stampOf(path)
    if (before === null || lookAt(target)) throw new ChangedMeanwhile([before === null ? path : target])
    return { type: 'rename', root, below, to: each.to, before }
  })
  return { steps, folders: [...folders.values()] }
}

/** The folders on the way to a file that do not exist, from the outside in. */
function missingFolders(root: string, below: string): string[] {
  const names = below.split('/').slice(0, -1)
  return names
    .map((_, index) => names.slice(0, index + 1).join('/'))
    .filter((folder) => !lookAt(join(root, folder)))
}

function makeFolder({ root, below }: Journal['folders'][number]): void {
  const path = pathBelow(root, below)
  if (!lookAt(path)) act('make folder', () => mkdirSync(path, { mode: 0o700 }))
}

/** Writes the new file next to its place, and secures the old one. */
function prepare(
  step: Step,
  planned: Planned,
  backups: string,
  { touched, modeOf }: { touched: Touched; modeOf: ReturnType<typeof neighborModes> },
): void {
  if (step.type !== 'write' && step.type !== 'remove') return
  const path = pathBelow(step.root, step.below)
  if (digestOf(path) !== step.before) throw new ChangedMeanwhile([path])
  if (step.before !== null) {
    const backup = join(backups, step.backup)
    act('back up', () => linkOrCopy(path, backup))
    touched.add(backups)
    step.backup = backup
  }
  if (step.type !== 'write' || planned.type !== 'write') return
  step.after = act('write draft', () => writeDraft(step, planned, () => modeOf(path)))
  touched.add(dirname(path))
}

/** Returns the SHA-256 of what was written. */
function writeDraft(
  { draft }: Step & { type: 'write' },
  { content, modifiedMs }: Planned & { type: 'write' },
  modeOf: () => number,
): string {
  const sum = createHash('sha256')
  const descriptor = createOwn(draft)
  try {
    let at = 0
    for (const part of content()) {
      writeAt(descriptor, part, at)
      at += part.length
      sum.update(part)
      changeHook.step?.('write part')
    }
    if (modifiedMs !== undefined) futimesSync(descriptor, modifiedMs / 1000, modifiedMs / 1000)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  const mode = modeOf()
  if (mode !== 0o600) chmodSync(draft, mode)
  return sum.digest('hex')
}

/** The mode of a file, or of one of the same type next to it, looked for once. Ours if there is none. */
function neighborModes(): (path: string) => number {
  const known = new Map<string, number>()
  return (path) => {
    const own = lookAt(path)
    if (own) return own.mode & 0o666
    const ending = /\.[^./\\]+$/.exec(path)?.[0] ?? ''
    const kind = `${dirname(path)}\0${ending}`
    let mode = known.get(kind)
    if (mode === undefined) {
      const { entries } = listDirectory(dirname(path))
      const found = entries.find((entry) => entry.isFile() && entry.name.endsWith(ending))
      mode = ((found && lookAt(join(dirname(path), found.name)))?.mode ?? 0o600) & 0o666
      known.set(kind, mode)
    }
    return mode
  }
}

/** A link costs nothing and has all bytes. Not every file system has them. */
function linkOrCopy(from: string, to: string): void {
  rmSync(to, { force: true })
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    const descriptor = openSync(to, constants.O_RDWR | NO_FOLLOW)
    fsyncSync(descriptor)
    closeSync(descriptor)
  }
}

/** Gives a file a name that nothing has, in one step. */
function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || lookAt(path)) throw new ChangedMeanwhile([path])
    if (code === 'ENOENT') throw error
    renameSync(draft, path)
    return
  }
  act('drop draft', () => unlinkSync(draft))
}

/** Whether a step is done already, or can be. */
function canComplete(step: Step): boolean {
  try {
    const path = pathBelow(step.root, step.below)
    if (step.type === 'clear') return true
    if (step.type === 'rename') {
      const target = pathBelow(step.root, step.to)
      const [from, to] = [stampOf(path), stampOf(target)]
      return (to === step.before && from === null) || (from === step.before && to === null)
    }
    if (step.type === 'write' && !lookAt(step.draft)) return true
    const digest = digestOf(path)
    return digest === step.before || digest === (step.type === 'write' ? step.after : null)
  } catch {
    return false
  }
}

function completeAll({ steps }: Journal): void {
  const touched: Touched = new Set()
  for (const step of steps) complete(step, touched)
  syncAll(touched)
}

/** Does what a prepared step says, unless it is done. */
function complete(step: Step, touched: Touched): void {
  const path = pathBelow(step.root, step.below)
  if (step.type === 'clear') act('clear', () => removeEmpty(path))
  else if (step.type === 'rename') {
    const target = pathBelow(step.root, step.to)
    if (stampOf(path) === null && stampOf(target) === step.before) return
    if (stampOf(path) !== step.before || lookAt(target)) throw new ChangedMeanwhile([path])
    act('rename', () => renameSync(path, target))
    touched.add(dirname(target))
  } else if (step.type === 'remove') {
    const digest = digestOf(path)
    if (digest === null) return
    if (digest !== step.before) throw new ChangedMeanwhile([path])
    act('remove', () => unlinkSync(path))
  } else {
    if (!lookAt(step.draft)) return
    const digest = digestOf(path)
    if (step.before === null && digest === null) act('publish', () => publish(step.draft, path))
    // It was published, and its draft is left.
    else if (step.before === null && digest === step.after) act('drop draft', () => unlinkSync(step.draft))
    else if (step.before === null || digest !== step.before) throw new ChangedMeanwhile([path])
    else act('replace', () => renameSync(step.draft, path))
  }
  touched.add(dirname(path))
}

/** Whether everything is as the step left it. */
function isAfter(step: Step): boolean {
  try {
    const path = pathBelow(step.root, step.below)
    if (step.type === 'clear') return true
    if (step.type === 'rename') return stampOf(pathBelow(step.root, step.to)) === step.before && !lookAt(path)
    return digestOf(path) === (step.type === 'write' ? step.after : null)
  } catch {
    return false
  }
}

/** Reverses what was done of all steps. Returns the files that somebody has changed, which stay. */
function reverseAll({ steps, folders }: Journal): string[] {
  const left: string[] = []
  const touched: Touched = new Set()
  for (const step of steps.toReversed()) {
    try {
      if (!reverse(step)) left.push(pathOf(step))
      touched.add(dirname(join(step.root, step.below)))
    } catch (error) {
      if (!(error instanceof NotBelow || error instanceof NotOurs)) throw error
      left.push(pathOf(step))
    }
  }
  syncAll(touched)
  for (const { root, below } of folders.toReversed())
    act('remove folder', () => removeEmpty(pathBelow(root, below)))
  return left
}

/** Returns false if the file is neither as before nor as after. */
function reverse(step: Step): boolean {
  const path = pathBelow(step.root, step.below)
  if (step.type === 'clear') {
    if (!lookAt(path)) act('make folder', () => mkdirSync(path, { mode: step.mode }))
    return true
  }
  if (step.type === 'rename') {
    const target = pathBelow(step.root, step.to)
    if (stampOf(path) === step.before) return true
    if (stampOf(target) !== step.before || lookAt(path)) return false
    act('rename back', () => renameSync(target, path))
    return true
  }
  if (lookAt(step.draft)) act('drop draft', () => unlinkSync(step.draft))
  const digest = digestOf(path)
  if (digest === step.before) return true
  if (step.type === 'remove') {
    if (digest !== null) return false
    act('link backup', () => linkOrCopy(step.backup, step.draft))
    act('bring back', () => publish(step.draft, path))
    return true
  }
  if (digest !== step.after) return false
  if (step.before === null) act('remove new file', () => unlinkSync(path))
  else {
    act('link backup', () => linkOrCopy(step.backup, step.draft))
    act('replace by backup', () => renameSync(step.draft, path))
  }
  return true
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // It has other contents, or is gone.
  }
}
