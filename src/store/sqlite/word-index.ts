import type { DatabaseSync } from 'node:sqlite'
import { IdSet } from '../../model/hash.ts'
import type { Steps } from '../../model/iteration.ts'
import { QUESTION } from '../../search/characters.ts'
import { collectWords, indexText } from '../../search/words.ts'
import type { IndexWordsOptions } from '../store.ts'
import { inTransaction, prepareWrite } from './database.ts'

/**
 * Properties that messages can be filtered by, as words in a column of the index. SQLite can then intersect
 * posting lists instead of reading each message.
 */
export const facet = {
  who: (who: number): string => `w${who}`,
  artifact: (id: number): string => `a${id}`,
  tool: (id: number): string => `t${id}`,
  question: 'q',
}

const QUESTION_ENDS = new RegExp(QUESTION, 'u')
/** Most texts have no question mark, which is found much faster. */
const asks = (text: string): boolean => /[?？؟]/.test(text) && QUESTION_ENDS.test(text)

/** The facets of one message. */
const facetsOf = (who: number, artifact: number, tool: number | null, text: string | null): string =>
  `w${who} a${artifact}${tool === null ? '' : ` t${tool}`}${who < 2 && text !== null && asks(text) ? ' q' : ''}`

/** Characters of one transaction. Smaller ones take longer, because FTS5 merges more. */
const BATCH = 4 * 1024 * 1024
/** Ids of one range. */
const RANGE = 200
/** Longer texts, in bytes, are read one at a time. */
const LONG_TEXT = 4 * 1024 * 1024
/** The words that are not collected again are forgotten at this number. */
const MOST_WORDS = 500_000
const ADD = 'INSERT INTO spoken (rowid, text, facet) VALUES (?, ?, ?)'

interface Row {
  id: number
  who: number
  artifact: number
  tool: number | null
  text: string | null
  target: string | null
}

/**
 * The words of the messages. They are indexed after the messages are stored, in the order of ids: all
 * messages up to a certain id are in the index, and none after it.
 */
export function createWordIndex(database: DatabaseSync) {
  const write = (text: string) => prepareWrite(database, text)
  const sql = {
    until: database.prepare('SELECT message FROM indexed'),
    setUntil: write('UPDATE indexed SET message = ?'),
    add: write(ADD),
    drop: write('DELETE FROM spoken WHERE rowid = ?'),
    last: database.prepare('SELECT max(id) AS id FROM message'),
    addStored: write(
      'INSERT INTO spoken (rowid, text, facet) SELECT id, text, ?2 FROM message WHERE id = ?1',
    ),
    rows: database.prepare(`SELECT id, who, artifact, tool, iif(octet_length(text) > ${LONG_TEXT}, '', text) AS text,
      target, octet_length(text) > ${LONG_TEXT} AS long FROM message WHERE id > ? AND id <= ? ORDER BY id`),
    row: database.prepare('SELECT id, who, artifact, tool, text, target FROM message WHERE id = ?'),
    word: write('INSERT OR IGNORE INTO vocabulary (word) VALUES (?)'),
    part: write('INSERT INTO part (rowid, word) VALUES (?, ?)'),
  }
  /** Words that are in the vocabulary. */
  let known = new IdSet()
  /** As of the beginning of the transaction. */
  let until = 0
  const untilNow = (): number => Number(sql.until.get()!.message)

  function add(row: Row): void {
    if ((row.text?.length ?? 0) > LONG_TEXT) addLong({ ...row })
    else addShort(row)
  }

  /**
   * Adds a long message. Its text is in memory as rarely as possible: a statement holds what was bound last,
   * so this one is freed, and a text that is indexed as it is stays in the database.
   */
  function addLong(row: Row, collectGarbage: () => void = () => {}): void {
    const facets = facetsOf(row.who, row.artifact, row.tool, row.text)
    addWords(row)
    const indexed = indexText(row.text!)
    const changed = indexed === row.text ? undefined : indexed
    row.text = null
    collectGarbage()
    if (changed === undefined) sql.addStored.run(row.id, facets)
    else prepareWrite(database, ADD).run(row.id, changed, facets)
    collectGarbage()
  }

  function addShort(row: Row): void {
    const { id, who, artifact, tool, text, target } = row
    sql.add.run(id, indexText(text ?? target ?? ''), facetsOf(who, artifact, tool, text))
    addWords(row)
  }

  /** Adds the words to the vocabulary and to the substring index over it. */
  function addWords({ text, target }: Row): void {
    if (known.size > MOST_WORDS) forgetWords()
    const words: string[] = []
    collectWords(text ?? target ?? '', known, words)
    for (const word of words) {
      const { changes, lastInsertRowid } = sql.word.run(word)
      if (changes > 0n) sql.part.run(lastInsertRowid, word)
    }
  }

  function forgetWords(): void {
    known = new IdSet()
  }

  /** Indexes the messages between two ids in one transaction, as many as fit. Returns how many there were. */
  function indexBatch(after: number, last: number, collectGarbage?: () => void): number {
    try {
      return inTransaction(database, () => {
        let characters = 0
        let count = 0
        let done = after
        while (done < last && characters < BATCH) {
          const from = done
          done = Math.min(from + RANGE, last)
          const long: number[] = []
          for (const found of sql.rows.iterate(from, done)) {
            const row = found as unknown as Row & { long: number | null }
            count++
            if (row.long) long.push(row.id)
            else {
              addShort(row)
              characters += row.text?.length ?? row.target?.length ?? 0
            }
          }
          for (const id of long) addLong(sql.row.get(id) as unknown as Row, collectGarbage)
          characters += long.length * LONG_TEXT
        }
        sql.setUntil.run(done)
        return count
      })
    } catch (error) {
      forgetWords()
      throw error
    }
  }

  return {
    /** Call this at the beginning of a transaction. */
    begin(): void {
      until = untilNow()
    },
    /** Call this when a transaction failed, or words were deleted: they are added to the vocabulary again. */
    undone: forgetWords,
    /** Indexes a stored message, unless `indexWords` will. */
    put(row: Row): void {
      if (row.id <= until) add(row)
    },
    /** Indexes a message again whose file or speaker is another. */
    change(row: Row): void {
      if (row.id > until) return
      sql.drop.run(row.id)
      add(row)
    },
    drop(id: number): void {
      if (id <= until) sql.drop.run(id)
    },
    *indexWords({ advanced, collectGarbage }: IndexWordsOptions = {}): Steps<void> {
      // Messages may be written and deleted between two batches.
      for (let last = Number(sql.last.get()!.id); ; last = Number(sql.last.get()!.id)) {
        const after = untilNow()
        if (after >= last) return
        const count = indexBatch(after, last, collectGarbage)
        advanced?.(count)
        yield
      }
    },
  }
}

export type WordIndex = ReturnType<typeof createWordIndex>
