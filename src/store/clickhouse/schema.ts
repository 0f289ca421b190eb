import { hash } from 'node:crypto'
import { raw, sql } from './connection/literal.ts'

/**
 * What the names of users of machines begin with. Those of other users do not, so that rules know whom they
 * bind.
 */
export const DEVICE_USER = 'device_'

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

/** The id of a file of this machine. `number` tells its files apart. */
export const idOf = (device: string, number: number): number => numberOf(device) * FILES + (number % FILES)

/** Whether the files of two machines have the same ids, in SQL: that of an expression and that of a name. */
export const sharesIds = (expression: string, device: string): string =>
  sql`${raw(expression)} <> ${device} AND ${raw(NUMBER_OF(expression))} = ${raw(NUMBER_OF(sql`${device}`))}`

/** The machine of the user who writes. */
const DEVICE = `substring(currentUser(), ${DEVICE_USER.length + 1})`
const isOwn = (id: string): string => `bitShiftRight(${id}, ${FILE_BITS}) = ${NUMBER_OF(DEVICE)}`
const forDevices = (rule: string): string =>
  `CONSTRAINT own CHECK NOT startsWith(currentUser(), '${DEVICE_USER}') OR (${rule})`

/**
 * Rules of tables, which the server checks for every row that is inserted: a row says of which machine it is,
 * and that is the machine of the user who writes it. As the id of a file begins with the number of its
 * machine and is part of every key, no row of one machine ever replaces that of another, whatever its version
 * is. Administrators write for every machine.
 */
export const RULES = {
  arrival: forDevices(`device = ${DEVICE} AND ${isOwn('artifact')}`),
  artifact: forDevices(`device = ${DEVICE} AND ${isOwn('id')}`),
  item: forDevices(isOwn('artifact')),
  usage: forDevices(isOwn('artifact')),
  delivery: forDevices(`device = ${DEVICE}`),
} as const

/** The tables with the rows of files, and the column with the id of the file. */
export const FILE_TABLES = {
  arrival: 'artifact',
  artifact: 'id',
  item: 'artifact',
  usage: 'artifact',
} as const

export type FileTable = keyof typeof FILE_TABLES

/** The other tables. Every server of a cluster has all of their rows. */
const SPACE_TABLES = ['delivery', 'forgotten', 'retention'] as const

/** Rows of the newest version count. `deleted` removes a row. */
const REPLACING = 'ENGINE = ReplacingMergeTree(version, deleted)'

/**
 * An insert is acknowledged when its files are on disk. One that arrives twice is recognized by its token: by
 * this setting among the last inserts of a table on one server, and by default in replicated tables.
 */
const DURABLE = 'fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 1000'

/** Parts of a partition that nothing is added to any more become one, which is read without merging. */
const MERGED = 'min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1'

/** One step from a format to the next. */
interface Migration {
  /** May run twice, because ClickHouse has no transactions. */
  statements: readonly string[]
  /** What a program of the format before does not see. */
  adds: string
}

/** The table with the formats that a space has had. */
export const MIGRATION_TABLE =
  "CREATE TABLE IF NOT EXISTS migration (version UInt32, adds String DEFAULT '', at DateTime DEFAULT now()) ENGINE = ReplacingMergeTree ORDER BY version"

/**
 * The tokens of an item, as a text in which they are separated: `words`, or what was said, for which that is
 * the same. The index of tokens is of this expression, and conditions have to be about it letter by letter.
 */
export const TOKENS = (item: string): string =>
  `if(empty(${item}words), lower(ifNull(${item}text, ifNull(${item}target, ''))), ${item}words)`

/** How many low bits of `moment` tell apart what has the same time. The others are that time, in ms. */
export const MOMENT_BITS = 21

const WHO = `Enum8('human' = 0, 'agent' = 1, 'program' = 2, 'tool' = 3, 'error' = 4, 'marker' = 5, 'memory' = 6)`

