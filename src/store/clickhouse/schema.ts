import { hash } from 'node:crypto'
import { raw, sql } from './connection/literal.ts'

/**
 * What the names of users of machines begin with. Those of other users do not, so that rules know whom they
 * bind.
 */
export const DEVICE_USER = 'device_'

/** What the names of the roles begin with that let a machine write the sessions of a person. */
const PERSON_ROLE = 'scrollback_person_'

export const personRole = (person: string): string => `${PERSON_ROLE}${person}`

/** Of the 53 bits of an id, those that tell the files of a machine apart. The others are its number. */
const FILE_BITS = 29
const FILES = 2 ** FILE_BITS
/** The bytes of its number. */
const NUMBER_BYTES = 3

/** The number of a machine. Whoever grants it rights checks that no other machine has the same. */
const numberOf = (device: string): number =>
  hash('sha256', device.toWellFormed(), 'buffer').readUIntLE(0, NUMBER_BYTES)

/** The same in SQL, of an expression. */
const NUMBER_OF = (device: string): string =>
  `reinterpretAsUInt32(substring(SHA256(${device}), 1, ${NUMBER_BYTES}))`

/** The ids that only this machine may write: `first` and the ones after it, as many as `count`. */
export const idsOf = (device: string): { first: number; count: number } => ({
  first: numberOf(device) * FILES,
  count: FILES,
})

/** Whether the files of two machines have the same ids, in SQL: that of an expression and that of a name. */
export const sharesIds = (expression: string, device: string): string =>
  sql`${raw(expression)} <> ${device} AND ${raw(NUMBER_OF(expression))} = ${raw(NUMBER_OF(sql`${device}`))}`

/** The machine of the user who writes. */
const DEVICE = `substring(currentUser(), ${DEVICE_USER.length + 1})`
const isOwn = (id: string): string => `bitShiftRight(${id}, ${FILE_BITS}) = ${NUMBER_OF(DEVICE)}`
const forDevices = (rule: string): string =>
  `CONSTRAINT own CHECK NOT startsWith(currentUser(), '${DEVICE_USER}') OR (${rule})`

const CLOCKS_DIFFER_MINUTES = 10

/**
 * Rules of tables, which the server checks for every row that is inserted. Row policies only limit reading.
 *
 * A row says whose it is by its id, its machine, its person or its owner. These are values of the writer, and
 * the rule compares them with the user whom the server knows: a machine writes rows of its own files only. As
 * the id is part of every key, no row of one machine ever replaces that of another, whatever its version is.
 * Administrators write for every machine.
 */
export const RULES = {
  file: forDevices(isOwn('artifact')),
  device: forDevices(`device = ${DEVICE}`),
  // The server says when it got a file. Its clock may differ from that of another server, but not by so much.
  arrival: forDevices(
    `${isOwn('artifact')} AND at > toUnixTimestamp64Micro(now64(6)) - ${CLOCKS_DIFFER_MINUTES * 60_000_000}`,
  ),
  artifact: forDevices(
    `device = ${DEVICE} AND ${isOwn('id')} AND has(currentRoles(), concat('${PERSON_ROLE}', person))`,
  ),
  // A session without an id would be that of everything that nobody started.
  share: 'CONSTRAINT own CHECK owner = currentUser() AND notEmpty(session)',
} as const

/** The tables whose rows belong to a file, by its id. */
export const FILE_TABLES = [
  'project',
  'item',
  'usage',
  'sent',
  'heard',
  'template',
  'statement',
  'unlinked',
  'figure',
  'arrival',
] as const

/** The tables whose rows belong to a device. */
export const DEVICE_TABLES = ['vocabulary', 'settled'] as const

/** The tables about the whole team. */
const TEAM_TABLES = ['share', 'forgotten', 'retention', 'member'] as const

/** Rows of the newest version count. `deleted` removes a row. */
const REPLACING = 'ENGINE = ReplacingMergeTree(version, deleted)'

/**
 * An insert is acknowledged when its files are on disk. One that arrives twice is recognized by its token: by
 * this setting among the last inserts of a table on one server, and by default in replicated tables.
 */
