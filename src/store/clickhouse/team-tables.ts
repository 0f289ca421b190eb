/** Those of the first version. */
const FIRST_FILE_TABLES = [
  ...['project', 'item', 'usage', 'sent', 'heard', 'template', 'statement', 'unlinked'],
] as const

/** The tables whose rows belong to a file, by its id. */
export const FILE_TABLES = [...FIRST_FILE_TABLES, 'figure'] as const

/** The tables whose rows belong to a device. */
export const DEVICE_TABLES = ['vocabulary', 'preview', 'settled'] as const

/** Those of the second version. */
export const FIRST_TEAM_TABLES = ['share', 'forgotten', 'retention'] as const

/** The tables about the whole team. */
export const TEAM_TABLES = [...FIRST_TEAM_TABLES, 'member'] as const

const REPLACING = 'ENGINE = ReplacingMergeTree(version, deleted)'

/**
 * What a team needs to say who may see what, as statements that may run twice.
 *
 * - `account`, in the tables of files: who wrote a row, by the server. A device may read what an
 *   interrupted batch of its own left, although no row of `artifact` belongs to it. Old rows have none
 * - `parent`: the session that started this one
 * - `share`: which sessions their owner shares with a reader (empty: with everyone). The server says who
 *   the owner is. Its key is a hash, because policies do not cover keys
 * - `forgotten`: sessions that no device may write again
 * - `retention`: sessions that ended before `cutoff` (in ms) are left out
 */
export const teamTables: readonly string[] = [
  ...FIRST_FILE_TABLES.flatMap((table) => [
    `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS account LowCardinality(String) DEFAULT ''`,
    // When this runs again, rows keep the account that they have.
    `ALTER TABLE ${table} MODIFY COLUMN account LowCardinality(String) DEFAULT ''`,
    // Otherwise old rows would belong to whoever reads them.
    `ALTER TABLE ${table} MATERIALIZE COLUMN account SETTINGS mutations_sync = 2`,
    `ALTER TABLE ${table} MODIFY COLUMN account LowCardinality(String) MATERIALIZED currentUser()`,
  ]),
  `ALTER TABLE artifact ADD COLUMN IF NOT EXISTS parent String MATERIALIZED JSONExtractString(facts, 'parentSessionId')`,
  `CREATE TABLE IF NOT EXISTS share (
      owner LowCardinality(String) MATERIALIZED currentUser(),
      platform LowCardinality(String),
      session String,
      reader String,
      version UInt64,
      deleted UInt8,
      at Int64
    ) ${REPLACING} ORDER BY cityHash64(owner, platform, session, reader)`,
  `CREATE TABLE IF NOT EXISTS forgotten (
      platform LowCardinality(String),
      session String,
      version UInt64,
      deleted UInt8,
      at Int64
    ) ${REPLACING} ORDER BY (platform, session)`,
  `CREATE TABLE IF NOT EXISTS retention (
      name LowCardinality(String),
      version UInt64,
      deleted UInt8,
      cutoff Int64
    ) ${REPLACING} ORDER BY name`,
]