/**
 * Migrations. Each entry upgrades the format before it and never changes after its release. A program names
 * the columns that it writes, so one of the format before can write as long as new columns have defaults.
 *
 * Rows come from the store of a machine, which has decided what a session is. They are keyed by what they
 * describe, so writing a batch twice is harmless, and rows of different machines never meet. A version is the
 * number of the change on the machine, and orders rows of that machine only. The server says when something
 * arrived: machines may not insert those columns.
 *
 * - `arrival`: the files that machines have announced, those of one insert in the order of the machine. The
 *   rules of the space are checked with this row before any text is sent. A message that several files have
 *   belongs to the one that was announced first
 * - `artifact`: one row per file, with its session (`row`). Written after the items of the file. `rank` is
 *   that of SQLite, `ended` when its session ended (0 for none), `key` and `parentKey` are hashes of the
 *   session and of the one that started it
 * - `item`: every message at every position. `words` are its tokens between spaces, and empty if those of the
 *   text are the same, as in nearly all of ASCII (`TOKENS`). `spoken` is how many words a human sent, and
 *   `moment` the time with the order on the machine of what has the same time (`MOMENT_BITS`). `month` is
 *   that of the file and never changes, so rows with the same key are in the same partition, that of its
 *   year. Granules are small, because each part has one that is read for the items of a file. What every
 *   search reads is packed with LZ4, which is read several times as fast as ZSTD
 * - `usage`: tokens by reply and file; see `cut` in the tables of SQLite
 * - `delivery`: the last delivery of each machine
 * - `forgotten`, `retention`: who forgot what, and when; the last row by the clock of the server counts
 * - `machines`: for operators
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    adds: '',
    statements: [
      `CREATE TABLE IF NOT EXISTS arrival (
      artifact Int64,
      device SimpleAggregateFunction(anyLast, LowCardinality(String)),
      key SimpleAggregateFunction(anyLast, Int64),
      parentKey SimpleAggregateFunction(anyLast, Int64),
      ended SimpleAggregateFunction(anyLast, Int64),
      at SimpleAggregateFunction(min, DateTime64(6)) DEFAULT now64(6) + toIntervalMicrosecond(rowNumberInBlock()),
      ${RULES.arrival}
    ) ENGINE = AggregatingMergeTree ORDER BY artifact SETTINGS ${DURABLE}`,
      `CREATE TABLE IF NOT EXISTS artifact (
      id Int64,
      version UInt64,
      deleted UInt8,
      key Int64,
      parentKey Int64,
      ended Int64,
      device LowCardinality(String),
      person LowCardinality(String),
      path String,
      root LowCardinality(String),
      platform LowCardinality(String),
      agent LowCardinality(String),
      session String,
      parent String,
      state LowCardinality(String),
      rank UInt8,
      project LowCardinality(Nullable(String)),
      folder LowCardinality(Nullable(String)),
      facts String CODEC(ZSTD(3)),
      revision Int64,
      generation Int64,
      settled Int64,
      size Int64,
      modified Float64,
      checkpoint String CODEC(ZSTD(3)),
      gone Nullable(Int64),
      cuts String,
      versions String,
      row String CODEC(ZSTD(3)),
      arrived DateTime64(3) DEFAULT now64(3),
      ${RULES.artifact},
      INDEX artifact_path path TYPE bloom_filter GRANULARITY 4,
      INDEX artifact_session session TYPE minmax GRANULARITY 4
    ) ${REPLACING} ORDER BY id SETTINGS index_granularity = 1024, ${DURABLE}`,
      `CREATE TABLE IF NOT EXISTS item (
      artifact Int64,
      generation Int32,
      line Int64 CODEC(Delta, LZ4),
      place Int32,
      version UInt64 CODEC(Delta, LZ4),
      deleted UInt8,
      month UInt32,
      key Int64,
      record Int64,
      digest Int64,
      moment Int64 CODEC(Delta, LZ4),
      at Nullable(Int64) CODEC(Delta, ZSTD(1)),
      who ${WHO},
      prompt UInt8,
      aside UInt8,
      unsure UInt8,
      spoken UInt32,
      offset Int64 CODEC(Delta, ZSTD(1)),
      length Int64 CODEC(ZSTD(1)),
      tool LowCardinality(Nullable(String)),
      target Nullable(String) CODEC(LZ4HC(3)),
      more Nullable(String) CODEC(ZSTD(3)),
      text Nullable(String) CODEC(LZ4HC(3)),
      words String CODEC(ZSTD(3)),
      INDEX item_record record TYPE bloom_filter GRANULARITY 1,
      INDEX item_at at TYPE minmax GRANULARITY 1,
      INDEX item_tokens ${TOKENS('')} TYPE text(tokenizer = splitByNonAlpha, posting_list_codec = 'bitpacking'),
      ${RULES.item}
    ) ${REPLACING} PARTITION BY intDiv(month, 100) ORDER BY (artifact, generation, line, place)
      SETTINGS index_granularity = 1024, ${MERGED}, ${DURABLE}`,
      `CREATE TABLE IF NOT EXISTS usage (
      artifact Int64,
      reply Int64,
      version UInt64 CODEC(Delta, ZSTD(1)),
      deleted UInt8,
      key Int64,
      at Nullable(Int64),
      model LowCardinality(Nullable(String)),
      input Float64 CODEC(ZSTD(1)),
      output Float64 CODEC(ZSTD(1)),
      cacheRead Float64 CODEC(ZSTD(1)),
      cacheWrite Float64 CODEC(ZSTD(1)),
      cost Nullable(Float64) CODEC(ZSTD(1)),
      cacheWriteHour Float64 CODEC(ZSTD(1)),
      reasoning Float64 CODEC(ZSTD(1)),
      cut UInt8,
      ${RULES.usage}
    ) ${REPLACING} ORDER BY (artifact, reply) SETTINGS ${DURABLE}`,
      `CREATE TABLE IF NOT EXISTS delivery (
      device LowCardinality(String),
      person LowCardinality(String),
      program String,
      format UInt32,
      files UInt64,
      messages UInt64,
      refused UInt64,
      newest Int64,
      at DateTime64(3) DEFAULT now64(3),
      ${RULES.delivery}
    ) ENGINE = ReplacingMergeTree(at) ORDER BY device SETTINGS ${DURABLE}`,
      `CREATE TABLE IF NOT EXISTS forgotten (
      platform LowCardinality(String),
      session String,
      parent String,
      key Int64,
      undone UInt8,
      number UInt64,
      by String DEFAULT currentUser(),
      at DateTime64(6) DEFAULT now64(6)
    ) ENGINE = MergeTree ORDER BY at SETTINGS ${DURABLE}`,
      `CREATE TABLE IF NOT EXISTS retention (
      cutoff Int64,
      number UInt64,
      by String DEFAULT currentUser(),
      at DateTime64(6) DEFAULT now64(6)
    ) ENGINE = MergeTree ORDER BY at SETTINGS ${DURABLE}`,
      `CREATE OR REPLACE VIEW machines AS SELECT device, person, program, format, f.there AS files, messages, refused, at AS delivered,
      dateDiff('second', at, now64(3)) AS seconds_ago, fromUnixTimestamp64Milli(newest) AS newest_message
    FROM (SELECT * EXCEPT files FROM delivery FINAL) AS d
    LEFT JOIN (SELECT device, count() AS there FROM artifact FINAL GROUP BY device) AS f USING (device) ORDER BY at DESC`,
    ],
  },
]

/** The format of the first entry. Those before it were never released. */
export const FIRST_FORMAT = 20

