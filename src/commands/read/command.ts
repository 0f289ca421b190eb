import { basename } from 'node:path'
import * as z from 'zod/mini'
import { nothingOmitted, parseBudget } from '../../condense/condense.ts'
import { sessionJson } from '../../condense/item-json.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { filters, identities, spanOf, voiceIn } from '../../context/filters.ts'
import { field } from '../../context/flags.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Who } from '../../model/session.ts'
import { runtimeName } from '../../platforms/identities.ts'
import type { Printed } from '../../render/gate.ts'
import { counted } from '../../render/table.ts'
import { printableJson } from '../../render/terminal.ts'
import { runtimeIds } from '../../selection/load-sessions.ts'
import { fittedPieces, inSlices, type LeftOut, type Piece, streamedPieces } from '../../selection/pieces.ts'
import { isJson, type ReadSettings, type ReadTask } from '../../selection/read-messages.ts'
import { areForeign, resolveTargets } from '../../selection/read-targets.ts'
import { type RunJson, runShape } from '../../selection/runs.ts'
import { itemShape, sessionShape } from '../../selection/session-rows.ts'
import { nested } from './nested.ts'

const FORMATS = ['text', 'md', 'json', 'jsonl'] as const

const input = z.object({
  target: field.texts({
    description: 'session, file, <either>:<line>, project, agent, latest, or <project>:latest',
    positional: true,
  }),
  ...filters,
  limit: field.count({
    description: 'at most n sessions; 0 = no limit. --last limits the entries of each',
    placeholder: 'n',
  }),
  format: field.choiceOr(FORMATS, 'text', { description: 'text, md, json or jsonl', placeholder: 'format' }),
  voice: field.textOr('default', {
    description: 'names of the speakers: default, devlog, or "me,it"',
    placeholder: 'names',
  }),
  around: field.count({
    description: 'also print n entries before and after the line, or each match of --grep',
    placeholder: 'n',
  }),
  last: field.count({ description: 'only the last n entries of each session', placeholder: 'n' }),
  grep: field.text({ description: 'only entries with these words', placeholder: 'words' }),
  who: field.checked(
    (text) => speakersIn(text) !== undefined,
    'use human, agent or program, or several: human,agent',
    {
      description: 'only the words of: human, agent, program; several with commas',
      placeholder: 'names',
    },
  ),
  tools: field.unless({ description: 'leave out tool calls and their errors' }),
  editor: field.flag({ description: 'open the transcript in $EDITOR, at the line' }),
  fold: field.flag({ description: 'fold consecutive calls of the same tool into one line' }),
  budget: field.text({
    description: 'fit into this many tokens, such as 20k; messages first',
    placeholder: 'tokens',
  }),
  mentioned: field.flag({ description: 'also sessions that only mention the name early on' }),
  full: field.flag({ description: 'include thinking, tool input and tool output' }),
  lines: field.flag({ description: 'print file:line of each item' }),
  subagents: field.flag({ description: 'print subagents where they were started' }),
  ...identities,
})

type Input = z.output<typeof input>

const output = () =>
  z.object({
    version: z.literal(1),
    items: z.array(itemShape()),
    sessions: z.array(sessionShape()),
    omitted: z.object({
      sessions: z.number(),
      tools: z.number(),
      messages: z.number(),
      characters: z.number(),
      places: z.array(z.object({ path: z.string(), line: z.number(), what: z.string() })),
      repeated: z.number(),
      subagents: z.number(),
    }),
    /** Only with `--subagents`. */
    runs: z.optional(z.array(runShape())),
  })

/** An answer that is created lazily while it is written, because it may be larger than memory. */
export interface Reading {
  format: Input['format']
  /** Can be consumed once. */
  pieces(format: Input['format'], look: { color: boolean; columns?: number }): Generator<Piece>
  omitted: LeftOut
  /** Set when the pieces are written: there was none. */
  isNothing?: boolean
  /** The subagents that are inserted among the items. */
  runs?: RunJson[]
}

