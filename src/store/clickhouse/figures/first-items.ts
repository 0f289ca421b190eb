import { type Raw, raw, sql } from '../connection/literal.ts'
import { type Scope, shown } from '../scope.ts'

/** What separates words, as `\s` in JavaScript has it. */
const WORD = String.raw`[^\\t\\n\\x0B\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}]+`

/**
 * Every message once, of the file that has had it longest. A human message stays one, even if a fork contains
 * a copy that counts as a program's.
 */
export const firstItems = (scope: Scope, inTime: Raw): Raw =>
  raw(sql`(SELECT min(i.who) AS who,
      argMin((a.since, i.artifact, i.at, i.tool, i.target, ifNull(i.more NOT LIKE '%"sure":false%', 1),
        if(i.who = 'human' OR i.who = 'program', countMatches(ifNull(i.text, ''), '${raw(WORD)}'), 0)),
        (a.since, i.artifact, i.generation, i.line, i.place)) AS first,
      first.1 AS since, first.2 AS artifact, first.3 AS at, first.4 AS tool, first.5 AS target, first.6 AS sure,
      if(who = 'human', first.7, 0) AS words
    FROM (SELECT * FROM item FINAL WHERE ${inTime}) AS i
    INNER JOIN (SELECT id, version, since FROM artifact FINAL WHERE ${shown(scope)}) AS a ON a.id = i.artifact
    WHERE i.version <= a.version GROUP BY i.record, i.digest)`)
