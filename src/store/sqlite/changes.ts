import { hash, randomInt } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import {
  type ChangedFile,
  type ChangedItem,
  type ChangedUsage,
  type Changes,
  type FileHeader,
  GENERATIONS,
} from '../changes.ts'
import type { CopiedUsage } from '../file-copy.ts'
import { type createCopyReader, ITEMS, type ItemColumns, itemOf, USAGES } from './copy.ts'
import { inTransaction, prepareWrite } from './database.ts'

/** More files than a machine has. */
const FILES = 2 ** 29
/** Eras begin at most so often, in ms, and are counted from here, so that generations have 32 bits. */
const ERA_MS = 8 * 60_000
const FIRST_ERA_MS = Date.UTC(2026, 0, 1)
const ERAS = 2 ** 21

/**
 * - `change`: the number of changes from now on, and what a target adds to the generations of files, so that
 *   what it has from an earlier store of this machine is older
 * - `numbered`: what tells files apart for targets. It comes from the path, so a store that is made anew, or
 *   restored, replaces and removes what was sent before, and no other file ever gets it
 * - `target`: where changes are sent, and the number of the last complete delivery
 * - `sent_file`: what a target has of a file, by its number; `refused` if it takes nothing of it
 * - `changed_file`, `changed_item`, `changed_usage`: the number of the last change of each row that some
 *   target has not acknowledged, also of deleted ones
 */
const TABLES = `
  CREATE TABLE change (id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL, era INTEGER NOT NULL);
  CREATE TABLE target (id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, number INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE sent_file (
    target INTEGER NOT NULL, file INTEGER NOT NULL, artifact INTEGER NOT NULL, number INTEGER NOT NULL,
    month INTEGER NOT NULL, refused INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (target, file)
  ) WITHOUT ROWID;
  CREATE TABLE numbered (artifact INTEGER PRIMARY KEY, file INTEGER NOT NULL UNIQUE);
  CREATE TABLE changed_file (artifact INTEGER PRIMARY KEY, number INTEGER NOT NULL);
  CREATE TABLE changed_item (
    artifact INTEGER NOT NULL, generation INTEGER NOT NULL, line INTEGER NOT NULL, place INTEGER NOT NULL,
    number INTEGER NOT NULL, PRIMARY KEY (artifact, generation, line, place)
  ) WITHOUT ROWID;
  CREATE TABLE changed_usage (
    artifact INTEGER NOT NULL, reply INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (artifact, reply)
  ) WITHOUT ROWID;
`

const NOW = '(SELECT number FROM change)'
const UPDATED = 'ON CONFLICT DO UPDATE SET number = excluded.number'

const noteFile = (id: string): string => `INSERT INTO changed_file VALUES (${id}, ${NOW}) ${UPDATED};`
const noteItem = (row: 'NEW' | 'OLD'): string =>
  `INSERT INTO changed_item VALUES (${row}.artifact, ${row}.generation, ${row}.line, ${row}.place, ${NOW}) ${UPDATED};`
const noteUsage = (row: 'NEW' | 'OLD'): string =>
  `INSERT INTO changed_usage VALUES (${row}.artifact, ${row}.reply, ${NOW}) ${UPDATED};`

/** Another file may get the same id. */
const UNNUMBERED = 'DELETE FROM numbered WHERE artifact = OLD.id;'

/** What each table notes of its changed rows. Which occurrence of a message is the first does not matter. */
const NOTES: Record<string, { changed: string; of?: string; deleted: string }> = {
  artifact: { changed: noteFile('NEW.id'), deleted: `${noteFile('OLD.id')} ${UNNUMBERED}` },
  session: { changed: noteFile('NEW.artifact'), deleted: noteFile('OLD.artifact') },
  cut: { changed: noteFile('NEW.artifact'), deleted: noteFile('OLD.artifact') },
  version: { changed: noteFile('NEW.artifact'), deleted: noteFile('OLD.artifact') },
  occurrence: {
    changed: noteItem('NEW'),
    of: 'message, offset, length, prompt, aside, who, label',
    deleted: noteItem('OLD'),
  },
  usage: { changed: noteUsage('NEW'), deleted: noteUsage('OLD') },
}

