import { existsSync, renameSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { ScrollbackError } from '../../errors.ts'
import { finish, type Steps } from '../../model/iteration.ts'
import { DamagedStore } from '../damaged-store.ts'
import type { FiguresRequest } from '../figures.ts'
import type { FileCopy } from '../file-copy.ts'
import type { Increment } from '../increment.ts'
import type { SearchAnswer, SearchRequest } from '../search.ts'
import type { IndexWordsOptions, Store } from '../store.ts'
import { checkPages } from './check-pages.ts'
import { createCopyReader } from './copy/read.ts'
import { eraseFiles, messagesOnlyIn } from './erase.ts'
import { isBusy, isDamage, isFull, isReadOnly, storeFault } from './faults.ts'
import { cachedFigures } from './figures/cached-figures.ts'
import { createDaysAtHand, type DaysAtHand } from './figures/days-at-hand.ts'
import { minutesWithin } from './figures/figures.ts'
import { createLinkReader } from './links.ts'
import { holdLock } from './lock.ts'
import { versionOf } from './migrate.ts'
import { createProjects } from './projects.ts'
import { createReader } from './reader.ts'
import { createTables, SCHEMA_VERSION } from './schema.ts'
import { createSearcher } from './search/searcher.ts'
import { createStatistics } from './statistics.ts'
import { identityAt, makeStoreFile } from './store-path.ts'
import { lazily, translateFaults } from './translate-faults.ts'
import { useWriteAhead } from './write-ahead.ts'
import { prepareWrite } from './write-statement.ts'
import { createWriter } from './writer.ts'

export const IN_MEMORY = ':memory:'
/** How long a write waits for another process. */
const PATIENCE_MS = 5000

export interface Opened {
  store: Store
  /**
   * The new name of a store that was damaged, or written before the first release. Everything is read from
   * the transcripts again.
   */
  setAside?: string
}

/** A store that was written before the first release. */
class EarlierStore extends Error {}

/**
 * Opens the store. Creates it if it does not exist, renames it if it is damaged or too old, and opens it
 * read-only if it cannot be written. Throws a `ScrollbackError` if a newer version wrote it, or if it can be
 * neither read nor created.
 */
export function openSqliteStore(path: string, now: number): Opened {
  try {
    return { store: openAt(path, now) }
  } catch (error) {
    if (!isDamage(error) && !(error instanceof EarlierStore)) throw storeFault(error, path)
  }
  try {
    const setAside = setAsideStore(path, now)
    return { store: openAt(path, now), setAside }
  } catch (error) {
    throw storeFault(error, path)
  }
}

/** Renames a store that cannot be used and returns its new name. Nothing is deleted. */
function setAsideStore(path: string, now: number): string {
  const setAside = `${path}.set-aside-${new Date(now).toISOString().replaceAll(':', '-')}`
  for (const part of ['', '-wal', '-shm'])
    if (existsSync(path + part)) renameSync(path + part, setAside + part)
  return setAside
}

interface OpenMode {
  readOnly: boolean
  /** When the store was opened, in ms. A damaged store gets it as part of its new name. */
  now: number
}

function openAt(path: string, now: number): Store {
  let database: DatabaseSync | undefined
  try {
    if (path !== IN_MEMORY) {
      makeStoreFile(path)
    }
    database = new DatabaseSync(path, { timeout: PATIENCE_MS })
    refuseNewer(database, path)
    const version = versionOf(database)
    if (version > 0 && version < SCHEMA_VERSION) throw new EarlierStore()
    database.exec('PRAGMA page_size = 8192')
    useWriteAhead(database, PATIENCE_MS)
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -24000; PRAGMA wal_autocheckpoint = 8192')
    if (version === 0) createTables(database)
    return storeOn(database, path, { readOnly: false, now })
  } catch (error) {
    database?.close()
    const readable = (isReadOnly(error) || isFull(error)) && existsSync(path) && openForReading(path)
    if (!readable) throw error
    return storeOn(readable, path, { readOnly: true, now })
  }
}

/**
 * Opens the store read-only. SQLite needs the `-wal` and `-shm` files even for reading. If they cannot be
 * created, no process can write, so the database is opened as immutable. Returns undefined if there is
 * nothing to read yet.
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

function storeOn(database: DatabaseSync, path: string, { readOnly, now }: OpenMode): Store {
  const translate = (error: unknown): unknown => {
    if (!isDamage(error)) return storeFault(error, path)
    if (readOnly || path === IN_MEMORY) return new DamagedStore(path, undefined, error)
    // An open file cannot be renamed on every system.
    if (database.isOpen) database.close()
    return new DamagedStore(path, setAsideStore(path, now), error)
  }
  const reader = createReader(database)
  let writer: ReturnType<typeof createWriter> | undefined
  let atHand: DaysAtHand | undefined
  const daysAtHand = (): DaysAtHand => {
    atHand ??= createDaysAtHand(database)
    return atHand
  }
  const writerOf = (): ReturnType<typeof createWriter> => {
    writer ??= createWriter(database)
    return writer
  }
  let searcher: ReturnType<typeof createSearcher> | undefined
  const searcherOf = (): ReturnType<typeof createSearcher> => {
    searcher ??= createSearcher(database)
    return searcher
  }
  function* searchInSteps(wanted: SearchRequest): Steps<SearchAnswer> {
    const { hits, ...answer } = yield* searcherOf().search(wanted)
    return { ...answer, hits: { [Symbol.iterator]: () => lazily(rowByRow(hits), translate) } }
  }
  function* indexWords(options?: IndexWordsOptions): Steps<void> {
    try {
      yield* writerOf().indexWords(options)
    } catch (error) {
      throw translate(error)
    }
  }
  let copyReader: ReturnType<typeof createCopyReader> | undefined
  const copies = (): ReturnType<typeof createCopyReader> => {
    copyReader ??= createCopyReader(database)
    return copyReader
  }
  const identity = identityAt(path)
  const translated = translateFaults(
    {
      checkPages: (nowMs: number) => checkPages(database, nowMs),
      limitCache(kibibytes: number) {
        searcher = undefined
        daysAtHand().limit(kibibytes)
        database.exec(`PRAGMA cache_size = -${kibibytes}; PRAGMA shrink_memory`)
      },
      ...reader,
      ...createLinkReader(database),
      contents: () => copies().contents(),
      copiesOf: (ids: readonly number[]) => copies().copiesOf(ids),
      putCopies: (files: readonly FileCopy[]) => writerOf().putCopies(files),
      ...createStatistics(database, { readOnly }),
      write: (batch: readonly Increment[]) => writerOf().write(batch),
      forget: (ids: readonly number[]) => writerOf().forget(ids),
      erase: (ids: readonly number[]) => eraseFiles(database, ids, writerOf()),
      messagesOnlyIn: (ids: readonly number[]) => messagesOnlyIn(database, ids),
      linked: (ids: readonly number[]) => writerOf().linked(ids),
      markGone: (ids: readonly number[], goneMs: number | undefined) => writerOf().markGone(ids, goneMs),
      settle: (scope: string, inventory: string) => settle(database, scope, inventory),
      ...createProjects(database),
      search: (wanted: SearchRequest) => finish(searchInSteps(wanted)),
      searchInSteps,
      sessionFacts: (roots: readonly string[], needs: { branches: boolean }) =>
        searcherOf()
          .facts(needs)
          .filter(({ root }) => roots.includes(root)),
      minutes: (fromMs: number) => minutesWithin(database, [Math.max(fromMs, 0), Number.MAX_SAFE_INTEGER]),
      figures(wanted: FiguresRequest) {
        return cachedFigures(database, wanted, { atHand: daysAtHand(), readOnly })
      },
    },
    translate,
  )
  return {
    path,
    readOnly,
    ...translated,
    indexWords,
    isThere: () => path === IN_MEMORY || identityAt(path) === identity,
    // Errors of `work` are its own.
    *asWriter(work) {
      const lock = path === IN_MEMORY ? { release() {} } : holdLock(`${path}.lock`)
      if (!lock) return undefined
      try {
        return yield* work()
      } finally {
        lock.release()
      }
    },
    close() {
      if (!database.isOpen) return
      if (writer) optimize(database)
      database.close()
    },
  }
}

function* rowByRow<Row>(rows: Iterable<Row>): Generator<Row, void> {
  yield* rows
}

/** Skipped if a file may have changed unnoticed, because it was written just before it was read. */
function settle(database: DatabaseSync, scope: string, inventory: string): void {
  prepareWrite(
    database,
    `INSERT OR REPLACE INTO settled (scope, inventory) SELECT ?, ?
      WHERE NOT EXISTS (SELECT 1 FROM artifact WHERE racy = 1 AND gone IS NULL)`,
  ).run(scope, inventory)
}

/** Updates the statistics of the query planner, unless another process is writing. */
function optimize(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA optimize')
  } catch (error) {
    if (!isBusy(error)) throw error
  }
}
