import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Position } from '../../model/session.ts'
import type { MessageRow } from '../increment.ts'
import { SPEAKERS, speakerNumber } from '../stored.ts'
import type { Ranks } from './artifacts.ts'
import { prepareWrite, type WriteStatement } from './database.ts'
import { createCalendar, type StaleDays } from './days.ts'
import type { WordIndex } from './word-index.ts'

/** One generation of a file. */
export interface FileGeneration {
  artifact: number
  generation: number
}

export interface Occurrence extends Position {
  generation: number
  message: number
  copy: number
  who: number | null
}

/** An occurrence with all that is stored of it. */
interface WholeOccurrence extends Occurrence {
  artifact: number
  offset: number
  length: number
  prompt: 0 | 1
  label: string | null
  aside: 0 | 1
}

const HUMAN = speakerNumber('human')
/** Larger than any order within a line, so that line and order fit into one key. */
const ORDERS = 2 ** 24

const COLUMNS = 'generation, line, place AS "order", message, copy, who'
const WHOLE = `artifact, ${COLUMNS}, offset, length, prompt, label, aside`
const OF_FILE = 'artifact = :artifact AND generation = :generation'
const HERE = `${OF_FILE} AND line = :line AND place = :order`

/** A position as one number. */
const positionKey = ({ line, order }: Position): number => line * ORDERS + (order % ORDERS)

const positionOf = (key: number): Position => ({ line: Math.floor(key / ORDERS), order: key % ORDERS })

/** What makes a prompt differ from the one that is stored at its position. */
const contentKey = ({ who, offset, record, digest, more }: MessageRow): string =>
  `${record}.${digest}.${who}.${more?.label ?? ''}.${offset}`

/** Whether an occurrence `o` is in a part `c` that the client has cut off its file: see `cuts.ts`. */
export const IN_CUT = '(o.line < c.line OR (c.line < 0 AND o.line >= -c.line))'

