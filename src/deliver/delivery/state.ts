import { hash, randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { ScrollbackError } from '../../errors.ts'
import type { SinkArchive } from '../../sinks/sink.ts'
import {
  isDamage,
  isFull,
  isReadOnly,
  type Migration,
  migrate,
  setWriteAhead,
  versionOf,
} from '../../store/sqlite/database.ts'
import { makeStoreFile } from '../../store/sqlite/files.ts'
import { withoutHome } from './envelope.ts'
import type { Source } from './inventory.ts'
import type { Checkpoint } from './slice.ts'

/** What is stored of a source next to its checkpoint, to detect that it is gone. */
export type SourceFacts = Omit<
  Source,
  'artifact' | 'bytes' | 'modifiedMs' | 'identity' | 'sessions' | 'folders'
>

/** What of a source is stored. The keys of sessions may be names of people, and directories those of work. */
export const factsOf = ({
  artifact: _,
  bytes: __,
  modifiedMs: ___,
  identity: ____,
  sessions: _____,
  folders: ______,
  ...facts
}: Source): SourceFacts => facts

export interface Delivered {
  facts: SourceFacts
  checkpoint: Checkpoint
}

export interface DestinationRow {
  id: number
  url: string
  /** `all`, `none`, or a span such as `30d`, as the user chose. */
  history: string
  historyFromMs: number | null
  createdMs: number
  records: number
  bytes: number
  stubs: number
  retries: number
  lastSuccessMs: number | null
  lastError: string | null
  lastErrorMs: number | null
  /** The id of the archive, and the position it acknowledged last. Null if unknown. */
  archive: string | null
  position: string | null
  /** What a space gets, as JSON. Null for other destinations. */
  space: string | null
}

interface Quarantined {
  id: string
  path: string
  line: number
  reason: string
  atMs: number
}

/** The checkpoints that one acknowledgement moves. */
interface Advance {
  key: string
  facts: SourceFacts
  checkpoint: Checkpoint
}

/** A batch that an archive may have although its checkpoints have not moved. */
export interface Announced {
  /** After the batch. */
  position: string
  advances: readonly Advance[]
  dropped: readonly string[]
  records: number
  bytes: number
}

/**
 * The checkpoints and settings of all destinations. One transaction moves all checkpoints of an
 * acknowledgement.
 */
export interface DeliveryState {
  readonly path: string
  tagKey(): string
  /** The random id of this installation, which does not depend on the host name. */
  installation(): string
  destinations(): DestinationRow[]
  destination(url: string): DestinationRow | undefined
  addDestination(url: string, history: string, historyFromMs: number | null, nowMs: number): DestinationRow
  /** Changes how much of the past a destination gets. */
  changeHistory(destination: number, history: string, historyFromMs: number | null): void
  checkpoints(destination: number): Map<string, Delivered>
  /**
   * `archive`: the new position in the archive. `announced`: what `announce` returned for the batch.
   * `dropped`: sources that were reported as gone or renamed.
   */
  advance(
    destination: number,
    advances: readonly Advance[],
    counts: {
      records: number
      bytes: number
      stubs: number
      nowMs: number
      archive?: SinkArchive | undefined
      announced?: number | undefined
    },
    dropped?: readonly string[],
  ): void
  /** Stores a batch that is about to be written. Returns its number; `known`: that of an earlier attempt. */
  announce(destination: number, batch: Announced, known?: number): number
  /** The batches that were announced and whose checkpoints have not moved, by number, in their order. */
  announced(destination: number): Map<number, Announced>
  dropAnnounced(destination: number): void
  /** Stores what a space gets. */
  setSpace(destination: number, space: string): void
  /** Stores which archive a destination is. */
  know(destination: number, archive: SinkArchive): void
  /** Forgets the checkpoints of a destination and its archive, so that everything is delivered again. */
  forget(destination: number): void
  /**
   * Removes for good what is stored about some sources, and what earlier versions stored of sessions about
   * others. A source that comes back is delivered from its beginning. `home`: shown as `~` in paths.
   */
  erase(isErased: (facts: SourceFacts) => boolean, home: string): void
  /** Removes a destination and everything stored about it. */
  drop(destination: number): void
  quarantine(destination: number, record: Quarantined): void
  quarantined(destination: number): Quarantined[]
  failed(destination: number, error: string, nowMs: number, retry: boolean): void
  /** Records per second, over the current and the previous minute. */
  rate(destination: number, nowMs: number): number
  close(): void
}

const PATIENCE_MS = 5000
const MINUTE_MS = 60_000

const IN_MEMORY = ':memory:'

/**
 * An in-memory state that is discarded. It shares the random values of another state, so that records are
 * identical.
 */
export function passingState(stored: DeliveryState): DeliveryState {
  return { ...openDeliveryState(IN_MEMORY), tagKey: stored.tagKey, installation: stored.installation }
}

/** Opens the state, or creates it. Throws a `ScrollbackError` if it cannot be used. */
export function openDeliveryState(path: string): DeliveryState {
  const database = opened(path)
  const sql = statements(database)
  const rowOf = (row: Record<string, unknown>): DestinationRow => row as unknown as DestinationRow
  /** A random value, created on first use. */
  const randomValue = (name: string, make: () => string): string => {
    const known = sql.meta.get(name)?.value
    if (typeof known === 'string') return known
    sql.addMeta.run(name, make())
    return String(sql.meta.get(name)?.value)
  }
  const know = (destination: number, { id, position }: SinkArchive): void =>
    void sql.know.run(id, position ?? null, destination)
  return withDescribedFaults({
    path,
    tagKey: () => randomValue('tag-key', () => randomBytes(32).toString('base64')),
    installation: () => randomValue('installation', () => randomBytes(16).toString('hex')),
    destinations: () => sql.destinations.all().map(rowOf),
    destination: (url) => {
      const stored = storedAddress(url)
      // Rows from versions that stored the query of an address.
      if (stored !== url) sql.rename.run(stored, url)
      const row = sql.destination.get(stored)
      return row && rowOf(row)
    },
    changeHistory: (destination, history, historyFromMs) =>
      void sql.changeHistory.run(history, historyFromMs, destination),
    addDestination(url, history, historyFromMs, nowMs) {
      sql.addDestination.run(storedAddress(url), history, historyFromMs, nowMs)
      return rowOf(sql.destination.get(storedAddress(url))!)
    },
    checkpoints: (destination) =>
      new Map(
        sql.checkpoints.all(destination).map(({ source, facts, place }) => [
          String(source),
          {
            facts: JSON.parse(String(facts)) as SourceFacts,
            checkpoint: JSON.parse(String(place)) as Checkpoint,
          },
        ]),
      ),
    advance(destination, advances, { records, bytes, stubs, nowMs, archive, announced }, dropped = []) {
      together(database, () => {
        if (announced !== undefined) sql.arrived.run(announced)
        for (const source of dropped) sql.drop.run(destination, source)
        for (const { key, facts, checkpoint } of advances)
          sql.advance.run(destination, key, JSON.stringify(facts), JSON.stringify(checkpoint))
        if (archive) know(destination, archive)
        if (records === 0) return
        sql.delivered.run(records, bytes, stubs, nowMs, destination)
        if (Number(sql.minute.get(destination)?.minute) < nowMs - MINUTE_MS)
          sql.newMinute.run(nowMs, destination)
        sql.addToMinute.run(records, destination)
      })
    },
    announce(destination, { position, ...batch }, known) {
      if (known !== undefined) sql.announceAgain.run(position, known)
      return known ?? Number(sql.announce.run(destination, position, JSON.stringify(batch)).lastInsertRowid)
    },
    announced: (destination) =>
      new Map(
        sql.announced
          .all(destination)
          .map(({ number, position, batch }) => [
            Number(number),
            { position: String(position), ...(JSON.parse(String(batch)) as Omit<Announced, 'position'>) },
          ]),
      ),
    dropAnnounced: (destination) => void sql.dropAnnounced.run(destination),
    know,
    setSpace: (destination, space) => void sql.setSpace.run(space, destination),
    forget(destination) {
      together(database, () => {
        sql.dropAll.run(destination)
        sql.dropAnnounced.run(destination)
        sql.dropQuarantine.run(destination)
        sql.forget.run(destination)
      })
    },
    erase(isErased, home) {
      // What is removed leaves nothing in free space, and free space may hold what was removed before.
      database.exec('PRAGMA secure_delete = ON')
      together(database, () => {
        // What they would bring back may be of the erased. At most a batch is sent again.
        sql.dropAllAnnounced.run()
        for (const { destination, source, facts, place } of sql.allCheckpoints.all()) {
          const known = JSON.parse(String(facts)) as Source
          if (isErased(known)) {
            sql.drop.run(destination!, source!)
            sql.dropQuarantined.run(destination!, withoutHome(known.path, home))
          } else if (known.session === null) {
            const { project: _, ...kept } = JSON.parse(String(place)) as Checkpoint
            sql.advance.run(destination!, source!, JSON.stringify(factsOf(known)), JSON.stringify(kept))
          }
        }
      })
      database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
    },
    drop: (destination) => void sql.dropDestination.run(destination),
    quarantine: (destination, { id, path: where, line, reason, atMs }) =>
      void sql.quarantine.run(destination, id, where, line, reason, atMs),
    quarantined: (destination) => sql.quarantined.all(destination) as unknown as Quarantined[],
    failed: (destination, error, nowMs, retry) =>
      void sql.failed.run(error, nowMs, retry ? 1 : 0, destination),
    rate(destination, nowMs) {
      const row = sql.minute.get(destination)
      const past = nowMs - Number(row?.minute ?? 0)
      return past > 2 * MINUTE_MS ? 0 : Number(row?.records ?? 0) / Math.max(1, past / 1000)
    },
    close: () => database.close(),
  })
}

function opened(path: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    if (path !== IN_MEMORY) makeStoreFile(path)
    database = new DatabaseSync(path, { timeout: PATIENCE_MS, enableForeignKeyConstraints: true })
    if (versionOf(database) > STATE_VERSION)
      throw new ScrollbackError(
        'store-newer',
        `${path} was written by a newer scrollback.`,
        'Use that version, or name another file with --state.',
      )
    if (path !== IN_MEMORY) setWriteAhead(database, PATIENCE_MS)
    database.exec('PRAGMA synchronous = NORMAL')
    migrate(database, MIGRATIONS)
    return database
  } catch (error) {
    database?.close()
    throw stateFault(error, path)
  }
}

