import { RULES } from './ownership.ts'

/** The tables whose rows belong to a file, by its id. */
export const FILE_TABLES = [
  ...['project', 'item', 'usage', 'sent', 'heard', 'template', 'statement', 'unlinked', 'figure'],
  'arrival',
] as const

/** The tables whose rows belong to a device. */
export const DEVICE_TABLES = ['vocabulary', 'preview', 'settled'] as const

/** The tables about the whole team. */
export const TEAM_TABLES = ['share', 'forgotten', 'retention', 'member'] as const

/** Rows of the newest version count. `deleted` removes a row. */
export const REPLACING = 'ENGINE = ReplacingMergeTree(version, deleted)'

/**
 * An insert is acknowledged when its files are on disk. One that arrives twice is recognized by its token: by
 * this setting among the last inserts of a table on one server, and by default in replicated tables.
 */
export const DURABLE =
  'fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 1000'

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
export const teamTables: readonly string[] = [
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
