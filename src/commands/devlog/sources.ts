import * as z from 'zod/mini'
import { parseBudget } from '../../condense/condense.ts'
import { type Context, type Dialog, inTurns } from '../../context/context.ts'
import { filters, spanOf } from '../../context/filters.ts'
import { field } from '../../context/flags.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { timeOrUndefined } from '../../context/time.ts'
import type { Coverage } from '../../devlog/evidence.ts'
import { STYLES, VOICES } from '../../devlog/guide.ts'
import { type Candidate, type Selected, select, startOf } from '../../devlog/select.ts'
import type { SourceSession } from '../../devlog/turns.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Artifact } from '../../model/artifact.ts'
import { originalsFirst } from '../../model/conversation.ts'
import { recordKey } from '../../model/item-key.ts'
import type { Steps } from '../../model/iteration.ts'
import type { Item, Session } from '../../model/session.ts'
import { identityOf } from '../../platforms/identities.ts'
import { counted, table } from '../../render/table.ts'
import { type Screen, shownLine } from '../../render/terminal.ts'
import { parseQuery } from '../../search/query.ts'
import { chooseSessions } from '../../selection/choose-sessions.ts'
import { type Loaded, loadSessions } from '../../selection/load-sessions.ts'
import { readerFor } from '../../selection/read-messages.ts'
import { isNamed, LONGEST_ID } from '../../selection/session-names.ts'

/** The sessions of a devlog with their items, and the decision about every session that was looked at. */
export interface Sources {
  rows: Selected[]
  sources: SourceSession[]
  coverage: Coverage
  loaded: Candidates['loaded']
  nameOf: Candidates['nameOf']
}

/** The requested time in ms, and whether sessions are chosen by time alone. */
interface Span {
  since: number
  until: number
  routine: boolean
}

/** The width of the table if that of the terminal is unknown. */
const WIDE = 120

/** Selects the sessions, asks if there is somebody to ask, and reads their items. */
export async function loadSources(given: DevlogInput, span: Span, context: Context): Promise<Sources> {
  const found = await findCandidates(given, span.routine, context)
  const proposed = select(found.candidates, span)
  const fitting = proposed.filter(({ isIn }) => isIn)
  const ids = given.sessions
    ?.split(',')
    .map((id) => id.trim())
    .filter(Boolean)
  const rows = ids
    ? select(found.candidates, { ...span, ids })
    : given.yes || span.routine
      ? proposed
      : await confirmed(proposed, context)
  refuseUnknown(ids, rows, given, context)
  const used = rows.filter(({ isIn }) => isIn)
  if (used.length === 0 && !span.routine) throw nothingUsed(rows, found, context)
  const items = await inTurns(read(used, fitting, rows.length, found, span), context)
  return { rows, loaded: found.loaded, nameOf: found.nameOf, ...items }
}

async function confirmed(rows: Selected[], context: Context): Promise<Selected[]> {
  // With nothing to choose from, the answer says so.
  if (!rows.some(({ isIn }) => isIn) && !context.choose) return rows
  const changed = context.choose && (await confirm(rows, context.choose, context.suggest))
  if (changed) return changed
  const { columns = WIDE, environment, now, suggest } = context
  const { home } = environment
  const screen: Screen = { columns, color: false, terminal: false, home, now, suggest }
  const again = suggest.again({ flags: ['--yes'] })
  throw new ScrollbackError(
    'bad-option',
    `Confirm the sessions of the devlog:\n${[...selectionTable(rows, screen)].join('').trimEnd()}`,
    `Use the sessions marked ✓: ${again}\nOr name others: --sessions <id>,<id>`,
  )
}