export const read = defineCommand({
  name: 'read',
  summary: 'print condensed transcripts: messages in full, tools with their target, errors',
  details:
    'Several sessions are printed in order of time, each under its header. Duplicate messages are printed once. ' +
    'Reading a project skips the transcripts of subagents unless --kind names them, or nothing is left of what started them; --subagents prints each where it was started.',
  examples: [
    { command: 'scrollback read 640ab4c7', description: 'print a session, by the beginning of its id' },
    {
      command: 'scrollback read eastore --since 30d --fold',
      description: 'print a project, last 30 days, with tool calls folded',
    },
    {
      command: 'scrollback read eastore --budget 20k --voice devlog',
      description: 'print what fits into 20,000 tokens, in the voice of a devlog',
    },
    {
      command: 'scrollback read 640ab4c7:5 --around 3',
      description: 'print the messages around a line, as search prints it',
    },
    {
      command: 'scrollback read eastore:latest --last 20',
      description: 'print how the last session of a project ended',
    },
    {
      command: 'scrollback read 640ab4c7 --who human',
      description: 'print only what you said',
    },
    {
      command: 'scrollback read api --grep tax',
      description: 'print every entry of a project with this word',
    },
    {
      command: 'scrollback read 640ab4c7 --subagents',
      description: 'print a session with its subagents where they were started',
    },
    {
      command: 'scrollback read 640ab4c7 --full --lines',
      description: 'print everything, with file and line',
    },
    {
      command: 'scrollback read --all --format jsonl | grep \'"who":"human"\'',
      description: 'print one item a line, for pipes',
    },
  ],
  input,
  output,
  check: (given) => void settingsOf(given),
  needs: ({ target }, context) => (areForeign(target, context) ? undefined : 'messages'),
  async run(given: Input, context: Context): Promise<Reading> {
    const { voice, tokens } = settingsOf(given)
    const span = spanOf(given, context)
    const { around, last, grep } = given
    const { tasks, subagents } = await resolveTargets(given.target, given, context)
    const inside = given.subagents ? nested(tasks, { full: given.full, tokens }, context) : undefined
    if (given.editor) return openInEditor(tasks, context)
    if (subagents > 0 && !inside)
      context.note(
        `${counted(subagents, 'subagent transcript')} skipped; --kind all reads them too, --subagents prints them where they were started`,
      )
    const through = runtimeIds(tasks.map(({ artifact }) => artifact))
    if (through.size > 0)
      context.note(
        `The tool calls of the agent are in the ${runtimeName()} session${through.size === 1 ? '' : 's'} it ran through: ${[...through].join(', ')}`,
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
          ...onlyOf(given),
          redact: context.redact,
          identities: given.identities,
          excerpt: { around, last, grep },
          since: Number.isFinite(span.since) ? span.since : null,
          until: Number.isFinite(span.until) ? span.until : null,
          several: tasks.length > 1,
        }
        if (inside) return inside.pieces(settings, omitted)
        if (given.full) return inSlices(tasks, settings, omitted, context)
        if (tokens !== undefined) return fittedPieces(tasks, settings, tokens, omitted, context)
        return streamedPieces(tasks, settings, omitted, context)
      },
    }
  },
  isNothing: (reading) => reading.isNothing === true,
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
    reading.isNothing ??= !any
    if (!any) yield reading.format === 'jsonl' ? '' : 'Nothing to read.\n'
    if (reading.format === 'text' || reading.format === 'md') yield* leftOut(reading.omitted)
  },
  isVerbatim: ({ format }) => format !== 'text',
  isJson: ({ format }) => isJson(format),
  json: (reading) => (reading.format === 'jsonl' ? jsonLines(reading) : jsonPieces(reading)),
})

const SPEAKERS: readonly Who[] = ['human', 'agent', 'program']

/** The names in `human,agent`. Undefined if one of them is not known. */
function speakersIn(text: string): Who[] | undefined {
  const names = text.split(',').map((name) => name.trim() as Who)
  return names.every((name) => SPEAKERS.includes(name)) ? names : undefined
}

/** The kinds of items that are asked for, if not all. */
function onlyOf({ who, tools }: Pick<Input, 'who' | 'tools'>): Pick<ReadSettings, 'only' | 'withoutTools'> {
  const speakers = who === undefined ? undefined : speakersIn(who)
  if (speakers) return { only: speakers }
  return tools ? {} : { withoutTools: true }
}

