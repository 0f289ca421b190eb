import * as z from 'zod/mini'
import { sessionJson } from '../condense/item-json.ts'
import { printable, printableJson } from '../condense/printable.ts'
import { dated } from '../condense/render-text.ts'
import { placeWords } from '../condense/session-place.ts'
import { chooseSessions } from './choose-sessions.ts'
import { defineCommand, type Screen } from './command.ts'
import { field } from './fields.ts'
import { amount, dollars } from './figures-text.ts'
import { loadSessions } from './load.ts'
import { namedJson, namedShape } from './named-sessions.ts'
import { filters, identities } from './options.ts'
import { finishSession } from './read-job.ts'
import { noticeLines, noticesOf, noticesShape, scannedOf, scannedShape } from './scanned.ts'
import { costsOf } from './session-costs.ts'
import { isEmpty, SORTS, type Sort, sorted, tokensOf } from './session-order.ts'
import { type Column, counted, cutTo, readableBytes, table } from './table.ts'
import { duration } from './time.ts'

/** What OpenClaw's own index says of a session. */
export const entryShape = () => {
  const text = z.optional(z.string())
  const count = z.optional(z.number())
  return z.object({
    ...{ surface: text, channel: text, account: text, peer: text, thread: text, name: text, origin: text },
    ...{ model: text, provider: text, status: text, spawnedBy: text, updatedAt: text },
    skills: z.optional(z.array(z.string())),
    prompt: z.optional(
      z.object({
        ...{ total: count, tools: count, toolCharacters: count, skillCharacters: count },
        files: z.optional(z.array(z.object({ name: z.string(), characters: count }))),
      }),
    ),
    tokens: z.optional(z.object({ input: count, output: count, total: count, context: count })),
    runtimeSessions: z.optional(z.array(z.string())),
  })
}

/** The call in another session that sent a prompt. */
const senderShape = () => {
  const text = z.string()
  return z.object({ platform: text, agent: text, session: text, path: text, line: z.number() })
}

/** Tokens, and dollars where the agent wrote them down. */
export const usageShape = () =>
  z.object({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    cacheWriteHour: z.optional(z.number()),
    cost: z.optional(z.number()),
  })

/** One row of the index as JSON. */
export const sessionShape = () => {
  const time = z.nullable(z.string())
  const count = z.number()
  return z.object({
    id: z.string(),
    platform: z.string(),
    agent: z.string(),
    kind: z.nullable(z.string()),
    state: z.string(),
    /** A running client has it open now. */
    open: z.optional(z.boolean()),
    project: z.nullable(z.string()),
    cwd: z.nullable(z.string()),
    startedAt: time,
    lastActivityAt: time,
    modifiedAt: time,
    path: z.string(),
    bytes: count,
    lines: count,
    messages: z.object({ human: count, agent: count }),
    toolCalls: count,
    errors: count,
    possibleErrors: count,
    title: z.nullable(z.string()),
    firstHuman: z.nullable(z.string()),
    lastHuman: z.array(z.string()),
    firstProgram: z.optional(z.string()),
    parent: z.optional(z.string()),
    fork: z.optional(z.string()),
    subagent: z.optional(z.object({ type: z.optional(z.string()), description: z.optional(z.string()) })),
    model: z.optional(z.string()),
    /** Of the client that wrote the last prompt. */
    version: z.optional(z.string()),
    /** The last branch that was worked on, and all of them. */
    gitBranch: z.optional(z.string()),
    gitBranches: z.optional(z.array(z.string())),
    usage: z.optional(usageShape()),
    sessionKey: z.optional(z.string()),
    entry: z.optional(entryShape()),
    ranThrough: z.optional(z.array(z.object({ session: z.string(), path: z.string() }))),
    promptedBy: z.optional(z.array(z.object({ line: count, by: senderShape() }))),
    script: z.optional(z.object({ confidence: count, sessions: count })),
    alsoNamed: z.optional(z.array(z.string())),
    /** In US dollars at list price, with `--sort cost`; `null` where no model of it has a price. */
    cost: z.optional(z.nullable(count)),
    /** Listed only because its first human messages say the name that was asked for: these words. */
    matched: z.optional(z.string()),
    goneSince: z.optional(z.nullable(z.string())),
    accounting: z.object({
      events: count,
      skipped: z.record(z.string(), count),
      unknown: z.record(z.string(), count),
      malformed: count,
      malformedAt: z.optional(z.array(count)),
    }),
  })
}

const output = () =>
  z.object({
    version: z.literal(1),
    scanned: scannedShape(),
    notices: noticesShape(),
    total: z.number(),
    /** In how many of `total` nothing was said and nothing done: they stand behind the others. */
    empty: z.number(),
    sort: z.enum(SORTS),
    /** How many of `total` only say the name: they stand last, each with `matched`. */
    mentioned: z.number(),
    sessions: z.array(sessionShape()),
    named: z.array(namedShape()),
    /** How it is to be printed. */
    long: z.optional(z.boolean()),
  })

type Row = z.output<ReturnType<typeof sessionShape>>

