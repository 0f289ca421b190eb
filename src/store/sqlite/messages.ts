import type { DatabaseSync } from 'node:sqlite'
import { indexText } from '../../search/words.ts'
import type { MessageRow } from '../store.ts'
import { createCalendar } from './calendar.ts'
import { facetsOf, SPEAKERS, speakerNumber } from './facets.ts'
import type { StaleDays } from './stale-days.ts'

/** A file in one of its generations. */
export interface Place {
  artifact: number
  generation: number
}

interface StoredOccurrence {
  line: number
  place: number
  message: number
  copy: number
  who: number | null
}

interface StoredMessageRow {
  at: number | null
  artifact: number
  who: number
  text: string | null
  tool: number | null
  target: string | null
}

const HUMAN = speakerNumber('human')
const PROGRAM = speakerNumber('program')
/** Room for a place behind a line number in one key. */
const PLACES = 2 ** 24

const INSERT = `INSERT OR IGNORE INTO message (record, digest, artifact, line, who, at, text, tool, target, more)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const SPEAK = 'INSERT INTO spoken (rowid, text, facet) VALUES (?, ?, ?)'
/** A statement keeps what was last bound to it: for a longer text another one is made, which goes with it. */
const LONG_TEXT = 4 * 1024 * 1024

/** Messages, each once, and their occurrences. A message without any occurrence left is dropped from the index too. */
export function createMessages(database: DatabaseSync, stale: StaleDays) {
  const sql = {
    tool: database.prepare(
      'INSERT INTO tool (name) VALUES (?) ON CONFLICT DO UPDATE SET name = name RETURNING id',
    ),
    insert: database.prepare(INSERT),
    find: database.prepare('SELECT id, who, artifact, line FROM message WHERE record = ? AND digest = ?'),
    spoken: database.prepare(SPEAK),
    unspoken: database.prepare('DELETE FROM spoken WHERE rowid = ?'),
    drop: database.prepare('DELETE FROM message WHERE id = ? RETURNING at'),
    own: database.prepare('UPDATE message SET artifact = ?, line = ?, who = ? WHERE id = ?'),
    owner: database.prepare('SELECT artifact, line, who FROM message WHERE id = ?'),
    more: database.prepare('UPDATE message SET more = ?1 WHERE id = ?2 AND more IS NOT ?1'),
    message: database.prepare('SELECT at, text, tool, target FROM message WHERE id = ?'),
    occur: database.prepare(`INSERT OR REPLACE INTO occurrence
      (artifact, generation, line, place, message, offset, length, copy, prompt, aside, who, label)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`),
    at: database.prepare(
      'SELECT line, place, message, copy, who FROM occurrence WHERE artifact = ? AND generation = ? AND line = ? AND place = ?',
    ),
    from: database.prepare(
      'SELECT line, place, message, copy, who FROM occurrence WHERE artifact = ? AND generation = ? AND line >= ?',
    ),
    older: database.prepare(
      'SELECT generation, line, place, message, copy, who FROM occurrence WHERE artifact = ? AND generation < ?',
    ),
    delete: database.prepare(
      'DELETE FROM occurrence WHERE artifact = ? AND generation = ? AND line = ? AND place = ?',
    ),
    copies: database.prepare(
      'SELECT artifact, generation, line, place FROM occurrence WHERE message = ? AND copy = 1 LIMIT 1',
    ),
    // Of those who are said to have said it the first: a human before a program. The place it is told at is none of the copies.
    speaker: database.prepare(`SELECT min(who) AS who FROM (
      SELECT who FROM occurrence WHERE message = ?1 AND copy = 1 UNION ALL
      SELECT who FROM occurrence WHERE prompt = 1 AND artifact = ?2 AND line = ?3 AND message = ?1)`),
    copyHere: database.prepare(
      'SELECT 1 FROM occurrence WHERE message = ? AND copy = 1 AND artifact = ? AND generation = ? LIMIT 1',
    ),
    first: database.prepare(
      'UPDATE occurrence SET copy = 0 WHERE artifact = ? AND generation = ? AND line = ? AND place = ?',
    ),
    prompts:
      database.prepare(`SELECT o.line, o.place, o.offset, o.who, o.label, m.record, m.digest FROM occurrence o
      JOIN message m ON m.id = o.message WHERE o.artifact = ? AND o.generation = ? AND o.prompt = 1`),
    asideNow: database.prepare(
      'SELECT line, place FROM occurrence WHERE artifact = ? AND generation = ? AND aside = 1',
    ),
    aside: database.prepare(
      'UPDATE occurrence SET aside = ? WHERE artifact = ? AND generation = ? AND line = ? AND place = ?',
    ),
  }
  const tools = new Map<string, number>()
  const calendar = createCalendar(database)

  function toolNumber(name: string): number {
    let id = tools.get(name)
    if (id === undefined) {
      id = Number(sql.tool.get(name)!.id)
      tools.set(name, id)
    }
    return id
  }

  /** The message of a row, made when it is new. Answers whether it stood somewhere already. */
  function messageOf(artifact: number, row: MessageRow): { id: number; copy: number } {
    const [who, at, text, toolName, target, line, , , , record, digest, more, words] = row
    const speaker = speakerNumber(who)
    const tool = toolName === null ? null : toolNumber(toolName)
    const extra = more === null ? null : JSON.stringify(more)
    const isLong = (text?.length ?? 0) > LONG_TEXT
    // The prompts of a file come again with each of its increments.
    let known = isLong ? sql.find.get(record, digest) : undefined
    if (!known) {
      const insert = isLong ? database.prepare(INSERT) : sql.insert
      const columns = [record, digest, artifact, line, speaker, at, text, tool, target, extra] as const
      const { changes, lastInsertRowid } = insert.run(...columns)
      if (changes === 0) known = sql.find.get(record, digest)!
      else return addToIndex(Number(lastInsertRowid))
    }
    const id = Number(known.id)
    // Stored before it was kept of which reply it is.
    if (more?.reply !== undefined) sql.more.run(extra, id)
    // What a human said somewhere is a human's, although a fork holds a copy that counts as a program's.
    if (speaker === HUMAN && known.who === PROGRAM) own(id, Number(known.artifact), Number(known.line), HUMAN)
    return { id, copy: 1 }

    function addToIndex(id: number): { id: number; copy: number } {
      const speak = isLong ? database.prepare(SPEAK) : sql.spoken
      speak.run(id, words ?? text ?? target ?? '', facetsOf(speaker, artifact, tool, text))
      if (at !== null) calendar.note(at, id)
      stale.note(at)
      return { id, copy: 0 }
    }
  }

  /** Gives a message to the file that holds it first, which searches are cut down by. */
  function own(id: number, artifact: number, line: number, who: number): void {
    const before = sql.owner.get(id)!
    sql.own.run(artifact, line, who, id)
    if (before.artifact === artifact && before.who === who) return
    const { at, text, tool, target } = sql.message.get(id) as unknown as StoredMessageRow
    stale.note(at)
    sql.unspoken.run(id)
    sql.spoken.run(id, indexText(text ?? target ?? ''), facetsOf(who, artifact, tool, text))
  }

  /** Decides anew whose words a message is, after one of its places is gone or is told otherwise. */
  function attribute(id: number, artifact: number, line: number): void {
    const who = sql.speaker.get(id, artifact, line)!.who ?? sql.owner.get(id)!.who
    own(id, artifact, line, Number(who))
  }

  function attributeInPlace(id: number): void {
    const { artifact, line } = sql.owner.get(id)!
    attribute(id, Number(artifact), Number(line))
  }

  function release(place: Place, { line, place: order, message, copy, who }: StoredOccurrence): void {
    sql.delete.run(place.artifact, place.generation, line, order)
    if (copy === 1) {
      if (who === HUMAN) attributeInPlace(message)
      return
    }
    const heir = sql.copies.get(message)
    if (!heir) {
      stale.note(sql.drop.get(message)!.at as number | null)
      sql.unspoken.run(message)
      return
    }
    sql.first.run(heir.artifact!, heir.generation!, heir.line!, heir.place!)
    attribute(message, Number(heir.artifact), Number(heir.line))
  }

  return {
    flush: calendar.flush,
    placeKey: ([, , , , , line, , , order]: MessageRow): number => line * PLACES + (order % PLACES),
    contentKey: ([who, , , , , , offset, , , record, digest, more]: MessageRow): string =>
      `${record}.${digest}.${who}.${more?.label ?? ''}.${offset}`,

    /** Puts a message to its place; `occupied` when another one may stand there. */
    put(place: Place, row: MessageRow, prompt: boolean, occupied: boolean): void {
      const [who, , , , , line, offset, length, order, , , more] = row
      const before = occupied
        ? (sql.at.get(place.artifact, place.generation, line, order) as StoredOccurrence | undefined)
        : undefined
      const { id, copy } = messageOf(place.artifact, row)
      const same = before?.message === id
      if (before && !same) release(place, before)
      // Only of what was said to the agent may it depend on the file who said it.
      const [said, label] = prompt ? [speakerNumber(who), more?.label ?? null] : [null, null]
      sql.occur.run(
        ...([place.artifact, place.generation, line, order, id, offset, length] as const),
        ...([same ? before.copy : copy, prompt ? 1 : 0, said, label] as const),
      )
      if (same && before.who === HUMAN && said !== HUMAN) attributeInPlace(id)
    },

    remove(place: Place, key: number): void {
      const [line, order] = [Math.floor(key / PLACES), key % PLACES]
      const found = sql.at.get(place.artifact, place.generation, line, order) as StoredOccurrence | undefined
      if (found) release(place, found)
    },

    /** What stands at a line and behind it: it is told anew. */
    removeFrom(place: Place, line: number): void {
      for (const each of sql.from.all(place.artifact, place.generation, line))
        release(place, each as unknown as StoredOccurrence)
    },

    /** Everything that stands in a file, whatever its generation. */
    removeFile(artifact: number): void {
      for (const each of sql.older.all(artifact, Number.MAX_SAFE_INTEGER)) {
        const old = each as unknown as StoredOccurrence & { generation: number }
        release({ artifact, generation: old.generation }, old)
      }
    },

    /** What earlier generations of a file held and this one holds too. What is left of them is gone from the file. */
    forgetRepeated(place: Place): void {
      for (const each of sql.older.all(place.artifact, place.generation)) {
        const old = each as unknown as StoredOccurrence & { generation: number }
        if (old.copy === 1 || sql.copyHere.get(old.message, place.artifact, place.generation))
          release({ artifact: place.artifact, generation: old.generation }, old)
      }
    },

    prompts(place: Place): Map<number, string> {
      const stored = new Map<number, string>()
      for (const { line, place: order, offset, who, label, record, digest } of sql.prompts.all(
        place.artifact,
        place.generation,
      ))
        stored.set(
          Number(line) * PLACES + Number(order),
          `${record}.${digest}.${who === null ? '' : SPEAKERS[Number(who)]}.${label ?? ''}.${offset}`,
        )
      return stored
    },

    /** Marks the words on branches that were left behind, and no others. */
    setAside(place: Place, left: readonly number[]): void {
      const wanted = new Set<number>()
      for (let at = 0; at < left.length; at += 2) wanted.add(left[at]! * PLACES + left[at + 1]!)
      for (const { line, place: order } of sql.asideNow.all(place.artifact, place.generation)) {
        const key = Number(line) * PLACES + Number(order)
        if (!wanted.delete(key)) sql.aside.run(0, place.artifact, place.generation, line!, order!)
      }
      for (const key of wanted)
        sql.aside.run(1, place.artifact, place.generation, Math.floor(key / PLACES), key % PLACES)
    },
  }
}
