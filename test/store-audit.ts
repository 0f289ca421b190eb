import { DatabaseSync } from 'node:sqlite'
import { type Refreshed, refresh, settle, upToDate } from '../src/collect/refresh.ts'
import type { Environment } from '../src/model/artifact.ts'
import { parseQuery } from '../src/search/query.ts'
import { IN_MEMORY, openSqliteStore } from '../src/store/sqlite/open.ts'
import type { SearchHit, Store } from '../src/store/store.ts'
import { toldBy } from './stores.ts'

/** A place where Claude Code keeps its files, and nothing else of the machine. */
export const claudeAt = (folder: string): Environment => ({
  home: '/nowhere',
  variables: {},
  claudeDirs: [folder],
  openclawDirs: [],
})

/** Brings a store up to date in this thread; a file that cannot be read is told by its code. */
export function bringUpToDate(store: Store, environment: Environment, now = Date.now()): Refreshed {
  const already = upToDate(store, { environment })
  if (already) return already
  const refreshed = refresh(store, {
    environment,
    now,
    threads: () => 1,
    faultOf: (error) => (error as NodeJS.ErrnoException).code ?? String(error),
  })
  settle(store, refreshed)
  return refreshed
}

/** An index of the same files that was made just now, in a file where one has to look into it. */
export function freshIndex(environment: Environment, path: string = IN_MEMORY): Store {
  const { store } = openSqliteStore(path, 0)
  bringUpToDate(store, environment)
  return store
}

/** Everything a store tells of the files that are there, by path. */
export const toldOfAll = (store: Store, there: Store = store) =>
  new Map(
    there
      .sessions()
      .filter(({ goneMs }) => goneMs === undefined)
      .map(({ session: { path } }) => [path, toldBy(store, path)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** All messages in which a word stands, wherever. */
export const hitsFor = (store: Store, words: string): SearchHit[] =>
  Array.from(
    store.search({ query: parseQuery(words, 0, () => undefined), limit: 50, enough: 0, now: 0 }).hits,
  )

/** Counts messages that a search for one of their facets would miss. */
const notIndexedWith = (column: string, letter: string): string =>
  `SELECT (SELECT count(*) FROM message) - (SELECT count(*) FROM (SELECT DISTINCT ${column} AS facet FROM message) f
  JOIN spoken ON spoken MATCH '{facet} : "${letter}' || f.facet || '"'
  JOIN message m ON m.id = spoken.rowid AND m.${column} = f.facet)`

/** What must never be found in a store, as statements that count it. */
const NEVER: Record<string, string> = {
  'messages that stand nowhere':
    'SELECT count(*) FROM message WHERE id NOT IN (SELECT message FROM occurrence)',
  'places of messages that are none':
    'SELECT count(*) FROM occurrence WHERE message NOT IN (SELECT id FROM message)',
  'places in files that are none':
    'SELECT count(*) FROM occurrence WHERE artifact NOT IN (SELECT id FROM artifact)',
  'messages without exactly one first place': `SELECT count(*) FROM (SELECT message FROM occurrence
    GROUP BY message HAVING sum(copy = 0) <> 1)`,
  'messages that name another place than their first': `SELECT count(*) FROM message m
    JOIN occurrence o ON o.message = m.id AND o.copy = 0 WHERE o.artifact <> m.artifact OR o.line <> m.line`,
  'places that a file holds again in a later generation': `SELECT count(*) FROM occurrence o
    JOIN artifact a ON a.id = o.artifact WHERE o.generation < a.generation AND EXISTS (SELECT 1 FROM occurrence n
    WHERE n.message = o.message AND n.artifact = o.artifact AND n.generation = a.generation)`,
  'messages that are not in the index':
    'SELECT count(*) FROM message WHERE id NOT IN (SELECT id FROM spoken_docsize)',
  'rows of the index without a message':
    'SELECT count(*) FROM spoken_docsize WHERE id NOT IN (SELECT id FROM message)',
  'messages the index puts to another speaker': notIndexedWith('who', 'w'),
  'messages the index puts to another file': notIndexedWith('artifact', 'a'),
  'words a human said somewhere that are put to a program, or the other way round': `SELECT count(*) FROM message m
    JOIN (SELECT message, min(who) AS who FROM occurrence WHERE prompt = 1 GROUP BY message) o ON o.message = m.id
    WHERE m.who <> o.who`,
  ...Object.fromEntries(
    ['session', 'fold', 'usage'].map((table) => [
      `rows of ${table} for files that are none`,
      `SELECT count(*) FROM ${table} WHERE artifact NOT IN (SELECT id FROM artifact)`,
    ]),
  ),
}

/** What is wrong with the rows of a store, in words; nothing when it is sound. */
export function faultsOf(database: DatabaseSync): Record<string, number> {
  const faults: Record<string, number> = {}
  for (const [what, sql] of Object.entries(NEVER)) {
    const count = Number(Object.values(database.prepare(sql).get()!)[0])
    if (count > 0) faults[what] = count
  }
  return faults
}

/** What was used and paid, by file and reply. */
export const usagesOf = (database: DatabaseSync): unknown[] =>
  database
    .prepare(`SELECT a.path, u.reply, u.at, u.model, u.input, u.output, u.cache_write, u.cache_write_hour, u.cost
      FROM usage u
      JOIN artifact a ON a.id = u.artifact WHERE a.gone IS NULL ORDER BY a.path, u.reply`)
    .all()

/** The words whose parts are searched too. */
export const vocabularyOf = (database: DatabaseSync): Set<string> =>
  new Set(
    database
      .prepare('SELECT word FROM vocabulary')
      .all()
      .map(({ word }) => String(word)),
  )

/** Opens the file of a store beside the store. */
export const beside = (store: Store): DatabaseSync => new DatabaseSync(store.place)

/** What the engine says of its own file and of the search index in it. Throws when the index is not whole. */
export function integrityOf(database: DatabaseSync): string {
  database.exec("INSERT INTO spoken (spoken) VALUES ('integrity-check')")
  // With a rank it is compared with the words it was made from.
  database.exec("INSERT INTO part (part, rank) VALUES ('integrity-check', 1)")
  return String(database.prepare('PRAGMA integrity_check').get()!.integrity_check)
}
