import * as z from 'zod/mini'
import { inOrder } from '../collect/pool.ts'
import { readDetail } from '../collect/read-detail.ts'
import { readSession, readSlices } from '../collect/read-session.ts'
import { fitBudget, nothingOmitted, type Omitted, parseBudget } from '../condense/budget.ts'
import { foldTools } from '../condense/fold-tools.ts'
import { sessionJson } from '../condense/item-json.ts'
import { printableJson } from '../condense/printable.ts'
import { renderHeader } from '../condense/render-text.ts'
import { voiceOf } from '../condense/voice.ts'
import { ScrollbackError } from '../errors.ts'
import { keepHeapSmall } from '../io/heap.ts'
import type { Item, Session } from '../model/session.ts'
import { type Context, defineCommand } from './command.ts'
import { field } from './fields.ts'
import { faultOf } from './index-job.ts'
import { filters, spanOf } from './options.ts'
import {
  inSpan,
  keysOf,
  type ReadPiece,
  type ReadResult,
  type ReadSettings,
  type ReadTask,
  readOne,
  redactedSession,
  redactItems,
  write,
} from './read-job.ts'
import { resolveTargets } from './read-targets.ts'
import { sessionShape } from './sessions.ts'
import { threadsFor, workerUrl } from './threads.ts'

const FORMATS = ['text', 'md', 'json', 'jsonl'] as const

const input = z.object({
  target: field.texts({ description: 'session id or its beginning, file, or project', positional: true }),
  ...filters,
  format: field.choiceOr(FORMATS, 'text', { description: 'text, md, json or jsonl', placeholder: 'format' }),
  voice: field.textOr('default', {
    description: 'how the two are called: default, devlog, or "me,it"',
    placeholder: 'names',
  }),
  fold: field.flag({ description: 'one line for a run of calls of the same tool' }),
  budget: field.text({ description: 'fit so many tokens, e.g. 20k: dialogue first', placeholder: 'tokens' }),
  full: field.flag({ description: 'with thinking, tool inputs and outputs' }),
  lines: field.flag({ description: 'name file:line of everything' }),
})

type Input = z.output<typeof input>

const itemShape = () =>
  z.object({
    session: z.string(),
    who: z.enum(['human', 'agent', 'program', 'tool', 'error', 'marker']),
    at: z.nullable(z.string()),
    text: z.nullable(z.string()),
    tool: z.nullable(z.object({ name: z.string(), target: z.nullable(z.string()) })),
    path: z.string(),
    line: z.number(),
    offset: z.number(),
    length: z.number(),
    label: z.optional(z.string()),
    marker: z.optional(z.string()),
    sure: z.optional(z.boolean()),
    media: z.optional(z.array(z.string())),
    offBranch: z.optional(z.boolean()),
    thinking: z.optional(z.string()),
    input: z.optional(z.string()),
    output: z.optional(z.string()),
  })

const output = () =>
  z.object({
    version: z.literal(1),
    items: z.array(itemShape()),
    sessions: z.array(sessionShape()),
    omitted: z.object({
      tools: z.number(),
      messages: z.number(),
      characters: z.number(),
      places: z.array(z.object({ path: z.string(), line: z.number(), what: z.string() })),
      repeated: z.number(),
      subagents: z.number(),
    }),
  })

/** An answer that is made while it is written out: it may be larger than memory. */
interface Reading {
  format: Input['format']
  /** Consumed once. */
  pieces(format: Input['format'], look: { color: boolean }): Generator<Piece>
  omitted: Omitted & { repeated: number; subagents: number }
}

interface Piece {
  session: Session
  project?: string
  /** What is written; a session may come in several pieces. */
  text: string | Uint8Array
  last: boolean
}