/** Rows that fill a screen without scrolling far. */
const SCREENFUL = 30

export const sessions = defineCommand({
  name: 'sessions',
  summary: 'the session index: who said what first and last, when, how much',
  details:
    'Without a project it lists the sessions of the current directory. Answers come from the store, which is brought up to ' +
    'date first: only what is new in a transcript is read. A session whose file is gone stays listed.',
  examples: [
    { command: 'scrollback sessions', tells: 'sessions of the project you stand in' },
    {
      command: 'scrollback sessions eastore --since 30d',
      tells: 'a project by a part of its name, last month',
    },
    { command: 'scrollback sessions --agent main', tells: 'all that one agent did' },
    { command: 'scrollback sessions --all --kind cron', tells: 'what ran by itself, everywhere' },
    { command: 'scrollback sessions --all --sort cost --limit 10', tells: 'what cost most' },
    { command: 'scrollback sessions --all --model opus --title postgres', tells: 'by model and title' },
    { command: 'scrollback sessions --all --long', tells: 'with what was said first and last' },
    { command: "scrollback sessions --all --json | jq '.sessions[].id'", tells: 'for programs' },
  ],
  input: z.object({
    project: field.text({
      description: 'project, agent, folder or session; part of a name will do',
      positional: true,
    }),
    ...filters,
    ...identities,
    sort: field.choiceOr(SORTS, 'last', {
      description: 'what comes first: last (the newest), cost, tokens, size, duration',
      placeholder: 'what',
    }),
    long: field.flag({
      description: 'what the human said first and last, below each; also from 170 columns on',
    }),
  }),
  output,
  async run(input, context): Promise<z.output<ReturnType<typeof output>>> {
    const loaded = loadSessions(input, context)
    const chosen = await chooseSessions(loaded, { ...input, name: input.project }, context)
    const limit = input.limit || Number.POSITIVE_INFINITY
    const costOf = input.sort === 'cost' ? await costsOf(loaded.sessions, context) : undefined
    const own = sorted(chosen.sessions, input.sort, costOf ?? (() => undefined))
    const listed = [...own.map((session) => ({ session, words: undefined })), ...chosen.mentions]
    return {
      version: 1,
      scanned: scannedOf(loaded),
      notices: noticesOf(loaded),
      total: listed.length,
      empty: listed.filter(({ session }) => isEmpty(session)).length,
      sort: input.sort,
      ...(input.long ? { long: true } : {}),
      mentioned: chosen.mentions.length,
      sessions: listed.slice(0, limit).map(({ session, words }) => ({
        ...sessionJson(finishSession(session, input.identities), chosen.nameOf(session), words),
        ...(costOf && { cost: costOf(session) ?? null }),
      })),
      named: chosen.by === 'everything' ? loaded.named.map((each) => namedJson(each, input.identities)) : [],
    }
  },
  /** Row by row: there may be very many. */
  *json(answer) {
    const { sessions: rows, ...rest } = answer
    yield `${printableJson(JSON.stringify(rest, null, 2)).slice(0, -2)},\n  "sessions": [`
    let first = true
    for (const row of rows) {
      yield `${first ? '' : ','}\n${printableJson(JSON.stringify(row, null, 2)).replace(/^/gm, '    ')}`
      first = false
    }
    yield first ? ']\n}\n' : '\n  ]\n}\n'
  },
  *render({ sessions: all, total, empty, sort, notices, named, long }, screen) {
    const rows = screen.terminal && all.length === total ? all.slice(0, SCREENFUL) : all
    if (rows.length === 0) {
      yield 'No session matches.\n'
      yield* noticeLines(notices, screen.home)
      return
    }
    const own = rows.filter(({ matched }) => matched === undefined)
    const mentioning = rows.filter(({ matched }) => matched !== undefined)
    const isLong = long || (screen.terminal && screen.columns >= LONG_FROM)
    if (own.length > 0)
      yield* isLong ? withWords(own, screen, sort) : table(own, columnsFor(screen, sort), screen)
    if (mentioning.length > 0) {
      yield `${own.length > 0 ? '\n' : ''}Without a project, found by what was said first in them:\n`
      yield* table(mentioning, mentionColumns, screen)
    }
    const sum = rows.reduce((human, row) => human + row.messages.human, 0)
    const silent = empty === 0 ? '' : `, ${empty} of them empty`
    yield `\n${counted(total, 'session')}${silent}${rows.length < total ? `, ${rows.length} shown (--limit 0 shows all)` : ''}; ${counted(sum, 'message')} of yours. Read one: ${screen.suggest('read', shortId(rows[0]!.id))}\n`
    if (rows.some(({ lastActivityAt }) => lastActivityAt === null))
      yield '~ is the time of the file: nothing in it has one.\n'
    if (named.length > 0)
      yield `${counted(named.length, 'more session')} ${named.length === 1 ? 'is' : 'are'} named by sessions.json, no transcript here: --json lists ${named.length === 1 ? 'it' : 'them'}, ${screen.suggest('session', named[0]!.id)} tells what is known\n`
    yield* noticeLines(notices, screen.home)
  },
})

