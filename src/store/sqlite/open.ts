import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { ScrollbackError } from '../../errors.ts'
import { finish } from '../../model/steps.ts'
import type { Store, Written } from '../store.ts'
import { checkPages } from './check-pages.ts'
import { createDaysAtHand, type DaysAtHand } from './days-at-hand.ts'
import { isBusy, isDamage, isFull, isReadOnly, storeFault } from './faults.ts'
import { minutesWithin } from './figures.ts'
import { keptFigures } from './kept-figures.ts'
import { searchLeniently } from './lenient.ts'
import { createLinkReader } from './links.ts'
import { withLock } from './lock.ts'
import { checkPlace, identityAt } from './place.ts'
import { assignProjects } from './projects.ts'
import { createReader } from './reader.ts'
import { migrate, SCHEMA_VERSION, versionOf } from './schema.ts'
import { search } from './search.ts'
import { useWriteAhead } from './write-ahead.ts'
import { createWriter } from './writer.ts'

export const IN_MEMORY = ':memory:'
/** How long a write waits for another one. */
const PATIENCE_MS = 5000

export interface Opened {
  store: Store
  /** Where a damaged store was set aside; everything is read from the transcripts again. */
  setAside?: string
}

/**
 * Opens the store, makes it where there is none, and sets a damaged one aside. One that cannot be written is opened for
 * reading. Throws a `ScrollbackError` when a newer version wrote it, or when it can be neither read nor made.
 */
export function openSqliteStore(path: string, now: number): Opened {
  try {
    return { store: openAt(path) }
  } catch (error) {
    if (!isDamage(error)) throw storeFault(error, path)
  }
  try {
    const setAside = setAsideStore(path, now)
    return { store: openAt(path), setAside }
  } catch (error) {
    throw storeFault(error, path)
  }
}

/** Puts a damaged store out of the way, and says where; nothing of it is deleted. */
export function setAsideStore(path: string, now: number): string {
  const setAside = `${path}.damaged-${new Date(now).toISOString().replaceAll(':', '-')}`
  for (const part of ['', '-wal', '-shm'])
    if (existsSync(path + part)) renameSync(path + part, setAside + part)
  return setAside
}

function openAt(path: string): Store {
  let database: DatabaseSync | undefined
  try {
    if (path !== IN_MEMORY) {
      makeFolder(dirname(path))
      checkPlace(path)
      closeSync(openSync(path, 'a', 0o600))
      chmodSync(path, 0o600)
    }
    database = new DatabaseSync(path, { timeout: PATIENCE_MS })
    refuseNewer(database, path)
    database.exec('PRAGMA page_size = 8192')
    useWriteAhead(database, PATIENCE_MS)
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -24000; PRAGMA wal_autocheckpoint = 8192')
    migrate(database)
    return storeOn(database, path, false)
  } catch (error) {
    database?.close()
    const readable = (isReadOnly(error) || isFull(error)) && existsSync(path) && openForReading(path)
    if (!readable) throw error
    return storeOn(readable, path, true)
  }
}

/** Not `recursive`, which never returns where the system says of a folder that it is there and is not, as below `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have been quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * Reading needs files beside the store too. Where they are missing and cannot be made, the engine has to be told that nobody
 * writes: nobody can. Undefined where there is nothing yet that could be read.
 */
function openForReading(path: string): DatabaseSync | undefined {
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  const written = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  const database = new DatabaseSync(written ? path : url, { readOnly: true, timeout: PATIENCE_MS })
  try {
    refuseNewer(database, path)
    if (versionOf(database) === SCHEMA_VERSION) return database
    database.close()
    return undefined
  } catch (error) {
    database.close()
    throw error
  }
}

function refuseNewer(database: DatabaseSync, path: string): void {
  const version = versionOf(database)
  if (version > SCHEMA_VERSION)
    throw new ScrollbackError(
      'store-newer',
      `The store at ${path} was written by a newer version of scrollback (its format is ${version}, this one knows ${SCHEMA_VERSION}).`,
      'Update scrollback, or set SCROLLBACK_HOME to another folder for this version.',
    )
}

function storeOn(database: DatabaseSync, path: string, readOnly: boolean): Store {
  const reader = createReader(database)
  let writer: ReturnType<typeof createWriter> | undefined
  let atHand: DaysAtHand | undefined
  const told = <Result>(work: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      throw storeFault(error, path)
    }
  }
  const writerOf = (): ReturnType<typeof createWriter> => {
    writer ??= createWriter(database)
    return writer
  }
  const searchInSteps: Store['searchInSteps'] = (wanted) =>
    wanted.lenient ? searchLeniently(database, wanted) : search(database, wanted)
  const identity = identityAt(path)
  return {
    place: path,
    readOnly,
    isThere: () => path === IN_MEMORY || identityAt(path) === identity,
    checkPages: (nowMs) => checkPages(database, nowMs),
    ...reader,
    ...createLinkReader(database),
    write: (batch: readonly Written[]) => told(() => writerOf().write(batch)),
    forget: (ids) => told(() => writerOf().forget(ids)),
    linked: (ids) => told(() => writerOf().linked(ids)),
    markGone: (ids, goneMs) => told(() => writerOf().markGone(ids, goneMs)),
    settle: (scope, inventory) => told(() => settle(database, scope, inventory)),
    assignProjects: (projects) => told(() => assignProjects(database, projects)),
    search: (wanted) => finish(searchInSteps(wanted)),
    searchInSteps,
    minutes: (fromMs) => minutesWithin(database, [Math.max(fromMs, 0), Number.MAX_SAFE_INTEGER]),
    figures(wanted) {
      atHand ??= createDaysAtHand(database)
      const held = atHand
      return told(() => keptFigures(database, wanted, { atHand: held, readOnly }))
    },
    asWriter: (work) => (path === IN_MEMORY ? work() : withLock(`${path}.lock`, work)?.result),
    close() {
      if (!database.isOpen) return
      if (writer) optimize(database)
      database.close()
    },
  }
}

/** Unless a file was written to so shortly before it was read that it may have changed unseen. */
function settle(database: DatabaseSync, scope: string, inventory: string): void {
  database
    .prepare(`INSERT OR REPLACE INTO settled SELECT ?, ?
      WHERE NOT EXISTS (SELECT 1 FROM artifact WHERE racy = 1 AND gone IS NULL)`)
    .run(scope, inventory)
}

/** Figures that make later queries quick. Where somebody else writes they are left to the next time. */
function optimize(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA optimize')
  } catch (error) {
    if (!isBusy(error)) throw error
  }
}