function together(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    // After some errors the engine has already rolled back.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function statements(database: DatabaseSync) {
  const columns = `id, url, history, history_from AS historyFromMs, created AS createdMs, records, bytes, stubs, retries,
    last_success AS lastSuccessMs, last_error AS lastError, last_error_at AS lastErrorMs, archive, position, space`
  const prepare = (sql: string) => database.prepare(sql)
  return {
    meta: prepare('SELECT value FROM meta WHERE name = ?'),
    addMeta: prepare('INSERT OR IGNORE INTO meta VALUES (?, ?)'),
    destinations: prepare(`SELECT ${columns} FROM destination ORDER BY id`),
    destination: prepare(`SELECT ${columns} FROM destination WHERE url = ?`),
    rename: prepare('UPDATE OR IGNORE destination SET url = ? WHERE url = ?'),
    addDestination: prepare(
      'INSERT OR IGNORE INTO destination (url, history, history_from, created) VALUES (?, ?, ?, ?)',
    ),
    changeHistory: prepare('UPDATE destination SET history = ?, history_from = ? WHERE id = ?'),
    checkpoints: prepare('SELECT source, facts, place FROM checkpoint WHERE destination = ?'),
    advance: prepare(
      'INSERT INTO checkpoint VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET facts = excluded.facts, place = excluded.place',
    ),
    announce: prepare('INSERT INTO announced (destination, position, batch) VALUES (?, ?, ?)'),
    announceAgain: prepare('UPDATE announced SET position = ? WHERE number = ?'),
    announced: prepare('SELECT number, position, batch FROM announced WHERE destination = ? ORDER BY number'),
    arrived: prepare('DELETE FROM announced WHERE number = ?'),
    dropAnnounced: prepare('DELETE FROM announced WHERE destination = ?'),
    dropAllAnnounced: prepare('DELETE FROM announced'),
    drop: prepare('DELETE FROM checkpoint WHERE destination = ? AND source = ?'),
    dropAll: prepare('DELETE FROM checkpoint WHERE destination = ?'),
    dropDestination: prepare('DELETE FROM destination WHERE id = ?'),
    allCheckpoints: prepare('SELECT destination, source, facts, place FROM checkpoint'),
    dropQuarantined: prepare('DELETE FROM quarantine WHERE destination = ? AND path = ?'),
    dropQuarantine: prepare('DELETE FROM quarantine WHERE destination = ?'),
    know: prepare('UPDATE destination SET archive = ?, position = coalesce(?, position) WHERE id = ?'),
    setSpace: prepare('UPDATE destination SET space = ? WHERE id = ?'),
    forget: prepare(
      'UPDATE destination SET archive = NULL, position = NULL, records = 0, bytes = 0, stubs = 0 WHERE id = ?',
    ),
    delivered: prepare(
      `UPDATE destination SET records = records + ?, bytes = bytes + ?, stubs = stubs + ?, last_success = ?,
        last_error = NULL, last_error_at = NULL WHERE id = ?`,
    ),
    minute: prepare('SELECT minute, minute_records AS records FROM destination WHERE id = ?'),
    newMinute: prepare('UPDATE destination SET minute = ?, minute_records = 0 WHERE id = ?'),
    addToMinute: prepare('UPDATE destination SET minute_records = minute_records + ? WHERE id = ?'),
    quarantine: prepare('INSERT OR REPLACE INTO quarantine VALUES (?, ?, ?, ?, ?, ?)'),
    quarantined: prepare(
      'SELECT id, path, line, reason, at AS atMs FROM quarantine WHERE destination = ? ORDER BY at, id',
    ),
    failed: prepare(
      'UPDATE destination SET last_error = ?, last_error_at = ?, retries = retries + ? WHERE id = ?',
    ),
  }
}

