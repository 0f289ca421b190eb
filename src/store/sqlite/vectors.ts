import type { DatabaseSync } from 'node:sqlite'
import { append } from '../../model/iteration.ts'
import {
  type Encoder,
  isSameEncoder,
  type VectorBatch,
  type VectorCounts,
  type VectorSet,
  type Vectors,
} from '../vectors.ts'
import { inTransaction, prepareWrite } from './database.ts'

/** So many ids share a row, because rows take longer to read than bytes. */
export const PER_BLOCK = 64
/** Characters of a message that are sent to the encoder. Few encoders read more. */
const LONGEST = 2000
/** Characters of the message before, without which many an answer means nothing, */
const CONTEXT = 500
/** and how many lines before it is looked for. */
const NEAR = 200
/** Shorter messages mean nothing alone: `ok`, `yes please`. */
const SHORTEST = 12
/** Ids that are looked through at once. */
const RANGE = 2000

/** A slot as a byte, for looking it up among those of a block. */
const SLOT = `unhex(printf('%02x', old.id % ${PER_BLOCK}))`
const AT = `instr(messages, ${SLOT})`

/**
 * The tables exist only where search by meaning is on:
 *
 * - `meaning`: the set; `removed` counts deleted messages, so that cached vectors are read again
 * - `vector`: a row for a range of ids: a byte for each message that has a vector, in order, and the vectors
 *
 * Triggers delete the vector of a message with the message. `until` never exceeds the last message, because
 * SQLite gives the ids of deleted last messages to new ones.
 */
const TABLES = `
  CREATE TABLE meaning (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    encoder TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0,
    dimensions INTEGER NOT NULL DEFAULT 0,
    removed INTEGER NOT NULL DEFAULT 0,
    fault TEXT
  );
  CREATE TABLE vector (block INTEGER PRIMARY KEY, messages BLOB NOT NULL, vectors BLOB NOT NULL);
  CREATE TRIGGER vector_removed AFTER DELETE ON message BEGIN
    UPDATE vector SET
      vectors = CAST(substr(vectors, 1, (${AT} - 1) * length(vectors) / length(messages)) ||
        substr(vectors, ${AT} * length(vectors) / length(messages) + 1) AS BLOB),
      messages = CAST(substr(messages, 1, ${AT} - 1) || substr(messages, ${AT} + 1) AS BLOB)
      WHERE block = old.id / ${PER_BLOCK} AND ${AT} > 0;
    UPDATE meaning SET removed = removed + 1,
      until = min(until, (SELECT coalesce(max(id), 0) FROM message));
  END;
`

const DROP = `DROP TRIGGER IF EXISTS vector_removed; DROP TABLE IF EXISTS vector; DROP TABLE IF EXISTS meaning`

const IS_ON = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'meaning'"

/** Whether search by meaning is on: the only thing that is looked up where it is off. */
export const hasVectors = (database: DatabaseSync): boolean => database.prepare(IS_ON).get() !== undefined

interface SetRow {
  encoder: string
  since: number
  until: number
  tokens: number
  dimensions: number
  fault: string | null
}

const SUMS = `SELECT coalesce(sum(length(messages)), 0) AS done, coalesce(sum(length(vectors)), 0) AS bytes
  FROM vector`

type Sums = Pick<VectorCounts, 'done' | 'bytes'>

