import { WRITING_TOOLS } from '../../../model/fold/tool-arguments.ts'
import { LENGTH_STEPS } from '../../../model/usage.ts'
import type { UsageFigure, Zone } from '../../figures.ts'
import { ifAllowed } from '../connection/connection.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import { MOST } from '../read/well-formed.ts'
import { filesOf, IS_THERE, type Scope, SPEAKER } from '../scope.ts'
import type { FileRow } from '../write/files.ts'

/** The same as `lengthOf`. */
const LENGTH = LENGTH_STEPS.map(
  (step) => `(u.reply > 0 AND u.input + u.cacheRead + u.cacheWrite > ${step})`,
).join(' + ')

const ofReply = (value: string): string => `if(u.reply > 0, ${value}, 0)`
const stated = (value: string): string => `if(u.reply < 0, ${value}, 0)`

/** The sums of a `UsageFigure`, in order, and what a row `u` of `usage` adds to each. */
const PARTS = {
  replies: 'u.reply > 0',
  input: ofReply('u.input'),
  output: ofReply('u.output'),
  cacheRead: ofReply('u.cacheRead'),
  cacheWrite: ofReply('u.cacheWrite'),
  cacheWriteHour: ofReply('least(u.cacheWriteHour, u.cacheWrite)'),
  reasoning: ofReply('least(u.reasoning, u.output)'),
  recorded: 'ifNull(u.cost, 0)',
  recordedReplies: 'isNotNull(u.cost)',
  statedInput: stated('u.input'),
  statedOutput: stated('u.output'),
  statedCacheRead: stated('u.cacheRead'),
  statedCacheWrite: stated('u.cacheWrite'),
} as const satisfies Partial<Record<keyof UsageFigure, string>>

/** The names of the sums of a `UsageFigure`. */
export const USAGE_SUMS = Object.keys(PARTS) as (keyof typeof PARTS)[]

/** Length and sums of single rows `u` of `usage`, by the names that these have in a `UsageFigure`. */
export const USAGE_PARTS: Raw = raw(
  [`toUInt8(${LENGTH}) AS length`, ...USAGE_SUMS.map((name) => `${PARTS[name]} AS ${name}`)].join(', '),
)

/** The columns of a `UsageFigure` from rows with such parts, in the order of `UsageValues`. */
export const FIGURE_COLUMNS: Raw = raw(
  ['artifact', 'model', 'length', ...USAGE_SUMS.map((name) => `sum(${name})`)].join(', '),
)

/** Sums that no reply and no file can have are left out, so that they do not spoil a total. */
export const IS_SOUND: Raw = raw(
  [`length <= ${LENGTH_STEPS.length}`, ...USAGE_SUMS.map((name) => `${name} BETWEEN 0 AND ${MOST}`)].join(
    ' AND ',
  ),
)

/** The same of a row `u` of `usage`. */
const IS_SOUND_ROW: Raw = raw(
  ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWriteHour', 'reasoning', 'ifNull(cost, 0)']
    .map((name) => `${name} BETWEEN 0 AND ${MOST}`)
    .join(' AND '),
)

export type UsageValues = readonly (number | string | null)[]

const NAMES = ['artifact', 'model', 'length', ...USAGE_SUMS] as const

export const usageFigure = (values: UsageValues): UsageFigure =>
  Object.fromEntries(NAMES.map((name, index) => [name, values[index]])) as unknown as UsageFigure

/**
 * Every reply once: of all files that contain it, that with the most output, because the largest numbers are
 * the latest. With `files`, only their rows are read: these files must share no reply with others.
 */
export function countedReplies(scope: Scope, inTime: Raw, files: readonly number[] | undefined): Raw {
  const of = raw(files === undefined ? '1' : sql`artifact IN ${files}`)
  return raw(sql`(SELECT * FROM (
    SELECT u.*, a.age AS age FROM (SELECT * FROM usage FINAL WHERE ${of} AND ${IS_SOUND_ROW}) AS u
    INNER JOIN ${filesOf(scope, 'id, version')} ON a.id = u.artifact
    WHERE u.version <= a.version AND u.reply IN (SELECT reply FROM usage WHERE ${of} AND ${inTime})
    ORDER BY u.output DESC, a.age LIMIT 1 BY u.reply) WHERE ${inTime})`)
}

/** The replies of all files but some, none of which are in more than one file. */
export function ownReplies(scope: Scope, inTime: Raw, without: readonly number[]): Raw {
  const of = raw(without.length === 0 ? '1' : sql`artifact NOT IN ${without}`)
  return raw(sql`(SELECT u.*, a.age AS age FROM (SELECT * FROM usage FINAL WHERE ${of} AND ${inTime} AND ${IS_SOUND_ROW}) AS u
    INNER JOIN ${filesOf(scope, 'id, version')} ON a.id = u.artifact
    WHERE u.version <= a.version)`)
}