/** Engine errors that are bugs of this program: wrong statements and violated constraints. */
const OWN_FAULTS = { ERROR: 1, CONSTRAINT: 19, MISMATCH: 20, MISUSE: 21, RANGE: 25 }

/**
 * Describes an error of the delivery state; other errors are returned unchanged. Without the state nothing is
 * delivered, to avoid delivering records twice.
 */
function stateFault(error: unknown, path: string): unknown {
  if (error instanceof ScrollbackError) return error
  if (isDamage(error))
    return new ScrollbackError(
      'unreadable',
      `${path} is damaged, or not a delivery state.`,
      'Move it away. Everything is then delivered again, and a destination that keys on "id" stores no duplicates.',
      error,
    )
  if (isFull(error))
    return new ScrollbackError('store-full', `${path}: its disk is full.`, 'Free some space on it.', error)
  const { code, errcode, message } = error as { code?: string; errcode?: number; message?: string }
  if (isReadOnly(error) || code === 'ENOTDIR')
    return new ScrollbackError(
      'unreadable',
      `${path} cannot be written.`,
      'Name a writable file with --state, or set SCROLLBACK_HOME.',
      error,
    )
  const system =
    errcode === undefined ? /^E[A-Z]+$/.test(code ?? '') : !Object.values(OWN_FAULTS).includes(errcode & 0xff)
  if (!system) return error
  return new ScrollbackError(
    'unreadable',
    `${path} cannot be read or written: ${message}.`,
    'Run the command again, or name a file on another disk with --state. Records without a checkpoint are delivered again.',
    error,
  )
}

