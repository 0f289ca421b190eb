import type { ReplyUsage } from '../../../model/event.ts'
import type { Session, Who } from '../../../model/session.ts'
import { partsOf } from '../../../model/usage.ts'
import type { Query } from '../../../search/query.ts'
import { fromCutLine, joinCutPart, numberCutLines } from '../../cut-session.ts'
import type { ItemWindow, OutlineColumns, OutlineOptions, StoredMessage } from '../../stored.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import { atPaths, type Scope } from '../scope.ts'
import { readPositions } from '../search/conditions.ts'
import { cutsOf, UNDECIDED } from './files.ts'
import { ITEM_COLUMNS, type ItemValues, storedMessage, timeIn } from './well-formed.ts'

/** How many items before a window are looked at for the replies that continue into it. */
const LOOK_BACK = 200

/** Reads the items of a file. */
export function createMessages(scope: Scope) {
  const { connection } = scope
  const read = (rest: string): StoredMessage[] =>
    connection
      .select<ItemValues>(sql`SELECT ${raw(ITEM_COLUMNS)} FROM item AS i FINAL ${raw(rest)}`)
      .map(storedMessage)

  function cutMessages(path: string): StoredMessage[] {
    const file = fileAt(scope, path)
    return file ? addUsages(scope, file.id, cutMessagesOf(scope, file)) : []
  }

  function messages(
    path: string,
    { line, count, before = 0 }: { line: number; count: number; before?: number } = { line: 0, count: -1 },
    { usage }: { usage: boolean } = { usage: true },
  ): StoredMessage[] {
    if (line < 0) return fromCutLine({ line, count, before }, cutMessages(path), messages(path))
    const file = fileAt(scope, path)
    if (!file) return []
    const limit = count < 0 ? '' : `LIMIT ${count}`
    const rows = read(sql`${itemsOf(file)} AND i.line >= ${line} ORDER BY i.line, i.place ${raw(limit)}`)
    const earlier =
      before > 0
        ? read(sql`${itemsOf(file)} AND i.line < ${line} ORDER BY i.line DESC, i.place DESC LIMIT ${before}`)
        : []
    const all = earlier.length === 0 ? rows : [...earlier.reverse(), ...rows]
    return usage ? addUsages(scope, file.id, all) : all
  }

  return {
    messages,
    cutMessages,
    itemsAt(path: string, from: number, count: number): ItemWindow {
      const file = fileAt(scope, path)
      if (!file) return { total: 0, items: [], replies: new Set() }
      const total = countOf(file)
      const first = Math.min(Math.max(0, from), total)
      const before = Math.min(first, LOOK_BACK)
      const wanted = Math.max(0, Math.min(count, total - first)) + before
      const all = read(
        sql`${itemsOf(file)} ORDER BY i.line, i.place LIMIT ${wanted} OFFSET ${first - before}`,
      )
      return {
        total,
        items: addUsages(scope, file.id, all.slice(before)),
        replies: new Set(all.slice(0, before).flatMap(({ reply }) => reply ?? [])),
      }
    },
    positions(path: string, query?: Query): number[] {
      const file = query && fileAt(scope, path)
      if (!file) return []
      const { id, generation } = file
      const parts = [...cutPartsOf(file), sql`i.generation = ${generation}`]
      const items = sql`PREWHERE i.artifact = ${id} WHERE (${raw(parts.join(' OR '))})`
      return readPositions(scope, raw(items), query)
    },
    countMessages(path: string): number {
      const file = fileAt(scope, path)
      return file ? countOf(file) : 0
    },
    holds: (record: number, digest: number): boolean =>
      connection.select(sql`SELECT 1 FROM item AS i FINAL WHERE record = ${record} AND digest = ${digest}
        AND artifact IN (SELECT id FROM artifact FINAL WHERE ${scope.current()}) LIMIT 1`).length > 0,
    // Only the embedded store is followed.
    newest: (): number => Number.MAX_SAFE_INTEGER,
  }

  function countOf(file: Parameters<typeof itemsOf>[0]): number {
    return connection.select<[number]>(sql`SELECT count() FROM item AS i FINAL ${itemsOf(file)}`)[0]![0]
  }
}