const DURABLE = 'fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 1000'

/**
 * What a team needs to say who may see what.
 *
 * - `share`: which sessions their owner shares with a reader (empty: with everyone). The server says who the
 *   owner is. There is no primary key, because policies do not cover it
 * - `forgotten`: sessions that no device may write again. `parent` is the session that was forgotten with it
 *   and started it
 * - `retention`: sessions that ended before `cutoff` (in ms) are left out
 * - `member`: the persons of a team
 */
const teamTables: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS share (
      owner LowCardinality(String) MATERIALIZED currentUser(),
      platform LowCardinality(String),
      session String,
      reader String,
      version UInt64,
      deleted UInt8,
      at Int64,
      ${RULES.share}
    ) ${REPLACING} PRIMARY KEY tuple() ORDER BY (owner, platform, session, reader) SETTINGS ${DURABLE}`,
  `CREATE TABLE IF NOT EXISTS forgotten (
      platform LowCardinality(String),
      session String,
      version UInt64,
      deleted UInt8,
      at Int64,
      parent String
    ) ${REPLACING} ORDER BY (platform, session) SETTINGS ${DURABLE}`,
  `CREATE TABLE IF NOT EXISTS retention (
      name LowCardinality(String),
      version UInt64,
      deleted UInt8,
      cutoff Int64
    ) ${REPLACING} ORDER BY name SETTINGS ${DURABLE}`,
  `CREATE TABLE IF NOT EXISTS member (
      team LowCardinality(String),
      person String,
      version UInt64,
      deleted UInt8
    ) ${REPLACING} PRIMARY KEY tuple() ORDER BY (team, person) SETTINGS ${DURABLE}`,
]

/**
 * One step from a version to the next: statements that may run twice, because ClickHouse has no transactions.
 */
type Migration = readonly string[]

/** The table with the migrations that were applied. */
export const MIGRATION_TABLE =
  'CREATE TABLE IF NOT EXISTS migration (version UInt32, at DateTime DEFAULT now()) ENGINE = ReplacingMergeTree ORDER BY version'

/** The month of a message. Times that no transcript can have share one partition. */
const MONTH = `if(ifNull(at, 0) BETWEEN 1 AND 4102444800000, toYYYYMM(toDateTime(intDiv(ifNull(at, 0), 1000), 'UTC')), 0)`

const WHO = `Enum8('human' = 0, 'agent' = 1, 'program' = 2, 'tool' = 3, 'error' = 4, 'marker' = 5, 'memory' = 6)`

/**
 * Migrations. Each entry upgrades the version before it and never changes after its release.
 *
 * All rows are keyed by what they describe, so writing a batch twice is harmless, and rows of different
 * devices never meet. What SQLite derives when it writes (the first occurrence of a message, its speaker) is
 * derived when it is read, because many devices write at once.
 *
 * - `artifact`: one row per file, with its checkpoint and its session (`row`). Written last in a batch: it
 *   makes the batch visible. `parent` is the session that started this one, and `written` the version of the
 *   last batch. `rank` is that of SQLite, without what it has from the parent. `cuts` are the generations of
 *   which the client has cut off a part, with their lines, and `versions` those of a memory document
 * - `arrival`: when the server got the first row of a file, which no machine says; see `filesOf`. `place` is
 *   the place of the file within its batch
 * - `project`: the project of a file
 * - `item`: every message at every position. `words` are its tokens, in order, between spaces. Granules are
 *   small, because each part of the table has one that is read for the items of a file
 * - `usage`: tokens by reply and file; see `cut` in the tables of SQLite
 * - `vocabulary`: the words of all messages, by device
 * - `sent`, `heard`, `template`, `statement`, `unlinked`: as in SQLite
 * - `settled`: of each device
 * - what a team needs: see `teamTables`
 * - indexes of `item` for searching: ClickHouse looks up parts of tokens (`LIKE '%part%'`) in `item_tokens`
 *   only with this tokenizer. `item_deleted` finds files with removed messages
 * - `figure`: sums of a file for statistics, by slots of 15 minutes (-1: without a time). They hold while
 *   `written`, the version of its last batch, is their `version`. `messages` are hashes of its messages, and
 *   `replies` its replies: sums are right only for files that share none with others. `first` and `last` are
 *   slots
 *
 * `own` is the rule that says who may write a row; see `RULES`.
 */
export const MIGRATIONS: readonly Migration[] = [
  [
    `CREATE TABLE IF NOT EXISTS artifact (
      id Int64,
      version UInt64,
      deleted UInt8,
      revision Int64,
      device LowCardinality(String),
      person LowCardinality(String),
      writer Int64,
      stamp Int64,
      path String,
      root LowCardinality(String),
      platform LowCardinality(String),
      agent LowCardinality(String),
      session String,
      state LowCardinality(String),
      facts String CODEC(ZSTD(3)),
      generation Int64,
      settled Int64,
      offset Int64,
      line Int64,
      size Int64,
      modified Float64,
      identity String,
      headLength Int64,
      head String,
      tail String,
      parser Int64,
      racy UInt8,
      gone Nullable(Int64),
      cuts String,
      versions String,
      row String CODEC(ZSTD(3)),
      written UInt64 DEFAULT version,
      parent String MATERIALIZED JSONExtractString(facts, 'parentSessionId'),
      rank UInt8 MATERIALIZED if(JSONHas(facts, 'fork'), 2, JSONExtractBool(row, 'forked')),
      ${RULES.artifact},
      INDEX artifact_path path TYPE bloom_filter GRANULARITY 4,
      INDEX artifact_session session TYPE minmax GRANULARITY 4
    ) ${REPLACING} ORDER BY id SETTINGS ${DURABLE}`,
    `CREATE TABLE IF NOT EXISTS arrival (
      artifact Int64,
      place UInt16 EPHEMERAL,
      at SimpleAggregateFunction(min, Int64) DEFAULT toUnixTimestamp64Micro(now64(6)) + place,
      ${RULES.arrival}
    ) ENGINE = AggregatingMergeTree ORDER BY artifact SETTINGS ${DURABLE}`,
    `CREATE TABLE IF NOT EXISTS project (
      artifact Int64,
      version UInt64,
      deleted UInt8,
      name Nullable(String),
      folder Nullable(String),
      ${RULES.file}
    ) ${REPLACING} ORDER BY artifact SETTINGS ${DURABLE}`,
    `CREATE TABLE IF NOT EXISTS item (
      artifact Int64,
      generation Int64,
      line Int64,
      place Int64,
      record Int64,
      digest Int64,
      version UInt64,
      deleted UInt8,
      at Nullable(Int64),
      who ${WHO},
      prompt UInt8,
      aside UInt8,
      offset Int64,
      length Int64,
      tool LowCardinality(Nullable(String)),
      target Nullable(String) CODEC(ZSTD(3)),
      more Nullable(String) CODEC(ZSTD(3)),
      text Nullable(String) CODEC(ZSTD(3)),
      words String CODEC(ZSTD(3)),
      INDEX item_record record TYPE bloom_filter GRANULARITY 1,
      INDEX item_tokens words TYPE text(tokenizer = splitByNonAlpha),
      INDEX item_deleted deleted TYPE minmax GRANULARITY 1,
      ${RULES.file}
    ) ${REPLACING} PARTITION BY ${MONTH} ORDER BY (artifact, generation, line, place, record, digest)
      SETTINGS index_granularity = 1024, ${DURABLE}`,
    `CREATE TABLE IF NOT EXISTS usage (
      artifact Int64,
      reply Int64,
      version UInt64,
      deleted UInt8,
      at Nullable(Int64),
      model LowCardinality(Nullable(String)),
      input Float64,
      output Float64,
      cacheRead Float64,
      cacheWrite Float64,
      cost Nullable(Float64),
      cacheWriteHour Float64,
      reasoning Float64,
      cut UInt8,
      INDEX usage_reply reply TYPE bloom_filter GRANULARITY 1,
      INDEX usage_at ifNull(at, 0) TYPE minmax GRANULARITY 1,
      ${RULES.file}
    ) ${REPLACING} ORDER BY (artifact, reply) SETTINGS ${DURABLE}`,
    `CREATE TABLE IF NOT EXISTS vocabulary (
      word String,
      device LowCardinality(String),
      ${RULES.device}
    ) ENGINE = ReplacingMergeTree ORDER BY (word, device) SETTINGS ${DURABLE}`,
    `CREATE TABLE IF NOT EXISTS sent (
      digest Int64,
      artifact Int64,
      line Int64,
      version UInt64,
      deleted UInt8,
      at Int64,
      target Nullable(String),
      INDEX sent_artifact artifact TYPE bloom_filter GRANULARITY 1,
      ${RULES.file}
    ) ${REPLACING} ORDER BY (digest, artifact, line) SETTINGS ${DURABLE}`,
    `CREATE TABLE IF NOT EXISTS heard (
      digest Int64,
      artifact Int64,
      line Int64,
      place Int64,
      version UInt64,
      deleted UInt8,
      at Int64,
      INDEX heard_artifact artifact TYPE bloom_filter GRANULARITY 1,
      ${RULES.file}
    ) ${REPLACING} ORDER BY (digest, artifact, line, place) SETTINGS ${DURABLE}`,
    `CREATE TABLE IF NOT EXISTS template (
      template Int64,
      artifact Int64,
      version UInt64,
      deleted UInt8,
      whole Int64,
      at Int64,
      INDEX template_artifact artifact TYPE bloom_filter GRANULARITY 1,
      ${RULES.file}
    ) ${REPLACING} ORDER BY (template, artifact) SETTINGS ${DURABLE}`,
    `CREATE TABLE IF NOT EXISTS statement (
      sum Float64,
      artifact Int64,
      line Int64,
      model String,
      version UInt64,
      deleted UInt8,
      used String,
      INDEX statement_artifact artifact TYPE bloom_filter GRANULARITY 1,
      ${RULES.file}
    ) ${REPLACING} ORDER BY (sum, artifact, line, model) SETTINGS ${DURABLE}`,
    `CREATE TABLE IF NOT EXISTS unlinked (
      artifact Int64,
      version UInt64,
      deleted UInt8,
      ${RULES.file}
    ) ${REPLACING} ORDER BY artifact SETTINGS ${DURABLE}`,
    `CREATE TABLE IF NOT EXISTS settled (
      device LowCardinality(String),
      scope String,
      version UInt64,
      deleted UInt8,
      inventory String,
      ${RULES.device}
    ) ${REPLACING} ORDER BY (device, scope) SETTINGS ${DURABLE}`,
    `CREATE TABLE IF NOT EXISTS figure (
      artifact Int64,
      version UInt64,
      deleted UInt8,
      first Int64,
      last Int64,
      messages Array(UInt64),
      replies Array(Int64),
      spoken Nested(
        slot Int64,
        who ${WHO},
        tool LowCardinality(Nullable(String)),
        path Nullable(String),
        count UInt32,
        words UInt32
      ),
      spent Nested(
        slot Int64,
        model LowCardinality(Nullable(String)),
        length UInt8,
        replies UInt32,
        input Float64,
        output Float64,
        cacheRead Float64,
        cacheWrite Float64,
        cacheWriteHour Float64,
        reasoning Float64,
        recorded Float64,
        recordedReplies UInt32,
        statedInput Float64,
        statedOutput Float64,
        statedCacheRead Float64,
        statedCacheWrite Float64
      ),
      ${RULES.file}
    ) ${REPLACING} ORDER BY artifact SETTINGS index_granularity = 256`,
    ...teamTables,
  ],
]

/** The version of the first entry. Those before it were never released. */
export const FIRST_VERSION = 11

export const SCHEMA_VERSION = FIRST_VERSION + MIGRATIONS.length - 1

/** The tables of the store, without that of the migrations. */
export const TABLES = ['artifact', ...FILE_TABLES, ...DEVICE_TABLES, ...TEAM_TABLES] as const