export const read = defineCommand({
  name: 'read',
  summary: 'the condensed transcript: words whole, tools with their target, errors noted',
  details:
    'Several sessions come in the order of time, each under its header; a message that stands in several of them is told once. ' +
    'Reading a project leaves subagent transcripts aside unless --kind names them.',
  examples: [
    { command: 'scrollback read 640ab4c7', tells: 'one session, by the beginning of its id' },
    {
      command: 'scrollback read eastore --since 7d --fold',
      tells: 'a project, last week, tool calls folded',
    },
    {
      command: 'scrollback read eastore --budget 20k --voice devlog',
      tells: 'what fits an agent, in its own voice',
    },
    { command: 'scrollback read 640ab4c7 --full --lines', tells: 'everything, with file and line' },
    {
      command: 'scrollback read --all --format jsonl | grep \'"who":"human"\'',
      tells: 'one item a line, for pipes',
    },
  ],
  input,
  output,
  async run(given: Input, context: Context): Promise<Reading> {
    const voice = voiceOf(given.voice)
    if (!voice)
      throw new ScrollbackError(
        'bad-option',
        `--voice ${given.voice}: unknown`,
        'Choose default, devlog, or two names: --voice "Ann,Bot".',
      )
    const tokens = given.budget === undefined ? undefined : parseBudget(given.budget)
    if (given.budget !== undefined && !tokens)
      throw new ScrollbackError(
        'bad-option',
        `--budget ${given.budget}: no number of tokens`,
        'Write 20k, 8000 or 1m.',
      )
    const span = spanOf(given, context)
    const { tasks, subagents } = await resolveTargets(given.target, given, context)
    if (subagents > 0)
      context.note(`${subagents} subagent transcripts are left aside; --kind all reads them too`)
    const omitted = { ...nothingOmitted(), repeated: 0, subagents }
    return {
      format: given.format,
      omitted,
      pieces(format, { color }) {
        const settings: ReadSettings = {
          format,
          style: { voice, color, lines: given.lines, markdown: format === 'md' },
          fold: given.fold,
          redact: context.redact,
          since: Number.isFinite(span.since) ? span.since : null,
          until: Number.isFinite(span.until) ? span.until : null,
          several: tasks.length > 1,
        }
        if (given.full) return inSlices(tasks, settings, context)
        if (tokens !== undefined) return fittedPieces(tasks, settings, tokens, omitted, context)
        return streamedPieces(tasks, settings, omitted, context)
      },
    }
  },
  *render(reading, screen) {
    if (reading.format === 'json') return yield* jsonPieces(reading)
    let any = false
    for (const { text, last } of reading.pieces(reading.format, screen)) {
      any = true
      yield text
      if (last && reading.format !== 'jsonl') yield '\n'
    }
    if (!any) yield reading.format === 'jsonl' ? '' : 'Nothing to read.\n'
    if (reading.format === 'text' || reading.format === 'md') yield* leftOut(reading.omitted)
  },
  json: (reading) => (reading.format === 'jsonl' ? jsonLines(reading) : jsonPieces(reading)),
})

function* jsonLines(reading: Reading): Generator<string | Uint8Array> {
  for (const { text } of reading.pieces('jsonl', { color: false })) yield text
}

function* jsonPieces(reading: Reading): Generator<string | Uint8Array> {
  const sessions: string[] = []
  let any = false
  yield '{"version":1,"items":[\n'
  for (const { session, project, text, last } of reading.pieces('json', { color: false })) {
    if (text.length > 0) {
      if (any) yield ',\n'
      yield text
      any = true
    }
    if (last) sessions.push(printableJson(JSON.stringify(sessionJson(session, project))))
  }
  yield `\n],"sessions":[\n${sessions.join(',\n')}\n],"omitted":${JSON.stringify(reading.omitted)}}\n`
}

function* leftOut({ tools, messages, characters, repeated }: Reading['omitted']): Generator<string> {
  const parts = [
    tools > 0 ? `${tools} tool lines` : '',
    messages > 0 ? `${messages} messages` : '',
    characters > 0 ? `${characters} characters in the middle of long messages` : '',
    repeated > 0 ? `${repeated} messages told twice` : '',
  ].filter((part) => part !== '')
  if (parts.length > 0) yield `Left out: ${parts.join(', ')}. --format json says where.\n`
}