function refuseUnknown(
  ids: readonly string[] | undefined,
  rows: readonly Selected[],
  { project }: DevlogInput,
  context: Context,
): void {
  const unknown = ids?.filter((id) => !rows.some(({ session }) => isNamed(session.id, id)))
  if (!unknown || unknown.length === 0) return
  throw new ScrollbackError(
    'no-session',
    `--sessions: no session of the project begins with ${unknown.join(', ')}`,
    `See its sessions: ${project === undefined ? context.suggest('sessions', '--all') : context.suggest('sessions', [project])}`,
  )
}

function nothingUsed(rows: readonly Selected[], { loaded }: Candidates, context: Context): ScrollbackError {
  const why = new Map<string, number>()
  for (const row of rows) why.set(row.why, (why.get(row.why) ?? 0) + 1)
  const reasons = [...why].map(([reason, count]) => `  ${count} ${reason}`)
  const folders = loaded.roots.map(({ path, found }) => `  ${found ? '✓' : '✗'} ${path}`)
  return new ScrollbackError(
    'nothing-found',
    [
      `No session fits. Scanned ${counted(loaded.artifacts.length, 'transcript')} in:`,
      ...folders,
      ...(reasons.length > 0 ? [`Sessions of the project that were left out:`, ...reasons] : []),
    ].join('\n'),
    `Change --since, --until or --topic. See all sessions: ${context.suggest('sessions', '--all')}`,
  )
}

const sizeOf = ({ human, agentMessages, toolCalls, errors }: Session): number =>
  human + agentMessages + toolCalls + errors

function* read(
  used: readonly Selected[],
  fitting: readonly Selected[],
  seen: number,
  { nameOf, itemsOf }: Candidates,
  span: Span,
): Steps<Pick<Sources, 'sources' | 'coverage'>> {
  const known = new Set<string>()
  const items = { read: 0, there: 0 }
  let duplicates = 0
  const sources: SourceSession[] = []
  for (const { session, main } of used) {
    const all = itemsOf(session)
    const inTime = within(all, session, span)
    const keys = inTime.map(duplicateKey)
    const own = inTime.filter((_, index) => !known.has(keys[index] ?? ''))
    for (const key of keys) if (key !== undefined) known.add(key)
    duplicates += inTime.length - own.length
    items.there += all.length
    items.read += inTime.length
    if (own.length > 0 || inTime.length === 0)
      sources.push({ session, main, items: own, project: nameOf(session) })
    yield
  }
  const usedPaths = new Set(used.map(({ session }) => session.path))
  for (const { session } of fitting) if (!usedPaths.has(session.path)) items.there += sizeOf(session)
  return {
    sources,
    coverage: {
      sessions: { used: used.length, fitting: Math.max(fitting.length, used.length), seen },
      items,
      duplicates,
    },
  }
}

/** Items without a time belong to the time of the item before them. */
function within(items: readonly Item[], session: Session, { since, until }: Span): readonly Item[] {
  const { startedMs = since, lastActivityMs = until, forked } = session
  // A fork that began in this time may have copied what is older.
  if (!forked && startedMs >= since && lastActivityMs <= until) return items
  let last = session.startedMs ?? session.modifiedMs
  return items.filter(({ at }) => {
    last = at ?? last
    return last >= since && last <= until
  })
}

/** Forks begin with the records of another session. */
function duplicateKey(item: Item): string | undefined {
  const record = item.record ?? recordKey(item)
  return record === undefined || record < 0
    ? undefined
    : `${record} ${item.who} ${item.text?.length ?? 0} ${item.tool?.target?.length ?? 0} ${item.callId ?? ''}`
}

/** The sessions that a devlog may use, and how to read them. */
interface Candidates {
  loaded: Loaded
  candidates: Candidate[]
  /** The short name of a session's project. */
  nameOf(session: Session): string | undefined
  /** All items of a session. From the store, if there is one. */
  itemsOf(session: Session): Item[]
}

/** More matches than anybody has messages on a topic. */
const ALL = 100_000

