import * as z from 'zod/mini'
import { defineCommand } from '../context/command.ts'
import { filters, identities } from '../context/filters.ts'
import { field } from '../context/flags.ts'
import { noticesOf, noticesShape, scannedOf, scannedShape } from '../context/scanned.ts'
import { duration } from '../context/time.ts'
import { conversationOf } from '../model/conversation.ts'
import { shownName } from '../model/hidden.ts'
import { isEmptySession, isOfPeople, type Session } from '../model/session.ts'
import { identityOf, identities as platforms } from '../platforms/identities.ts'
import { shortAgent } from '../platforms/identity.ts'
import {
  amount,
  type Column,
  counted,
  cutTo,
  dollars,
  grouped,
  readableBytes,
  table,
} from '../render/table.ts'
import { printable, printableJson, type Screen } from '../render/terminal.ts'
import { surfaceText, timesIn } from '../render/text.ts'
import { LONGEST_ID, shortestIds } from '../selection/session-names.ts'
import {
  namedJson,
  namedShape,
  repeatedMessages,
  rowsOf,
  SORTS,
  type Sort,
  sessionShape,
  tokensOf,
} from '../selection/session-rows.ts'
import { session } from './session.ts'

/** `short`: the shortest name that `read` takes for it, of 8 characters or more. */
const listedShape = () => z.extend(sessionShape(), { short: z.string() })

const output = () =>
  z.object({
    version: z.literal(1),
    scanned: scannedShape(),
    notices: noticesShape(),
    total: z.number(),
    /** How many of `total` are empty. They follow the others. */
    empty: z.number(),
    /** How many of the empty ones are among `others`. Absent if there are none. */
    emptyOthers: z.optional(z.number()),
    /** How many of `total` are of an unknown kind, and so of people. Absent if there are none. */
    unknownKind: z.optional(z.number()),
    sort: z.enum(SORTS),
    /**
     * How many of `total` are of each kind that no person prompts, if the list begins with people's sessions:
     * newest first, and of every kind. They follow those of people.
     */
    others: z.record(z.string(), z.number()),
    /** How many of `total` are forks and copies of others. */
    copies: z.optional(z.number()),
    /** How many of `total` only mention the name. They come last, each with `matched`. */
    mentioned: z.number(),
    sessions: z.array(listedShape()),
    /** How many prompts of a session one before it has, too, by its path. Absent if there are none. */
    repeated: z.optional(z.record(z.string(), z.number())),
    named: z.array(namedShape()),
    /** How to print it. */
    long: z.optional(z.boolean()),
    withCopies: z.optional(z.boolean()),
  })

type Row = z.output<ReturnType<typeof listedShape>>

/** `detail`: how one session is shown to people. */
type Answer = z.output<ReturnType<typeof output>> & { detail?: Awaited<ReturnType<typeof session.run>> }

/** How many rows fill a screen. */
const SCREENFUL = 30

/** What a short name of an agent means. */
function agentInWords(): string {
  const { name, defaultAgent, ...short } = platforms.find(({ manyAgents }) => manyAgents) ?? platforms[0]!
  return `${shortAgent({ name, defaultAgent, ...short }, defaultAgent)} is the agent ${defaultAgent} of ${name}`
}

