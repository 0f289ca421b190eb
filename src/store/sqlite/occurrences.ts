import type { DatabaseSync } from 'node:sqlite'
import type { Position } from '../../model/session.ts'
import type { MessageRow } from '../increment.ts'
import { SPEAKERS, speakerNumber } from '../speakers.ts'
import type { StaleDays } from './figures/stale-days.ts'
import { createMessageTable } from './message-table.ts'
import type { Ranks } from './ranks.ts'
import type { WordIndex } from './words/word-index.ts'
import { prepareWrite } from './write-statement.ts'

/** One generation of a file. */
export interface FileGeneration {
  artifact: number
  generation: number
}

interface Occurrence extends Position {
  generation: number
  message: number
  copy: number
  who: number | null
}

const HUMAN = speakerNumber('human')
/** Larger than any order within a line, so that line and order fit into one key. */
const ORDERS = 2 ** 24

const COLUMNS = 'generation, line, place AS "order", message, copy, who'
const OF_FILE = 'artifact = :artifact AND generation = :generation'
const HERE = `${OF_FILE} AND line = :line AND place = :order`

/** A position as one number. */
export const positionKey = ({ line, order }: Position): number => line * ORDERS + (order % ORDERS)

const positionOf = (key: number): Position => ({ line: Math.floor(key / ORDERS), order: key % ORDERS })

/** What makes a prompt differ from the one that is stored at its position. */
export const contentKey = ({ who, offset, record, digest, more }: MessageRow): string =>
  `${record}.${digest}.${who}.${more?.label ?? ''}.${offset}`

/** Where each message occurs. Messages are stored once, and deleted with their last occurrence. */
export function createOccurrences(
  database: DatabaseSync,
  { stale, words, ranks }: { stale: StaleDays; words: WordIndex; ranks: Ranks },
) {
  const messages = createMessageTable(database, stale, words)
  const sql = {
    // In order, not by name: see `createMessageTable`.
    put: prepareWrite(
      database,
      `INSERT OR REPLACE INTO occurrence
      (artifact, generation, line, place, message, offset, length, copy, prompt, who, label, aside)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
    ),
    at: database.prepare(`SELECT ${COLUMNS} FROM occurrence WHERE ${HERE}`),
    from: database.prepare(`SELECT ${COLUMNS} FROM occurrence WHERE ${OF_FILE} AND line >= :line`),
    older: database.prepare(`SELECT ${COLUMNS} FROM occurrence WHERE artifact = ? AND generation < ?`),
    delete: prepareWrite(database, `DELETE FROM occurrence WHERE ${HERE}`),
    firstCopy: database.prepare(
      `SELECT artifact, generation, line, place AS "order" FROM occurrence WHERE message = ? AND copy = 1 LIMIT 1`,
    ),
    isCopied: database.prepare(
      `SELECT 1 FROM occurrence WHERE message = :message AND copy = 1 AND ${OF_FILE} LIMIT 1`,
    ),
    makeFirst: prepareWrite(database, `UPDATE occurrence SET copy = 0 WHERE ${HERE}`),
    makeCopy: prepareWrite(
      database,
      `UPDATE occurrence SET copy = 1 WHERE message = :message AND copy = 0
      AND artifact = (SELECT artifact FROM message WHERE id = :message)`,
    ),
    prompts: database.prepare(`SELECT o.line, o.place AS "order", o.offset, o.who, o.label, m.record, m.digest
      FROM occurrence o JOIN message m ON m.id = o.message
      WHERE o.artifact = :artifact AND o.generation = :generation AND o.prompt = 1`),
    aside: database.prepare(`SELECT line, place AS "order" FROM occurrence WHERE ${OF_FILE} AND aside = 1`),
    forgetRemoved: prepareWrite(database, 'DELETE FROM removed WHERE artifact = ?'),
    noteRemoved: prepareWrite(
      database,
      `INSERT OR REPLACE INTO removed SELECT o.message, o.artifact FROM occurrence o
      LEFT JOIN cut c ON c.artifact = o.artifact AND c.generation = o.generation
      WHERE o.artifact = ?1 AND o.generation < ?2 AND o.copy = 0 AND o.line >= coalesce(c.line, 0)
      AND NOT EXISTS (SELECT 1 FROM occurrence n JOIN artifact a ON a.id = n.artifact AND n.generation = a.generation
        WHERE n.message = o.message AND n.copy = 1)`,
    ),
    heirs: database.prepare(`SELECT o.artifact, o.generation, o.line, o.place AS "order"
      FROM occurrence own JOIN occurrence o ON o.message = own.message AND o.copy = 1
      JOIN artifact a ON a.id = o.artifact
      WHERE own.artifact = ?1 AND own.copy = 0 AND a.rank < (SELECT rank FROM artifact WHERE id = ?1)
      ORDER BY a.rank, a.id`),
    setAside: prepareWrite(database, `UPDATE occurrence SET aside = :aside WHERE ${HERE}`),
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

  return {
    flush: messages.flush,

    /** Stores an occurrence. `occupied` if another message may already be at this position. */
    put(file: FileGeneration, row: MessageRow, prompt: boolean, occupied: boolean): void {
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
      if (copy === 1 && ranks.of(put.owner) > ranks.of(file.artifact)) makeFirst(file, row)
    },

    makeFirst,

    /** Gives messages to files that have more of a right to them. */
    handOver(artifact: number): void {
      for (const { line, order, ...file } of sql.heirs.all(artifact))
        makeFirst(file as unknown as FileGeneration, { line, order } as unknown as Position)
    },

    remove(file: FileGeneration, key: number): void {
      const found = at(file, positionOf(key))
      if (found) release(file, found)
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
     * file.
     */
    forgetRepeated({ artifact, generation }: FileGeneration): void {
      for (const occurrence of older(artifact, generation)) {
        const { message, copy } = occurrence
        if (copy === 1 || sql.isCopied.get({ message, artifact, generation }))
          release({ artifact, generation: occurrence.generation }, occurrence)
      }
    },

    /** Notes which messages of a file are in no file any more. */
    noteRemoved({ artifact, generation }: FileGeneration): void {
      sql.forgetRemoved.run(artifact)
      sql.noteRemoved.run(artifact, generation)
    },

    /** The content keys of the stored prompts of a file, by position. */
    prompts({ artifact, generation }: FileGeneration): Map<number, string> {
      const stored = new Map<number, string>()
      for (const row of sql.prompts.all({ artifact, generation })) {
        const { offset, who, label, record, digest } = row
        const speaker = who === null ? '' : SPEAKERS[Number(who)]
        stored.set(
          positionKey(row as unknown as Position),
          `${record}.${digest}.${speaker}.${label ?? ''}.${offset}`,
        )
      }
      return stored
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
