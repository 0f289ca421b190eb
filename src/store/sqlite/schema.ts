import type { DatabaseSync } from 'node:sqlite'
import { isTraditional } from '../../search/han.ts'
import { indexAgain } from './index-again.ts'

/**
 * The tables, version by version: each entry leads from the one before it and is never changed once it was released.
 *
 * artifact: one row a file, with its checkpoint. session: its index row. fold: what reading goes on from. version: the versions of a text
 * of memory, of which each keeps all its places. message: everything told, once. day: between which ids the messages of a day lie.
 * occurrence: where each message stands; `copy` marks all but the first place. usage: tokens by reply and file. spoken: the search index
 * over messages, with facets as words of their own. vocabulary and part: the words that occur, and a search in parts of them. settled:
 * what the disk looked like when everything on it was stored; emptied by every change. figure: sums of a local day, dropped when anything
 * of that day changes. checked: when all pages were last looked at, in ms. sent: words that calls gave to other agents. heard: prompts, as
 * hashes. template: how sessions open that hold one prompt. unlinked: files of which one of these three tells something new.
 */
const MIGRATIONS: readonly (string | ((database: DatabaseSync) => void))[] = [
  `
  CREATE TABLE artifact (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL,
    platform TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    facts TEXT NOT NULL,
    generation INTEGER NOT NULL,
    settled INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    line INTEGER NOT NULL,
    size INTEGER NOT NULL,
    modified REAL NOT NULL,
    identity TEXT NOT NULL,
    head_length INTEGER NOT NULL,
    head TEXT NOT NULL,
    tail TEXT NOT NULL,
    parser INTEGER NOT NULL,
    racy INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    gone INTEGER
  );
  CREATE INDEX artifact_session ON artifact (session);
  CREATE INDEX artifact_root ON artifact (root);
  CREATE INDEX artifact_deleted ON artifact (id) WHERE facts LIKE '%"state":"deleted"%';
  CREATE TABLE session (
    artifact INTEGER PRIMARY KEY,
    row TEXT NOT NULL,
    project TEXT,
    project_path TEXT
  );
  CREATE TABLE fold (artifact INTEGER PRIMARY KEY, state BLOB NOT NULL);
  CREATE TABLE version (
    artifact INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    at REAL NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (artifact, generation)
  ) WITHOUT ROWID;
  CREATE TABLE tool (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE message (
    id INTEGER PRIMARY KEY,
    record INTEGER NOT NULL,
    digest INTEGER NOT NULL,
    artifact INTEGER NOT NULL,
    line INTEGER NOT NULL,
    who INTEGER NOT NULL,
    at INTEGER,
    text TEXT,
    tool INTEGER,
    target TEXT,
    more TEXT
  );
  CREATE UNIQUE INDEX message_key ON message (record, digest);
  CREATE TABLE day (day INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL);
  CREATE TABLE occurrence (
    artifact INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    line INTEGER NOT NULL,
    place INTEGER NOT NULL,
    message INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    copy INTEGER NOT NULL,
    prompt INTEGER NOT NULL,
    aside INTEGER NOT NULL,
    who INTEGER,
    label TEXT,
    PRIMARY KEY (artifact, generation, line, place)
  ) WITHOUT ROWID;
  CREATE INDEX occurrence_copy ON occurrence (message) WHERE copy = 1;
  CREATE INDEX occurrence_prompt ON occurrence (artifact, generation) WHERE prompt = 1;
  CREATE INDEX occurrence_aside ON occurrence (artifact, generation) WHERE aside = 1;
  CREATE TABLE usage (
    artifact INTEGER NOT NULL,
    reply INTEGER NOT NULL,
    at INTEGER,
    model TEXT,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    cost REAL,
    PRIMARY KEY (artifact, reply)
  ) WITHOUT ROWID;
  CREATE VIRTUAL TABLE spoken USING fts5 (
    text, facet, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  INSERT INTO spoken (spoken, rank) VALUES ('pgsz', 16000);
  INSERT INTO spoken (spoken, rank) VALUES ('hashsize', 16777216);
  CREATE TABLE settled (scope TEXT PRIMARY KEY, inventory TEXT NOT NULL);
  CREATE TABLE vocabulary (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
  CREATE VIRTUAL TABLE part USING fts5 (
    word, content = 'vocabulary', content_rowid = 'id', detail = none, columnsize = 0, tokenize = 'trigram'
  );
  `,
  `
  CREATE TABLE figure (day INTEGER PRIMARY KEY, scope TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, sums TEXT NOT NULL);
  CREATE INDEX usage_reply ON usage (reply, output);
  CREATE INDEX usage_at ON usage (at);
  `,
  'ALTER TABLE usage ADD COLUMN cache_write_hour INTEGER NOT NULL DEFAULT 0',
  'CREATE TABLE checked (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL)',
  `
  CREATE TABLE sent (
    artifact INTEGER NOT NULL,
    line INTEGER NOT NULL,
    digest INTEGER NOT NULL,
    at INTEGER NOT NULL,
    target TEXT,
    PRIMARY KEY (artifact, line, digest)
  ) WITHOUT ROWID;
  CREATE INDEX sent_digest ON sent (digest, at);
  CREATE TABLE heard (
    artifact INTEGER NOT NULL,
    line INTEGER NOT NULL,
    place INTEGER NOT NULL,
    digest INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (artifact, line, place)
  ) WITHOUT ROWID;
  CREATE INDEX heard_digest ON heard (digest, at);
  CREATE TABLE template (
    artifact INTEGER NOT NULL,
    template INTEGER NOT NULL,
    whole INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (artifact, template)
  ) WITHOUT ROWID;
  CREATE INDEX template_at ON template (template, at);
  CREATE TABLE unlinked (artifact INTEGER PRIMARY KEY);
  `,
  `CREATE INDEX artifact_backup ON artifact (id) WHERE facts LIKE '%"state":"backup"%'`,
  `CREATE INDEX session_title ON session (row ->> '$.title', row ->> '$.lastActivityMs')`,
  // Traditional Chinese is indexed as simplified.
  (database) => indexAgain(database, isTraditional),
]

export const SCHEMA_VERSION = MIGRATIONS.length

export const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.user_version)

/** Leads an older store, or an empty one, to this version; all or nothing. */
export function migrate(database: DatabaseSync): void {
  if (versionOf(database) >= SCHEMA_VERSION) return
  database.exec('BEGIN IMMEDIATE')
  try {
    // Somebody else may have done it while this one waited.
    for (let version = versionOf(database); version < SCHEMA_VERSION; version++) {
      const step = MIGRATIONS[version]!
      if (typeof step === 'string') database.exec(step)
      else step(database)
      database.exec(`PRAGMA user_version = ${version + 1}`)
    }
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