/** How the input says to write, and how many tokens. Refuses what contradicts itself. */
function settingsOf({ target, voice: names, budget, full, subagents, around, last, grep }: Input) {
  if (around !== undefined && grep === undefined && !target.some((name) => /:-?\d{1,9}$/.test(name)))
    throw new ScrollbackError(
      'bad-option',
      '--around needs a line, or --grep',
      'Put the line behind the session: 640ab4c7:5, as search prints it.',
    )
  const voice = voiceIn(names)
  const tokens = budget === undefined ? undefined : parseBudget(budget)
  if (budget !== undefined && !tokens)
    throw new ScrollbackError(
      'bad-option',
      `--budget: invalid number of tokens "${budget}"`,
      'Use 20k, 8000 or 1m.',
    )
  if (full && tokens !== undefined)
    throw new ScrollbackError(
      'bad-option',
      '--full prints everything, --budget leaves parts out',
      'Drop one of them.',
    )
  if (subagents && (around ?? last ?? grep) !== undefined)
    throw new ScrollbackError(
      'bad-option',
      '--subagents prints whole sessions, --around, --last and --grep print parts',
      'Drop one of them.',
    )
  return { voice, tokens }
}

function* jsonLines(reading: Reading): Generator<Printed> {
  let any = false
  for (const { text } of reading.pieces('jsonl', { color: false })) {
    any = true
    yield text
  }
  reading.isNothing ??= !any
}

function* jsonPieces(reading: Reading): Generator<Printed> {
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
  reading.isNothing ??= sessions.length === 0
  const runs = reading.runs ? `,"runs":${printableJson(JSON.stringify(reading.runs))}` : ''
  yield `\n],"sessions":[\n${sessions.join(',\n')}\n],"omitted":${JSON.stringify(reading.omitted)}${runs}}\n`
}

function* leftOut({ sessions, tools, messages, characters, repeated }: LeftOut): Generator<string> {
  const parts = [
    sessions > 0 ? counted(sessions, 'session') : '',
    tools > 0 ? counted(tools, 'tool line') : '',
    messages > 0 ? counted(messages, 'message') : '',
    characters > 0 ? `${counted(characters, 'character')} in the middle of long messages` : '',
    repeated > 0 ? counted(repeated, 'duplicate message') : '',
  ].filter((part) => part !== '')
  if (parts.length > 0) yield `Left out: ${parts.join(', ')}. See --format json for the lines.\n`
}

/** Opens the requested transcript in the user's editor, at the line. Prints nothing else. */
async function openInEditor(tasks: readonly ReadTask[], context: Context): Promise<Reading> {
  const [task] = tasks
  if (!task || tasks.length > 1)
    throw new ScrollbackError(
      'bad-option',
      `--editor opens one transcript, and ${tasks.length} match`,
      `Name one: ${context.suggest('read', ['latest'], '--editor')}`,
    )
  const { path, database } = task.artifact
  if (database !== undefined)
    throw new ScrollbackError(
      'bad-option',
      `${path} is a session in a database, not a file that an editor can open`,
      'Read it without --editor; --lines names each line.',
    )
  const { VISUAL, EDITOR } = context.environment.variables
  const words = (VISUAL || EDITOR || '').split(/\s+/).filter((word) => word !== '')
  if (words.length === 0 || !context.start)
    throw new ScrollbackError(
      'bad-option',
      '--editor: no editor is named',
      'Set EDITOR, for example: export EDITOR=vi',
    )
  const code = await context.start(
    [...words, ...at(basename(words[0]!), path, task.line ?? 1)],
    context.here,
    {},
  )
  if (code === undefined)
    throw new ScrollbackError(
      'bad-option',
      `--editor: ${words[0]} could not be started`,
      'Set EDITOR to another one.',
    )
  if (code !== 0) context.partly?.()
  return {
    format: 'jsonl',
    isNothing: false,
    omitted: { ...nothingOmitted(), repeated: 0, subagents: 0 },
    *pieces() {},
  }
}

/** How each editor expects a line number. */
function at(editor: string, path: string, line: number): string[] {
  if (/^(?:code|code-insiders|codium|cursor|windsurf)$/.test(editor)) return ['--goto', `${path}:${line}`]
  if (/^(?:subl|zed|hx|helix|micro)$/.test(editor)) return [`${path}:${line}`]
  if (/^(?:idea|webstorm|pycharm|goland|clion|rider)$/.test(editor)) return ['--line', String(line), path]
  return [`+${line}`, path]
}
