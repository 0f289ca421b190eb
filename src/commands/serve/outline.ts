import { setImmediate as others } from 'node:timers/promises'
import * as z from 'zod/mini'
import { sessionJson } from '../../condense/item-json.ts'
import type { Item, Who } from '../../model/session.ts'
import { jsonInPieces } from '../../render/json-pieces.ts'
import type { OutlineColumns } from '../../store/outline.ts'
import type { Messages } from '../../store/store.ts'
import type { Context } from '../kit/context.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { cutItems } from '../kit/read-messages.ts'
import { runShape } from '../kit/runs.ts'
import { sessionShape } from '../kit/session-rows.ts'
import { type FoundSession, findSession, sessionField } from './find-session.ts'
import { chooseListed, type Listed } from './listed.ts'
import { defineQuestion } from './question.ts'
import { subagentsOf } from './subagents.ts'

/** How much of a human's text is sent. */
const TEXT = 120
/** More points than a screen can show are not sent. */
const MOST_POINTS = 2000

/** The letter of each kind of speaker. */
export const LETTERS: Readonly<Record<Who, string>> = {
  human: 'h',
  agent: 'a',
  program: 'p',
  tool: 't',
  error: 'e',
  marker: 'm',
  memory: 'p',
}

const output = () => {
  const count = z.number()
  const counts = z.array(count)
  return z.object({
    version: z.literal(1),
    session: sessionShape(),
    count,
    /** One letter for each item: human, agent, program, tool, error or marker. */
    who: z.string(),
    /** The line of each item, as the distance from the item before it. */
    line: counts,
    /** The number of characters of each item's text. */
    size: counts,
    /** In ms since 1970, as the distance from the last item before it that has a time. */
    at: z.array(z.nullable(count)),
    /** Items on abandoned branches, from the first position to before the second. */
    off: z.array(z.object({ from: count, to: count })),
    humans: z.array(z.object({ index: count, text: z.string() })),
    markers: z.array(z.object({ index: count, marker: z.string(), text: z.nullable(z.string()) })),
    /** The usage of replies, at the position of their first item. `context`: all tokens of the prompt. */
    curve: z.object({ index: counts, context: counts, output: counts }),
    subagents: z.array(
      z.object({
        ...{ index: count, line: count },
        session: z.nullable(z.string()),
        path: z.string(),
        title: z.nullable(z.string()),
        state: z.nullable(z.string()),
      }),
    ),
    children: z.array(runShape()),
  })
}

type Answer = z.output<ReturnType<typeof output>>

/** Everything that a page needs to lay a session out, without most of its words. */
export const outline = defineQuestion({
  name: 'outline',
  summary: 'the layout of a session: who spoke, when and how much, without the words',
  input: z.object({ session: sessionField }),
  output,
  async run(input, context): Promise<Answer> {
    // The items on the screen first, which are requested at the same time.
    await others()
    const fresh = freshStore(context)!
    const found = findSession(input.session, fresh)
    const items = itemsOf(found, fresh.store)
    const listed = chooseListed(found, context)
    return {
      version: 1,
      session: sessionJson(listed.session, listed.project),
      ...laidOut(items),
      ...linked(items, listed, context),
    }
  },
  json: (answer: Answer) => jsonInPieces(answer),
})

/** All items of a session, those of an earlier part of a shortened file first. */
function itemsOf({ session }: FoundSession, store: Messages): OutlineColumns {
  const own = store.outline(session.path, { letters: LETTERS, cut: TEXT })
  const before: Item[] = session.cut ? cutItems(store, session) : []
  if (before.length === 0) return own
  const shifted = <Row extends { index: number }>(row: Row): Row => ({
    ...row,
    index: row.index + before.length,
  })
  const isShown = ({ who }: Item): boolean => who === 'human' || who === 'marker'
  return {
    who: before.map(({ who }) => LETTERS[who]).join('') + own.who,
    line: [...before.map(({ line }) => line), ...own.line],
    size: [...before.map(({ text }) => text?.length ?? 0), ...own.size],
    at: [...before.map(({ at }) => at ?? null), ...own.at],
    off: own.off.map(({ from, to }) => ({ from: from + before.length, to: to + before.length })),
    texts: [
      ...before.flatMap((item, index) =>
        isShown(item)
          ? [
              {
                ...{ index, text: item.text?.slice(0, TEXT) },
                marker: item.who === 'marker' ? (item.marker ?? 'note') : undefined,
              },
            ]
          : [],
      ),
      ...own.texts.map(shifted),
    ],
    replies: { ...own.replies, index: own.replies.index.map((index) => index + before.length) },
  }
}

type LaidOut = Omit<Answer, 'version' | 'session' | 'subagents' | 'children'>

const laidOut = ({ who, line, size, at, off, texts, replies }: OutlineColumns): LaidOut => ({
  ...{ count: who.length, who, line: distances(line), size, at: distances(at) },
  off,
  humans: texts.flatMap(({ index, text = '', marker }) => (marker === undefined ? [{ index, text }] : [])),
  markers: texts.flatMap(({ index, text, marker }) =>
    marker === undefined ? [] : [{ index, marker, text: text ?? null }],
  ),
  curve: thinned(replies),
})

/** Numbers as their distances from the one before, which are shorter. */
function distances<Each extends number | null>(numbers: readonly Each[]): Each[] {
  let last = 0
  return numbers.map((each) => {
    if (each === null) return each
    const distance = each - last
    last = each
    return distance as Each
  })
}

/** A curve with fewer points: of each stretch, the one with the largest prompt. */
function thinned(curve: OutlineColumns['replies']): Answer['curve'] {
  const { index, context, output } = curve
  if (index.length <= MOST_POINTS) return curve
  const length = Math.ceil(index.length / MOST_POINTS)
  const points: Answer['curve'] = { index: [], context: [], output: [] }
  for (let from = 0; from < index.length; from += length) {
    let most = from
    for (let at = from; at < from + length && at < index.length; at++)
      if (context[at]! > context[most]!) most = at
    points.index.push(index[most]!)
    points.context.push(context[most]!)
    points.output.push(output[most]!)
  }
  return points
}

/** The subagents that the session started, each at the item that started it. */
function linked(
  { line, who, at }: OutlineColumns,
  { session, loaded }: Listed,
  context: Context,
): Pick<Answer, 'subagents' | 'children'> {
  const children = subagentsOf(session, loaded, context)
  return {
    children: children.map(({ run }) => run),
    subagents: children.map(({ run, child }) => {
      const index = startOf(run.parent?.line ?? undefined, run.startedAt)
      return {
        ...{ index, line: line[index] ?? 0 },
        session: run.child?.session ?? null,
        path: run.path,
        title: child?.title ?? run.label ?? run.task,
        state: child?.state ?? null,
      }
    }),
  }

  /** The tool call at that line, or the last item before that time. */
  function startOf(started: number | undefined, iso: string | null): number {
    if (started !== undefined) {
      const first = line.indexOf(started)
      for (let index = first; index >= 0 && line[index] === started; index++)
        if (who[index] === 't') return index
      if (first >= 0) return first
    }
    const begin = iso === null ? Number.NaN : Date.parse(iso)
    const before = at.findLastIndex((time) => time !== null && time <= begin)
    return Math.max(0, before)
  }
}