export const sessions = defineCommand({
  name: 'sessions',
  summary: 'list sessions: when, where, how long, first and last message; or show one in detail',
  details:
    'Without a project it lists the sessions of the current directory, or of every project if none ran there. Sessions of people come first; ' +
    'the others are counted in one line, and --kind all lists them. Sessions whose file is gone are included. ' +
    `In the column AGENT, ${agentInWords()}. Labels before a title: [reset] and [archived] say how a session ended, ` +
    '[script] or [perhaps a script] who started it, and [by main] that this agent prompted it. Forks and copies are in the row of the session that a person would resume. ' +
    'Without --since and --until, a time in words or a date beside the name is both: sessions last week. A project called october follows --.',
  examples: [
    { command: 'scrollback sessions', description: 'list sessions of the project in the current directory' },
    {
      command: 'scrollback sessions eastore --since 30d',
      description: 'list a project by part of its name, last 30 days',
    },
    { command: 'scrollback sessions 640ab4c7', description: 'show one: counts, tokens, cost, files' },
    { command: 'scrollback sessions --agent main', description: 'list the sessions of an agent' },
    {
      command: 'scrollback sessions --all --kind cron',
      description: 'list scheduled sessions of every project',
    },
    {
      command: 'scrollback sessions --all --sort cost --limit 10',
      description: 'list the ten most expensive sessions',
    },
    {
      command: 'scrollback sessions --all --model opus --title postgres',
      description: 'filter by model and title',
    },
    { command: 'scrollback sessions --all --long', description: 'add the first and last human message' },
    { command: "scrollback sessions --all --json | jq '.sessions[].id'", description: 'for programs' },
  ],
  input: z.object({
    project: field.text({
      description: 'project, agent, folder or session; part of a name is enough',
      positional: true,
    }),
    ...filters,
    ...identities,
    sort: field.choiceOr(SORTS, 'last', {
      description: 'sort by last (newest first), cost, tokens, size or duration',
      placeholder: 'what',
    }),
    mentioned: field.flag({
      description: 'also sessions of other projects that mention the name early on',
    }),
    copies: field.flag({
      description: 'also forks and copies of a session, which count as one with it',
    }),
    long: field.flag({
      description: 'add the first and last human message below each session; always on from 170 columns',
    }),
  }),
  output,
  needs: 'messages',
  async run(input, context): Promise<Answer> {
    const { loaded, chosen, listed: all, rowOf } = await rowsOf(input, context)
    const limit = input.limit || Number.POSITIVE_INFINITY
    const { listed, others } =
      input.kind === undefined && input.sort === 'last' ? peopleFirst(all) : { listed: all, others: {} }
    const detail =
      (chosen.by === 'id' || chosen.by === 'latest') && !input.long
        ? await session.run(
            { session: input.project, agent: input.agent, identities: input.identities },
            context,
          )
        : undefined
    const short = shortestIds(loaded.all.map(({ id }) => id))
    const heads = headsOf(listed.map(({ session }) => session))
    const shown = listed.slice(0, limit).map(({ session }) => session)
    const repeated = Object.fromEntries(
      Object.entries(repeatedMessages(shown, context.fresh?.store)).flatMap(([path, { human }]) =>
        human > 0 ? [[path, human]] : [],
      ),
    )
    return {
      ...(detail && { detail }),
      version: 1,
      scanned: scannedOf(loaded),
      notices: noticesOf(loaded),
      total: listed.length,
      ...emptyOf(listed, Object.keys(others).length > 0),
      sort: input.sort,
      ...(input.long ? { long: true } : {}),
      others,
      mentioned: chosen.mentions.length,
      ...(heads.size > 0 ? { copies: heads.size } : {}),
      ...(input.copies ? { withCopies: true } : {}),
      sessions: listed.slice(0, limit).map((each) => {
        const head = heads.get(each.session)
        return { ...rowOf(each), short: short(each.session.id), ...(head && { copyOf: head.id }) }
      }),
      ...(Object.keys(repeated).length > 0 ? { repeated } : {}),
      named: chosen.by === 'everything' ? loaded.named.map((each) => namedJson(each, input.identities)) : [],
    }
  },
  /** One row after another, because there may be very many. */
  *json(answer) {
    const { sessions: rows, detail: _, ...rest } = answer
    yield `${printableJson(JSON.stringify(rest, null, 2)).slice(0, -2)},\n  "sessions": [`
    let first = true
    for (const row of rows) {
      yield `${first ? '' : ','}\n${printableJson(JSON.stringify(row, null, 2)).replace(/^/gm, '    ')}`
      first = false
    }
    yield first ? ']\n}\n' : '\n  ]\n}\n'
  },
  isNothing: ({ total, named }) => total + named.length === 0,
  *render(answer, screen) {
    if (answer.detail) return yield* session.render(answer.detail, screen)
    const { total: every, empty, emptyOthers = 0, unknownKind = 0, sort, named, long } = answer
    const { others, repeated, withCopies } = answer
    const isFolded = foldedIn(withCopies ? [] : answer.sessions)
    const all = answer.sessions.filter((row) => !isFolded(row))
    const left = Object.values(others).reduce((sum, count) => sum + count, 0)
    const total = every - left
    const shown = left > 0 ? all.filter((row) => isOfPeople(row) || row.matched !== undefined) : all
    const isWhole = answer.sessions.length === every
    const rows = screen.terminal && isWhole ? shown.slice(0, SCREENFUL) : shown
    if (rows.length === 0) {
      yield 'No session matches.\n'
      return
    }
    const own = rows.filter(({ matched }) => matched === undefined)
    const mentioning = rows.filter(({ matched }) => matched !== undefined)
    const isLong = long || (screen.terminal && screen.columns >= LONG_FROM)
    if (own.length > 0)
      yield* isLong ? withWords(own, screen, sort) : table(own, columnsFor(own, screen, sort), screen)
    if (mentioning.length > 0) {
      const where = mentioning.some(({ project }) => project !== null)
        ? 'Of other projects'
        : 'Without a project'
      yield `${own.length > 0 ? '\n' : ''}${where}, found by their first messages:\n`
      yield* table(mentioning, mentionColumns(timesOf(mentioning, screen)), screen)
    }
    const folded = answer.sessions.filter((row) => isFolded(row) && rows.some(({ id }) => id === row.copyOf))
    const listed = rows.length + folded.length
    const sum = [...rows, ...folded].reduce(
      (human, row) => human + row.messages.human - (repeated?.[row.path] ?? 0),
      0,
    )
    const ownEmpty = empty - emptyOthers
    const silent = ownEmpty === 0 ? '' : `, ${grouped(ownEmpty)} of them empty`
    const part = listed < total ? `, ${rows.length} shown with` : ';'
    const rest = listed < total ? ' (--limit 0 shows all)' : ''
    const [{ project }] = rows as [Row]
    const of =
      project !== null && listed === total && [...rows, ...folded].every((row) => row.project === project)
    const unknown = unknownKind > 0 ? ` (${grouped(unknownKind)} of unknown kind)` : ''
    const people = left > 0 ? ` of people${unknown}` : ''
    const where = of && total > 1 ? ` ${left > 0 ? 'in' : 'of'} ${shownName(project)}` : ''
    yield `\n${counted(total, 'session')}${people}${where}${silent}${part} ${counted(sum, 'message')} of yours${rest}. Read one: ${screen.suggest('read', [rows[0]!.short])}\n`
    if (left > 0)
      yield `And ${counted(left, 'other')}, ${grouped(every)} in all: ${othersInWords(others)}: --kind all\n`
    if (folded.length > 0)
      yield `Of these, ${counted(folded.length, 'fork or copy is', 'forks and copies are')} in the row of another: --copies\n`
    if (rows.some(({ lastActivityAt }) => lastActivityAt === null))
      yield '~ marks the time of the file, because none of its records has one.\n'
    if (named.length > 0)
      yield `${counted(named.length, 'more session')} ${named.length === 1 ? 'is' : 'are'} in the session index without a transcript (--json lists ${named.length === 1 ? 'it' : 'them'}). See the entry: ${screen.suggest('session', [named[0]!.id])}\n`
  },
})

