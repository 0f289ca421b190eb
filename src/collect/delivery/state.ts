import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ScrollbackError } from '../../errors.ts'
import type { SinkArchive } from '../../sinks/sink.ts'
import { useWriteAhead } from '../../store/sqlite/write-ahead.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Source } from './source.ts'
import { stateFault, withFaultsTold } from './state-faults.ts'
import { migrate, STATE_VERSION, versionOf } from './state-schema.ts'
import { storedAddress } from './stored-address.ts'

/** What is kept of a source beside its checkpoint, to tell that it is gone. */
export type SourceFacts = Omit<Source, 'artifact' | 'bytes' | 'modifiedMs' | 'identity'>

export interface Delivered {
  facts: SourceFacts
  checkpoint: Checkpoint
}

export interface DestinationRow {
  id: number
  url: string
  /** `all`, `none`, or a span such as `30d`, as it was chosen. */
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
  /** The archive it was found to be, and behind what it acknowledged last; null where that is not known. */
  archive: string | null
  position: string | null
}

interface Quarantined {
  id: string
  path: string
  line: number
  reason: string
  atMs: number
}

/** What one acknowledgement moves. */
export interface Advance {
  key: string
  facts: SourceFacts
  checkpoint: Checkpoint
}

/** How far everything was delivered, by destination. One transaction moves all checkpoints of an acknowledgement. */
export interface DeliveryState {
  readonly path: string
  tagKey(): string
  /** Random, made once: what this installation is known by, whatever the machine is called. */
  installation(): string
  destinations(): DestinationRow[]
  destination(url: string): DestinationRow | undefined
  addDestination(url: string, history: string, historyFromMs: number | null, nowMs: number): DestinationRow
  checkpoints(destination: number): Map<string, Delivered>
  /** `archive`: where the destination stands with that. `dropped`: sources that are told to be no more or under another name. */
  advance(
    destination: number,
    advances: readonly Advance[],
    counts: {
      records: number
      bytes: number
      stubs: number
      nowMs: number
      archive?: SinkArchive | undefined
    },
    dropped?: readonly string[],
  ): void
  /** Remembers which archive a destination is. */
  know(destination: number, archive: SinkArchive): void
  /** Forgets how far a destination was delivered to, and which archive it is: everything is delivered again. */
  forget(destination: number): void
  /** Drops a destination with all that is known of it. */
  drop(destination: number): void
  quarantine(destination: number, record: Quarantined): void
  quarantined(destination: number): Quarantined[]
  failed(destination: number, error: string, nowMs: number, retry: boolean): void
  /** Records a second in the minute that runs, or in the one before it. */
  rate(destination: number, nowMs: number): number
  close(): void
}

const PATIENCE_MS = 5000
const MINUTE_MS = 60_000

const IN_MEMORY = ':memory:'

/** A state that nothing is left of, with what is random of the installation of another one: records are made alike. */
export function passingState(kept: DeliveryState): DeliveryState {
  return { ...openDeliveryState(IN_MEMORY), tagKey: kept.tagKey, installation: kept.installation }
}

/** Opens the state, makes it where there is none. Throws a `ScrollbackError` where it cannot be used. */
export function openDeliveryState(path: string): DeliveryState {
  const database = opened(path)
  const sql = statements(database)
  const rowOf = (row: Record<string, unknown>): DestinationRow => row as unknown as DestinationRow
  /** Random, made by whoever asks first. */
  const kept = (name: string, make: () => string): string => {
    const known = sql.meta.get(name)?.value
    if (typeof known === 'string') return known
    sql.addMeta.run(name, make())
    return String(sql.meta.get(name)?.value)
  }
  const know = (destination: number, { id, position }: SinkArchive): void =>
    void sql.know.run(id, position ?? null, destination)
  return withFaultsTold({
    path,
    tagKey: () => kept('tag-key', () => randomBytes(32).toString('base64')),
    installation: () => kept('installation', () => randomBytes(16).toString('hex')),
    destinations: () => sql.destinations.all().map(rowOf),
    destination: (url) => {
      const stored = storedAddress(url)
      // Written before queries were left out.
      if (stored !== url) sql.rename.run(stored, url)
      const row = sql.destination.get(stored)
      return row && rowOf(row)
    },
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
    advance(destination, advances, { records, bytes, stubs, nowMs, archive }, dropped = []) {
      together(database, () => {
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
    know,
    forget(destination) {
      together(database, () => {
        sql.dropAll.run(destination)
        sql.dropQuarantine.run(destination)
        sql.forget.run(destination)
      })
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
    if (path !== IN_MEMORY) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      closeSync(openSync(path, 'a', 0o600))
      chmodSync(path, 0o600)
    }
    database = new DatabaseSync(path, { timeout: PATIENCE_MS, enableForeignKeyConstraints: true })
    if (versionOf(database) > STATE_VERSION)
      throw new ScrollbackError(
        'store-newer',
        `${path} was written by a newer scrollback.`,
        'Use that one, or name another file with --state.',
      )
    if (path !== IN_MEMORY) useWriteAhead(database, PATIENCE_MS)
    database.exec('PRAGMA synchronous = NORMAL')
    migrate(database)
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
    // After some faults the engine has done so by itself.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function statements(database: DatabaseSync) {
  const columns = `id, url, history, history_from AS historyFromMs, created AS createdMs, records, bytes, stubs, retries,
    last_success AS lastSuccessMs, last_error AS lastError, last_error_at AS lastErrorMs, archive, position`
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
    checkpoints: prepare('SELECT source, facts, place FROM checkpoint WHERE destination = ?'),
    advance: prepare(
      'INSERT INTO checkpoint VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET facts = excluded.facts, place = excluded.place',
    ),
    drop: prepare('DELETE FROM checkpoint WHERE destination = ? AND source = ?'),
    dropAll: prepare('DELETE FROM checkpoint WHERE destination = ?'),
    dropDestination: prepare('DELETE FROM destination WHERE id = ?'),
    dropQuarantine: prepare('DELETE FROM quarantine WHERE destination = ?'),
    know: prepare('UPDATE destination SET archive = ?, position = coalesce(?, position) WHERE id = ?'),
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
