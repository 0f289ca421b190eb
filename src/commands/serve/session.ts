import { setImmediate as others } from 'node:timers/promises'
import * as z from 'zod/mini'
import { itemJson, sessionJson } from '../../condense/item-json.ts'
import type { Context } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { freshStore } from '../../context/fresh-store.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Item, Session, Who } from '../../model/session.ts'
import { beginOfRun } from '../../model/subagent-run.ts'
import { jsonInPieces } from '../../render/gate.ts'
import { printableJson } from '../../render/terminal.ts'
import { finishSession } from '../../render/text.ts'
import { cleaner, cutItems } from '../../selection/read-messages.ts'
import { type LoadedRuns, type Ran, type RunJson, runJson, runShape } from '../../selection/runs.ts'
import { itemShape, sessionShape } from '../../selection/session-rows.ts'
import type { Messages } from '../../store/store.ts'
import type { OutlineColumns } from '../../store/stored.ts'
import { type ParentLink, readParents } from '../../sync/read/read-parents.ts'
import { howToResume } from '../resume.ts'
import { chooseListed, type Listed } from './listing.ts'
import { defineQuestion, type FoundSession, findSession, rowOf, sessionField } from './question.ts'

/** How much of a human's text is sent. */
const TEXT = 120
/** More points than a screen can show are not sent. */
const MOST_POINTS = 2000

/** The letter of each kind of speaker. */
const LETTERS: Readonly<Record<Who, string>> = {
  human: 'h',
  agent: 'a',
  program: 'p',
  tool: 't',
  error: 'e',
  marker: 'm',
  memory: 'p',
}

const outlineShape = () => {
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
        index: count,
        line: count,
        session: z.nullable(z.string()),
        path: z.string(),
        title: z.nullable(z.string()),
        state: z.nullable(z.string()),
        /** The id of the run among `children`. */
        run: z.string(),
        /** Its items in this session, if it has no transcript of its own: from, to before. */
        own: z.array(z.object({ from: count, to: count })),
      }),
    ),
    children: z.array(runShape()),
    /** The line for a shell that resumes it in its client, or why there is none. */
    resume: z.union([z.object({ shell: z.string() }), z.object({ impossible: z.string() })]),
  })
}

type OutlineAnswer = z.output<ReturnType<typeof outlineShape>>

/** Everything that a page needs to lay a session out, without most of its words. */
export const outline = defineQuestion({
  name: 'outline',
  summary: 'the layout of a session: who spoke, when and how much, without the words',
  input: z.object({ session: sessionField }),
  output: outlineShape,
  async run(input, context): Promise<OutlineAnswer> {
    // The items on the screen first, which are requested at the same time.
    await others()
    const fresh = freshStore(context)
    const found = findSession(input.session, fresh)
    const items = itemsOf(found, fresh.store)
    const listed = chooseListed(found, context)
    return {
      version: 1,
      session: sessionJson(listed.session, listed.project),
      ...laidOut(items),
      ...linked(items, listed, context),
      resume: resumeOf(found.session, context),
    }
  },
  json: (answer: OutlineAnswer) => jsonInPieces(answer),
})

function resumeOf(session: Session, { environment }: Context): OutlineAnswer['resume'] {
  const how = howToResume(session, environment)
  return 'impossible' in how ? how : { shell: how.shell }
}

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
                index,
                text: item.text?.slice(0, TEXT),
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

type LaidOut = Omit<OutlineAnswer, 'version' | 'session' | 'subagents' | 'children' | 'resume'>

const laidOut = ({ who, line, size, at, off, texts, replies }: OutlineColumns): LaidOut => ({
  count: who.length,
  who,
  line: distances(line),
  size,
  at: distances(at),
  off,
  humans: texts.flatMap(({ index, text = '', marker }) => (marker === undefined ? [{ index, text }] : [])),
  markers: texts.flatMap(({ index, text, marker }) =>
    marker === undefined ? [] : [{ index, marker, text: text ?? null }],
  ),
  curve: thinned(replies),
})

/** Numbers as their distances from the one before, which are shorter. */
export function distances<Each extends number | null>(numbers: readonly Each[]): Each[] {
  let last = 0
  return numbers.map((each) => {
    if (each === null) return each
    const distance = each - last
    last = each
    return distance as Each
  })
}