/** Whether a row is in the row of another. A fork whose head is not listed has its own. */
function foldedIn(rows: readonly Row[]): (row: Row) => boolean {
  const ids = new Set(rows.map(({ id }) => id))
  return ({ copyOf }) => copyOf !== undefined && ids.has(copyOf)
}

/**
 * The session that a person would resume, for each of its forks and copies: the one that was active last.
 * They begin with the same prompt at the same moment.
 */
function headsOf(all: readonly Session[]): ReadonlyMap<Session, Session> {
  const heads = new Map<Session, Session>()
  const last = ({ lastActivityMs = 0 }: Session): number => lastActivityMs
  for (const group of Map.groupBy(all, conversationOf).values()) {
    const head = group.reduce((one, other) => (last(other) > last(one) ? other : one))
    for (const each of group) if (each !== head) heads.set(each, head)
  }
  return heads
}

/** Sessions of people before those that nobody prompts, which are counted by kind. */
function peopleFirst<Each extends { session: { kind?: string | null }; words?: string }>(
  all: readonly Each[],
): { listed: readonly Each[]; others: Record<string, number> } {
  const isFirst = ({ session, words }: Each): boolean => words !== undefined || isOfPeople(session)
  const rest = all.filter((each) => !isFirst(each))
  if (rest.length === 0 || rest.length === all.length) return { listed: all, others: {} }
  const others: Record<string, number> = {}
  for (const { session } of rest) others[session.kind!] = (others[session.kind!] ?? 0) + 1
  const mentioning = all.filter(({ words }) => words !== undefined)
  return {
    listed: [...all.filter((each) => isFirst(each) && each.words === undefined), ...rest, ...mentioning],
    others,
  }
}

