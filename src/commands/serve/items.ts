import * as z from 'zod/mini'
import { itemJson } from '../../condense/item-json.ts'
import type { Item } from '../../model/session.ts'
import { printableJson } from '../../render/printable.ts'
import { field } from '../kit/flags.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { cutItems, finishSession } from '../kit/read-messages.ts'
import { itemShape } from '../kit/session-rows.ts'
import { findSession, rowOf, sessionField } from './find-session.ts'
import { defineQuestion } from './question.ts'

/** The most items in one answer. */
const MOST = 500

const output = () =>
  z.object({
    version: z.literal(1),
    /** How many items the session has. */
    count: z.number(),
    /** The positions of the items in this answer: from the first to before the second. */
    from: z.number(),
    to: z.number(),
    items: z.array(z.extend(itemShape(), { index: z.number() })),
  })

type Answer = z.output<ReturnType<typeof output>>

/** A part of a session's items, by their position. Reads no other items. */
export const items = defineQuestion({
  name: 'items',
  summary: 'some items of a session, by their position',
  input: z.object({
    session: sessionField,
    from: field.whole({ description: 'position of the first; a negative one counts from the end' }),
    to: field.whole({ description: `position after the last; at most ${MOST} items are sent` }),
  }),
  output,
  run(input, context): Answer {
    const fresh = freshStore(context)!
    const { store } = fresh
    const found = findSession(input.session, fresh)
    const { path, cut } = found.session
    const before: Item[] = cut ? cutItems(store, found.session) : []
    const count = before.length + store.countMessages(path)
    const from = bounded(input.from ?? 0, count)
    const to = Math.max(from, Math.min(bounded(input.to ?? count, count), from + MOST))
    const replies = new Set<number>()
    const session = finishSession(rowOf(found))
    const own = Math.max(0, from - before.length)
    const window = store.itemsAt(path, own, Math.max(0, to - before.length - own))
    if (from >= before.length) for (const reply of window.replies) replies.add(reply)
    const all = [...before.slice(from, to), ...(to > before.length ? window.items : [])]
    return {
      version: 1,
      ...{ count, from, to: from + all.length },
      items: all.map((item, at) => ({
        ...itemJson(item, session, replies),
        index: from + at,
      })) as Answer['items'],
    }
  },
  *json({ items: all, ...rest }) {
    yield `${JSON.stringify(rest).slice(0, -1)},"items":[\n`
    yield all.map((item) => printableJson(JSON.stringify(item))).join(',\n')
    yield '\n]}\n'
  },
})

const bounded = (position: number, count: number): number =>
  Math.max(0, Math.min(position < 0 ? count + position : position, count))