/** Where each message occurs. Messages are stored once, and deleted with their last occurrence. */
export function createOccurrences(
  database: DatabaseSync,
  { stale, words, ranks }: { stale: StaleDays; words: WordIndex; ranks: Ranks },
) {
  const messages = createMessageTable(database, stale, words)
  const write = (text: string) => prepareWrite(database, text)
  const sql = {
    // In order, not by name: see `createMessageTable`.
    put: write(`INSERT OR REPLACE INTO occurrence
      (artifact, generation, line, place, message, offset, length, copy, prompt, who, label, aside)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`),
    at: database.prepare(`SELECT ${COLUMNS} FROM occurrence WHERE ${HERE}`),
    from: database.prepare(`SELECT ${COLUMNS} FROM occurrence WHERE ${OF_FILE} AND line >= :line`),
    older: database.prepare(`SELECT ${COLUMNS} FROM occurrence WHERE artifact = ? AND generation < ?`),
    delete: write(`DELETE FROM occurrence WHERE ${HERE}`),
    firstCopy: database.prepare(`SELECT o.artifact, o.generation, o.line, o.place AS "order"
      FROM occurrence o JOIN artifact a ON a.id = o.artifact WHERE o.message = ? AND o.copy = 1
      ORDER BY a.rank, o.generation < a.generation, a.id, o.generation DESC, o.line, o.place LIMIT 1`),
    isCopied: database.prepare(
      `SELECT 1 FROM occurrence WHERE message = :message AND copy = 1 AND ${OF_FILE} LIMIT 1`,
    ),
    isFirst:
      database.prepare(`SELECT 1 FROM message m JOIN occurrence o ON o.artifact = m.artifact AND o.line = m.line
      AND o.message = m.id WHERE m.id = :message AND o.artifact = :artifact AND o.generation = :generation`),
    copies: database.prepare(`SELECT ${WHOLE} FROM occurrence WHERE message = ? AND copy = 1`),
    firsts: database.prepare(
      `SELECT ${WHOLE} FROM occurrence WHERE artifact = ? AND message = ? AND copy = 0`,
    ),
    makeFirst: write(`UPDATE occurrence SET copy = 0 WHERE ${HERE}`),
    makeCopy: write(`UPDATE occurrence SET copy = 1 WHERE message = :message AND copy = 0
      AND artifact = (SELECT artifact FROM message WHERE id = :message)`),
    prompts: database.prepare(`SELECT o.line, o.place AS "order", o.offset, o.who, o.label, m.record, m.digest
      FROM occurrence o JOIN message m ON m.id = o.message
      WHERE o.artifact = :artifact AND o.generation = :generation AND o.prompt = 1`),
    isBack: database.prepare(`SELECT 1 FROM occurrence o JOIN message m ON m.id = o.message
      JOIN occurrence f ON f.artifact = m.artifact AND f.message = m.id AND f.copy = 0 AND f.generation < :generation
      WHERE o.artifact = :artifact AND o.generation = :generation AND o.line >= :line AND o.copy = 1
        AND m.artifact = :artifact LIMIT 1`),
    aside: database.prepare(`SELECT line, place AS "order" FROM occurrence WHERE ${OF_FILE} AND aside = 1`),
    forgetRemoved: write('DELETE FROM removed WHERE artifact = ?'),
    noteRemoved: write(`INSERT OR REPLACE INTO removed SELECT o.message, o.artifact FROM occurrence o
      WHERE o.artifact = ?1 AND o.generation < ?2 AND o.copy = 0 AND NOT EXISTS (SELECT 1 FROM cut c
        WHERE c.artifact = o.artifact AND c.generation = o.generation AND ${IN_CUT})
      AND NOT EXISTS (SELECT 1 FROM occurrence n JOIN artifact a ON a.id = n.artifact AND n.generation = a.generation
        WHERE n.message = o.message AND n.copy = 1)`),
    heirs: database.prepare(`SELECT o.artifact, o.generation, o.line, o.place AS "order"
      FROM occurrence own JOIN occurrence o ON o.message = own.message AND o.copy = 1
      JOIN artifact a ON a.id = o.artifact
      WHERE own.artifact = ?1 AND own.copy = 0 AND a.rank < (SELECT rank FROM artifact WHERE id = ?1)
      ORDER BY a.rank, a.id`),
    claims: database.prepare(`SELECT o.artifact, o.generation, o.line, o.place AS "order"
      FROM artifact own JOIN occurrence o ON o.artifact = own.id AND o.generation = own.generation
      JOIN message m ON m.id = o.message JOIN artifact a ON a.id = m.artifact
      WHERE own.id = ? AND o.copy = 1 AND a.rank > own.rank`),
    setAside: write(`UPDATE occurrence SET aside = :aside WHERE ${HERE}`),
  }

  function release({ artifact }: FileGeneration, occurrence: Occurrence): void {
    const { generation, line, order, message, copy, who } = occurrence
    sql.delete.run({ artifact, generation, line, order })
    if (copy === 1) {
      if (who === HUMAN) messages.reattribute(message)
      return
    }
    const heir = sql.firstCopy.get(message)
    if (!heir) {
      messages.drop(message)
      return
    }
    sql.makeFirst.run(heir as Record<keyof Position | keyof FileGeneration, number>)
    messages.attribute(message, Number(heir.artifact), Number(heir.line))
  }

  /** Makes the occurrence at a position the first one of its message. */
  function makeFirst(file: FileGeneration, { line, order }: Position): void {
    const here = at(file, { line, order })
    if (!here || here.copy === 0) return
    sql.makeCopy.run({ message: here.message })
    sql.makeFirst.run({ ...file, line, order })
    messages.attribute(here.message, file.artifact, line)
  }

  const at = (file: FileGeneration, { line, order }: Position): Occurrence | undefined =>
    sql.at.get({ ...file, line, order }) as Occurrence | undefined

  const older = (artifact: number, generation: number): Occurrence[] =>
    sql.older.all(artifact, generation) as unknown as Occurrence[]

  /** Stores an occurrence. `occupied` if another message may already be at this position. */
  function put(file: FileGeneration, row: MessageRow, prompt: boolean, occupied: boolean): void {
    const { line, order, offset, length } = row
    const before = occupied ? at(file, row) : undefined
    const put = messages.put(file.artifact, row)
    const same = before?.message === put.id
    if (before && !same) release(file, before)
    // Only the speaker of a prompt may depend on the file.
    const who = prompt ? speakerNumber(row.who) : null
    const label = prompt ? (row.more?.label ?? null) : null
    const copy = same ? before.copy : put.copy
    const occurrence = [file.artifact, file.generation, line, order, put.id, offset, length] as const
    sql.put.run(...occurrence, copy, prompt ? 1 : 0, who, label)
    if (same && before.who === HUMAN && who !== HUMAN) messages.reattribute(put.id)
    if (copy === 0 || ranks.of(put.owner) <= ranks.of(file.artifact)) return
    makeFirst(file, row)
    messages.date(put.id, row.at)
  }

  /** Puts a message in all positions of another one, which is deleted. A file has it once. */
  function replace(earlier: number, later: number): void {
    const owner = messages.ownerOf(earlier)
    const all = [
      ...sql.copies.all(earlier),
      ...sql.firsts.all(owner, earlier),
    ] as unknown as WholeOccurrence[]
    for (const { offset, length, prompt, label, aside, ...here } of all) {
      const { artifact, generation, line, order, who } = here
      release({ artifact, generation }, here)
      const file = { message: later, artifact, generation }
      if (sql.isFirst.get(file) || sql.isCopied.get(file)) continue
      sql.put.run(artifact, generation, line, order, later, offset, length, 1, prompt, who, label)
      if (aside === 1) sql.setAside.run({ aside, artifact, generation, line, order })
      if (who === HUMAN) messages.reattribute(later)
      if (ranks.of(messages.ownerOf(later)) > ranks.of(artifact))
        makeFirst({ artifact, generation }, { line, order })
    }
  }

  return {
    flush: messages.flush,
    put,
    release,
    replace,

    makeFirst,

    /** After the rank of a file has changed: gives messages to files that have more of a right to them. */
    handOver(artifact: number): void {
      for (const { line, order, ...file } of [...sql.heirs.all(artifact), ...sql.claims.all(artifact)])
        makeFirst(file as unknown as FileGeneration, { line, order } as unknown as Position)
    },

    /** Removes the occurrences from a line on, before those lines are read again. */
    removeFrom({ artifact, generation }: FileGeneration, line: number): void {
      for (const occurrence of sql.from.all({ artifact, generation, line }))
        release({ artifact, generation }, occurrence as unknown as Occurrence)
    },

    /** Removes all occurrences in a file, in every generation. */
    removeFile(artifact: number): void {
      for (const occurrence of older(artifact, Number.MAX_SAFE_INTEGER))
        release({ artifact, generation: occurrence.generation }, occurrence)
    },

    /**
     * Removes occurrences of earlier generations that this one repeats. The remaining ones are gone from the
     * file. Those that are copies go in any case, except where copies of a session remain (`keepsCopies`).
     * Returns the messages that went.
     */
    forgetRepeated({ artifact, generation }: FileGeneration, keepsCopies: boolean): Set<number> {
      const repeated = new Set<number>()
      for (const occurrence of older(artifact, generation)) {
        const { message, copy } = occurrence
        const here = { message, artifact, generation }
        const isRepeated =
          copy === 1
            ? !keepsCopies || sql.isFirst.get(here) || sql.isCopied.get(here)
            : sql.isCopied.get(here)
        if (!isRepeated) continue
        release({ artifact, generation: occurrence.generation }, occurrence)
        repeated.add(message)
      }
      return repeated
    },

    /** Whether a message of an earlier generation is in the file again, from a line on. */
    isBack: (file: FileGeneration, line: number): boolean =>
      file.generation > 1 && sql.isBack.get({ ...file, line }) !== undefined,

    /** Removes what is left of an earlier generation. */
    removeGeneration({ artifact, generation }: FileGeneration): void {
      for (const occurrence of older(artifact, generation + 1))
        if (occurrence.generation === generation) release({ artifact, generation }, occurrence)
    },

    /** Notes which messages of a file are in no file any more. */
    noteRemoved({ artifact, generation }: FileGeneration): void {
      sql.forgetRemoved.run(artifact)
      sql.noteRemoved.run(artifact, generation)
    },

    /**
     * Stores all prompts of a file. Every new line may change the speakers of earlier ones, so those that are
     * stored are compared with the new ones.
     */
    putPrompts(file: FileGeneration, prompts: readonly MessageRow[]): void {
      const stored = new Map<number, string>()
      for (const { line, order, offset, who, label, record, digest } of sql.prompts.all({ ...file })) {
        const speaker = who === null ? '' : SPEAKERS[Number(who)]
        const key = positionKey({ line: Number(line), order: Number(order) })
        stored.set(key, `${record}.${digest}.${speaker}.${label ?? ''}.${offset}`)
      }
      for (const row of prompts) {
        const key = positionKey(row)
        if (stored.get(key) !== contentKey(row)) put(file, row, true, stored.has(key))
        stored.delete(key)
      }
      for (const key of stored.keys()) {
        const former = at(file, positionOf(key))
        if (former) release(file, former)
      }
    },

    /** Marks these messages as being on abandoned branches, and no others. */
    setAside({ artifact, generation }: FileGeneration, left: readonly Position[]): void {
      const wanted = new Set(left.map(positionKey))
      const set = (aside: 0 | 1, key: number): void => {
        sql.setAside.run({ aside, artifact, generation, ...positionOf(key) })
      }
      for (const row of sql.aside.all({ artifact, generation })) {
        const key = positionKey(row as unknown as Position)
        if (!wanted.delete(key)) set(0, key)
      }
      for (const key of wanted) set(1, key)
    },
  }
}

