import type { Who } from '../../../model/session.ts'
import type { OutlineColumns, OutlineOptions } from '../../outline.ts'
import { sql } from '../connection/literal.ts'
import type { Scope } from '../scope.ts'
import { fileAt, itemsOf } from './file-at.ts'
import { timeIn } from './well-formed.ts'

type OutlineValues = [
  ...[who: Who, aside: number, line: number, size: number, at: number | null, reply: number],
  ...[text: string | null, marker: string | null],
]

/** All items of a file as columns, without most texts. */
export function readOutline(scope: Scope, path: string, { letters, cut }: OutlineOptions): OutlineColumns {
  const found: OutlineColumns = {
    ...{ who: '', line: [], size: [], at: [], off: [], texts: [] },
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
        ...{ index, text: text ?? undefined },
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
