import type { DatabaseSync } from 'node:sqlite'
import { prepareWrite } from '../write-statement.ts'

/** Returns a function that adds words to the vocabulary and to the substring index over it. */
export function createVocabulary(database: DatabaseSync): (words: readonly string[]) => void {
  const add = prepareWrite(database, 'INSERT OR IGNORE INTO vocabulary (word) VALUES (?)')
  const index = prepareWrite(database, 'INSERT INTO part (rowid, word) VALUES (?, ?)')
  return (words) => {
    for (const word of words) {
      const { changes, lastInsertRowid } = add.run(word)
      if (changes > 0n) index.run(lastInsertRowid, word)
    }
  }
}
