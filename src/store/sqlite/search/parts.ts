import type { DatabaseSync } from 'node:sqlite'
import type { PartsOf } from './expression.ts'
import { prepared } from './prepared.ts'

/** Shorter parts occur in too many words to be useful. Of words that begin with one, only some are. */
const SHORTEST = 3
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
    if (token.length < SHORTEST) return []
    const threes: string[] = []
    for (let at = 0; at + SHORTEST <= token.length; at++) threes.push(`"${token.slice(at, at + SHORTEST)}"`)
    return find
      .all([...new Set(threes)].join(' AND '), token, token.length === SHORTEST ? MOST_OF_SHORTEST : MOST)
      .map(({ word }) => String(word))
      .filter((word) => (where === 'end' ? word.endsWith(token) : !word.startsWith(token)))
  }
}
