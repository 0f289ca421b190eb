import { ifAllowed } from '../connection/connection.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import {
  COUNTED,
  IS_SURE,
  PATH_WRITTEN,
  slotOf,
  USAGE_PARTS,
  USAGE_SUMS,
  WORDS_SENT,
} from '../figures/columns.ts'
import { IS_THERE, type Scope } from '../scope.ts'
import type { FileRow } from './file-rows.ts'

/** Files and lines that are summed up in one statement. */
const MOST_FILES = 500
const MOST_LINES = 200_000

type File = Pick<FileRow, 'id' | 'line'>

/** The columns of the lists of sums, without their prefixes. */
export const SPOKEN = ['slot', 'who', 'tool', 'path', 'count', 'words']
export const SPENT = ['slot', 'model', 'length', ...USAGE_SUMS]

const COLUMNS = [
  ...['artifact', 'version', 'deleted', 'first', 'last', 'messages', 'replies'],
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