/** The usual way: each session on whichever thread is free, written out in order. */
function* streamedPieces(
  tasks: readonly ReadTask[],
  settings: ReadSettings,
  omitted: Reading['omitted'],
  context: Context,
): Generator<Piece> {
  const small = tasks.filter(({ artifact }) => artifact.bytes <= LARGE)
  const threads = threadsFor(
    small.map(({ artifact }) => artifact),
    context.threads,
  )
  const openings = new Map<number, ReadTask[]>()
  const results = inOrder<ReadTask, ReadResult>({
    tasks: small,
    run: (task) => readOne(task, settings),
    threads,
    worker: threads > 1 ? workerUrl() : undefined,
    settings: { job: 'read', settings },
  })
  for (const task of tasks) {
    if (task.artifact.bytes > LARGE) {
      yield* slicedPieces(task, settings, context, false)
      continue
    }
    const first = results.next().value as ReadResult
    // A session that opens as one above did is laid out again without what was told.
    const alike =
      'opening' in first ? new Set(first.opening.flatMap((key) => openings.get(key) ?? [])) : undefined
    const result = alike?.size ? readOne(task, settings, new Set([...alike].flatMap(keysOf))) : first
    if ('fault' in result) {
      context.note(`${result.path} ${result.fault}`, 'partly')
      continue
    }
    for (const key of result.opening) openings.set(key, [...(openings.get(key) ?? []), task])
    omitted.repeated += result.repeated
    yield pieceOf(result, task)
  }
  results.return(undefined)
}

const pieceOf = ({ session, bytes }: ReadPiece, { project }: ReadTask): Piece => ({
  session,
  project,
  text: bytes,
  last: true,
})

/** With a budget everything has to be known before anything can be left out. */
function* fittedPieces(
  tasks: readonly ReadTask[],
  settings: ReadSettings,
  tokens: number,
  omitted: Reading['omitted'],
  context: Context,
): Generator<Piece> {
  const told: { path: string; items: Item[]; session: Session; project?: string }[] = []
  for (const task of tasks) {
    const read = itemsOf(task, settings, context)
    if (read) told.push({ path: task.artifact.path, project: task.project, ...read })
  }
  Object.assign(omitted, fitBudget(told, tokens))
  for (const { session, items, project } of told) {
    const shown = settings.fold ? foldTools(items) : items
    yield {
      session: redactedSession(session, settings.redact),
      project,
      text: write(session, shown, project, settings),
      last: true,
    }
  }
}

function* inSlices(tasks: readonly ReadTask[], settings: ReadSettings, context: Context): Generator<Piece> {
  for (const task of tasks) yield* slicedPieces(task, settings, context, true)
}

/** Larger transcripts, and details of any, are laid out a slice at a time: they need not fit into memory. */
const LARGE = 48 * 1024 * 1024
/** So many details are read from the file before they are written and forgotten. */
const DETAILS = 100

function* slicedPieces(
  { artifact, project }: ReadTask,
  settings: ReadSettings,
  context: Context,
  full: boolean,
): Generator<Piece> {
  let begun: Session | undefined
  if (artifact.bytes > LARGE) keepHeapSmall()
  try {
    for (const { session: whole, items } of readSlices(artifact, { purpose: 'read', full })) {
      const session = redactedSession(whole, settings.redact)
      if (!begun && (settings.format === 'text' || settings.format === 'md'))
        yield { session, project, text: renderHeader(session, project, settings.style), last: false }
      begun = session
      const wanted = items.filter((each) => inSpan(each, settings))
      const shown = settings.fold && !full ? foldTools(wanted) : wanted
      for (let at = 0; at < shown.length; at += DETAILS) {
        const some = shown.slice(at, at + DETAILS)
        if (full) for (const each of some) each.detail = readDetail(artifact, each)
        if (settings.redact) redactItems(whole, some)
        const told = some.filter(
          (each) => each.who !== 'agent' || each.text !== undefined || each.detail !== undefined,
        )
        const text = write(session, told, project, { ...settings, headless: true })
        if (text !== '') yield { session, project, text, last: false }
        for (const each of some) each.detail = undefined
      }
    }
  } catch (error) {
    context.note(`${artifact.path} ${faultOf(error)}`, 'partly')
  }
  if (begun) yield { session: begun, project, text: '', last: true }
}

function itemsOf(
  task: ReadTask,
  settings: ReadSettings,
  context: Context,
): { session: Session; items: Item[] } | undefined {
  try {
    const { session, items } = readSession(task.artifact, { purpose: 'read' })
    const shown = items.filter((each) => inSpan(each, settings))
    if (settings.redact) redactItems(session, shown)
    return { session, items: shown }
  } catch (error) {
    context.note(`${task.artifact.path} ${faultOf(error)}`, 'partly')
    return undefined
  }
}
