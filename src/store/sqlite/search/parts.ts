import type { DatabaseSync } from 'node:sqlite'
import type { PartsOf } from './expression.ts'
import { prepared } from './prepared.ts'
import { trigramsOf } from './trigrams.ts'

/**
 * How many of the words closest in length are used. The shortest parts occur in words of every kind, so
 * fewer.
 */
const MOST = 100
const MOST_OF_SHORTEST = 40

/** Finds the words that contain a part, by trigrams. */
export function createParts(database: DatabaseSync): PartsOf {
  const find = prepared(
    database,
    `SELECT v.word FROM part CROSS JOIN vocabulary v ON v.id = part.rowid
    WHERE part MATCH ? AND instr(v.word, ?) > 0 ORDER BY length(v.word) LIMIT ?`,
  )
  const begin = prepared(
    database,
    `SELECT word FROM vocabulary WHERE word > ? AND word < ? || char(0x10ffff)
    ORDER BY length(word) LIMIT ?`,
  )
  return (token, where) => {
    if (where === 'start') return begin.all(token, token, MOST).map(({ word }) => String(word))
    // Shorter parts occur in too many words to be useful.
    const trigrams = trigramsOf(token)
    if (trigrams === undefined) return []
    return find
      .all(trigrams, token, trigrams.includes(' ') ? MOST : MOST_OF_SHORTEST)
      .map(({ word }) => String(word))
      .filter((word) => (where === 'end' ? word.endsWith(token) : !word.startsWith(token)))
  }
}
