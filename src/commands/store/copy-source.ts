import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context } from '../../context/context.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { fromArchive } from '../../deliver/archive/from-archive.ts'
import { decodedName, type TreeOrigin } from '../../deliver/archive/layout.ts'
import type { CopyReport } from '../../deliver/copy-store.ts'
import { ScrollbackError } from '../../errors.ts'
import { segmentsIn } from '../../io/archive/segments.ts'
import { openSource as openFile } from '../../io/source.ts'
import { counted } from '../../render/table.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import type { Store } from '../../store/store.ts'
import { storeAddress, teamEngine } from './team-store.ts'

/** How many files are named that differ or cannot be read. */
const MOST_NAMED = 5

export function differing(
  { differing: keys, source }: Pick<CopyReport, 'differing' | 'source'>,
  from: Pick<Endpoint, 'name'>,
  to: Pick<Endpoint, 'name'>,
): ScrollbackError {
  const all = source.reduce((sum, { files }) => sum + files, 0)
  return new ScrollbackError(
    'unreadable',
    `Of ${counted(all, 'file')} in ${from.name}, ${keys.length} differ in ${to.name}: ${named(keys)}.`,
    'Run the command again: it copies those files once more. If they still differ, another program changes one of the stores.',
  )
}

export function named(keys: readonly string[]): string {
  const more = keys.length > MOST_NAMED ? `, and ${keys.length - MOST_NAMED} more` : ''
  return keys.slice(0, MOST_NAMED).join(', ') + more
}

/** One side of a copy. */
export interface Endpoint {
  store: Store
  /** How it is named in the answer: never with a password. */
  name: string
  /** Where a file is on its own machine, if that is another path. */
  originOf?: (path: string) => { device: string; path: string } | undefined
}

export const isTeamStore = (address: string): boolean => address.startsWith('clickhouse:')

export const passwords = ({ storePasswords, globalFlags }: Context, side: 'from' | 'to') => ({
  password: (side === 'from' ? storePasswords?.from : undefined) ?? storePasswords?.to,
  passwordFile: globalFlags?.storePasswordFile,
})

/** Opens what is copied: a team store, an archive, or the file of a store. Throws a `ScrollbackError`. */
export function openSource(address: string, context: Context): Endpoint {
  const { device } = context.machine
  if (isTeamStore(address)) {
    const server = storeAddress(address, passwords(context, 'from'), 'store copy')
    const store = teamEngine.open({ ...server, device })
    return { store, name: `clickhouse://${store.path}` }
  }
  const path = pathOf(address, context)
  if (!existsSync(path)) throw notAStore(path)
  return statSync(path).isDirectory() ? archiveAt(path, context) : storeAt(path, context)
}

/** Opens the file of a store that is written to, which need not exist. */
export function openTarget(address: string, context: Context): Endpoint {
  const path = pathOf(address, context)
  if (existsSync(path) && statSync(path).isDirectory()) throw notAStore(path)
  return storeAt(path, context)
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
  return { store, name: path }
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
    originOf(path) {
      const found = roots.find(({ root, prefix }) => path === root || path.startsWith(prefix))
      if (!found) return undefined
      const { prefix, origin } = found
      const below = path.slice(prefix.length)
      const names =
        below === '' ? [] : below.split('/').map((name) => decodedName(name, origin.names) ?? name)
      return { device: origin.device, path: [rootOf(origin), ...names].join('/') }
    },
  }
}