/** A terminal so wide has room for what was said, too. */
const LONG_FROM = 170

/** Rows, each with what the human said first and last below it. */
function* withWords(rows: readonly Row[], screen: Screen, sort: Sort): Generator<string> {
  const room = screen.terminal ? screen.columns : Number.POSITIVE_INFINITY
  const words = (name: string, text: string): string =>
    `${cutTo(`          ${name} ${printable(text).replace(/\s+/g, ' ').trim()}`, room)}\n`
  const [head, ...lines] = table(rows, columnsFor(screen, sort), screen)
  if (head !== undefined) yield head
  for (const [index, line] of lines.entries()) {
    yield line
    const { firstHuman, lastHuman } = rows[index]!
    const last = lastHuman.at(-1)
    if (firstHuman !== null) yield words('first:', firstHuman)
    if (last !== undefined && last !== firstHuman) yield words('last: ', last)
  }
}

/** The figure that rows are sorted by, where no other column tells it. */
function sortedBy(sort: Sort): Column<Row>[] {
  if (sort === 'cost') return [{ title: 'COST', value: ({ cost }) => dollars(cost ?? null), align: 'right' }]
  if (sort === 'tokens') return [{ title: 'TOKENS', value: (row) => amount(tokensOf(row)), align: 'right' }]
  if (sort !== 'duration') return []
  const lasted = ({ startedAt, lastActivityAt }: Row): number | null =>
    startedAt === null || lastActivityAt === null ? null : Date.parse(lastActivityAt) - Date.parse(startedAt)
  return [{ title: 'DURATION', value: (row) => duration(lasted(row)), align: 'right' }]
}

/** Where nothing in it has a time, that of its file, marked. */
const lastOf = ({ lastActivityAt, modifiedAt }: Row): string =>
  lastActivityAt === null ? `~${when(modifiedAt)}` : when(lastActivityAt)

const when = (iso: string | null): string => (iso === null ? '-' : dated(Date.parse(iso)).slice(2))

const mentionColumns: Column<Row>[] = [
  { title: 'ID', value: (row) => shortId(row.id), paint: 'cyan' },
  { title: 'LAST', value: lastOf },
  { title: 'AGENT', value: (row) => agentOf(row), most: 12 },
  { title: 'WORDS', value: (row) => row.matched ?? '', rest: true },
]

function columnsFor(screen: Screen, sort: Sort): Column<Row>[] {
  return [
    { title: 'ID', value: (row) => shortId(row.id), paint: 'cyan' },
    { title: 'LAST', value: lastOf },
    { title: 'STARTED', value: (row) => when(row.startedAt), from: 130 },
    // The figure that rows are sorted by takes its room.
    { title: 'AGENT', value: agentOf, most: 12, from: sort === 'last' ? 0 : 100 },
    {
      title: 'PROJECT',
      value: (row) => row.project ?? '-',
      most: screen.columns < 100 ? 12 : 28,
    },
    { title: 'KIND', value: (row) => row.kind ?? '-', from: 100 },
    { title: 'CHANNEL', value: placeWords, most: 28, from: 140, sparse: true },
    { title: 'NOW', value: (row) => (row.open ? 'open' : ''), sparse: true },
    { title: 'STATE', value: (row) => row.state, from: 150 },
    { title: 'YOU', value: (row) => String(row.messages.human), align: 'right' },
    { title: 'IT', value: (row) => String(row.messages.agent), align: 'right' },
    { title: 'TOOLS', value: (row) => String(row.toolCalls), align: 'right', from: 110 },
    { title: 'ERR', value: (row) => String(row.errors || ''), align: 'right', from: 110 },
    { title: 'LINES', value: (row) => String(row.lines), align: 'right', from: 120 },
    {
      title: 'SIZE',
      value: (row) => readableBytes(row.bytes),
      align: 'right',
      from: sort === 'size' ? 0 : 140,
    },
    ...sortedBy(sort),
    { title: 'TITLE', value: (row) => titleOf(row, screen), rest: true },
  ]
}

/** What `read` takes: the beginning of a random id, any other id whole. Subagents all begin alike. */
export function shortId(id: string): string {
  const own = id.replace(/^agent-/, '')
  return /^[0-9a-f]{8}/.test(own) ? own.slice(0, 8) : own
}

const agentOf = (row: Row): string => (row.platform === 'claude-code' ? 'claude' : `oc:${row.agent}`)

function titleOf(row: Row, screen: Screen): string {
  const kind = screen.columns < 100 && row.kind !== 'human' && row.kind !== null ? `[${row.kind}] ` : ''
  const state =
    row.state === 'live' || (Number.isFinite(screen.columns) && screen.columns >= 150)
      ? ''
      : `[${row.state}] `
  const script = row.script ? `[script ${Math.round(row.script.confidence * 100)} %] ` : ''
  const by = row.promptedBy ? `[by ${row.promptedBy[0]!.by.agent}] ` : ''
  const gone = row.goneSince ? '[file gone] ' : ''
  return `${gone}${state}${kind}${by}${script}${row.title ?? row.subagent?.description ?? '(nothing said)'}`
}
