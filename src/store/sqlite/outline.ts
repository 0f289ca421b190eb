import type { DatabaseSync } from 'node:sqlite'
import { append } from '../../model/iteration.ts'
import { type OutlineColumns, type OutlineOptions, SPEAKERS, speakerNumber } from '../stored.ts'

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

/** What SQLite concatenates for each item, as JSON arrays. */
interface Lists {
  line: number[]
  /** -1 for a text with a NUL. */
  size: number[]
  at: (number | null)[]
  reply: number[]
  /** The beginnings of the texts of humans and markers, and what each marker is. */
  texts: (string | null)[]
  markers: (string | null)[]
}

/** The usage of replies, in the order of their numbers. */
interface Usages {
  reply: number[]
  context: number[]
  output: number[]
}

/** Appends lists that are JSON to those of the same names. */
function appendAll<Name extends string>(
  lists: Record<Name, unknown[]>,
  found: Record<Name, string | null>,
): void {
  for (const name of Object.keys(lists) as Name[])
    append(lists[name], JSON.parse(found[name] ?? '[]') as unknown[])
}

const list = (name: string): string => `'[' || group_concat(${name}) || ']' AS ${name}`

/** Reads what a page needs to lay out all items of a file. */
export function createOutlines(database: DatabaseSync) {
  const sql = {
    file: database.prepare('SELECT id, generation FROM artifact WHERE path = ?'),
    next: database.prepare(
      `SELECT o.line FROM occurrence o WHERE ${OF_FILE} AND o.line >= :from ${IN_ORDER} LIMIT 1 OFFSET ${AT_ONCE}`,
    ),
    columns: database.prepare(`SELECT group_concat(who, '') AS who,
      ${['line', 'size', 'at', 'reply'].map(list).join(', ')},
      json_group_array(substr(text, 1, :cut)) FILTER (WHERE speaker IN ${WITH_TEXT}) AS texts,
      json_group_array(CASE WHEN speaker = ${MARKER} THEN coalesce(more ->> 'marker', 'note') END)
        FILTER (WHERE speaker IN ${WITH_TEXT}) AS markers FROM (
        SELECT substr(:letters, coalesce(o.who, m.who) + 1 + o.aside * length(:letters) / 2, 1) AS who,
          coalesce(o.who, m.who) AS speaker, m.text, m.more, o.line, coalesce(m.at, 'null') AS at,
          CASE WHEN ${HAS_NUL} THEN -1 ELSE coalesce(length(m.text), 0) END AS size, ${REPLY} AS reply
        ${ITEMS} AND o.line >= :from AND o.line < :until ${IN_ORDER})`),
    withNul: database.prepare(`SELECT m.text, coalesce(o.who, m.who) IN ${WITH_TEXT} AS isShown
      ${ITEMS} AND ${HAS_NUL} ${IN_ORDER}`),
    usage: database.prepare(`SELECT ${['reply', 'context', 'output'].map(list).join(', ')}
      FROM (SELECT reply, input + cache_read + cache_write AS context, output FROM usage
        WHERE artifact = ? AND reply > ? AND cut = 0 ORDER BY reply LIMIT ${AT_ONCE})`),
  }

  return {
    outline(path: string, { letters, cut }: OutlineOptions): OutlineColumns {
      const file = sql.file.get(path) as File | undefined
      if (!file) return NOTHING
      let marked = ''
      const found: Lists = { line: [], size: [], at: [], reply: [], texts: [], markers: [] }
      for (const { who, ...lists } of partsOf(file, { cut, letters: lettersOf(letters) })) {
        marked += who
        appendAll({ ...found }, lists)
      }
      if (!marked) return NOTHING
      const who = marked.toLowerCase()
      const positions = positionsOf(who, letters)
      const { line, size, at, reply, texts, markers } = found
      if (size.includes(-1)) {
        const whole = sql.withNul.iterate({ ...file })
        for (const [index, each] of size.entries()) {
          if (each !== -1) continue
          const { text, isShown } = whole.next().value!
          size[index] = charactersIn(String(text))
          if (isShown) texts[positions.indexOf(index)] = beginning(String(text), cut)
        }
      }
      return {
        who,
        line,
        size,
        at,
        off: spansIn(marked),
        replies: repliesIn(reply, usagesOf(file)),
        texts: positions.map((index, number) => ({
          index,
          text: texts[number] ?? undefined,
          marker: markers[number] ?? undefined,
        })),
      }
    },
  }

  /** The items of a file in order, with all items of a line in one part. */
  function* partsOf(
    file: File,
    options: { cut: number; letters: string },
  ): Generator<Record<keyof Lists | 'who', string>> {
    let from = Number.MIN_SAFE_INTEGER
    while (from < Number.MAX_SAFE_INTEGER) {
      const next = sql.next.get({ ...file, from })?.line as number | undefined
      const until = next === undefined ? Number.MAX_SAFE_INTEGER : Math.max(next, from + 1)
      const part = sql.columns.get({ ...file, ...options, from, until }) as Record<
        keyof Lists | 'who',
        string
      >
      // Without items, everything is null.
      if (part.who) yield part
      from = until
    }
  }

  /** The usage of all replies of a file. */
  function usagesOf({ id }: File): Usages {
    const all: Usages = { reply: [], context: [], output: [] }
    for (let before = -1; all.reply.length - before >= AT_ONCE || before < 0; ) {
      before = all.reply.length
      appendAll({ ...all }, sql.usage.get(id, all.reply.at(-1) ?? 0) as Record<keyof Usages, string | null>)
    }
    return all
  }
}

const NOTHING: OutlineColumns = {
  who: '',
  line: [],
  size: [],
  at: [],
  off: [],
  texts: [],
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

/** The usage of each reply at its first item. */
function repliesIn(
  ofItems: readonly number[],
  { reply: replies, context, output }: Usages,
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
    found.context.push(context[row]!)
    found.output.push(output[row]!)
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