export function createVectors(database: DatabaseSync): Vectors {
  const set = (): VectorSet | undefined => {
    if (!hasVectors(database)) return undefined
    const { encoder, since, until, tokens, dimensions, fault } = database
      .prepare('SELECT * FROM meaning')
      .get() as unknown as SetRow
    return {
      ...(JSON.parse(encoder) as Encoder),
      sinceMs: since,
      until,
      tokens,
      ...(dimensions > 0 && { dimensions }),
      ...(fault !== null && { fault }),
    }
  }

  return {
    set,
    counts(encoder) {
      const stored = set()
      const isStored = stored !== undefined && (!encoder || isSameEncoder(stored, encoder))
      const waiting = database.prepare(
        // Each is also what precedes the next.
        `SELECT count(*) AS waiting,
        coalesce(sum(min(length(text), ${LONGEST}) + min(length(text), ${CONTEXT})), 0) AS characters FROM message WHERE id > ? AND ${IS_WANTED}`,
      )
      return {
        ...(isStored ? (database.prepare(SUMS).get() as Sums) : { done: 0, bytes: 0 }),
        ...(waiting.get(isStored ? stored.until : 0) as Pick<VectorCounts, 'waiting' | 'characters'>),
      }
    },
    begin(encoder, nowMs) {
      inTransaction(database, () => {
        const before = set()
        const isSame = before !== undefined && isSameEncoder(before, encoder)
        if (!isSame) database.exec(`${DROP}; ${TABLES}`)
        prepareWrite(
          database,
          `INSERT INTO meaning (id, encoder, since) VALUES (1, ?, ?)
          ON CONFLICT DO UPDATE SET encoder = excluded.encoder, fault = NULL`,
        ).run(JSON.stringify(encoder), nowMs)
      })
    },
    end() {
      inTransaction(database, () => database.exec(DROP))
    },
    waiting(count) {
      const last = Number(database.prepare('SELECT max(id) AS id FROM message').get()!.id ?? 0)
      const some = database.prepare(`SELECT id AS message,
        coalesce(${BEFORE} || char(10), '') || substr(text, 1, ${LONGEST}) AS text FROM message m WHERE id > ? AND id <= ? AND ${IS_WANTED} ORDER BY id LIMIT ?`)
      const messages: { message: number; text: string }[] = []
      let until = set()?.until ?? last
      while (until < last) {
        const end = Math.min(until + RANGE, last)
        const left = count - messages.length
        const found = some.all(until, end, left) as unknown as typeof messages
        append(messages, found)
        if (found.length === left) return { messages, until: messages.at(-1)!.message }
        until = end
      }
      return { messages, until }
    },
    put({ vectors, until, tokens }, encoder) {
      inTransaction(database, () => {
        const now = set()
        if (!now || !isSameEncoder(now, encoder)) return
        const { dimensions = vectors[0]?.vector.length ?? 0 } = now
        putBlocks(database, vectors, dimensions)
        prepareWrite(
          database,
          `UPDATE meaning SET until = min(?, (SELECT coalesce(max(id), 0) FROM message)),
          tokens = tokens + ?, dimensions = ?, fault = NULL`,
        ).run(until, tokens, dimensions)
      })
    },
    noteFault(fault) {
      if (hasVectors(database)) prepareWrite(database, 'UPDATE meaning SET fault = ?').run(fault ?? null)
    },
  }
}

/** Of people and agents, and long enough to mean something. */
const IS_WANTED = `who IN (0, 1) AND length(text) >= ${SHORTEST}`

/** The beginning of what was said before a message `m` in its file. Ids do not follow the lines. */
const BEFORE = `(SELECT substr(b.text, 1, ${CONTEXT}) FROM artifact a
  JOIN occurrence o ON o.artifact = a.id AND o.generation = a.generation AND o.line < m.line AND o.line >= m.line - ${NEAR}
  JOIN message b ON b.id = o.message
  WHERE a.id = m.artifact AND b.who IN (0, 1) ORDER BY o.line DESC, o.place DESC LIMIT 1)`

/** Adds vectors to their blocks, except those of messages that are deleted or already have one. */
function putBlocks(database: DatabaseSync, vectors: VectorBatch['vectors'], dimensions: number): void {
  const find = database.prepare('SELECT messages, vectors FROM vector WHERE block = ?')
  const isStored = database.prepare('SELECT 1 FROM message WHERE id = ?')
  const replace = prepareWrite(database, 'INSERT OR REPLACE INTO vector VALUES (?, ?, ?)')
  const blocks = Map.groupBy(vectors, ({ message }) => Math.floor(message / PER_BLOCK))
  for (const [block, added] of blocks) {
    const before = find.get(block) as { messages: Uint8Array; vectors: Uint8Array } | undefined
    const slots = [...(before?.messages ?? [])]
    const bytes: Uint8Array[] = before ? [before.vectors] : []
    for (const { message, vector } of added) {
      const slot = message % PER_BLOCK
      if (vector.length !== dimensions || slots.includes(slot) || !isStored.get(message)) continue
      slots.push(slot)
      bytes.push(new Uint8Array(vector.buffer, vector.byteOffset, vector.length))
    }
    if (slots.length > 0) replace.run(block, Uint8Array.from(slots), Buffer.concat(bytes))
  }
}
