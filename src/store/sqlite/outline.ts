import type { DatabaseSync } from 'node:sqlite'
import type { OutlineColumns, OutlineOptions, OutlineText } from '../outline.ts'
import { SPEAKERS, speakerNumber } from './facets.ts'

const WITH_TEXT = `coalesce(o.who, m.who) IN (${speakerNumber('human')}, ${speakerNumber('marker')})`

const ITEMS = `FROM occurrence o CROSS JOIN message m ON m.id = o.message
  WHERE o.artifact = :id AND o.generation = :generation`
const IN_ORDER = 'ORDER BY o.line, o.place'

/** SQLite counts characters up to a NUL. The characters of texts with one are counted here. */
const HAS_NUL = 'octet_length(m.text) > length(m.text) AND instr(m.text, char(0)) > 0'

/**
 * The number of the reply, which is the first field of most. Parsing the JSON of each item would take as long
 * as everything else.
 */
const REPLY = `CASE WHEN m.more IS NULL THEN 0
  WHEN substr(m.more, 1, 9) = '{"reply":'
  THEN substr(m.more, 10, coalesce(nullif(instr(m.more, ','), 0), length(m.more)) - 10)
  ELSE coalesce(m.more ->> 'reply', 0) END`

interface Concatenated {
  who: string | null
  line: string
  size: string
  at: string
  reply: string
}

interface TextRow {
  text: string | null
  marker: string | null
  isMarker: number
}

/** Reads what a page needs to lay out all items of a file. */
export function createOutlines(database: DatabaseSync) {
  const sql = {
    file: database.prepare('SELECT id, generation FROM artifact WHERE path = ?'),
    columns:
      database.prepare(`SELECT group_concat(who, '') AS who, group_concat(line) AS line, group_concat(size) AS size,
      group_concat(at) AS at, group_concat(reply) AS reply FROM (
        SELECT substr(:letters, coalesce(o.who, m.who) + 1 + o.aside * length(:letters) / 2, 1) AS who, o.line, coalesce(m.at, 'null') AS at,
          CASE WHEN ${HAS_NUL} THEN -1 ELSE coalesce(length(m.text), 0) END AS size, ${REPLY} AS reply
        ${ITEMS} ${IN_ORDER})`),
    texts: database.prepare(`SELECT m.text, m.more ->> 'marker' AS marker,
      coalesce(o.who, m.who) = ${speakerNumber('marker')} AS isMarker ${ITEMS} AND ${WITH_TEXT} ${IN_ORDER}`),
    withNul: database.prepare(`SELECT m.text ${ITEMS} AND ${HAS_NUL} ${IN_ORDER}`),
    usage:
      database.prepare(`SELECT group_concat(reply) AS reply, group_concat(context) AS context, group_concat(output) AS output
      FROM (SELECT reply, input + cache_read + cache_write AS context, output FROM usage
        WHERE artifact = ? AND reply > 0 AND cut = 0 ORDER BY reply)`),
  }

  return {
    outline(path: string, { letters, cut }: OutlineOptions): OutlineColumns {
      const file = sql.file.get(path) as { id: number; generation: number } | undefined
      const found = file && (sql.columns.get({ ...file, letters: lettersOf(letters) }) as unknown)
      const { who: marked, line, size, at, reply } = (found ?? {}) as Concatenated
      if (!file || !marked) return NOTHING
      const who = marked.toLowerCase()
      const positions = positionsOf(who, letters)
      const texts = (sql.texts.all({ ...file }) as unknown as TextRow[]).map(
        ({ text, marker, isMarker }, number): OutlineText => ({
          index: positions[number]!,
          text: text === null ? undefined : beginning(text, cut),
          marker: isMarker ? (marker ?? 'note') : undefined,
        }),
      )
      const sizes = numbersIn(size)
      if (sizes.includes(-1)) {
        const counts = sql.withNul.all({ ...file }).map(({ text }) => charactersIn(String(text)))
        for (const [index, each] of sizes.entries()) if (each === -1) sizes[index] = counts.shift()!
      }
      const replies = repliesIn(numbersIn(reply), sql.usage.get(file.id) as unknown as UsageColumns)
      return {
        who,
        line: numbersIn(line),
        size: sizes,
        at: numbersIn(at),
        off: spansIn(marked),
        texts,
        replies,
      }
    },
  }
}

const NOTHING: OutlineColumns = {
  ...{ who: '', line: [], size: [], at: [], off: [], texts: [] },
  replies: { index: [], context: [], output: [] },
}

/** The letters by the number of the speaker, then those of items on abandoned branches. */
function lettersOf(letters: OutlineOptions['letters']): string {
  const all = SPEAKERS.map((speaker) => letters[speaker]).join('')
  return all + all.toUpperCase()
}

const spansIn = (marked: string): OutlineColumns['off'] =>
  Array.from(marked.matchAll(/[A-Z]+/g), ({ index, 0: { length } }) => ({ from: index, to: index + length }))

/** The positions of items of humans and of markers. */
function positionsOf(who: string, { human, marker }: OutlineOptions['letters']): number[] {
  const positions: number[] = []
  for (let index = 0; index < who.length; index++)
    if (who[index] === human || who[index] === marker) positions.push(index)
  return positions
}

const numbersIn = (joined: string): number[] => JSON.parse(`[${joined}]`) as number[]

interface UsageColumns {
  reply: string | null
  context: string
  output: string
}

/** The usage of each reply at its first item. */
function repliesIn(
  ofItems: readonly number[],
  { reply, context, output }: UsageColumns,
): OutlineColumns['replies'] {
  const found: OutlineColumns['replies'] = { index: [], context: [], output: [] }
  if (reply === null) return found
  const replies = numbersIn(reply)
  const contexts = numbersIn(context)
  const outputs = numbersIn(output)
  const firstOf = new Map<number, number>()
  let last = 0
  for (let index = 0; index < ofItems.length; index++) {
    const number = ofItems[index]!
    if (number !== last && number !== 0 && !firstOf.has(number)) firstOf.set(number, index)
    last = number
  }
  /** The row of usage by the position of an item, from 1. */
  const rows = new Int32Array(ofItems.length)
  for (let row = 0; row < replies.length; row++) {
    const index = firstOf.get(replies[row]!)
    if (index !== undefined) rows[index] = row + 1
  }
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]! - 1
    if (row < 0) continue
    found.index.push(index)
    found.context.push(contexts[row]!)
    found.output.push(outputs[row]!)
  }
  return found
}

/** The first characters of a text, without splitting one. */
const beginning = (text: string, count: number): string =>
  text.length <= count ? text : [...text.slice(0, 2 * count)].slice(0, count).join('')

function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
