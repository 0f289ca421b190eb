import type { DatabaseSync } from 'node:sqlite'

/**
 * The tables, version by version. destination: one row a place, with the choice made for it and what became of it. checkpoint: how far
 * each source was delivered there, and behind which place of which archive. quarantine: records that it does not take. meta: what is
 * random of this installation: the key of its tags, and what its device is known by.
 * Nothing of what was said stands in any of them.
 */
const MIGRATIONS: readonly string[] = [
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
]

export const STATE_VERSION = MIGRATIONS.length

export const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.user_version)

export function migrate(database: DatabaseSync): void {
  if (versionOf(database) >= STATE_VERSION) return
  database.exec('BEGIN IMMEDIATE')
  try {
    for (let version = versionOf(database); version < STATE_VERSION; version++) {
      database.exec(MIGRATIONS[version]!)
      database.exec(`PRAGMA user_version = ${version + 1}`)
    }
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
