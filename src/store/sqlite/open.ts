import { existsSync, renameSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { ScrollbackError } from '../../errors.ts'
import { finish, type Steps } from '../../model/iteration.ts'
import type { FactNeeds } from '../../model/session-filter.ts'
import { once } from '../../search/characters.ts'
import type { Query } from '../../search/query.ts'
import type { FiguresRequest } from '../figures.ts'
import type { FileCopy } from '../file-copy.ts'
import type { Increment } from '../increment.ts'
import type { SearchAnswer, SearchRequest } from '../search.ts'
import type { IndexWordsOptions, Store } from '../store.ts'
import type { StoreStatistics } from '../stored.ts'
import { createChanges } from './changes.ts'
import { createCopyReader } from './copy.ts'
import {
  DamagedStore,
  ifPossible,
  isDamage,
  isFull,
  isReadOnly,
  lazily,
  prepareWrite,
  setWriteAhead,
  storeFault,
  translateFaults,
  versionOf,
} from './database.ts'
import { cachedFigures, createDaysAtHand, minutesWithin } from './figures.ts'
import { holdLock, identityAt, makeStoreFile } from './files.ts'
import { createLinkReader } from './links.ts'
import { createMessageReader } from './messages.ts'
import { createOutlines } from './outline.ts'
import { createPositions } from './positions.ts'
import { createProjects } from './projects.ts'
import { createTables, SCHEMA_VERSION } from './schema.ts'
import { createSearcher } from './search.ts'
import { createSessionReader } from './sessions.ts'
import { createVectors } from './vectors.ts'
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

function openAt(path: string, now: number): Store {
  let database: DatabaseSync | undefined
  try {
    if (path !== IN_MEMORY) makeStoreFile(path)
    database = new DatabaseSync(path, { timeout: PATIENCE_MS })
    refuseNewer(database, path)
    const version = versionOf(database)
    if (version > 0 && version < SCHEMA_VERSION) throw new EarlierStore()
    database.exec('PRAGMA page_size = 8192')
    setWriteAhead(database, PATIENCE_MS)
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

/** `now` is part of the new name of a damaged store. */
function storeOn(
  database: DatabaseSync,
  path: string,
  { readOnly, now }: { readOnly: boolean; now: number },
): Store {
  const translate = (error: unknown): unknown => {
    if (!isDamage(error)) return storeFault(error, path)
    if (readOnly || path === IN_MEMORY) return new DamagedStore(path, undefined, error)
    // An open file cannot be renamed on every system.
    if (database.isOpen) database.close()
    return new DamagedStore(path, setAsideStore(path, now), error)
  }
  let written = false
  const writer = once(() => {
    written = true
    return createWriter(database)
  })
  let searcher = once(() => createSearcher(database))
  let finder = once(() => createPositions(database))
  const copies = once(() => createCopyReader(database))
  const daysAtHand = createDaysAtHand(database)
  function* searchInSteps(wanted: SearchRequest): Steps<SearchAnswer> {
    const { hits, ...answer } = yield* searcher().search(wanted)
    return { ...answer, hits: { [Symbol.iterator]: () => lazily(hits, translate) } }
  }
  const identity = identityAt(path)
  const others = database.prepare('PRAGMA data_version')
  const translated = translateFaults(
    {
      othersWrote: () => Number(others.get()!.data_version),
      checkPages: (nowMs: number) => checkPages(database, nowMs),
      limitCache(kibibytes: number) {
        searcher = once(() => createSearcher(database))
        finder = once(() => createPositions(database))
        daysAtHand.limit(kibibytes)
        database.exec(`PRAGMA cache_size = -${kibibytes}; PRAGMA shrink_memory`)
      },
      ...createSessionReader(database),
      ...createMessageReader(database),
      ...createOutlines(database),
      positions: (path: string, query: Query) => finder().positions(path, query),
      ...createLinkReader(database),
      contents: () => copies().contents(),
      copiesOf: (ids: readonly number[]) => copies().copiesOf(ids),
      putCopies: (files: readonly FileCopy[]) => writer().putCopies(files),
      statistics: () => statisticsOf(database, readOnly),
      write: (batch: readonly Increment[]) => writer().write(batch),
      forget: (ids: readonly number[]) => writer().forget(ids),
      erase: (ids: readonly number[]) => writer().erase(ids),
      indexWords: (options?: IndexWordsOptions) => writer().indexWords(options),
      linked: (ids: readonly number[]) => writer().linked(ids),
      markGone: (ids: readonly number[], goneMs: number | undefined) => writer().markGone(ids, goneMs),
      settle: (scope: string, inventory: string) => settle(database, scope, inventory),
      ...createProjects(database),
      search: (wanted: SearchRequest) => finish(searchInSteps(wanted)),
      searchInSteps,
      sessionFacts: (roots: readonly string[], needs: FactNeeds) =>
        searcher()
          .facts(needs)
          .filter(({ root }) => roots.includes(root)),
      minutes: (fromMs: number) => minutesWithin(database, [Math.max(fromMs, 0), Number.MAX_SAFE_INTEGER]),
      figures: (wanted: FiguresRequest) => cachedFigures(database, wanted, { daysAtHand, readOnly }),
    },
    translate,
  )
  return {
    path,
    readOnly,
    ...translated,
    vectors: translateFaults(createVectors(database), translate),
    changes: translateFaults(createChanges(database, copies), translate),
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
      if (written) optimize(database)
      database.close()
    },
  }
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
  ifPossible(() => database.exec('PRAGMA busy_timeout = 0; PRAGMA optimize'))
}

const EVERY_MS = 24 * 3_600_000
const CORRUPT = 11

/**
 * Checks every page of the database, once a day. Damage to a page that no query reads would otherwise be
 * found when the page is needed, and the transcripts may be gone by then. Throws the engine's error.
 */
function checkPages(database: DatabaseSync, nowMs: number): void {
  const last = Number(database.prepare('SELECT at FROM checked').get()?.at ?? 0)
  // If the clock was set back, check now instead of postponing the check.
  if (last <= nowMs && nowMs - last < EVERY_MS) return
  const [found] = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})
  if (found !== 'ok')
    throw Object.assign(new Error(String(found)), { code: 'ERR_SQLITE_ERROR', errcode: CORRUPT })
  // If it cannot be written, the next command checks again.
  ifPossible(() => {
    prepareWrite(database, 'INSERT OR REPLACE INTO checked (id, at) VALUES (1, ?)').run(nowMs)
  })
}