/** The length of a slot, in ms. Local time differs from UTC by whole slots. */
export const SLOT_MS = 900_000
/** The slot of everything that has no time. */
export const TIMELESS_SLOT = -1

/** A slot as SQL, of an expression for a time. */
const slotOf = (at: string): string =>
  `if(ifNull(${at}, 0) > 0, intDiv(assumeNotNull(${at}), ${SLOT_MS}), ${TIMELESS_SLOT})`

/** Slots of a span of time. The ends are exclusive. */
export interface Slots {
  first: number
  end: number
  /** Those of which the span has only a part. */
  partial: number[]
}

/** The slots of a span of time in ms, whose end is exclusive. */
export function slotsWithin(from: number, until: number): Slots {
  const [first, end] = [Math.ceil(from / SLOT_MS), Math.floor(until / SLOT_MS)]
  const partial = [
    ...(from % SLOT_MS === 0 ? [] : [first - 1]),
    ...(until % SLOT_MS === 0 || end < first ? [] : [end]),
  ]
  return { first, end: Math.max(first, end), partial }
}

/** Whether every slot is within one local hour. */
export const hasWholeSlots = (zone: Zone): boolean =>
  zone.every(
    ({ fromMs, offsetMs }, index) => offsetMs % SLOT_MS === 0 && (index === 0 || fromMs % SLOT_MS === 0),
  )

/** What separates words, as `\s` in JavaScript has it. */
const WORD = String.raw`[^\\t\\n\\x0B\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}]+`

/** Whose messages matter: what a fork copied as a program's may be a human's. */
export const COUNTED = ['human', 'program', 'agent', 'tool', 'error'] as const

/** How many words a human sent, in an item `i`. */
const WORDS_SENT = raw(
  `if(i.who = 'human' OR i.who = 'program', countMatches(ifNull(i.text, ''), '${WORD}'), 0)`,
)

/** Whether an item `i` is certainly what it seems. Some are only possibly errors. */
const IS_SURE = raw(`ifNull(i.more NOT LIKE '%"sure":false%', 1)`)

/** The file that an item `i` has changed. */
const PATH_WRITTEN = raw(sql`if(i.who = 'tool' AND i.tool IN ${WRITING_TOOLS}, i.target, NULL)`)

/** Which items `i` matter, and what is needed of them besides file and time. */
interface FirstColumns {
  /** It must be the same for all occurrences of a message. */
  of: Raw
  columns: Readonly<Record<string, Raw>>
}

/** For numbers of messages and words. */
export const SPOKEN_ITEMS: FirstColumns = {
  of: raw(sql`i.who IN ${COUNTED}`),
  columns: { tool: raw('i.tool'), sure: IS_SURE, words: WORDS_SENT },
}

/** For changes of files. */
export const WRITTEN_ITEMS: FirstColumns = {
  of: raw(`isNotNull(${PATH_WRITTEN.sql})`),
  columns: { path: raw('i.target') },
}

/**
 * Every message once, of the file that it belongs to, without those that were removed from all files. A human
 * message stays one, even if a fork contains a copy that counts as a program's. With `files`, only their
 * items are read: these files must share no message with others.
 */
export function firstItems(
  scope: Scope,
  inTime: Raw,
  files: readonly number[] | undefined,
  { of, columns }: FirstColumns,
): Raw {
  const values = Object.entries({ artifact: raw('i.artifact'), at: raw('i.at'), ...columns }).map(
    ([name, value]) => `argMin(${value.sql}, a.age) AS ${name}`,
  )
  const ofFiles = raw(files === undefined ? '' : sql`PREWHERE i.artifact IN ${files}`)
  return raw(sql`(SELECT ${SPEAKER} AS who, min(a.age) AS age, ${raw(values.join(', '))}
    FROM (SELECT * FROM item AS i FINAL ${ofFiles} WHERE ${inTime} AND ${of}) AS i
    INNER JOIN ${filesOf(scope, 'id, version, generation, settled, cuts')} ON a.id = i.artifact
    WHERE i.version <= a.version GROUP BY i.record, i.digest HAVING max(${IS_THERE}))`)
}

/** Files and lines that are summed up in one statement. */
const MOST_FILES = 500
const MOST_LINES = 200_000

type File = Pick<FileRow, 'id' | 'line'>

/** The columns of the lists of sums, without their prefixes. */
export const SPOKEN = ['slot', 'who', 'tool', 'path', 'count', 'words']
export const SPENT = ['slot', 'model', 'length', ...USAGE_SUMS]

const COLUMNS = [
  'artifact',
  'version',
  'deleted',
  'first',
  'last',
  'messages',
  'replies',
  ...SPOKEN.map((name) => `spoken.${name}`),
  ...SPENT.map((name) => `spent.${name}`),
].join(', ')

/**
 * Sums up files for statistics, after their rows are complete. Statistics read the rows of files without
 * sums, so it is harmless if this is interrupted, or if the user has no right to this table yet.
 */