/** Finds the sessions of the project, or of every project, and what they say about the topic. */
async function findCandidates(
  { project, topic, platform, agent, sessions: named }: DevlogInput,
  everywhere: boolean,
  context: Context,
): Promise<Candidates> {
  const loaded = loadSessions({ platform, agent }, context)
  const all = (everywhere || named !== undefined) && project === undefined
  const wanted = { name: project, all, agent, platform }
  const { sessions, mentions, nameOf } = await chooseSessions(loaded, wanted, context)
  const itemsOf = createReader(context)
  const onTopic = topic === undefined ? undefined : topicOf(topic, context)
  return {
    loaded,
    nameOf,
    itemsOf,
    candidates: [
      ...originalsFirst(sessions).map((session) => ({
        session,
        ...(onTopic ? { topic: onTopic(session) } : {}),
      })),
      ...mentions.map(({ session, words }) => ({ session, mention: words })),
    ].sort((a, b) => startOf(a.session) - startOf(b.session)),
  }
}

function createReader(context: Context): Candidates['itemsOf'] {
  const fresh = freshStore(context)
  const read = readerFor({ fresh, redact: true })
  const artifacts = new Map(fresh.found.artifacts.map((artifact) => [artifact.path, artifact]))
  return ({ path }) => {
    // Of a file that is gone, the store knows everything that is needed.
    const artifact = artifacts.get(path) ?? ({ path } as Artifact)
    return read({ artifact }, { redact: true, usage: false }).items
  }
}

/** Counts the messages and the changed files of a session that contain the words of a topic. */
function topicOf(topic: string, context: Context): (session: Session) => { hits: number; files: number } {
  const words = topic.toLowerCase().split(/\s+/).filter(Boolean)
  const { store } = freshStore(context, { words: true })
  const count = (text: string): ReadonlyMap<string, number> => {
    const query = parseQuery(text, context.now, timeOrUndefined)
    return store.search({ query, limit: ALL, now: context.now, deleted: true }).sessions()
  }
  const hits = count(topic)
  const files = count(words.map((word) => `file:"${word.replaceAll('"', '')}"`).join(' '))
  return ({ path }) => ({ hits: hits.get(path) ?? 0, files: files.get(path) ?? 0 })
}

/** Lets a human confirm the selection, or change it session by session. Undefined if they decline. */
async function confirm(
  rows: readonly Selected[],
  choose: NonNullable<Dialog['choose']>,
  suggest: Dialog['suggest'],
): Promise<Selected[] | undefined> {
  const current = rows.map((row) => ({ ...row }))
  for (;;) {
    const used = current.filter(({ isIn }) => isIn).length
    const options = [
      { label: `Use ${counted(used, 'session')}` },
      ...current.map(({ session, isIn, why }) => ({
        label: `${isIn ? '[x]' : '[ ]'} ${suggest.id(session.id)} ${titleOfRow(session)}`,
        hint: why,
      })),
      { label: 'Cancel' },
    ]
    const picked = await choose('Which sessions belong to the devlog? Choose one to change it.', options)
    if (picked === undefined || picked === options.length - 1) return undefined
    if (picked === 0) return current
    const row = current[picked - 1]!
    Object.assign(row, { isIn: !row.isIn, why: row.isIn ? 'left out by you' : 'added by you' })
  }
}

const TITLE = 60

const titleOfRow = ({ title, subagent, annotation }: Session): string =>
  shownLine(annotation?.name ?? title ?? subagent?.description ?? '(no words)').slice(0, TITLE)

