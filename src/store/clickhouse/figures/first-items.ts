import { type Raw, raw, sql } from '../connection/literal.ts'
import { OLDEST, type Scope, shown } from '../scope.ts'

/** What separates words, as `\s` in JavaScript has it. */
const WORD = String.raw`[^\\t\\n\\x0B\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}]+`

/** The columns of a first item that a question needs. Each one more takes reading and memory. */
export interface FirstColumns {
  /** Which items matter, as a condition on `i`. It must be the same for all occurrences of a message. */
  of: Raw
  /** Columns of `i`, by the names they get. */
  columns: Readonly<Record<string, Raw>>
}

/** How many words a human sent. */
export const WORDS_SENT = raw(
  `if(i.who = 'human' OR i.who = 'program', countMatches(ifNull(i.text, ''), '${WORD}'), 0)`,
)

/**
 * Every message once, of the file that has had it longest. A human message stays one, even if a fork contains
 * a copy that counts as a program's.
 */
export function firstItems(scope: Scope, inTime: Raw, { of, columns }: FirstColumns): Raw {
  const values = Object.entries({ artifact: raw('i.artifact'), at: raw('i.at'), ...columns }).map(
    ([name, value]) => `argMin(${value.sql}, ${OLDEST.sql}) AS ${name}`,
  )
  return raw(sql`(SELECT min(i.who) AS who, min(a.since) AS since, ${raw(values.join(', '))}
    FROM (SELECT * FROM item AS i FINAL WHERE ${inTime} AND ${of}) AS i
    INNER JOIN (SELECT id, version, since FROM artifact FINAL WHERE ${shown(scope)}) AS a ON a.id = i.artifact
    WHERE i.version <= a.version GROUP BY i.record, i.digest)`)
}