/** Conditions for the items of each part that the client has cut off a file. */
const cutPartsOf = (file: Pick<FileAt, 'cuts'>) =>
  cutsOf(file)
    .filter(({ line }) => line !== UNDECIDED)
    .map(({ generation, line }) =>
      line < 0
        ? sql`(i.generation = ${generation} AND i.line >= ${-line})`
        : sql`(i.generation = ${generation} AND i.line < ${line})`,
    )

/** The items that the client has cut off a file since they were indexed. */
function cutMessagesOf({ connection }: Scope, { id, cuts }: Omit<FileAt, 'generation'>): StoredMessage[] {
  const parts = cutPartsOf({ cuts })
  if (parts.length === 0) return []
  const rows = connection.select<
    [number, ...ItemValues]
  >(sql`SELECT i.generation, ${raw(ITEM_COLUMNS)} FROM item AS i FINAL
      PREWHERE i.artifact = ${id} WHERE (${raw(parts.join(' OR '))})
      ORDER BY i.generation, i.line, i.place`)
  const items = rows.map(([generation, ...values]) => ({ ...storedMessage(values), generation }))
  return numberCutLines(items).map(({ generation: _, ...item }) => ({ ...item, cut: true }))
}

/** The lines of the items that were cut off a file, as they were and as `cutMessages` numbers them. */
export function cutLinesOf({ connection }: Scope, file: Omit<FileAt, 'generation'>) {
  const parts = cutPartsOf(file)
  const lines = connection
    .select<[number, number]>(sql`SELECT DISTINCT generation, line FROM item AS i FINAL
      PREWHERE i.artifact = ${file.id} WHERE (${raw(parts.join(' OR '))}) ORDER BY 1, 2`)
    .map(([generation, line]) => ({ generation, line }))
  const numbered = numberCutLines(lines)
  return ({ generation, line }: { generation: number; line: number }): number => {
    const at = lines.findIndex((each) => each.generation === generation && each.line === line)
    return numbered[at]?.line ?? line
  }
}

/** The session of a file, extended by what was cut off. */
export function withCutPart(scope: Scope, session: Session, file: Omit<FileAt, 'generation'>): Session {
  const items = cutMessagesOf(scope, file)
  if (items.length === 0) return session
  const usages = scope.connection.select<
    [number, number, number, number, number, number, number | null, number]
  >(sql`SELECT input, output, cacheRead, cacheWrite, cacheWriteHour, reasoning, cost, reply > 0 FROM usage FINAL
    WHERE artifact = ${file.id} AND cut = 1 ORDER BY reply`)
  const [[first, last] = [null, null]] = scope.connection.select<[number | null, number | null]>(
    sql`SELECT minOrNull(i.at), maxOrNull(i.at) FROM item AS i FINAL PREWHERE i.artifact = ${file.id}
      WHERE i.generation = (SELECT generation FROM artifact FINAL WHERE id = ${file.id})
        AND i.who = 'human' AND i.at > 0`,
  )
  return joinCutPart(
    session,
    { ...partOf(items), own: { first, last } },
    usages.map(([input, output, cacheRead, cacheWrite, cacheWriteHour, reasoning, cost, ofReply]) => ({
      input,
      output,
      cacheRead,
      cacheWrite,
      cacheWriteHour,
      reasoning,
      cost,
      ofReply,
    })),
  )
}

function partOf(items: readonly StoredMessage[]): Omit<Parameters<typeof joinCutPart>[1], 'own'> {
  const counts = Map.groupBy(items, ({ who }) => who)
  const humans = items.flatMap(({ who, text, at }) =>
    who === 'human' && text !== undefined ? [{ text, at: at ?? null }] : [],
  )
  const inTime = (none: number) => humans.toSorted((one, other) => (one.at ?? none) - (other.at ?? none))
  return {
    counts: Array.from(counts, ([who, each]) => {
      const times = each.flatMap(({ at = 0 }) => (at > 0 ? [at] : [])).sort((a, b) => a - b)
      return {
        who,
        count: each.length,
        possible: each.filter(({ sure }) => sure === false).length,
        first: times[0] ?? null,
        last: times.at(-1) ?? null,
      }
    }),
    firstHuman: inTime(Number.MAX_SAFE_INTEGER)[0],
    lastHuman: inTime(0),
  }
}

/** With more replies than this, those of the whole file are read. */
const FEW = 500

type UsageValues = [
  reply: number,
  model: string | null,
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
  cost: number | null,
  cacheWriteHour: number,
  reasoning: number,
]

