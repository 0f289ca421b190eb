import type { DatabaseSync } from 'node:sqlite'
import { IdSet } from '../../model/hash.ts'
import { collectWords } from '../../search/words.ts'
import type { Erased } from '../store.ts'
import { prepareWrite } from './write-statement.ts'

/** What deletes the rows of files, and forgets which words it has seen. */
interface Forgetting {
  forget(ids: readonly number[]): void
  forgetWords(): void
}

/**
 * Deletes files and leaves nothing of them in the file of the store: the search indexes are written again
 * without them, words that nothing else contains leave the vocabulary, and SQLite writes the whole file
 * again.
 */
export function eraseFiles(
  database: DatabaseSync,
  ids: readonly number[],
  { forget, forgetWords }: Forgetting,
): Erased {
  const count = database.prepare('SELECT count(*) AS messages FROM message')
  const messages = (): number => Number(count.get()!.messages)
  const before = messages()
  const words = wordsOf(database, ids)
  forget(ids)
  forgetWords()
  const erased = eraseWords(database, words)
  for (const index of ['spoken', 'part'])
    prepareWrite(database, `INSERT INTO ${index} (${index}) VALUES ('optimize')`).run()
  // Earlier changes of a row may have left copies of it in free space.
  database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  return { messages: before - messages(), words: erased }
}

/** How many messages no other file contains. */
export const messagesOnlyIn = (database: DatabaseSync, ids: readonly number[]): number =>
  Number(
    database
      .prepare(`WITH file AS (SELECT value AS id FROM json_each(?))
        SELECT count(DISTINCT o.message) AS messages FROM occurrence o WHERE o.artifact IN file AND NOT EXISTS
          (SELECT 1 FROM occurrence e WHERE e.message = o.message AND e.artifact NOT IN file)`)
      .get(JSON.stringify(ids))!.messages,
  )

/** The words of all messages of some files. */
function wordsOf(database: DatabaseSync, ids: readonly number[]): string[] {
  const texts = database.prepare(`SELECT coalesce(m.text, m.target) AS text FROM occurrence o
    JOIN message m ON m.id = o.message WHERE o.artifact = ?`)
  const known = new IdSet()
  const words: string[] = []
  for (const id of ids)
    for (const { text } of texts.iterate(id)) if (text !== null) collectWords(text as string, known, words)
  return words
}

/** Removes the words that no message contains any more. Returns how many. */
function eraseWords(database: DatabaseSync, words: readonly string[]): number {
  const used = database.prepare('SELECT 1 FROM spoken WHERE spoken MATCH ? LIMIT 1')
  const find = database.prepare('SELECT id FROM vocabulary WHERE word = ?')
  const unindex = prepareWrite(database, "INSERT INTO part (part, rowid, word) VALUES ('delete', ?, ?)")
  const drop = prepareWrite(database, 'DELETE FROM vocabulary WHERE id = ?')
  let erased = 0
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const word of words) {
      const id = find.get(word)?.id
      if (id === undefined || used.get(`{text} : "${word}"`)) continue
      unindex.run(id, word)
      drop.run(id)
      erased++
    }
    database.exec('COMMIT')
    return erased
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
