import type { DatabaseSync } from 'node:sqlite'
import { append } from '../../model/iteration.ts'
import type { OutlineColumns, OutlineOptions, OutlineText } from '../outline.ts'
import { SPEAKERS, speakerNumber } from '../speakers.ts'

const MARKER = speakerNumber('marker')
const WITH_TEXT = `(${speakerNumber('human')}, ${MARKER})`

/** So many items are concatenated at a time: memory that SQLite took for longer texts is not returned. */
const AT_ONCE = 8192

const OF_FILE = 'o.artifact = :id AND o.generation = :generation'
const ITEMS = `FROM occurrence o CROSS JOIN message m ON m.id = o.message WHERE ${OF_FILE}`
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

interface File {
  id: number
  generation: number
}

interface Concatenated {
  who: string
  line: string
  size: string
  at: string
  reply: string
  /** The beginnings of the texts of humans and markers, and what each marker is, as JSON. */
  texts: string
  markers: string
}

/** Reads what a page needs to lay out all items of a file. */
export function createOutlines(database: DatabaseSync) {
  const sql = {
    file: database.prepare('SELECT id, generation FROM artifact WHERE path = ?'),
    next: database.prepare(
      `SELECT o.line FROM occurrence o WHERE ${OF_FILE} AND o.line >= :from ${IN_ORDER} LIMIT 1 OFFSET ${AT_ONCE}`,
    ),
    columns:
      database.prepare(`SELECT group_concat(who, '') AS who, group_concat(line) AS line, group_concat(size) AS size,
      group_concat(at) AS at, group_concat(reply) AS reply,
      json_group_array(substr(text, 1, :cut)) FILTER (WHERE speaker IN ${WITH_TEXT}) AS texts,
      json_group_array(CASE WHEN speaker = ${MARKER} THEN coalesce(more ->> 'marker', 'note') END)
        FILTER (WHERE speaker IN ${WITH_TEXT}) AS markers FROM (
        SELECT substr(:letters, coalesce(o.who, m.who) + 1 + o.aside * length(:letters) / 2, 1) AS who,
          coalesce(o.who, m.who) AS speaker, m.text, m.more, o.line, coalesce(m.at, 'null') AS at,
          CASE WHEN ${HAS_NUL} THEN -1 ELSE coalesce(length(m.text), 0) END AS size, ${REPLY} AS reply
        ${ITEMS} AND o.line >= :from AND o.line < :until ${IN_ORDER})`),
    withNul: database.prepare(`SELECT m.text, coalesce(o.who, m.who) IN ${WITH_TEXT} AS isShown
      ${ITEMS} AND ${HAS_NUL} ${IN_ORDER}`),
    usage:
      database.prepare(`SELECT group_concat(reply) AS reply, group_concat(context) AS context, group_concat(output) AS output
      FROM (SELECT reply, input + cache_read + cache_write AS context, output FROM usage
        WHERE artifact = ? AND reply > ? AND cut = 0 ORDER BY reply LIMIT ${AT_ONCE})`),
  }

  return {
    outline(path: string, { letters, cut }: OutlineOptions): OutlineColumns {
      const file = sql.file.get(path) as File | undefined
      if (!file) return NOTHING
      let marked = ''
      const { line, sizes, at, reply, beginnings, kinds } = nothingYet()
      for (const part of partsOf(file, { cut, letters: lettersOf(letters) })) {
        marked += part.who
        append(line, numbersIn(part.line))
        append(sizes, numbersIn(part.size))
        append(at, numbersIn(part.at))
        append(reply, numbersIn(part.reply))
        append(beginnings, JSON.parse(part.texts) as (string | null)[])
        append(kinds, JSON.parse(part.markers) as (string | null)[])
      }
      if (!marked) return NOTHING
      const who = marked.toLowerCase()
      const positions = positionsOf(who, letters)
      if (sizes.includes(-1)) {
        const whole = sql.withNul.iterate({ ...file })
        for (const [index, each] of sizes.entries()) {
          if (each !== -1) continue
          const { text, isShown } = whole.next().value!
          sizes[index] = charactersIn(String(text))
          if (isShown) beginnings[positions.indexOf(index)] = beginning(String(text), cut)
        }
      }
      const replies = repliesIn(reply, usagesOf(file))
      return {
        who,
        line,
        size: sizes,
        at,
        off: spansIn(marked),
        texts: positions.map(
          (index, number): OutlineText => ({
            index,
            text: beginnings[number] ?? undefined,
            marker: kinds[number] ?? undefined,
          }),
        ),
        replies,
      }
    },
  }

  /** The items of a file in order, with all items of a line in one part. */
  function* partsOf(file: File, options: { cut: number; letters: string }): Generator<Concatenated> {
    let from = Number.MIN_SAFE_INTEGER
    while (from < Number.MAX_SAFE_INTEGER) {
      const next = sql.next.get({ ...file, from })?.line as number | undefined
      const until = next === undefined ? Number.MAX_SAFE_INTEGER : Math.max(next, from + 1)
      const part = sql.columns.get({ ...file, ...options, from, until }) as unknown as
        | Concatenated
        | { who: null }
      if (part.who !== null) yield part
      from = until
    }
  }

  /** The usage of all replies of a file, in the order of their numbers. */
  function usagesOf({ id }: File): Usages {
    const all: Usages = { replies: [], contexts: [], outputs: [] }
    for (let isMore = true; isMore; ) {
      const { reply, context, output } = sql.usage.get(id, all.replies.at(-1) ?? 0) as unknown as UsageColumns
      if (reply === null) return all
      const replies = numbersIn(reply)
      append(all.replies, replies)
      append(all.contexts, numbersIn(context))
      append(all.outputs, numbersIn(output))
      isMore = replies.length === AT_ONCE
    }
    return all
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

const nothingYet = () => ({
  ...{ line: [] as number[], sizes: [] as number[], at: [] as number[], reply: [] as number[] },
  ...{ beginnings: [] as (string | null)[], kinds: [] as (string | null)[] },
})

const numbersIn = (joined: string): number[] => JSON.parse(`[${joined}]`) as number[]

interface UsageColumns {
  reply: string | null
  context: string
  output: string
}

/** Lists of the same length. */
interface Usages {
  replies: number[]
  contexts: number[]
  outputs: number[]
}

/** The usage of each reply at its first item. */
function repliesIn(
  ofItems: readonly number[],
  { replies, contexts, outputs }: Usages,
): OutlineColumns['replies'] {
  const found: OutlineColumns['replies'] = { index: [], context: [], output: [] }
  const seen = new Uint8Array(replies.length)
  let last = 0
  for (let index = 0; index < ofItems.length; index++) {
    const number = ofItems[index]!
    if (number === last) continue
    last = number
    const row = indexOf(replies, number)
    if (row < 0 || seen[row] === 1) continue
    seen[row] = 1
    found.index.push(index)
    found.context.push(contexts[row]!)
    found.output.push(outputs[row]!)
  }
  return found
}

/** The position of a number in an ascending list, or -1. */
function indexOf(ascending: readonly number[], wanted: number): number {
  let from = 0
  let to = ascending.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (ascending[middle]! < wanted) from = middle + 1
    else to = middle
  }
  return ascending[from] === wanted ? from : -1
}

/** The first characters of a text, without splitting one. */
const beginning = (text: string, count: number): string =>
  text.length <= count ? text : [...text.slice(0, 2 * count)].slice(0, count).join('')

function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