/** A message is stored once, so what else it has may change for all of its positions. */
const OF_MESSAGE = `CREATE TRIGGER message_more_noted AFTER UPDATE OF more ON message WHEN NEW.more IS NOT OLD.more BEGIN
  INSERT INTO changed_item SELECT artifact, generation, line, place, ${NOW} FROM occurrence
    WHERE message = NEW.id AND copy = 1 ${UPDATED};
  INSERT INTO changed_item SELECT artifact, generation, line, place, ${NOW} FROM occurrence
    WHERE artifact = NEW.artifact AND line = NEW.line AND message = NEW.id AND generation IN (
      SELECT generation FROM artifact WHERE id = NEW.artifact
      UNION SELECT generation FROM cut WHERE artifact = NEW.artifact) ${UPDATED};
END;`

const TRIGGERS = Object.entries(NOTES)
  .map(
    ([table, { changed, of, deleted }]) => `
  CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN ${changed} END;
  CREATE TRIGGER ${table}_changed AFTER UPDATE ${of === undefined ? '' : `OF ${of}`} ON ${table} BEGIN ${changed} END;
  CREATE TRIGGER ${table}_deleted AFTER DELETE ON ${table} BEGIN ${deleted} END;`,
  )
  .join('')

const LOGS = ['changed_file', 'changed_item', 'changed_usage']

/** Notes what changes, from the first target on. Returns a function, because most stores have none. */
export function createChanges(
  database: DatabaseSync,
  copies: () => ReturnType<typeof createCopyReader>,
): Changes {
  let opened: ReturnType<typeof openChanges> | undefined
  const open = (): ReturnType<typeof openChanges> => {
    opened ??= openChanges(database)
    return opened
  }
  return {
    target: (address) => open().target(address),
    begin: (nowMs) => open().begin(nowMs),
    due: (target, wanted) => open().due(target, wanted),
    withHeader(file) {
      const header = file.isRemoved ? undefined : copies().headerOf(file.id)
      return header ? { ...file, month: file.month || monthOf(header), header: open().inEra(header) } : file
    },
    items: (file) => open().items(file),
    usages: (file) => open().usages(file),
    began: (target, files) => open().began(target, files),
    acknowledge: (target, files, number) => open().acknowledge(target, files, number),
    refused: (target, files, number) => open().refused(target, files, number),
    complete: (target, number) => open().complete(target, number),
    drop: (address) => open().drop(address),
    again: (target) => open().again(target),
    state: (target) => open().state(target),
  }
}

function monthOf({ session, checkpoint }: FileHeader): number {
  const at = session?.startedMs ?? session?.lastActivityMs ?? checkpoint.modifiedMs
  const date = new Date(at)
  const year = date.getUTCFullYear()
  // Times that no transcript can have share one month.
  return year >= 2000 && year < 2100 ? year * 100 + date.getUTCMonth() + 1 : 197001
}

function createTables(database: DatabaseSync): void {
  const there = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'numbered'")
  if (there.get()) return
  inTransaction(database, () => {
    // Another process may have created them while this one waited for the lock.
    if (there.get()) return
    for (const { type, name } of database.prepare(EARLIER).all()) database.exec(`DROP ${type} ${name}`)
    database.exec(`${TABLES} ${TRIGGERS} ${OF_MESSAGE}`)
    const era = Math.floor((Date.now() - FIRST_ERA_MS) / ERA_MS)
    prepareWrite(database, 'INSERT INTO change VALUES (1, 1, ?)').run(
      Math.max(0, Math.min(era, ERAS - 1)) * GENERATIONS,
    )
  })
}

/** What a store has that numbered its files by their ids. Everything is sent again. */
const EARLIER = `SELECT type, name FROM sqlite_schema WHERE sql LIKE '%INTO changed_%' OR name IN
  ('change', 'target', 'sent_file', 'changed_file', 'changed_item', 'changed_usage') ORDER BY type DESC`

/** The number of a file by its path. If two have the same, the second one gets any other. */
const numberOf = (path: string): number =>
  hash('sha256', path.toWellFormed(), 'buffer').readUInt32LE() % FILES

type Row = Record<string, number>

const NUMBERED = ITEMS.replace('SELECT', 'SELECT o.message,')