/** Wraps the methods so that they throw described errors. */
function withDescribedFaults<State extends { readonly path: string }>(state: State): State {
  const parts: [string, unknown][] = Object.entries(state)
  const wrapped = parts.map(([name, value]) => [
    name,
    typeof value !== 'function'
      ? value
      : (...given: unknown[]) => {
          try {
            return value(...given)
          } catch (error) {
            throw stateFault(error, state.path)
          }
        },
  ])
  return Object.fromEntries(wrapped) as State
}

/**
 * The tables, by version. destination: one row per destination, with its settings and results. checkpoint:
 * how far each source was delivered, and up to which position of which archive, and what a space gets.
 * announced: batches that were about to be written to an archive. quarantine: rejected records. meta: random
 * values of this installation: the key of its tags and the id of its device. None contains message text.
 */
const MIGRATIONS: readonly Migration[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE destination (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    history TEXT NOT NULL,
    history_from INTEGER,
    created INTEGER NOT NULL,
    records INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0,
    stubs INTEGER NOT NULL DEFAULT 0,
    retries INTEGER NOT NULL DEFAULT 0,
    minute INTEGER NOT NULL DEFAULT 0,
    minute_records INTEGER NOT NULL DEFAULT 0,
    last_success INTEGER,
    last_error TEXT,
    last_error_at INTEGER
  ) STRICT;
  CREATE TABLE checkpoint (
    destination INTEGER NOT NULL REFERENCES destination (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    facts TEXT NOT NULL,
    place TEXT NOT NULL,
    PRIMARY KEY (destination, source)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE quarantine (
    destination INTEGER NOT NULL REFERENCES destination (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    path TEXT NOT NULL,
    line INTEGER NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (destination, id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE destination ADD COLUMN archive TEXT;
  ALTER TABLE destination ADD COLUMN position TEXT;
  `,
  'ALTER TABLE destination ADD COLUMN space TEXT;',
  `
  CREATE TABLE announced (
    number INTEGER PRIMARY KEY,
    destination INTEGER NOT NULL REFERENCES destination (id) ON DELETE CASCADE,
    position TEXT NOT NULL,
    batch TEXT NOT NULL
  ) STRICT;
  `,
]

const STATE_VERSION = MIGRATIONS.length

/** Hash digits that distinguish addresses with different queries, too few to recover a key from. */
const TELLING = 4

/** The address of a destination as stored: without the values of its query, which may be keys. */
export function storedAddress(address: string): string {
  const at = address.indexOf('?')
  if (at < 0) return address
  const names = [...new URLSearchParams(address.slice(at + 1)).keys()]
  const query = names.map((name) => `${encodeURIComponent(name)}=…`).join('&')
  return `${address.slice(0, at)}?${query}~${hash('sha256', address, 'base64url').slice(0, TELLING)}`
}
