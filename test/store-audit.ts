import { DatabaseSync } from 'node:sqlite'
import type { Environment } from '../src/model/artifact.ts'
import { parseQuery } from '../src/search/query.ts'
import type { SearchHit } from '../src/store/search.ts'
import { IN_MEMORY, openSqliteStore } from '../src/store/sqlite/open.ts'
import type { Store } from '../src/store/store.ts'
import type { FoldedFiles } from '../src/sync/read-increment.ts'
import { type Refreshed, refresh, settle, unchanged } from '../src/sync/refresh.ts'
import { storedContent } from './stores.ts'

/** A root of Claude Code, and nothing else on the machine. */
export const claudeAt = (folder: string): Environment => ({
  home: '/nowhere',
  variables: {},
  dirs: { 'claude-code': [folder], openclaw: [] },
})

/** Refreshes a store in this thread. A file that cannot be read is reported by its error code. */
export function bringUpToDate(
  store: Store,
  environment: Environment,
  { now = Date.now(), folded }: { now?: number; folded?: FoldedFiles } = {},
): Refreshed {
  const already = unchanged(store, { environment })
  if (already) return already
  const refreshed = refresh(store, {
    environment,
    now,
    threads: () => 1,
    folded,
    faultOf: (error) => (error as NodeJS.ErrnoException).code ?? String(error),
  })
  settle(store, refreshed)
  return refreshed
}

/** A fresh index of the same files, in a file if a test has to open it. */
export function freshIndex(environment: Environment, path: string = IN_MEMORY): Store {
  const { store } = openSqliteStore(path, 0)
  bringUpToDate(store, environment)
  return store
}

/** An index of the same files on an engine. */
export function indexOn(engine: { open(): Store }, environment: Environment): Store {
  const store = engine.open()
  bringUpToDate(store, environment)
  return store
}

/** The content of a store for the existing files, by path; for a cut file only what is in it now. */
export function contentOfAll(store: Store, there: Store = store) {
  const contents = new Map<string, ReturnType<typeof storedContent>>()
  const rows = there.sessions().filter(({ goneMs }) => goneMs === undefined)
  for (const { session } of rows.sort((a, b) => (a.session.path < b.session.path ? -1 : 1))) {
    const ours = storedContent(store, session.path)
    if (ours.session.cut !== undefined) withoutCut(ours.session, { ...session })
    contents.set(session.path, ours)
  }
  return contents
}

/** The fields of a cut file that go beyond the file. `cut-heads.test.ts` checks them. */
const CUT = [
  'cut',
  'startedMs',
  'lastActivityMs',
  'human',
  'agentMessages',
  'toolCalls',
  'errors',
  'possibleErrors',
  'title',
  'firstHuman',
  'lastHuman',
  'usage',
]
/** A file without messages also keeps what was known of its session. */
function withoutCut(row: Record<string, unknown>, now: Record<string, unknown>): void {
  const isEmpty = now.human === 0 && now.agentMessages === 0 && now.toolCalls === 0
  for (const name of isEmpty ? new Set([...CUT, ...Object.keys(row), ...Object.keys(now)]) : CUT)
    if (now[name] === undefined) delete row[name]
    else row[name] = now[name]
}

/** All messages that contain a word. */
export const hitsFor = (store: Store, words: string): SearchHit[] =>
  Array.from(
    store.search({ query: parseQuery(words, 0, () => undefined), limit: 50, enough: 0, now: 0 }).hits,
  )

/** Counts messages that a search for one of their facets would miss. */
const notIndexedWith = (column: string, letter: string): string =>
  `SELECT (SELECT count(*) FROM message WHERE id <= (SELECT message FROM indexed)) - (SELECT count(*) FROM (SELECT DISTINCT ${column} AS facet FROM message) f
  JOIN spoken ON spoken MATCH '{facet} : "${letter}' || f.facet || '"'
  JOIN message m ON m.id = spoken.rowid AND m.${column} = f.facet)`

