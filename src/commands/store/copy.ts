import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context } from '../../context/context.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { fromArchive } from '../../deliver/archive/from-archive.ts'
import { decodedName, type TreeOrigin } from '../../deliver/archive/layout.ts'
import { type CopyReport, copyLocked } from '../../deliver/copy-store.ts'
import { ScrollbackError } from '../../errors.ts'
import { segmentsIn } from '../../io/archive/segments.ts'
import { keepHeapSmall } from '../../io/process.ts'
import { openSource as openFile } from '../../io/source.ts'
import type { LeftOut } from '../../model/artifact.ts'
import { counted } from '../../render/table.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import type { Store } from '../../store/store.ts'
import { forgottenTest } from '../../sync/forgotten.ts'
import type { CopyAnswer, Input } from './answer.ts'
import { openDeviceStore, storeAddress, teamEngine } from './team-store.ts'

/** How many files are named that differ or cannot be read. */
const MOST_NAMED = 5

/**
 * Copies one store into another one. Throws a `ScrollbackError` if either cannot be used, and if both do not
 * have the same at the end.
 */
export function runCopy({ target: from, to, device, person, dryRun }: Input, context: Context): CopyAnswer {
  if (from === undefined || to === undefined)
    throw new ScrollbackError(
      'bad-option',
      'store copy takes two stores: the source and the target',
      'For example: scrollback store copy ~/backup clickhouse://root@db.example.org/team',
    )
  if (device.length > 1)
    throw new ScrollbackError('bad-option', 'store copy: it takes one --device', 'Name one machine.')
  // Before a connection starts a thread.
  keepHeapSmall()
  const own = device[0] ?? context.machine.device
  const source = openSource(from, context)
  context.atEnd?.(() => source.store.close())
  const target = openTarget(to, own, context)
  context.atEnd?.(() => target.store.close())
  if (source.name === target.name)
    throw new ScrollbackError('bad-option', 'store copy: both stores are the same', 'Name another one.')
  const report = copyLocked(source.store, target.store, {
    device: own,
    person,
    thisDevice: context.machine.device,
    user: context.machine.user,
    dryRun,
    isForgotten: forgottenTest(context.environment),
    leftOut: target.leftOut,
    originOf: source.originOf,
    isLocal: target.isLocal,
    progress: context.progress,
  })
  if (!report)
    throw new ScrollbackError(
      'unreadable',
      `Another process is writing to ${target.name}.`,
      'Wait until it ends, or stop it.',
    )
  if (report.differing.length > 0) throw differing(report, source, target)
  const { differing: _, unreadable, ...counts } = report
  if (unreadable.length > 0)
    context.note(
      `Not copied, because rows of ${source.name} are malformed: ${counted(unreadable.length, 'file')}: ${named(unreadable)}.`,
      'partly',
    )
  if (report.withoutPerson > 0 && !target.isLocal)
    context.note(
      `${counted(report.withoutPerson, 'file')}: it is not known whose, so only administrators of the team store can read them. Name the person with --person.`,
    )
  return { from: source.name, to: target.name, dryRun, ...counts, unreadable: unreadable.length }
}

function differing({ differing: keys, source }: CopyReport, from: Endpoint, to: Endpoint): ScrollbackError {
  const all = source.reduce((sum, { files }) => sum + files, 0)
  return new ScrollbackError(
    'unreadable',
    `Of ${counted(all, 'file')} in ${from.name}, ${keys.length} differ in ${to.name}: ${named(keys)}.`,
    'Run the command again: it copies those files once more. If they still differ, another program changes one of the stores.',
  )
}

function named(keys: readonly string[]): string {
  const more = keys.length > MOST_NAMED ? `, and ${keys.length - MOST_NAMED} more` : ''
  return keys.slice(0, MOST_NAMED).join(', ') + more
}

/** One side of a copy. */
interface Endpoint {
  store: Store
  /** How it is named in the answer: never with a password. */
  name: string
  /** The store of one machine, which has no devices. */
  isLocal: boolean
  /** What the store does not take. */
  leftOut?: LeftOut
  /** Where a file is on its own machine, if that is another path. */
  originOf?: (path: string) => { device: string; path: string } | undefined
}

const isTeamStore = (address: string): boolean => address.startsWith('clickhouse:')