export const FORMAT = FIRST_FORMAT + MIGRATIONS.length - 1

/** The tables of a space, without that of the migrations. */
export const TABLES = [...(Object.keys(FILE_TABLES) as FileTable[]), ...SPACE_TABLES] as const

/** What a machine inserts into each table. The server says everything else. */
export const COLUMNS = {
  arrival: ['artifact', 'device', 'key', 'parentKey', 'ended'],
  artifact: [
    ...(['id', 'version', 'deleted', 'key', 'parentKey', 'ended', 'device', 'person', 'path'] as const),
    ...(['root', 'platform', 'agent', 'session', 'parent', 'state', 'rank', 'project', 'folder'] as const),
    ...(['facts', 'revision', 'generation', 'settled', 'size', 'modified', 'checkpoint'] as const),
    ...(['gone', 'cuts', 'versions', 'row'] as const),
  ],
  item: [
    ...(['artifact', 'generation', 'line', 'place', 'version', 'deleted', 'month', 'key'] as const),
    ...([
      'record',
      'digest',
      'moment',
      'at',
      'who',
      'prompt',
      'aside',
      'unsure',
      'spoken',
      'offset',
      'length',
    ] as const),
    ...(['tool', 'target', 'more', 'text', 'words'] as const),
  ],
  usage: [
    ...(['artifact', 'reply', 'version', 'deleted', 'key', 'at', 'model', 'input', 'output'] as const),
    ...(['cacheRead', 'cacheWrite', 'cost', 'cacheWriteHour', 'reasoning', 'cut'] as const),
  ],
  delivery: ['device', 'person', 'program', 'format', 'files', 'messages', 'refused', 'newest'],
} as const