/** The selection as a table: which sessions are in or out, and why. */
const selectionTable = (rows: readonly Selected[], screen: Screen): Generator<string> =>
  table(
    rows,
    [
      { title: '', value: ({ isIn }) => (isIn ? '✓' : '·') },
      { title: 'ID', value: ({ session }) => screen.suggest.id(session.id), whole: true, most: LONGEST_ID },
      {
        title: 'STARTED',
        value: ({ session }) => new Date(session.startedMs ?? session.modifiedMs).toISOString().slice(0, 10),
        whole: true,
      },
      { title: 'AGENT', value: ({ session }) => identityOf(session.platform).short, from: 100 },
      { title: 'KIND', value: ({ session }) => session.kind ?? '-', from: 90 },
      {
        title: 'MESSAGES',
        value: ({ session }) => String(session.human + session.agentMessages),
        align: 'right',
      },
      { title: 'WHY', value: ({ why }) => why, most: 40 },
      { title: 'TITLE', value: ({ session }) => titleOfRow(session), rest: true },
    ],
    screen,
  )

const FORMATS = ['md', 'html'] as const

export const input = z.object({
  project: field.text({
    description: 'project, agent, session, latest, or <project>:latest; without it, the current folder',
    positional: true,
  }),
  topic: field.checked((text) => text.trim() !== '', 'use at least one word', {
    description: 'only sessions with these words in messages or file names',
    placeholder: 'words',
  }),
  since: filters.since,
  until: filters.until,
  platform: filters.platform,
  agent: filters.agent,
  style: field.choiceOr(STYLES, 'story', {
    description:
      'what the brief asks for: story, tutorial or deep-dive; or a draft that needs no writer: log, standup or changelog',
    placeholder: 'style',
  }),
  sessions: field.text({
    description: 'use these sessions: ids or beginnings of ids, separated by commas',
    placeholder: 'ids',
  }),
  yes: field.flag({ description: 'use the proposed sessions without asking' }),
  evidence: field.flag({ description: 'print the evidence as lists; --json has all of it' }),
  voice: field.choiceOr(VOICES, 'agent', {
    description: 'who tells the story: agent, human or neutral',
    placeholder: 'voice',
  }),
  format: field.choiceOr(FORMATS, 'md', { description: 'md or html', placeholder: 'format' }),
  budget: field.checked((text) => parseBudget(text) !== undefined, 'use a number of tokens: 4k, 1500', {
    description: 'fit the brief (24k by default) or draft into this many tokens, such as 8k',
    placeholder: 'tokens',
  }),
  part: field.atLeast(1, 'must be the number of a part', {
    description: 'of a long project: print the brief about this part',
    placeholder: 'n',
  }),
  code: field.flag({ description: 'add the first and the last state of the files that matter' }),
  writer: field.text({
    description: 'pipe the brief to this command, which prints Markdown, and check the text',
    placeholder: 'command',
  }),
  strict: field.flag({
    description: 'with --writer: write nothing if the check finds anything (exit code 3)',
  }),
  writerTimeout: field.atLeast(1, 'must be at least 1 second', {
    description: 'stop the writer after this many seconds, 600 by default',
    placeholder: 'seconds',
  }),
  out: field.text({
    description: 'write to this file; a long project also gets one for every part',
    placeholder: 'file',
    path: 'file',
  }),
  force: field.flag({ description: 'overwrite an existing file' }),
  anonymize: field.flag({ description: 'replace what the leak check finds by […]' }),
  check: field.text({
    description: 'look up the citations, quotes, numbers, names and dates of this text',
    placeholder: 'file',
    path: 'file',
  }),
})

export type DevlogInput = z.output<typeof input>

/** The requested time. A standup without one begins with the last working day. */
export function requestedSpan(given: DevlogInput, context: Context): Span {
  const { since, until } = spanOf(given, context)
  // Standups and changelogs need only a span of time, so nobody has to choose sessions.
  const routine = given.style === 'standup' || given.style === 'changelog'
  const begin = given.style === 'standup' && given.since === undefined ? lastWorkingDay(context.now) : since
  return { since: begin, until, routine }
}

/** The first moment of the last working day before today, in local time. */
export function lastWorkingDay(now: number): number {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  do day.setDate(day.getDate() - 1)
  while (day.getDay() === 0 || day.getDay() === 6)
  return day.getTime()
}
