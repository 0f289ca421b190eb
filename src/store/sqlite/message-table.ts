import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { MessageRow } from '../increment.ts'
import { speakerNumber } from '../speakers.ts'
import { createCalendar } from './figures/calendar.ts'
import type { StaleDays } from './figures/stale-days.ts'
import type { WordIndex } from './words/word-index.ts'
import { prepareWrite, type WriteStatement } from './write-statement.ts'

interface StoredRow {
  at: number | null
  text: string | null
  tool: number | null
  target: string | null
}

const STOPPED = '"stopReason"'
const HUMAN = speakerNumber('human')
const PROGRAM = speakerNumber('program')

// Parameters by name cost 3 µs more per call, which is 10 % of indexing: statements that run once per message
// take theirs in order.
const INSERT = `INSERT OR IGNORE INTO message (record, digest, artifact, line, who, at, text, tool, target, more)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
/** Longer texts are inserted by `insertLong`. */
const LONG_TEXT = 4 * 1024 * 1024
/** In KiB, as a negative number, as SQLite has it. */
const SMALL_CACHE = -2000

/** A message is stored once. `copy` is 1 if it was stored before. */
export interface PutMessage {
  id: number
  copy: 0 | 1
  /** The file that the message counts for. */
  owner: number
}

/** The messages, each stored once. */
export function createMessageTable(database: DatabaseSync, stale: StaleDays, words: WordIndex) {
  const sql = {
    insert: prepareWrite(database, INSERT),
    find: database.prepare(
      'SELECT id, who, artifact, line, more FROM message WHERE record = ? AND digest = ?',
    ),
    drop: database.prepare('DELETE FROM message WHERE id = ? RETURNING at'),
    forgetRemoved: prepareWrite(database, 'DELETE FROM removed WHERE message = ?'),
    own: prepareWrite(
      database,
      'UPDATE message SET artifact = :artifact, line = :line, who = :who WHERE id = :id',
    ),
    owner: database.prepare('SELECT artifact, line, who FROM message WHERE id = ?'),
    more: prepareWrite(database, 'UPDATE message SET more = :more WHERE id = :id AND more IS NOT :more'),
    message: database.prepare('SELECT at, text, tool, target FROM message WHERE id = ?'),
    // Speakers of the first occurrence and its copies in other files: a human wins over a program.
    speaker: database.prepare(`SELECT min(who) AS who FROM (
      SELECT who FROM occurrence WHERE message = :id AND copy = 1 UNION ALL
      SELECT who FROM occurrence WHERE prompt = 1 AND artifact = :artifact AND line = :line AND message = :id)`),
  }
  const calendar = createCalendar(database)
  const toolNumber = createToolNumbers(database)

  function put(artifact: number, row: MessageRow): PutMessage {
    const { record, digest, at, text, target } = row
    const isLong = (text?.length ?? 0) > LONG_TEXT
    // Each increment of a file contains all of its prompts.
    const found = isLong ? sql.find.get(record, digest) : undefined
    if (found) return repeat(found, row)
    const who = speakerNumber(row.who)
    const tool = row.tool === null ? null : toolNumber(row.tool)
    const more = row.more === null ? null : JSON.stringify(row.more)
    const columns = [record, digest, artifact, row.line, who, at, text, tool, target, more]
    const { changes, lastInsertRowid } = isLong ? insertLong(columns) : sql.insert.run(...columns)
    if (changes === 0n) return repeat(sql.find.get(record, digest)!, row)
    const id = Number(lastInsertRowid)
    words.put({ id, who, artifact, tool, text, target })
    if (at !== null) calendar.note(at, id)
    stale.note(at)
    return { id, copy: 0, owner: artifact }
  }

  /**
   * A statement holds its last bound values in memory, so this one is of its own, which is freed. Meanwhile
   * the text is in memory three times; a small cache makes room for it.
   */
  function insertLong(columns: SQLInputValue[]): ReturnType<WriteStatement['run']> {
    const cache = Number(database.prepare('PRAGMA cache_size').get()!.cache_size)
    database.exec(`PRAGMA cache_size = ${SMALL_CACHE}`)
    try {
      return prepareWrite(database, INSERT).run(...columns)
    } finally {
      database.exec(`PRAGMA cache_size = ${cache}`)
    }
  }

  function repeat(known: Record<string, unknown>, { who, more }: MessageRow): PutMessage {
    const id = Number(known.id)
    sql.forgetRemoved.run(id)
    // Older versions did not store the reply. A copy may lack the end of it.
    if (more?.reply !== undefined && (more.stopReason !== undefined || !String(known.more).includes(STOPPED)))
      sql.more.run({ more: JSON.stringify(more), id })
    // A human message stays one, even if a fork contains a copy that counts as a program's.
    if (speakerNumber(who) === HUMAN && known.who === PROGRAM)
      own(id, Number(known.artifact), Number(known.line), HUMAN)
    return { id, copy: 1, owner: Number(known.artifact) }
  }

  /** Sets the file and the speaker that a message is filtered by, and updates the index. */
  function own(id: number, artifact: number, line: number, who: number): void {
    const before = sql.owner.get(id)!
    sql.own.run({ artifact, line, who, id })
    if (before.artifact === artifact && before.who === who) return
    const { at, text, tool, target } = sql.message.get(id) as unknown as StoredRow
    stale.note(at)
    words.change({ id, who, artifact, tool, text, target })
  }

  /** Determines the speaker again after an occurrence was removed or has changed. */
  function attribute(id: number, artifact: number, line: number): void {
    const who = sql.speaker.get({ id, artifact, line })!.who ?? sql.owner.get(id)!.who
    own(id, artifact, line, Number(who))
  }

  return {
    put,
    attribute,
    reattribute(id: number): void {
      const { artifact, line } = sql.owner.get(id)!
      attribute(id, Number(artifact), Number(line))
    },
    /** Deletes a message without occurrences, also from the index. */
    drop(id: number): void {
      sql.forgetRemoved.run(id)
      stale.note(sql.drop.get(id)!.at as number | null)
      words.drop(id)
    },
    /** Writes what is collected until the end of a transaction. */
    flush: calendar.flush,
  }
}

/** The numbers of tools, each looked up once. */
function createToolNumbers(database: DatabaseSync): (name: string) => number {
  const find = database.prepare(
    'INSERT INTO tool (name) VALUES (?) ON CONFLICT DO UPDATE SET name = name RETURNING id',
  )
  const numbers = new Map<string, number>()
  return (name) => {
    let id = numbers.get(name)
    if (id === undefined) {
      id = Number(find.get(name)!.id)
      numbers.set(name, id)
    }
    return id
  }
}