/**
 * Counts empty sessions, and those of an unknown kind. With `isSplit`, it counts empty ones that nobody
 * prompts apart.
 */
function emptyOf(
  listed: readonly { session: Session; words?: string }[],
  isSplit: boolean,
): Pick<Answer, 'empty' | 'emptyOthers' | 'unknownKind'> {
  const empty = listed.filter(({ session }) => isEmptySession(session))
  const emptyOthers = isSplit
    ? empty.filter(({ session, words }) => words === undefined && !isOfPeople(session)).length
    : 0
  const unknownKind = listed.filter(({ session }) => session.kind == null).length
  return {
    empty: empty.length,
    ...(emptyOthers > 0 && { emptyOthers }),
    ...(unknownKind > 0 && { unknownKind }),
  }
}

const KIND_WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  subagent: ['subagent', 'subagents'],
  cron: ['scheduled', 'scheduled'],
  heartbeat: ['heartbeat', 'heartbeats'],
  hook: ['of a hook', 'of hooks'],
  program: ['scripted', 'scripted'],
}

/** `594 subagents, 100 scheduled`. */
const othersInWords = (others: Readonly<Record<string, number>>): string =>
  Object.entries(others)
    .map(([kind, count]) => {
      const [one, many] = KIND_WORDS[kind] ?? [kind, kind]
      return `${grouped(count)} ${count === 1 ? one : many}`
    })
    .join(', ')

/** A terminal this wide has room for messages, too. */
const LONG_FROM = 170

/** Rows, each followed by the human's first and last message. */
function* withWords(rows: readonly Row[], screen: Screen, sort: Sort): Generator<string> {
  const words = (name: string, text: string): string =>
    `${cutTo(`          ${name} ${printable(text).replace(/\s+/g, ' ').trim()}`, screen.columns)}\n`
  const [head, ...lines] = table(rows, columnsFor(rows, screen, sort), screen)
  if (head !== undefined) yield head
  for (const [index, line] of lines.entries()) {
    yield line
    const { firstHuman, lastHuman } = rows[index]!
    const last = lastHuman.at(-1)
    if (firstHuman !== null) yield words('first:', firstHuman)
    if (last !== undefined && last !== firstHuman) yield words('last: ', last)
  }
}

/** The figure that rows are sorted by, unless another column shows it. */
function sortedBy(sort: Sort): Column<Row>[] {
  if (sort === 'cost') return [{ title: 'COST', value: ({ cost }) => dollars(cost ?? null), align: 'right' }]
  if (sort === 'tokens') return [{ title: 'TOKENS', value: (row) => amount(tokensOf(row)), align: 'right' }]
  if (sort !== 'duration') return []
  const lasted = ({ startedAt, lastActivityAt }: Row): number | null =>
    startedAt === null || lastActivityAt === null ? null : Date.parse(lastActivityAt) - Date.parse(startedAt)
  return [{ title: 'DURATION', value: (row) => duration(lasted(row)), align: 'right' }]
}