function openChanges(database: DatabaseSync) {
  createTables(database)
  const write = (text: string) => prepareWrite(database, text)
  const sql = {
    addTarget: write('INSERT OR IGNORE INTO target (address) VALUES (?)'),
    target: database.prepare('SELECT id FROM target WHERE address = ?'),
    begin: write('UPDATE change SET number = max(number + 1, ?)'),
    change: database.prepare('SELECT number, era FROM change'),
    files:
      database.prepare(`SELECT a.id, n.file, s.number, s.artifact, s.month, s.refused, max(coalesce(f.number, 0), coalesce(i.number, 0), coalesce(u.number, 0)) AS changed
      FROM artifact a LEFT JOIN numbered n ON n.artifact = a.id
      LEFT JOIN sent_file s ON s.target = ? AND s.file = n.file
      LEFT JOIN changed_file f ON f.artifact = a.id
      LEFT JOIN (SELECT artifact, max(number) AS number FROM changed_item GROUP BY artifact) i ON i.artifact = a.id
      LEFT JOIN (SELECT artifact, max(number) AS number FROM changed_usage GROUP BY artifact) u ON u.artifact = a.id
      ORDER BY a.id`),
    missing: database.prepare(
      'SELECT artifact AS id, file, number, month, refused FROM sent_file WHERE target = ? AND file NOT IN (SELECT file FROM numbered)',
    ),
    items: database.prepare(`${NUMBERED} WHERE o.artifact = ? ORDER BY o.generation, o.line, o.place`),
    changedItems: database.prepare(
      `${NUMBERED} JOIN changed_item c USING (artifact, generation, line, place)
        WHERE o.artifact = ? AND c.number > ? ORDER BY o.generation, o.line, o.place`,
    ),
    removedItems: database.prepare(`SELECT c.generation, c.line, c.place AS "order" FROM changed_item c
      LEFT JOIN occurrence o USING (artifact, generation, line, place)
      WHERE c.artifact = ? AND c.number > ? AND o.message IS NULL`),
    allItems: database.prepare(`SELECT generation, line, place AS "order" FROM occurrence WHERE artifact = ?1
      UNION SELECT generation, line, place FROM changed_item WHERE artifact = ?1`),
    usages: database.prepare(`${USAGES} WHERE u.artifact = ? ORDER BY u.reply`),
    changedUsages: database.prepare(
      `${USAGES} JOIN changed_usage c USING (artifact, reply) WHERE u.artifact = ? AND c.number > ? ORDER BY u.reply`,
    ),
    removedUsages:
      database.prepare(`SELECT c.reply FROM changed_usage c LEFT JOIN usage u USING (artifact, reply)
      WHERE c.artifact = ? AND c.number > ? AND u.at IS NULL AND u.input IS NULL`),
    allUsages: database.prepare(
      'SELECT reply FROM usage WHERE artifact = ?1 UNION SELECT reply FROM changed_usage WHERE artifact = ?1',
    ),
    unnumbered: database.prepare(
      'SELECT id, path FROM artifact WHERE id NOT IN (SELECT artifact FROM numbered) ORDER BY id',
    ),
    number: write('INSERT INTO numbered VALUES (?, ?) ON CONFLICT (file) DO NOTHING'),
    began: write(
      `INSERT INTO sent_file VALUES (?, ?, ?, 0, ?, 0) ON CONFLICT DO UPDATE SET artifact = excluded.artifact`,
    ),
    acknowledge: write('UPDATE sent_file SET number = ?, refused = 0 WHERE target = ? AND file = ?'),
    refused: write('INSERT OR REPLACE INTO sent_file VALUES (?, ?, ?, ?, ?, 1)'),
    drop: write('DELETE FROM sent_file WHERE target = ? AND file = ?'),
    complete: write('UPDATE target SET number = ? WHERE id = ?'),
    again: write('UPDATE sent_file SET number = 0, refused = 0 WHERE target = ?'),
    dropFiles: write('DELETE FROM sent_file WHERE target IN (SELECT id FROM target WHERE address = ?)'),
    dropTarget: write('DELETE FROM target WHERE address = ?'),
    state: database.prepare(
      'SELECT count(*) FILTER (WHERE refused = 0) AS files, total(refused) AS refused FROM sent_file WHERE target = ?',
    ),
  }
  const prune = LOGS.map((log) =>
    write(`DELETE FROM ${log} WHERE number <= (SELECT min(number) FROM target)`),
  )

  const eraOf = (): number => Number(sql.change.get()!.era)

  function* removed(rows: Iterable<unknown>): Iterable<ChangedItem> {
    const era = eraOf()
    for (const row of rows as Iterable<ChangedItem>) yield { ...row, generation: row.generation + era }
  }

  function numberFiles(): void {
    if (!sql.unnumbered.get()) return
    inTransaction(database, () => {
      const files = sql.unnumbered.all() as unknown as { id: number; path: string }[]
      for (const { id, path } of files) {
        for (let file = numberOf(path); Number(sql.number.run(id, file).changes) === 0; )
          file = randomInt(FILES)
      }
    })
  }

  function* removedUsages({ id, since }: ChangedFile): Iterable<ChangedUsage> {
    for (const { reply } of sql.removedUsages.iterate(id, since)) yield { reply: Number(reply) }
  }

  return {
    target(address: string): number {
      sql.addTarget.run(address)
      return Number(sql.target.get(address)!.id)
    },
    begin(nowMs: number): number {
      sql.begin.run(Math.floor(nowMs))
      return Number(sql.change.get()!.number)
    },
    due(target: number, wanted: ReadonlySet<number>): ChangedFile[] {
      numberFiles()
      const due: ChangedFile[] = []
      for (const row of sql.files.all(target) as unknown as Row[]) {
        const { id, file, artifact, month, refused, changed } = row
        const sent = row.number as number | null
        // What was noted of it by another id says nothing.
        const number = sent !== null && artifact !== id ? 0 : sent
        const isDue = wanted.has(id!) ? number === null || number === 0 || changed! > number : number !== null
        const isRemoved = !wanted.has(id!)
        // Of a file that was refused, the target may have nothing.
        const since = refused ? 0 : (number ?? 0)
        if (isDue) due.push({ id: id!, number: file!, since, month: month ?? 0, isRemoved })
      }
      for (const { id, file, number, month } of sql.missing.all(target) as unknown as Row[])
        due.push({ id: id!, number: file!, since: number!, month: month!, isRemoved: true })
      return due
    },
    inEra({ checkpoint, settled, cuts, ...header }: FileHeader): FileHeader {
      const era = eraOf()
      return {
        ...header,
        checkpoint: { ...checkpoint, generation: era + checkpoint.generation },
        settled: era + settled,
        cuts: cuts.map(({ generation, line }) => ({ generation: era + generation, line })),
      }
    },
    *items(file: ChangedFile): Iterable<ChangedItem> {
      const { id, since, header } = file
      if (!header) {
        yield* removed(sql.allItems.iterate(id))
        return
      }
      yield* removed(sql.removedItems.iterate(id, since))
      const era = eraOf()
      const rows = since === 0 ? sql.items.iterate(id) : sql.changedItems.iterate(id, since)
      for (const row of rows) {
        const { message, ...columns } = row as unknown as ItemColumns & { message: number }
        const item = itemOf(columns)
        yield { generation: era + item.generation, line: item.line, order: item.order, item, message }
      }
    },
    *usages(file: ChangedFile): Iterable<ChangedUsage> {
      const { id, since, header } = file
      if (!header) {
        for (const { reply } of sql.allUsages.iterate(id)) yield { reply: Number(reply) }
        return
      }
      yield* removedUsages(file)
      const rows = since === 0 ? sql.usages.iterate(id) : sql.changedUsages.iterate(id, since)
      for (const row of rows) {
        const usage = row as unknown as CopiedUsage
        yield { reply: usage.reply, usage }
      }
    },
    began(target: number, files: readonly ChangedFile[]): void {
      inTransaction(database, () => {
        for (const { id, number, month } of files) sql.began.run(target, number, id, month)
      })
    },
    acknowledge(target: number, files: readonly ChangedFile[], number: number): void {
      inTransaction(database, () => {
        for (const file of files)
          if (file.header) sql.acknowledge.run(number - 1, target, file.number)
          else sql.drop.run(target, file.number)
      })
    },
    refused(target: number, files: readonly ChangedFile[], number: number): void {
      inTransaction(database, () => {
        for (const file of files) sql.refused.run(target, file.number, file.id, number - 1, file.month)
      })
    },
    complete(target: number, number: number): void {
      inTransaction(database, () => {
        sql.complete.run(number - 1, target)
        for (const statement of prune) statement.run()
      })
    },
    drop(address: string): void {
      inTransaction(database, () => {
        sql.dropFiles.run(address)
        sql.dropTarget.run(address)
      })
    },
    again: (target: number): void => void sql.again.run(target),
    state: (target: number) => sql.state.get(target) as { files: number; refused: number },
  }
}
