import * as z from 'zod/mini'
import { nothingOmitted, parseBudget } from '../condense/budget.ts'
import { sessionJson } from '../condense/item-json.ts'
import { printableJson } from '../condense/printable.ts'
import { voiceOf } from '../condense/voice.ts'
import { ScrollbackError } from '../errors.ts'
import { type Context, defineCommand } from './command.ts'
import { field } from './fields.ts'
import { filters, identities, spanOf } from './options.ts'
import { openInEditor } from './read-editor.ts'
import type { ReadSettings } from './read-job.ts'
import { nested } from './read-nested.ts'
import { fittedPieces, inSlices, type LeftOut, type Piece, streamedPieces } from './read-pieces.ts'
import { resolveTargets } from './read-targets.ts'
import { type RunJson, runShape } from './runs-json.ts'
import { runtimeIds } from './session-runtimes.ts'
import { sessionShape, usageShape } from './sessions.ts'
import { counted } from './table.ts'

const FORMATS = ['text', 'md', 'json', 'jsonl'] as const

const input = z.object({
  target: field.texts({
    description: 'session, file, <either>:<line>, project, agent, latest, or <project>:latest',
    positional: true,
  }),
  ...filters,
  format: field.choiceOr(FORMATS, 'text', { description: 'text, md, json or jsonl', placeholder: 'format' }),
  voice: field.textOr('default', {
    description: 'how the two are called: default, devlog, or "me,it"',
    placeholder: 'names',
  }),
  around: field.count({
    description: 'n entries before and after the line, or each match of --grep',
    placeholder: 'n',
  }),
  last: field.count({ description: 'only the last n entries of each session', placeholder: 'n' }),
  grep: field.text({ description: 'only entries that hold these words', placeholder: 'words' }),
  editor: field.flag({ description: 'open the transcript in $EDITOR, at the line' }),
  fold: field.flag({ description: 'one line for a run of calls of the same tool' }),
  budget: field.text({ description: 'fit so many tokens, e.g. 20k: dialogue first', placeholder: 'tokens' }),
  full: field.flag({ description: 'with thinking, tool inputs and outputs' }),
  lines: field.flag({ description: 'name file:line of everything' }),
  subagents: field.flag({ description: 'tell subagents where they were started' }),
  ...identities,
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
    model: z.optional(z.string()),
    stopReason: z.optional(z.string()),
    usage: z.optional(usageShape()),
    thinking: z.optional(z.string()),
    input: z.optional(z.string()),
    summary: z.optional(z.string()),
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
    /** With --subagents. */
    runs: z.optional(z.array(runShape())),
  })

/** An answer that is made while it is written out: it may be larger than memory. */
export interface Reading {
  format: Input['format']
  /** Consumed once. */
  pieces(format: Input['format'], look: { color: boolean; columns?: number }): Generator<Piece>
  omitted: LeftOut
  /** The subagents that are told among the items. */
  runs?: RunJson[]
}

export const read = defineCommand({
  name: 'read',
  summary: 'the condensed transcript: words whole, tools with their target, errors noted',
  details:
    'Several sessions come in the order of time, each under its header; a message that stands in several of them is told once. ' +
    'Reading a project leaves subagent transcripts aside unless --kind names them; --subagents tells each where it was started.',
  examples: [
    { command: 'scrollback read 640ab4c7', tells: 'one session, by the beginning of its id' },
    {
      command: 'scrollback read eastore --since 30d --fold',
      tells: 'a project, last month, tool calls folded',
    },
    {
      command: 'scrollback read eastore --budget 20k --voice devlog',
      tells: 'what fits an agent, in its own voice',
    },
    {
      command: 'scrollback read 640ab4c7:5 --around 3',
      tells: 'what stands around a line that search names',
    },
    { command: 'scrollback read eastore:latest --last 20', tells: 'how the last session of a project ended' },
    { command: 'scrollback read eastore --grep tax', tells: 'every entry of a project with these words' },
    { command: 'scrollback read 640ab4c7 --subagents', tells: 'with what its subagents did, in their place' },
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
    if (given.full && tokens !== undefined)
      throw new ScrollbackError(
        'bad-option',
        '--full shows everything, --budget leaves out: choose one',
        'Drop one of them.',
      )
    const span = spanOf(given, context)
    const { around, last, grep } = given
    if (given.subagents && (around ?? last ?? grep) !== undefined)
      throw new ScrollbackError(
        'bad-option',
        '--subagents tells a session as a whole: --around, --last and --grep show parts',
        'Drop one of them.',
      )
    const { tasks, subagents } = await resolveTargets(given.target, given, context)
    const inside = given.subagents ? nested(tasks, { full: given.full, tokens }, context) : undefined
    if (given.editor) return openInEditor(tasks, context)
    if (subagents > 0 && !inside)
      context.note(
        `${counted(subagents, 'subagent transcript')} left aside; --kind all reads them too, --subagents where they were started`,
      )
    const through = runtimeIds(tasks.map(({ artifact }) => artifact))
    if (through.size > 0)
      context.note(
        `What the agent did stands in the session${through.size === 1 ? '' : 's'} of Claude Code it ran through: ${[...through].join(', ')}`,
      )
    const omitted = { ...nothingOmitted(), repeated: 0, subagents }
    return {
      format: given.format,
      omitted,
      runs: inside?.runs,
      pieces(format, { color, columns }) {
        const settings: ReadSettings = {
          format,
          style: { voice, color, columns, lines: given.lines, markdown: format === 'md' },
          fold: given.fold,
          redact: context.redact,
          identities: given.identities,
          excerpt: { around, last, grep },
          since: Number.isFinite(span.since) ? span.since : null,
          until: Number.isFinite(span.until) ? span.until : null,
          several: tasks.length > 1,
        }
        if (inside) return inside.pieces(settings, omitted)
        if (given.full) return inSlices(tasks, settings, context)
        if (tokens !== undefined) return fittedPieces(tasks, settings, tokens, omitted, context)
        return streamedPieces(tasks, settings, omitted, context)
      },
    }
  },
  *render(reading, screen) {
    if (reading.format === 'json') return yield* jsonPieces(reading)
    let any = false
    for (const { text, last } of reading.pieces(reading.format, {
      color: screen.color,
      columns: Number.isFinite(screen.columns) ? screen.columns : undefined,
    })) {
      any = true
      yield text
      if (last && reading.format !== 'jsonl') yield '\n'
    }
    if (!any) yield reading.format === 'jsonl' ? '' : 'Nothing to read.\n'
    if (reading.format === 'text' || reading.format === 'md') yield* leftOut(reading.omitted)
  },
  isVerbatim: ({ format }) => format !== 'text',
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
  const runs = reading.runs ? `,"runs":${printableJson(JSON.stringify(reading.runs))}` : ''
  yield `\n],"sessions":[\n${sessions.join(',\n')}\n],"omitted":${JSON.stringify(reading.omitted)}${runs}}\n`
}

function* leftOut({ tools, messages, characters, repeated }: LeftOut): Generator<string> {
  const parts = [
    tools > 0 ? `${tools} tool lines` : '',
    messages > 0 ? `${messages} messages` : '',
    characters > 0 ? `${characters} characters in the middle of long messages` : '',
    repeated > 0 ? `${repeated} messages told twice` : '',
  ].filter((part) => part !== '')
  if (parts.length > 0) yield `Left out: ${parts.join(', ')}. --format json says where.\n`
}