export function writeFigures({ connection }: Scope, files: readonly File[]): void {
  for (const ids of groupsOf(files)) {
    const summed = ifAllowed(() => {
      connection.run(statementFor(ids))
      return true
    })
    if (!summed) return
  }
}

/** The files of this device that were written without their sums. */
export function filesWithoutFigures({ connection, device }: Scope): File[] {
  const found = ifAllowed(() =>
    connection.select<[number, number]>(
      sql`SELECT id, line FROM artifact FINAL WHERE device = ${device}
        AND (id, written) NOT IN (SELECT artifact, version FROM figure)`,
    ),
  )
  return (found ?? []).map(([id, line]) => ({ id, line }))
}

function* groupsOf(files: readonly File[]): Generator<number[]> {
  let group: number[] = []
  let lines = 0
  for (const { id, line } of files) {
    if (group.length >= MOST_FILES || (lines + line > MOST_LINES && group.length > 0)) {
      yield group
      group = []
      lines = 0
    }
    group.push(id)
    lines += line
  }
  if (group.length > 0) yield group
}

/**
 * Of a message that a file contains more than once, any occurrence counts, as in statistics. Values are
 * collected as tuples, because lists of single values would leave out those that are NULL.
 */
function statementFor(ids: readonly number[]): string {
  const files = raw(
    sql`(SELECT id, version, written, generation, settled, cuts FROM artifact FINAL WHERE id IN ${ids})`,
  )
  const messages = raw(sql`(SELECT i.artifact AS artifact, cityHash64(i.record, i.digest) AS message,
      min(i.who) AS who, any(${raw(slotOf('i.at'))}) AS slot, any(i.tool) AS tool, any(${IS_SURE}) AS sure,
      any(${WORDS_SENT}) AS sent, any(${PATH_WRITTEN}) AS path, max(${IS_THERE}) AS there
    FROM (SELECT * FROM item FINAL PREWHERE artifact IN ${ids} WHERE who IN ${COUNTED}) AS i
    INNER JOIN ${files} AS a ON a.id = i.artifact
    WHERE i.version <= a.version GROUP BY i.artifact, i.record, i.digest)`)
  const spoken = raw(sql`(SELECT g.artifact AS artifact, groupArrayArray(g.found) AS messages,
      min(g.slot) AS first, max(g.slot) AS last,
      groupArrayIf((${named('g', SPOKEN)}), g.there = 1 AND g.sure = 1 AND g.who <> 'program') AS sums
    FROM (SELECT m.artifact AS artifact, m.slot AS slot, m.who AS who, m.tool AS tool, m.path AS path, m.sure AS sure, m.there AS there,
        count() AS count, sum(if(m.who = 'human', m.sent, 0)) AS words, groupArray(m.message) AS found
      FROM ${messages} AS m GROUP BY m.artifact, m.slot, m.who, m.tool, m.path, m.sure, m.there) AS g
    GROUP BY g.artifact)`)
  const parts = raw(sql`(SELECT u.artifact AS artifact, u.reply AS reply, ${raw(slotOf('u.at'))} AS slot,
      u.model AS model, ${USAGE_PARTS}
    FROM (SELECT * FROM usage FINAL WHERE artifact IN ${ids}) AS u
    INNER JOIN ${files} AS f ON f.id = u.artifact WHERE u.version <= f.version)`)
  const spent = raw(sql`(SELECT g.artifact AS artifact, groupArrayArray(g.found) AS replies,
      min(g.slot) AS first, max(g.slot) AS last, groupArray((${named('g', SPENT)})) AS sums
    FROM (SELECT p.artifact AS artifact, p.slot AS slot, p.model AS model, p.length AS length,
        ${raw(USAGE_SUMS.map((name) => `sum(p.${name}) AS ${name}`).join(', '))}, groupArray(p.reply) AS found
      FROM ${parts} AS p GROUP BY p.artifact, p.slot, p.model, p.length) AS g
    GROUP BY g.artifact)`)
  const ends = (name: string, pick: string): Raw =>
    raw(`multiIf(empty(s.messages), u.${name}, empty(u.replies), s.${name}, ${pick}(s.${name}, u.${name}))`)
  return sql`INSERT INTO figure (${raw(COLUMNS)})
    SELECT f.id, f.written, 0, ${ends('first', 'least')}, ${ends('last', 'greatest')}, s.messages, u.replies,
      ${listed('s', SPOKEN)}, ${listed('u', SPENT)}
    FROM ${files} AS f LEFT JOIN ${spoken} AS s ON s.artifact = f.id LEFT JOIN ${spent} AS u ON u.artifact = f.id`
}

const named = (table: string, names: readonly string[]): Raw =>
  raw(names.map((name) => `${table}.${name}`).join(', '))

/** The lists of the values of tuples. */
const listed = (table: string, names: readonly string[]): Raw =>
  raw(names.map((_, index) => `tupleElement(${table}.sums, ${index + 1})`).join(', '))
