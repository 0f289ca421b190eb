import { DatabaseSync } from 'node:sqlite'
import { IdSet } from '../../../model/hash.ts'
import { collectWords } from '../../../search/words.ts'
import type { MessageRange } from '../../store.ts'

/** The words that are not collected again are forgotten at this number. */
const MOST_WORDS = 500_000

/** Longer texts, in bytes, are read one at a time. */
export const LONG_TEXT = 4 * 1024 * 1024

/** Collects words, each of them once. */
export function createWordCollector() {
  let known = new IdSet()
  return {
    collect(text: string, words: string[]): void {
      if (known.size > MOST_WORDS) known = new IdSet()
      collectWords(text, known, words)
    },
    /** Collects everything again. */
    forget(): void {
      known = new IdSet()
    },
  }
}

/** Collects the words of stored messages that are not very long, each of them once. */
export function createRangeCollector(database: DatabaseSync): (range: MessageRange) => string[] {
  const texts = database.prepare(`SELECT coalesce(text, target) AS text FROM message
    WHERE id > ? AND id <= ? AND coalesce(octet_length(text), 0) <= ${LONG_TEXT} ORDER BY id`)
  const { collect } = createWordCollector()
  return ({ after, until }) => {
    const words: string[] = []
    for (const { text } of texts.iterate(after, until)) if (text !== null) collect(text as string, words)
    return words
  }
}

/** The same in a thread of its own. The store is open for writing in another one. */
export const openWordCollector = (path: string): ((range: MessageRange) => string[]) =>
  createRangeCollector(new DatabaseSync(path, { readOnly: true }))