/** A curve with fewer points: of each stretch, the one with the largest prompt. */
function thinned(curve: OutlineColumns['replies']): OutlineAnswer['curve'] {
  const { index, context, output } = curve
  if (index.length <= MOST_POINTS) return curve
  const length = Math.ceil(index.length / MOST_POINTS)
  const points: OutlineAnswer['curve'] = { index: [], context: [], output: [] }
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
): Pick<OutlineAnswer, 'subagents' | 'children'> {
  const children = subagentsOf(session, loaded, context)
  return {
    children: children.map(({ run }) => run),
    subagents: children.map(({ run, child, lines }) => {
      const index = startOf(run.parent?.line ?? undefined, run.startedAt)
      return {
        index,
        line: line[index] ?? 0,
        session: run.child?.session ?? null,
        path: run.path,
        title: child?.title ?? run.label ?? run.task,
        state: child?.state ?? null,
        run: run.id,
        own: spansOf(lines),
      }
    }),
  }

  /** The items of these lines. */
  function spansOf(lines: readonly number[] = []): { from: number; to: number }[] {
    const wanted = new Set(lines)
    const spans: { from: number; to: number }[] = []
    for (const [index, each] of line.entries()) {
      if (!wanted.has(each)) continue
      const last = spans.at(-1)
      if (last?.to === index) last.to++
      else spans.push({ from: index, to: index + 1 })
    }
    return spans
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

/** The lines of a longer part of a file are not read, in bytes. */
const LONGEST = 256 * 1024 * 1024

const branchesShape = () =>
  z.object({
    version: z.literal(1),
    /** The first item of each branch, and the item that it goes on from: -1 for a first message. */
    branches: z.array(z.object({ index: z.number(), after: z.number() })),
  })

type BranchesAnswer = z.output<ReturnType<typeof branchesShape>>

/**
 * Where the abandoned branches of a session part, read from its file: the store only knows which messages
 * were abandoned. Empty if there is no file here.
 */
export const branches = defineQuestion({
  name: 'branches',
  summary: 'where the abandoned branches of a session begin, and where they part from the others',
  input: z.object({ session: sessionField }),
  output: branchesShape,
  run(input, context): BranchesAnswer {
    const { store, ...fresh } = freshStore(context)
    const { artifact, goneMs, session } = findSession(input.session, { store, ...fresh })
    const outline = store.outline(session.path, { letters: LETTERS, cut: 0 })
    const isHere = artifact && goneMs === undefined && session.device === undefined && !session.cut
    if (!isHere || outline.off.length === 0 || session.bytes > LONGEST) return { version: 1, branches: [] }
    return { version: 1, branches: startsIn(outline, linksOf(artifact, lastLine(outline))) }
  },
})

/** Nothing, if the file is gone meanwhile. */
function linksOf(artifact: Artifact, lines: number): ParentLink[] {
  try {
    return readParents(artifact, lines)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const lastLine = ({ off, line }: OutlineColumns): number => line[off.at(-1)!.to - 1] ?? 0

/** The first item of a branch, and the item that it goes on from: -1 for the first message of a session. */
interface BranchStart {
  index: number
  after: number
}

/**
 * Where the human went back: prompts on abandoned branches that do not follow what was said before them, and
 * the first of each stretch. Prompts whose parents are not in the file are left out.
 */
function startsIn(
  { who, line, off }: Pick<OutlineColumns, 'who' | 'line' | 'off'>,
  links: readonly ParentLink[],
): BranchStart[] {
  const records = new Map(links.map((link) => [link.id, link]))
  const byLine = Map.groupBy(links, (link) => link.line)
  const lastItem = new Map(line.map((each, index) => [each, index]))
  return off.flatMap(({ from, to }) => {
    const starts: BranchStart[] = []
    for (let index = from; index < to; index++) {
      if (who[index] !== 'h') continue
      const after = itemBefore(index)
      if (after === undefined || (index > from && !hasMessage(after + 1, index))) continue
      starts.push({ index, after })
    }
    return starts
  })

  /** The item that one follows, over records that are no items. */
  function itemBefore(index: number): number | undefined {
    let record = byLine.get(line[index]!)?.at(-1)
    if (!record) return undefined
    for (let steps = 0; record.parent !== undefined && steps <= links.length; steps++) {
      record = records.get(record.parent)
      if (!record) return undefined
      const item = lastItem.get(record.line)
      if (item !== undefined && item < index) return item
    }
    return record.parent === undefined ? -1 : undefined
  }

  /** Whether anybody speaks in these items. */
  function hasMessage(from: number, to: number): boolean {
    return /[ha]/.test(who.slice(from, to))
  }
}

/** A subagent run that a session started. */
interface StartedRun {
  run: RunJson
  child: Session | undefined
  /** Its lines in the transcript of the parent, if it has none of its own. */
  lines: readonly number[] | undefined
}

/** The subagents of a session, in the order in which they began. */
function subagentsOf(parent: Session, loaded: LoadedRuns, context: Context): StartedRun[] {
  const clean = cleaner(context.redact)
  const candidates = loaded.runs.filter((run) => mayBelong(run, parent))
  return loaded
    .link(candidates)
    .filter((run) => run.parent?.path === parent.path)
    .sort((a, b) => begun(a) - begun(b))
    .map((run) => ({
      run: runJson(run, clean, context.fresh?.store),
      child: run.session,
      lines: run.session ? undefined : run.record?.lines,
    }))
}

/**
 * Whether the session may have started the run. Others are not linked, which would read the transcripts of
 * their parents. A subagent of a subagent names the session that started both.
 */
function mayBelong(
  run: Ran,
  { id, parentSessionId, startedMs, lastActivityMs, modifiedMs }: Session,
): boolean {
  const named = run.record?.parentSessionId ?? run.session?.parentSessionId
  if (named !== undefined) return named === id || named === parentSessionId
  return (startedMs ?? 0) <= begun(run) && begun(run) <= (lastActivityMs ?? modifiedMs)
}

const begun = ({ record, session }: Ran): number => (record && beginOfRun(record)) ?? session?.startedMs ?? 0

/** The most items in one answer. */
const MOST = 500

const itemsShape = () =>
  z.object({
    version: z.literal(1),
    /** How many items the session has. */
    count: z.number(),
    /** The positions of the items in this answer: from the first to before the second. */
    from: z.number(),
    to: z.number(),
    items: z.array(z.extend(itemShape(), { index: z.number() })),
  })

type ItemsAnswer = z.output<ReturnType<typeof itemsShape>>

/** A part of a session's items, by their position. Reads no other items. */
export const items = defineQuestion({
  name: 'items',
  summary: 'some items of a session, by their position',
  input: z.object({
    session: sessionField,
    from: field.whole({ description: 'position of the first; a negative one counts from the end' }),
    to: field.whole({ description: `position after the last; at most ${MOST} items are sent` }),
  }),
  output: itemsShape,
  run(input, context): ItemsAnswer {
    const fresh = freshStore(context)
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
      count,
      from,
      to: from + all.length,
      items: all.map((item, at) => ({
        ...itemJson(item, session, replies),
        index: from + at,
      })) as ItemsAnswer['items'],
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