/**
 * Counts files and messages. Counting reads a part of the store that grows with it, so the counts are cached
 * next to the inventory of the disk, which every write deletes. The result is the same if they cannot be.
 */
function statisticsOf(database: DatabaseSync, readOnly: boolean): StoreStatistics {
  const bytes = database.prepare(
    'SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size',
  )
  const storeBytes = Number(bytes.get()!.n)
  const cached = database.prepare('SELECT counts FROM settled LIMIT 1').get()
  if (typeof cached?.counts === 'string') return { ...JSON.parse(cached.counts), storeBytes }
  // One transaction gives one view of the store. If another process writes meanwhile, caching fails.
  database.exec('BEGIN')
  try {
    const counts = database.prepare(COUNTS).get() as unknown as Omit<StoreStatistics, 'storeBytes'>
    if (cached && !readOnly)
      ifPossible(() => {
        prepareWrite(database, 'UPDATE settled SET counts = ?').run(JSON.stringify(counts))
        database.exec('COMMIT')
      })
    return { ...counts, storeBytes }
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK')
  }
}

const COUNTS = `SELECT (SELECT count(*) FROM session) AS artifacts,
  (SELECT count(*) FROM artifact WHERE gone IS NOT NULL) AS gone,
  (SELECT count(*) FROM message) AS messages, (SELECT count(*) FROM occurrence) AS occurrences,
  (SELECT coalesce(sum(size), 0) FROM artifact WHERE gone IS NULL) AS transcriptBytes`