/** What a store must never contain, as statements that count it. */
const NEVER: Record<string, string> = {
  'messages without an occurrence':
    'SELECT count(*) FROM message WHERE id NOT IN (SELECT message FROM occurrence)',
  'occurrences of missing messages':
    'SELECT count(*) FROM occurrence WHERE message NOT IN (SELECT id FROM message)',
  'occurrences in missing files':
    'SELECT count(*) FROM occurrence WHERE artifact NOT IN (SELECT id FROM artifact)',
  'messages without exactly one first occurrence': `SELECT count(*) FROM (SELECT message FROM occurrence
    GROUP BY message HAVING sum(copy = 0) <> 1)`,
  'messages that name another occurrence than their first': `SELECT count(*) FROM message m
    JOIN occurrence o ON o.message = m.id AND o.copy = 0 WHERE o.artifact <> m.artifact OR o.line <> m.line`,
  'occurrences that a file contains again in a later generation': `SELECT count(*) FROM occurrence o
    JOIN artifact a ON a.id = o.artifact WHERE o.generation < a.generation AND EXISTS (SELECT 1 FROM occurrence n
    WHERE n.message = o.message AND n.artifact = o.artifact AND n.generation = a.generation)`,
  'messages that are not in the index': `SELECT count(*) FROM message WHERE id <= (SELECT message FROM indexed)
      AND id NOT IN (SELECT id FROM spoken_docsize)`,
  'rows of the index without a message':
    'SELECT count(*) FROM spoken_docsize WHERE id NOT IN (SELECT id FROM message)',
  'messages with another speaker in the index': notIndexedWith('who', 'w'),
  'messages with another file in the index': notIndexedWith('artifact', 'a'),
  'undecided cuts': `SELECT (SELECT count(*) FROM cut WHERE line = 0)
    + (SELECT count(*) FROM usage WHERE cut = 2)`,
  'human prompts that count as a program’s, or the other way round': `SELECT count(*) FROM message m
    JOIN (SELECT message, min(who) AS who FROM occurrence WHERE prompt = 1 GROUP BY message) o ON o.message = m.id
    WHERE m.who <> o.who`,
  ...Object.fromEntries(
    ['session', 'usage', 'cut'].map((table) => [
      `rows of ${table} for files that are none`,
      `SELECT count(*) FROM ${table} WHERE artifact NOT IN (SELECT id FROM artifact)`,
    ]),
  ),
}

/** The errors in the rows of a store, in words; empty if there are none. */
export function faultsOf(database: DatabaseSync): Record<string, number> {
  const faults: Record<string, number> = {}
  for (const [what, sql] of Object.entries(NEVER)) {
    const count = Number(Object.values(database.prepare(sql).get()!)[0])
    if (count > 0) faults[what] = count
  }
  return faults
}

/** The usage and cost of what is in the files now, by file and reply. */
export const usagesOf = (database: DatabaseSync): unknown[] =>
  database
    .prepare(`SELECT a.path, u.reply, u.at, u.model, u.input, u.output, u.cache_write, u.cache_write_hour, u.cost
      FROM usage u
      JOIN artifact a ON a.id = u.artifact WHERE a.gone IS NULL AND u.cut = 0 ORDER BY a.path, u.reply`)
    .all()

/** The words that are also searched by their parts. */
export const vocabularyOf = (database: DatabaseSync): Set<string> =>
  new Set(
    database
      .prepare('SELECT word FROM vocabulary')
      .all()
      .map(({ word }) => String(word)),
  )

/** Opens the file of a store next to the store. */
export const secondConnection = (store: Store): DatabaseSync => new DatabaseSync(store.path)

/** The checks of the engine for its file and its full-text index. Throws if the index is damaged. */
export function integrityOf(database: DatabaseSync): string {
  database.exec("INSERT INTO spoken (spoken) VALUES ('integrity-check')")
  // With a rank it is compared with the text from which it was made.
  database.exec("INSERT INTO part (part, rank) VALUES ('integrity-check', 1)")
  return String(database.prepare('PRAGMA integrity_check').get()!.integrity_check)
}