const passwords = ({ storePasswords, globalFlags }: Context, side: 'from' | 'to') => ({
  password: (side === 'from' ? storePasswords?.from : undefined) ?? storePasswords?.to,
  passwordFile: globalFlags?.storePasswordFile,
})

/** Opens what is copied: a team store, an archive, or the file of a store. Throws a `ScrollbackError`. */
function openSource(address: string, context: Context): Endpoint {
  const { device } = context.machine
  if (isTeamStore(address)) {
    const server = storeAddress(address, passwords(context, 'from'), 'store copy')
    const store = teamEngine.open({ ...server, device, everyone: true })
    return { store, name: `clickhouse://${store.path}`, isLocal: false }
  }
  const path = pathOf(address, context)
  if (!existsSync(path)) throw notAStore(path)
  return statSync(path).isDirectory() ? archiveAt(path, context) : storeAt(path, context)
}

/** Opens what a copy is written to: a team store, or the file of a store, which need not exist. */
function openTarget(address: string, device: string, context: Context): Endpoint {
  if (!isTeamStore(address)) {
    const path = pathOf(address, context)
    if (existsSync(path) && statSync(path).isDirectory()) throw notAStore(path)
    return storeAt(path, context)
  }
  const server = storeAddress(address, passwords(context, 'to'), 'store copy')
  const store = openDeviceStore(server, device, context)
  return { store, name: `clickhouse://${store.path}`, isLocal: false, leftOut: store.team.leftOut() }
}

/** Also `file:` addresses, as destinations of `collect` have them. */
const pathOf = (address: string, { here }: Context): string =>
  resolve(here, address.replace(/^file:(?:\/\/)?/, ''))

const notAStore = (path: string): ScrollbackError =>
  new ScrollbackError(
    'bad-option',
    `store copy: ${path} is not a store.`,
    'Name the file of a store, an archive of "scrollback collect", or clickhouse://user@host/database.',
  )

/** A damaged store is set aside when it is opened, so nothing that is no store may be. */
function storeAt(path: string, context: Context): Endpoint {
  if (existsSync(path) && statSync(path).size > 0 && !isDatabase(path)) throw notAStore(path)
  const { store, setAside } = openSqliteStore(path, context.now)
  if (setAside !== undefined) {
    store.close()
    throw new ScrollbackError(
      'store-unreadable',
      `The store ${path} is damaged. It was moved to ${setAside}.`,
      'Copy from another source.',
    )
  }
  return { store, name: path, isLocal: true }
}

const MAGIC = 'SQLite format 3\0'

function isDatabase(path: string): boolean {
  const file = openFile(path)
  try {
    const start = Buffer.alloc(MAGIC.length)
    return file.read(start, 0, start.length) === start.length && start.toString('latin1') === MAGIC
  } finally {
    file.close()
  }
}

/** Unpacks an archive and indexes what is new in it, as `--from` does. */
function archiveAt(folder: string, context: Context): Endpoint {
  if (segmentsIn(folder).length === 0) throw notAStore(folder)
  const { dirs, storePath, origins, notes } = fromArchive(folder, context.dataFolder)
  for (const note of notes) context.note(note, 'partly')
  const { remote: _, fresh: __, ...others } = context
  const environment = { ...context.environment, dirs }
  const opened = freshStore({ ...others, environment, storePath, redact: true })
  if (!opened) throw notAStore(folder)
  const { device: own } = context.machine
  const { home } = context.environment
  // Archives have no home directories. That of another machine is not known here.
  const rootOf = ({ device, root }: TreeOrigin): string =>
    device === own ? root.replace(/^~(?=\/|$)/, () => home) : root
  const roots = [...origins].map(([root, origin]) => ({ root, prefix: `${root}/`, origin }))
  return {
    store: opened.store,
    name: folder,
    isLocal: true,
    originOf(path) {
      const found = roots.find(({ root, prefix }) => path === root || path.startsWith(prefix))
      if (!found) return undefined
      const { prefix, origin } = found
      const below = path.slice(prefix.length)
      const names = below === '' ? [] : below.split('/').map((name) => decodedName(name) ?? name)
      return { device: origin.device, path: [rootOf(origin), ...names].join('/') }
    },
  }
}