/** The last activity. If no item has a time, the file's time, marked. */
const lastOf = ({ lastActivityAt, modifiedAt }: Row, when: Times): string =>
  lastActivityAt === null ? `~${when(modifiedAt)}` : when(lastActivityAt)

type Times = (iso: string | null) => string

const timesOf = (rows: readonly Row[], screen: Screen): Times =>
  timesIn(
    rows.map(({ lastActivityAt, modifiedAt }) => lastActivityAt ?? modifiedAt),
    screen,
  )

const mentionColumns = (when: Times): Column<Row>[] => [
  { title: 'ID', whole: true, most: LONGEST_ID, value: (row) => row.short, paint: 'cyan' },
  { title: 'LAST', whole: true, value: (row) => lastOf(row, when) },
  { title: 'AGENT', value: (row) => agentOf(row), most: 12 },
  { title: 'WORDS', value: (row) => row.matched ?? '', rest: true },
]

function columnsFor(rows: readonly Row[], screen: Screen, sort: Sort): Column<Row>[] {
  const when = timesOf(rows, screen)
  return [
    { title: 'ID', whole: true, most: LONGEST_ID, value: (row) => row.short, paint: 'cyan' },
    { title: 'LAST', whole: true, value: (row) => lastOf(row, when) },
    { title: 'STARTED', whole: true, value: (row) => when(row.startedAt), from: 130 },
    // The figure that rows are sorted by uses its room.
    { title: 'AGENT', value: agentOf, most: 12, from: sort === 'last' ? 0 : 100, varied: true },
    {
      title: 'PROJECT',
      value: (row) => row.project ?? '-',
      most: screen.columns < 100 ? 16 : 28,
      varied: true,
    },
    { title: 'MACHINE', value: (row) => row.device ?? '', most: 14, from: 100, sparse: true, varied: true },
    { title: 'PERSON', value: (row) => row.person ?? '', most: 12, sparse: true, varied: true },
    { title: 'KIND', value: (row) => row.kind ?? '-', from: 100, varied: true },
    { title: 'CHANNEL', value: surfaceText, most: 28, from: 140, sparse: true },
    { title: 'NOW', value: (row) => (row.open ? 'open' : ''), sparse: true },
    { title: 'STATE', value: (row) => (row.state === 'live' ? '' : row.state), from: 150, sparse: true },
    { title: 'YOU', value: (row) => String(row.messages.human), align: 'right', from: 60 },
    { title: 'AI', value: (row) => String(row.messages.agent), align: 'right', from: 61 },
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
    { title: 'TITLE', value: (row) => titleOf(row, screen), rest: true, least: 30 },
  ]
}

const agentOf = (row: Row): string => shortAgent(identityOf(row.platform), row.agent)

/** With less confidence, it is said that a script only may have started a session. */
const SURE = 0.75

function titleOf(row: Row, screen: Screen): string {
  const kind = screen.columns < 100 && row.kind !== 'human' && row.kind !== null ? `[${row.kind}] ` : ''
  const state =
    row.state === 'live' || (Number.isFinite(screen.columns) && screen.columns >= 150)
      ? ''
      : `[${row.state}] `
  const script = row.script ? `[${row.script.confidence < SURE ? 'perhaps a script' : 'script'}] ` : ''
  const by = row.promptedBy ? `[by ${row.promptedBy[0]!.by.agent}] ` : ''
  const gone = row.goneSince ? '[file gone] ' : ''
  const star = row.star ? '★ ' : ''
  const tags = row.tags === undefined ? '' : `[${row.tags.join(', ')}] `
  const title = row.name ?? row.title ?? row.subagent?.description ?? '(no messages)'
  return `${star}${gone}${state}${kind}${by}${script}${tags}${title}`
}
