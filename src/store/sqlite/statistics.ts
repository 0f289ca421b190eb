import type { DatabaseSync } from 'node:sqlite'
import type { StoreStatistics } from '../stored.ts'
import { isBusy, isFull } from './faults.ts'
import { prepareWrite } from './write-statement.ts'

type Counts = Omit<StoreStatistics, 'storeBytes'>

/**
 * Counts files and messages. Counting reads a part of the store that grows with it, so the counts are cached
 * next to the inventory of the disk, which every write deletes. The result is the same if they cannot be.
 */
export function createStatistics(database: DatabaseSync, { readOnly }: { readOnly: boolean }) {
  const sql = {
    cached: database.prepare('SELECT counts FROM settled LIMIT 1'),
    counts: database.prepare(`SELECT (SELECT count(*) FROM session) AS artifacts,
      (SELECT count(*) FROM artifact WHERE gone IS NOT NULL) AS gone,
      (SELECT count(*) FROM message) AS messages, (SELECT count(*) FROM occurrence) AS occurrences,
      (SELECT coalesce(sum(size), 0) FROM artifact WHERE gone IS NULL) AS transcriptBytes`),
    pages: database.prepare(
      'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
    ),
  }

  function counts(): Counts {
    const cached = sql.cached.get()
    if (typeof cached?.counts === 'string') return JSON.parse(cached.counts) as Counts
    // One transaction gives one view of the store. If another process writes meanwhile, caching fails.
    database.exec('BEGIN')
    try {
      const found = sql.counts.get() as unknown as Counts
      if (cached && !readOnly) cache(found)
      return { ...found }
    } finally {
      if (database.isTransaction) database.exec('ROLLBACK')
    }
  }

  function cache(found: Counts): void {
    try {
      prepareWrite(database, 'UPDATE settled SET counts = ?').run(JSON.stringify(found))
      database.exec('COMMIT')
    } catch (error) {
      if (!isBusy(error) && !isFull(error)) throw error
    }
  }

  return {
    statistics: (): StoreStatistics => ({ ...counts(), storeBytes: Number(sql.pages.get()!.bytes) }),
  }
}
