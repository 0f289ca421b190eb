import type { Item, Outline } from '../../api/shapes.ts'

/** How much of a human's text an outline contains. */
const TEXT = 120

/** The outline with items that follow the last one it contains. The same if they do not follow it. */
export function outlineWith(outline: Outline, items: readonly Item[]): Outline {
  const fresh = items.filter(({ index }) => index >= outline.count)
  if (fresh[0]?.index !== outline.count) return outline
  const humans = fresh.flatMap(({ who, index, text }) =>
    who === 'human' ? [{ index, text: (text ?? '').slice(0, TEXT).toWellFormed() }] : [],
  )
  const markers = fresh.flatMap(({ who, index, marker, text }) =>
    who === 'marker' ? [{ index, marker: marker ?? 'note', text }] : [],
  )
  return {
    ...outline,
    count: outline.count + fresh.length,
    humans: longer(outline.humans, humans),
    markers: longer(outline.markers, markers),
    curve: curveWith(outline.curve, fresh),
    session: rowWith(outline.session, fresh),
  }
}

/** The same list if nothing is added, so that what shows it is not drawn again. */
const longer = <Each>(list: Each[], more: readonly Each[]): Each[] =>
  more.length === 0 ? list : [...list, ...more]

function curveWith(curve: Outline['curve'], items: readonly Item[]): Outline['curve'] {
  const used = items.flatMap(({ index, usage }) => (usage ? [{ index, usage }] : []))
  if (used.length === 0) return curve
  const contexts = used.map(({ usage }) => usage.input + usage.cacheRead + usage.cacheWrite)
  return {
    index: [...curve.index, ...used.map(({ index }) => index)],
    context: [...curve.context, ...contexts],
    output: [...curve.output, ...used.map(({ usage }) => usage.output)],
  }
}

type Row = Outline['session']

/** The row of the session with what the items add to it, until the server counts again. */
function rowWith(row: Row, items: readonly Item[]): Row {
  const amount = (isMeant: (item: Item) => boolean): number => items.filter(isMeant).length
  const { human, agent } = row.messages
  return {
    ...row,
    lastActivityAt: items.findLast(({ at }) => at !== null)?.at ?? row.lastActivityAt,
    messages: {
      human: human + amount(({ who }) => who === 'human'),
      agent: agent + amount(({ who }) => who === 'agent'),
    },
    toolCalls: row.toolCalls + amount(({ who }) => who === 'tool'),
    errors: row.errors + amount(({ who, sure }) => who === 'error' && sure !== false),
    possibleErrors: row.possibleErrors + amount(({ who, sure }) => who === 'error' && sure === false),
    ...usageWith(row, items),
  }
}

function usageWith({ usage }: Row, items: readonly Item[]): Pick<Row, 'usage'> {
  const sum = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...usage }
  let isUsed = usage !== undefined
  for (const { usage: more } of items) {
    if (!more) continue
    isUsed = true
    sum.input += more.input
    sum.output += more.output
    sum.cacheRead += more.cacheRead
    sum.cacheWrite += more.cacheWrite
  }
  return isUsed ? { usage: sum } : {}
}