/** Adds their usage to the messages of a file. */
function addUsages({ connection }: Scope, file: number, messages: StoredMessage[]): StoredMessage[] {
  const replies = [...new Set(messages.flatMap(({ reply }) => reply ?? []))]
  if (replies.length === 0) return messages
  const few = replies.length > FEW ? 'reply > 0' : sql`reply IN ${replies}`
  const usages = new Map<number, ReplyUsage>()
  for (const [
    reply,
    model,
    input,
    output,
    cacheRead,
    cacheWrite,
    cost,
    cacheWriteHour,
    reasoning,
  ] of connection.select<UsageValues>(sql`SELECT reply, model, input, output, cacheRead, cacheWrite, cost, cacheWriteHour, reasoning FROM usage FINAL
      WHERE artifact = ${file} AND ${{ sql: few }}`))
    usages.set(reply, {
      input,
      output,
      cacheRead,
      cacheWrite,
      ...(model === null ? {} : { model }),
      ...(cost === null ? {} : { cost }),
      ...partsOf({ cacheWriteHour, reasoning }),
    })
  for (const message of messages) {
    const usage = message.reply === undefined ? undefined : usages.get(message.reply)
    if (usage) message.usage = usage
  }
  return messages
}

type OutlineValues = [
  who: Who,
  aside: number,
  line: number,
  size: number,
  at: number | null,
  reply: number,
  text: string | null,
  marker: string | null,
]

/** All items of a file as columns, without most texts. */
export function readOutline(scope: Scope, path: string, { letters, cut }: OutlineOptions): OutlineColumns {
  const found: OutlineColumns = {
    who: '',
    line: [],
    size: [],
    at: [],
    off: [],
    texts: [],
    replies: { index: [], context: [], output: [] },
  }
  const file = fileAt(scope, path)
  if (!file) return found
  const usages = new Map(
    scope.connection
      .select<[number, number, number]>(
        sql`SELECT reply, input + cacheRead + cacheWrite, output FROM usage FINAL
          WHERE artifact = ${file.id} AND reply > 0 AND cut = 0`,
      )
      .map(([reply, context, output]) => [reply, { context, output }] as const),
  )
  const who: string[] = []
  let off: { from: number; to: number } | undefined
  for (const [index, [speaker, aside, line, size, at, reply, text, marker]] of scope.connection
    .select<OutlineValues>(sql`SELECT i.who, i.aside, i.line, lengthUTF8(ifNull(i.text, '')), i.at,
      JSONExtractInt(ifNull(i.more, ''), 'reply'),
      if(i.who IN ('human', 'marker'), substringUTF8(i.text, 1, ${cut}), NULL),
      if(i.who = 'marker', JSONExtract(ifNull(i.more, ''), 'marker', 'Nullable(String)'), NULL)
      FROM item AS i FINAL ${itemsOf(file)} ORDER BY i.line, i.place`)
    .entries()) {
    who.push(letters[speaker])
    found.line.push(line)
    found.size.push(size)
    found.at.push(timeIn(at) ?? null)
    if (aside === 0) off = undefined
    else if (off) off.to = index + 1
    else {
      off = { from: index, to: index + 1 }
      found.off.push(off)
    }
    if (speaker === 'human' || speaker === 'marker')
      found.texts.push({
        index,
        text: text ?? undefined,
        marker: speaker === 'marker' ? (marker ?? 'note') : undefined,
      })
    const usage = usages.get(reply)
    if (!usage) continue
    // At the first item of the reply.
    usages.delete(reply)
    found.replies.index.push(index)
    found.replies.context.push(usage.context)
    found.replies.output.push(usage.output)
  }
  return { ...found, who: who.join('') }
}

/** A file, as far as its items need it. */
interface FileAt {
  id: number
  generation: number
  cuts: string
}

function fileAt(scope: Scope, path: string): FileAt | undefined {
  const [found] = scope.connection.select<[number, number, string]>(
    sql`SELECT id, generation, cuts FROM artifact FINAL WHERE ${atPaths(scope, [path])} LIMIT 1`,
  )
  if (!found) return undefined
  const [id, generation, cuts] = found
  return { id, generation, cuts }
}

/**
 * The conditions for the items of a file as it is now. The key comes first, so that the texts of other files
 * in the same granules are not read.
 */
const itemsOf = ({ id, generation }: FileAt): Raw =>
  raw(sql`PREWHERE i.artifact = ${id} AND i.generation = ${generation} WHERE 1`)