interface StoredRow {
  at: number | null
  text: string | null
  tool: number | null
  target: string | null
}

const STOPPED = '"stopReason"'
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
interface PutMessage {
  id: number
  copy: 0 | 1
  /** The file that the message counts for. */
  owner: number
}

/** The messages, each stored once. */
function createMessageTable(database: DatabaseSync, stale: StaleDays, words: WordIndex) {
  const write = (text: string) => prepareWrite(database, text)
  const sql = {
    insert: write(INSERT),
    find: database.prepare(
      'SELECT id, who, artifact, line, more FROM message WHERE record = ? AND digest = ?',
    ),
    tool: database.prepare(
      'INSERT INTO tool (name) VALUES (?) ON CONFLICT DO UPDATE SET name = name RETURNING id',
    ),
    drop: database.prepare('DELETE FROM message WHERE id = ? RETURNING at'),
    forgetRemoved: write('DELETE FROM removed WHERE message = ?'),
    own: write('UPDATE message SET artifact = :artifact, line = :line, who = :who WHERE id = :id'),
    owner: database.prepare('SELECT artifact, line, who FROM message WHERE id = ?'),
    date: write('UPDATE message SET at = :at WHERE id = :id'),
    more: write('UPDATE message SET more = :more WHERE id = :id AND more IS NOT :more'),
    message: database.prepare('SELECT at, text, tool, target FROM message WHERE id = ?'),
    // Speakers of the first occurrence and its copies in other files: a human wins over a program.
    speaker: database.prepare(`SELECT min(who) AS who FROM (
      SELECT who FROM occurrence WHERE message = :id AND copy = 1 UNION ALL
      SELECT who FROM occurrence WHERE prompt = 1 AND artifact = :artifact AND line = :line AND message = :id)`),
  }
  const calendar = createCalendar(database)
  const tools = new Map<string, number>()

  /** The number of a tool, looked up once. */
  function toolNumber(name: string): number {
    const id = tools.get(name) ?? Number(sql.tool.get(name)!.id)
    tools.set(name, id)
    return id
  }

  function put(artifact: number, row: MessageRow): PutMessage {
    const { record, digest, at, text, target } = row
    const isLong = (text?.length ?? 0) > LONG_TEXT
    // Most increments of a file contain all of its prompts.
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
    /** Gives a message another time: some copies have that of the copying. */
    date(id: number, at: number | null): void {
      const before = (sql.message.get(id) as unknown as StoredRow).at
      if (before === at) return
      sql.date.run({ id, at })
      for (const each of [before, at]) stale.note(each)
      if (at !== null) calendar.note(at, id)
    },
    /** The file that a message counts for. */
    ownerOf: (id: number): number => Number(sql.owner.get(id)!.artifact),
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
