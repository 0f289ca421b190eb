import type { DatabaseSync } from 'node:sqlite'
import { inTransaction, versionOf } from './database.ts'

/** The version of the tables. Stores of earlier ones, which were never released, are set aside. */
export const SCHEMA_VERSION = 27

/** The sessions whose file says that its form is a later one, or has no message but unknown records. */
export const UNKNOWN_FORM = `(row ->> '$.laterForm' IS NOT NULL OR (row ->> '$.accounting.unknown' <> '{}'
    AND (row ->> '$.human') + (row ->> '$.agentMessages') + (row ->> '$.toolCalls') = 0))`

/**
 * The tables:
 *
 * - `artifact`: one row per file, with its checkpoint; `rank`: see `createRanks`
 * - `session`: the session of a file
 * - `version`: the versions of a memory document, each with its own occurrences
 * - `message`: every message, once, with an index of those of humans; `day`: the range of message ids per day
 * - `occurrence`: where each message occurs; `copy` marks all but the first occurrence
 * - `usage`: tokens by reply and file
 * - `spoken`: the search index over messages, with facets as words
 * - `vocabulary` and `part`: all words, and the substring index over them
 * - `settled`: the inventory of the disk when everything on it was stored, and the `counts` of that moment;
 *   every write of an increment empties it
 * - `figure`: cached sums of a local day, deleted when anything of that day changes
 * - `checked`: when all pages were last checked, in ms
 * - `sent`: messages that tool calls sent to other agents; `heard`: hashes of prompts
 * - `template`: how sessions with a single prompt open
 * - `unlinked`: files whose links one of these three has changed
 * - `cut`: the line up to which an earlier generation of a shortened file belongs to its session
 * - `statement`: usage sums that agents record up to a line; files with the same `sum` are forks
 * - `indexed`: the id of the last message whose words are in the search index
 * - `project_evidence`: what the project of a session was derived from
 * - `removed`: messages that are in no file any more, though their file exists; statistics leave them out
 * - `unassigned`: files that were written or deleted since sessions were assigned to projects
 */
const TABLES = `
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
    gone INTEGER,
    rank INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX artifact_session ON artifact (session);
  CREATE INDEX artifact_root ON artifact (root);
  CREATE INDEX artifact_deleted ON artifact (id) WHERE facts LIKE '%"state":"deleted"%';
  CREATE INDEX artifact_backup ON artifact (id) WHERE facts LIKE '%"state":"backup"%';
  CREATE INDEX artifact_racy ON artifact (id) WHERE racy = 1 AND gone IS NULL;
  CREATE INDEX artifact_gone ON artifact (id) WHERE gone IS NOT NULL;
  CREATE TABLE session (
    artifact INTEGER PRIMARY KEY,
    row TEXT NOT NULL,
    project TEXT,
    project_path TEXT
  );
  CREATE INDEX session_title ON session
    (row ->> '$.title', row ->> '$.lastActivityMs', substr(row ->> '$.firstHuman', 1, 100))
    WHERE row ->> '$.title' IS NOT row ->> '$.firstHuman';
  CREATE INDEX session_counts ON session
    (artifact, row ->> '$.toolCalls', row ->> '$.human', row ->> '$.agentMessages');
  CREATE INDEX session_unknown ON session (artifact) WHERE ${UNKNOWN_FORM};
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
  CREATE INDEX message_human ON message (who) WHERE who = 0;
  CREATE INDEX message_timeless ON message (id) WHERE at IS NULL OR at <= 0;
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
    cache_write_hour INTEGER NOT NULL DEFAULT 0,
    reasoning INTEGER NOT NULL DEFAULT 0,
    cut INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (artifact, reply)
  ) WITHOUT ROWID;
  CREATE INDEX usage_reply ON usage (reply, output);
  CREATE INDEX usage_at ON usage (at);
  CREATE VIRTUAL TABLE spoken USING fts5 (
    text, facet, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  INSERT INTO spoken (spoken, rank) VALUES ('pgsz', 16000);
  INSERT INTO spoken (spoken, rank) VALUES ('hashsize', 16777216);
  CREATE TABLE settled (scope TEXT PRIMARY KEY, inventory TEXT NOT NULL, counts TEXT);
  CREATE TABLE vocabulary (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
  CREATE VIRTUAL TABLE part USING fts5 (
    word, content = 'vocabulary', content_rowid = 'id', detail = none, columnsize = 0, tokenize = 'trigram'
  );
  CREATE TABLE figure (day INTEGER PRIMARY KEY, scope TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, sums TEXT NOT NULL);
  CREATE TABLE checked (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL);
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
  CREATE TABLE cut (
    artifact INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    line INTEGER NOT NULL,
    PRIMARY KEY (artifact, generation)
  ) WITHOUT ROWID;
  CREATE TABLE statement (
    artifact INTEGER NOT NULL,
    line INTEGER NOT NULL,
    model TEXT NOT NULL,
    sum REAL NOT NULL,
    used TEXT NOT NULL,
    PRIMARY KEY (artifact, line, model)
  ) WITHOUT ROWID;
  CREATE INDEX statement_sum ON statement (sum);
  CREATE TABLE indexed (id INTEGER PRIMARY KEY CHECK (id = 1), message INTEGER NOT NULL);
  INSERT INTO indexed VALUES (1, 0);
  CREATE TABLE project_evidence (
    artifact INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    parent TEXT,
    evidence TEXT NOT NULL
  );
  CREATE INDEX project_evidence_same ON project_evidence (evidence);
  CREATE INDEX project_evidence_parent ON project_evidence (parent) WHERE parent IS NOT NULL;
  CREATE TABLE unassigned (artifact INTEGER PRIMARY KEY);
  CREATE TABLE removed (message INTEGER PRIMARY KEY, artifact INTEGER NOT NULL);
  CREATE INDEX removed_artifact ON removed (artifact);
`

/** Creates the tables in an empty database, in one transaction. */
export function createTables(database: DatabaseSync): void {
  inTransaction(database, () => {
    // Another process may have created them while this one waited for the lock.
    if (versionOf(database) === 0) database.exec(`${TABLES}PRAGMA user_version = ${SCHEMA_VERSION}`)
  })
}
