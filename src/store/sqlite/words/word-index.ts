import type { DatabaseSync } from 'node:sqlite'
import { IdSet } from '../../../model/id-set.ts'
import type { Steps } from '../../../model/steps.ts'
import { collectWords, indexText } from '../../../search/words.ts'
import { facetsOf } from '../facets.ts'
import { prepareWrite } from '../write-statement.ts'
import { createVocabulary } from './vocabulary.ts'

/** Characters of one transaction. Smaller ones take longer, because FTS5 merges more. */
const BATCH = 4 * 1024 * 1024
/** The words that are not added again are forgotten at this number. */
const MOST_WORDS = 500_000
/**
 * A statement holds its last bound values in memory. Longer texts use a statement of their own, which is
 * freed.
 */
const LONG_TEXT = 4 * 1024 * 1024
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
  const sql = {
    until: database.prepare('SELECT message FROM indexed'),
    setUntil: prepareWrite(database, 'UPDATE indexed SET message = ?'),
    add: prepareWrite(database, ADD),
    drop: prepareWrite(database, 'DELETE FROM spoken WHERE rowid = ?'),
    next: database.prepare(
      'SELECT id, who, artifact, tool, text, target FROM message WHERE id > ? ORDER BY id',
    ),
  }
  const addWords = createVocabulary(database)
  let known = new IdSet()
  /** As of the beginning of the transaction. */
  let until = 0
  const untilNow = (): number => Number(sql.until.get()!.message)

  function add({ id, who, artifact, tool, text, target }: Row): void {
    const words = text ?? target ?? ''
    const statement = words.length > LONG_TEXT ? prepareWrite(database, ADD) : sql.add
    statement.run(id, indexText(words), facetsOf(who, artifact, tool, text))
    if (known.size > MOST_WORDS) known = new IdSet()
    const found: string[] = []
    collectWords(words, known, found)
    addWords(found)
  }

  /** Indexes the next messages in one transaction. Returns how many there were. */
  function indexBatch(): number {
    database.exec('BEGIN IMMEDIATE')
    try {
      let last = untilNow()
      let characters = 0
      let count = 0
      for (const found of sql.next.iterate(last)) {
        const row = found as unknown as Row
        add(row)
        last = row.id
        count++
        characters += row.text?.length ?? row.target?.length ?? 0
        if (characters >= BATCH) break
      }
      if (count > 0) sql.setUntil.run(last)
      database.exec('COMMIT')
      return count
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      known = new IdSet()
      throw error
    }
  }

  return {
    /** Call this at the beginning of a transaction. */
    begin(): void {
      until = untilNow()
    },
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
    *indexWords(advanced: (messages: number) => void = () => {}): Steps<void> {
      for (let count = indexBatch(); count > 0; count = indexBatch()) {
        advanced(count)
        yield
      }
    },
  }
}

export type WordIndex = ReturnType<typeof createWordIndex>
