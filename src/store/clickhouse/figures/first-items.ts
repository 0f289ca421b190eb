import { WRITING_TOOLS } from '../../../model/writing-tools.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import { filesOf, IS_THERE, type Scope, SPEAKER } from '../scope.ts'

/** What separates words, as `\s` in JavaScript has it. */
const WORD = String.raw`[^\\t\\n\\x0B\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}]+`

/** Whose messages matter: what a fork copied as a program's may be a human's. */
export const COUNTED = ['human', 'program', 'agent', 'tool', 'error'] as const

/** How many words a human sent, in an item `i`. */
export const WORDS_SENT = raw(
  `if(i.who = 'human' OR i.who = 'program', countMatches(ifNull(i.text, ''), '${WORD}'), 0)`,
)

/** Whether an item `i` is certainly what it seems. Some are only possibly errors. */
export const IS_SURE = raw(`ifNull(i.more NOT LIKE '%"sure":false%', 1)`)

/** The file that an item `i` has changed. */
export const PATH_WRITTEN = raw(sql`if(i.who = 'tool' AND i.tool IN ${WRITING_TOOLS}, i.target, NULL)`)

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
