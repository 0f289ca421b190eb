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
/** Longer texts are in memory as rarely as possible: a statement holds the row it is at, and what was bound. */
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
    addStored: prepareWrite(
      database,
      'INSERT INTO spoken (rowid, text, facet) SELECT id, text, ?2 FROM message WHERE id = ?1',
    ),
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
    collect(words)
    sql.add.run(id, indexText(words), facetsOf(who, artifact, tool, text))
  }

  function collect(words: string): void {
    if (known.size > MOST_WORDS) known = new IdSet()
    const found: string[] = []
    collectWords(words, known, found)
    addWords(found)
  }

  /** Adds a long message, whose text the engine copies by itself if it is indexed as it is. */
  function addLong(row: Row, collectGarbage: () => void): void {
    const facets = facetsOf(row.who, row.artifact, row.tool, row.text)
    collect(row.text!)
    const indexed = indexText(row.text!)
    const changed = indexed === row.text ? undefined : indexed
    row.text = null
    collectGarbage()
    if (changed === undefined) sql.addStored.run(row.id, facets)
    else prepareWrite(database, ADD).run(row.id, changed, facets)
    collectGarbage()
  }

  const addAny = (row: Row): void => (isLong(row) ? addLong({ ...row }, () => {}) : add(row))

  const isLong = ({ text }: Row): boolean => (text?.length ?? 0) > LONG_TEXT

  /** Indexes the next messages in one transaction. Returns how many there were. */
  function indexBatch(collectGarbage: () => void): number {
    database.exec('BEGIN IMMEDIATE')
    try {
      let last = untilNow()
      let characters = 0
      let count = 0
      let long: Row | undefined
      for (const found of sql.next.iterate(last)) {
        const row = found as unknown as Row
        last = row.id
        count++
        characters += row.text?.length ?? row.target?.length ?? 0
        if (isLong(row)) long = row
        else add(row)
        if (characters >= BATCH) break
      }
      if (long) addLong(long, collectGarbage)
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
      if (row.id <= until) addAny(row)
    },
    /** Indexes a message again whose file or speaker is another. */
    change(row: Row): void {
      if (row.id > until) return
      sql.drop.run(row.id)
      addAny(row)
    },
    drop(id: number): void {
      if (id <= until) sql.drop.run(id)
    },
    /** `collectGarbage` is called when a very long text can be freed. */
    *indexWords(
      advanced: (messages: number) => void = () => {},
      collectGarbage: () => void = () => {},
    ): Steps<void> {
      const batch = (): number => indexBatch(collectGarbage)
      for (let count = batch(); count > 0; count = batch()) {
        advanced(count)
        yield
      }
    },
  }
}

export type WordIndex = ReturnType<typeof createWordIndex>
