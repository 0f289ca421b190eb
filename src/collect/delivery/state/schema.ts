import type { Migration } from '../../../store/sqlite/migrate.ts'

/**
 * The tables, by version. destination: one row per destination, with its settings and results. checkpoint:
 * how far each source was delivered, and up to which position of which archive. quarantine: rejected records.
 * meta: random values of this installation: the key of its tags and the id of its device. None of them
 * contains message text.
 */
export const MIGRATIONS: readonly Migration[] = [
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
