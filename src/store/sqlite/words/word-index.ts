import type { DatabaseSync } from 'node:sqlite'
import type { Steps } from '../../../model/iteration.ts'
import { indexText } from '../../../search/words.ts'
import type { IndexWordsOptions, MessageRange } from '../../store.ts'
import { facetsOf } from '../facets.ts'
import { prepareWrite } from '../write-statement.ts'
import { createRangeCollector, createWordCollector, LONG_TEXT } from './collector.ts'
import { createVocabulary } from './vocabulary.ts'

/** Characters of one transaction. Smaller ones take longer, because FTS5 merges more. */
const BATCH = 4 * 1024 * 1024
/** Ids of one range. */
const RANGE = 200
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
    last: database.prepare('SELECT max(id) AS id FROM message'),
    addStored: prepareWrite(
      database,
      'INSERT INTO spoken (rowid, text, facet) SELECT id, text, ?2 FROM message WHERE id = ?1',
    ),
    rows: database.prepare(`SELECT id, who, artifact, tool, iif(octet_length(text) > ${LONG_TEXT}, '', text) AS text,
      target, octet_length(text) > ${LONG_TEXT} AS long FROM message WHERE id > ? AND id <= ? ORDER BY id`),
    row: database.prepare('SELECT id, who, artifact, tool, text, target FROM message WHERE id = ?'),
  }
  const addToVocabulary = createVocabulary(database)
  const collector = createWordCollector()
  /** As of the beginning of the transaction. */
  let until = 0
  /** Up to this id, words may have been collected by another thread. */
  let handedOut = 0
  const untilNow = (): number => Number(sql.until.get()!.message)

  function add(row: Row): void {
    if ((row.text?.length ?? 0) > LONG_TEXT) addLong({ ...row })
    else {
      addText(row)
      addWords(row)
    }
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

  function addText({ id, who, artifact, tool, text, target }: Row): void {
    sql.add.run(id, indexText(text ?? target ?? ''), facetsOf(who, artifact, tool, text))
  }

  function addWords({ text, target }: Row): void {
    const found: string[] = []
    collector.collect(text ?? target ?? '', found)
    addToVocabulary(found)
  }

  function rangesLeft(): MessageRange[] {
    const last = Number(sql.last.get()!.id)
    const ranges: MessageRange[] = []
    for (let after = untilNow(); after < last; after += RANGE)
      ranges.push({ after, until: Math.min(after + RANGE, last) })
    return ranges
  }

  /**
   * Indexes the next ranges in one transaction, and removes them from the list. Returns how many messages
   * there were.
   */
  function indexBatch(
    ranges: MessageRange[],
    words: Iterator<readonly string[]> | undefined,
    collectGarbage?: () => void,
  ): number {
    database.exec('BEGIN IMMEDIATE')
    try {
      let characters = 0
      let count = 0
      let last = 0
      while (ranges.length > 0 && characters < BATCH) {
        const range = ranges.shift()!
        const long: number[] = []
        for (const found of sql.rows.iterate(range.after, range.until)) {
          const row = found as unknown as Row & { long: number | null }
          count++
          if (row.long) long.push(row.id)
          else {
            addText(row)
            if (!words) addWords(row)
            characters += row.text?.length ?? row.target?.length ?? 0
          }
        }
        for (const id of long) addLong(sql.row.get(id) as unknown as Row, collectGarbage)
        characters += long.length * LONG_TEXT
        if (words) addToVocabulary(words.next().value as readonly string[])
        last = range.until
      }
      sql.setUntil.run(last)
      database.exec('COMMIT')
      return count
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      collector.forget()
      throw error
    }
  }

  function* indexRanges(ranges: MessageRange[], options: IndexWordsOptions): Steps<void> {
    const { advanced, collect, collectGarbage } = options
    handedOut = collect ? ranges.at(-1)!.until : 0
    const words = collect?.([...ranges])
    try {
      while (ranges.length > 0) {
        const count = indexBatch(ranges, words, collectGarbage)
        advanced?.(count)
        yield
      }
    } finally {
      handedOut = 0
      words?.return?.()
    }
  }

  return {
    /** Call this at the beginning of a transaction. */
    begin(): void {
      until = untilNow()
    },
    /** Call this when a transaction failed. */
    undone: collector.forget,
    /** Indexes a stored message, unless `indexWords` will. */
    put(row: Row): void {
      if (row.id <= until) add(row)
      else if (row.id <= handedOut) addWords(row)
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
    wordsIn: createRangeCollector(database),
    *indexWords(options: IndexWordsOptions = {}): Steps<void> {
      for (let ranges = rangesLeft(); ranges.length > 0; ranges = rangesLeft())
        yield* indexRanges(ranges, options)
    },
  }
}

export type WordIndex = ReturnType<typeof createWordIndex>
