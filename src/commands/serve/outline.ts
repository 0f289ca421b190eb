import { setImmediate as others } from 'node:timers/promises'
import * as z from 'zod/mini'
import { sessionJson } from '../../condense/item-json.ts'
import type { Who } from '../../model/session.ts'
import { printableJson } from '../../render/printable.ts'
import type { OutlineRow } from '../../store/outline.ts'
import type { Messages } from '../../store/store.ts'
import type { Context } from '../kit/command.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { cutItems } from '../read/store-reader.ts'
import { runShape } from '../runs/json.ts'
import { sessionShape } from '../sessions/command.ts'
import { type FoundSession, findSession, sessionField } from './find-session.ts'
import { chooseListed, type Listed } from './listed.ts'
import { defineQuestion } from './question.ts'
import { subagentsOf } from './subagents.ts'

/** How much of a human's text is sent. */
const TEXT = 160
/** More points than a screen can show are not sent. */
const MOST_POINTS = 4000

const LETTERS: Readonly<Record<Who, string>> = {
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
  const position = { index: count, line: count }
  return z.object({
    version: z.literal(1),
    session: sessionShape(),
    count,
    /** One letter for each item: human, agent, program, tool, error or marker. */
    who: z.string(),
    line: z.array(count),
    /** The number of characters of each item's text. */
    size: z.array(count),
    /** In ms since 1970. */
    at: z.array(z.nullable(count)),
    /** Items on abandoned branches, from the first position to before the second. */
    off: z.array(z.object({ from: count, to: count })),
    humans: z.array(z.object({ ...position, at: z.nullable(count), text: z.string() })),
    markers: z.array(z.object({ ...position, marker: z.string(), text: z.nullable(z.string()) })),
    /** The usage of replies, at their first item. `context`: all tokens of the prompt. */
    curve: z.array(
      z.object({
        index: count,
        at: z.nullable(count),
        model: z.nullable(z.string()),
        context: count,
        output: count,
      }),
    ),
    subagents: z.array(
      z.object({
        ...position,
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
    const laidOut = layOut(found, fresh.store)
    const listed = chooseListed(found, context)
    return {
      version: 1,
      session: sessionJson(listed.session, listed.project),
      ...laidOut,
      ...linked(laidOut, listed, context),
    }
  },
  *json(answer) {
    yield `${printableJson(JSON.stringify(answer))}\n`
  },
})

type LaidOut = Omit<Answer, 'version' | 'session' | 'subagents' | 'children'>

function layOut({ session }: FoundSession, store: Messages): LaidOut {
  const all: LaidOut = {
    ...{ count: 0, who: '', line: [], size: [], at: [], off: [], humans: [], markers: [], curve: [] },
  }
  const letters: string[] = []
  const firstOf = new Map<number, number>()
  const add = ({ who, at, line, size, text, reply, marker, offBranch }: OutlineRow): void => {
    const index = all.count++
    letters.push(LETTERS[who])
    all.line.push(line)
    all.size.push(size)
    all.at.push(at ?? null)
    if (reply !== undefined && !firstOf.has(reply)) firstOf.set(reply, index)
    if (who === 'human') all.humans.push({ index, line, at: at ?? null, text: text ?? '' })
    if (who === 'marker') all.markers.push({ index, line, marker: marker ?? 'note', text: text ?? null })
    if (!offBranch) return
    const last = all.off.at(-1)
    if (last?.to === index) last.to++
    else all.off.push({ from: index, to: index + 1 })
  }
  if (session.cut)
    for (const { who, at, line, text, marker, offBranch } of cutItems(store, session))
      add({
        ...{ who, at, line, marker, size: text?.length ?? 0, text: text?.slice(0, TEXT), reply: undefined },
        offBranch: offBranch === true,
      })
  for (const row of store.outline(session.path, TEXT)) add(row)
  all.who = letters.join('')
  for (const { reply, at, model, input, output, cacheRead, cacheWrite } of store.replies(session.path)) {
    const index = firstOf.get(reply)
    if (index === undefined) continue
    const context = input + cacheRead + cacheWrite
    all.curve.push({ index, at: at ?? null, model: model ?? null, context, output })
  }
  all.curve = thinned(all.curve.sort((a, b) => a.index - b.index))
  return all
}

/** A curve with fewer points: of each stretch, the one with the largest prompt. */
function thinned(curve: Answer['curve']): Answer['curve'] {
  if (curve.length <= MOST_POINTS) return curve
  const length = Math.ceil(curve.length / MOST_POINTS)
  const points: Answer['curve'] = []
  for (let at = 0; at < curve.length; at += length)
    points.push(
      curve.slice(at, at + length).reduce((most, each) => (each.context > most.context ? each : most)),
    )
  return points
}

/** The subagents that the session started, each at the item that started it. */
function linked(
  { line, who, at }: LaidOut,
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
