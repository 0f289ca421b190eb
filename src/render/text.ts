import { styleText } from 'node:util'
import type { Item, Session, Who } from '../model/session.ts'
import { titleFrom } from '../model/title.ts'
import { shortTarget } from '../model/written-files.ts'
import { identityOf } from '../platforms/identities.ts'
import { agentName } from '../platforms/identity.ts'
import { codeSpan, oneLine, plainMarkdown, quoteMarkdown } from './markdown.ts'
import { counted, cutTo } from './table.ts'
import { printable, type Screen, wrap } from './terminal.ts'

export interface Style {
  voice: Voice
  color: boolean
  /** Print `file:line` before each item. */
  lines: boolean
  markdown: boolean
  /** Width of the terminal. Absent if lines are not wrapped. */
  columns?: number
}

/** After a pause of this length, a message is printed with its time. */
const PAUSE_MS = 5 * 60_000

const MARKERS: Record<string, string> = {
  compaction: 'the conversation was compacted here',
  interruption: 'interrupted',
  denial: 'declined by the human',
  reset: 'a new conversation begins',
  branch: 'another branch was left',
  'local-command': 'a command for the client',
  'model-change': 'the model changed',
  retry: 'a request failed and was sent again',
  note: 'note',
}

const pad = (value: number): string => String(value).padStart(2, '0')

/** Local time of day. */
const clock = (ms: number): string => {
  const at = new Date(ms)
  return `${pad(at.getHours())}:${pad(at.getMinutes())}`
}

/** Local date and time of day. */
export const dated = (ms: number): string => {
  const at = new Date(ms)
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${clock(ms)}`
}

/** Formats the times of a list. On a screen, a year that is this year in all of them is left out. */
export function timesIn(
  all: readonly (string | null | undefined)[],
  { columns, now }: Pick<Screen, 'columns' | 'now'>,
): (iso: string | null | undefined) => string {
  const year = String(new Date(now).getFullYear())
  const isShort =
    Number.isFinite(columns) && all.every((iso) => !iso || dated(Date.parse(iso)).startsWith(year))
  return (iso) => {
    const time = iso ? dated(Date.parse(iso)) : '-'
    return isShort && time.startsWith(year) ? time.slice(year.length + 1) : time
  }
}

/** Returns a function that colors a text, if the style has colors. */
const painter =
  ({ color }: Style) =>
  (format: Parameters<typeof styleText>[0], text: string): string =>
    color ? styleText(format, text, { validateStream: false }) : text

/** Formats the items of one session as text or Markdown. Pure: times, colors and names are arguments. */
export const renderItems = (items: readonly Item[], session: Session, style: Style): string =>
  itemsRenderer(session, style)(items)

/**
 * The same for a session that comes in parts. The text of all of them is that of the whole: consecutive items
 * of a speaker share a heading.
 */
export function itemsRenderer(session: Session, style: Style): (items: readonly Item[]) => string {
  const paint = painter(style)
  /** Names of files, agents and tools are foreign text. None of them may look like a line of ours. */
  const named = (text: string): string =>
    style.markdown ? plainMarkdown(printable(text)) : oneLine(printable(text))
  const locationOf = (item: Item): string => {
    if (!style.lines) return ''
    const where = `${oneLine(printable(session.path))}:${item.line}`
    return style.markdown ? codeSpan(where) : paint('dim', where)
  }
  const agent = named(speakerName({ who: 'agent' }, session, style.voice))
  const subagent = named(speakerName({ who: 'agent', label: 'subagent' }, session, style.voice))
  let speaker = ''
  /** Whether the last name stands for the caller, too. Outputs stay where they are. */
  const isOf = (caller: string, { label }: Item): boolean =>
    caller === agent
      ? speaker.startsWith(agent) &&
        (speaker !== subagent || label === 'output' || session.kind === 'subagent')
      : speaker === caller
  /** The last call. Of several that are made at once, an error may be about another one, which it names. */
  let called: Item['tool']
  let lastAt = 0
  let isFirst = true
  let day = session.startedMs === undefined ? '' : dated(session.startedMs).slice(0, 10)
  /** The header contains the first day. Later days are printed when they begin. */
  const timeOf = (ms: number): string => {
    const full = dated(ms)
    const sameDay = full.startsWith(day)
    day = full.slice(0, 10)
    return sameDay ? clock(ms) : full
  }
  return (items) => {
    const out: string[] = []
    for (const item of items) {
      const where = locationOf(item)
      if (item.who === 'tool' || item.who === 'error' || item.who === 'marker') {
        // Tool calls without a message also get the agent's name, and those of a subagent its label.
        const caller = item.label === 'subagent' ? subagent : agent
        if (item.who === 'tool' && speaker !== '' && !isOf(caller, item)) {
          out.push(`\n${style.markdown ? `**${caller}**` : paint('bold', caller)}`)
          if (style.markdown) out.push('')
          speaker = caller
        }
        const isOther =
          called !== undefined && (called.name !== item.tool?.name || called.target !== item.tool.target)
        if (item.who === 'tool' && item.label !== 'output') called = item.tool
        const line = remark(item, { paint, markdown: style.markdown, isOther })
        out.push(withHangingIndent(`${style.markdown ? '- ' : '  '}${line}${where && `  ${where}`}`, style))
        // Details of a tool call follow it, only with --full.
        const detail = item.who === 'error' ? undefined : detailOf(item)
        if (detail) out.push(quoted(detail, style.markdown))
        continue
      }
      const name = `${named(speakerName(item, session, style.voice))}${item.offBranch ? ' (abandoned branch)' : ''}`
      const at = item.at ?? lastAt
      if (name !== speaker || at - lastAt > PAUSE_MS || where) {
        const time = item.at === undefined ? '' : timeOf(item.at)
        const shown = style.markdown
          ? `**${name}**`
          : paint(item.who === 'human' ? ['bold', 'cyan'] : 'bold', name)
        out.push(
          `${isFirst && out.length === 0 ? '' : '\n'}${[shown, paint('dim', time), where].filter((part) => part !== '').join('  ')}`,
        )
      } else out.push('')
      if (style.markdown && out.at(-1) !== '') out.push('')
      speaker = name
      lastAt = at
      if (item.asked !== undefined) out.push(askedLine(item.asked, style))
      const body = words(item, style)
      if (body !== '') out.push(body)
      if (item.detail) out.push(quoted(item.detail, style.markdown))
    }
    if (out.length === 0) return ''
    isFirst = false
    return `${out.join('\n')}\n`
  }
}

const INDENT = '  '

/**
 * Wraps one of our lines with a hanging indent, so that no part of it looks like the beginning of another.
 */
function withHangingIndent(line: string, { columns, markdown }: Style): string {
  if (columns === undefined || markdown) return line
  const room = columns - (line.startsWith(INDENT) ? INDENT.length : 2 * INDENT.length)
  const [first, ...rest] = wrap(line, room).split('\n')
  return [first, ...rest.map((each) => INDENT + INDENT + defused(each.trimStart()))].join('\n')
}

const defused = (text: string): string =>
  ANY_SIGN.test(text) ? text.replace(OWN_SIGN, (_, space, sign) => space + LIKENESSES[sign]) : text

function words(item: Item, { markdown, columns }: Style): string {
  const media = item.media?.map((name) => `[${oneLine(printable(name))}]`).join(' ')
  const text = [item.text === undefined ? '' : printable(item.text), media ?? '']
    .filter((part) => part !== '')
    .join('\n')
  if (markdown) return quoteMarkdown(text)
  const shown = columns === undefined ? text : wrap(text, columns - INDENT.length)
  return defused(shown).replace(/^(?=.)/gm, INDENT)
}

/**
 * Our own lines begin with these characters. In messages they are replaced by similar ones, so that no
 * message can pass for a tool call.
 */
const LIKENESSES: Record<string, string> = { '→': '⇒', '←': '⇐', '✗': '✘', '·': '•', '│': '┆' }
const SIGNS = `[${Object.keys(LIKENESSES).join('')}]`
const ANY_SIGN = new RegExp(SIGNS)
const OWN_SIGN = new RegExp(`^([^\\S\\n]*)(${SIGNS})`, 'gm')

interface RemarkOptions {
  paint: ReturnType<typeof painter>
  markdown: boolean
  /** The item is not about the last call. */
  isOther: boolean
}

function remark(item: Item, { paint, markdown, isOther }: RemarkOptions): string {
  const text = item.text === undefined ? '' : oneLine(printable(item.text))
  const shown = (part: string): string => (markdown ? codeSpan(part) : part)
  const of = item.tool?.target ? oneLine(printable(shortTarget(item.tool.target))) : ''
  const own = item.tool ? oneLine(printable(item.tool.name)) : ''
  const name = item.who !== 'tool' && isOther && of !== '' ? `${own} ${of}` : own
  if (item.who === 'tool') {
    const target = of !== '' && item.label !== 'output' ? ` ${shown(of)}` : ''
    const arrow = item.label === 'output' ? '←' : '→'
    return markdown
      ? `${arrow} ${codeSpan(name)}${target}`
      : `${paint('dim', arrow)} ${name}${paint('dim', target)}`
  }
  if (item.who === 'error') {
    const description = [name, text]
      .filter((part) => part !== '')
      .map(shown)
      .join(': ')
    return item.sure === false
      ? paint('yellow', `✗? ${description || 'possibly an error'}`)
      : paint('red', `✗ ${description || 'error'}`)
  }
  const marker = MARKERS[item.marker ?? ''] ?? shown(oneLine(printable(item.marker ?? 'note')))
  const parts = [marker, ...[name, text].filter((part) => part !== '').map(shown)]
  return paint('dim', `· ${parts.join(': ')} ·`)
}

/** One line, which is not the person's own. */
function askedLine(question: string, style: Style): string {
  const text = oneLine(printable(question))
  if (style.markdown) return `*to: ${plainMarkdown(text)}*\n`
  return painter(style)('dim', cutTo(`${INDENT}to: ${text}`, style.columns ?? Number.POSITIVE_INFINITY))
}

const quoted = (text: string, markdown: boolean): string =>
  markdown
    ? `\n\`\`\`\n${printable(text).replace(/```/g, "'''")}\n\`\`\`\n`
    : printable(text).replace(/^/gm, '    │ ')

/** Formats the header above a session's items. */
export function renderHeader(session: Session, project: string | undefined, style: Style): string {
  const title = printable(session.title ?? '(no words)')
    .replace(/\s+/g, ' ')
    .slice(0, 100)
  const span =
    session.startedMs === undefined
      ? `no time (file of ${dated(session.modifiedMs)})`
      : `${dated(session.startedMs)} to ${sameDay(session.startedMs, session.lastActivityMs ?? session.startedMs)}`
  const by = session.promptedBy
    ? `, by ${[...new Set(session.promptedBy.map((each) => each.by.agent))].join(' and ')}`
    : ''
  const version = session.version === undefined ? '' : ` ${session.version}`
  const who = `${agentName(identityOf(session.platform), session.agent)}${version}${by}`
  const branch = session.branches?.at(-1)
  const script = session.script
    ? [
        `probably a script (${Math.round(session.script.confidence * 100)} %, ${session.script.sessions} sessions open alike)`,
      ]
    : []
  const kind = session.kind === null || session.kind === 'human' ? [] : [session.kind]
  const state: string[] = session.state === 'live' ? [] : [session.state]
  if (session.goneMs !== undefined) state.push(`file gone since ${dated(session.goneMs)}`)
  const counts = `${session.human} human, ${session.agentMessages} agent, ${counted(session.toolCalls, 'tool call')}${session.errors ? `, ${counted(session.errors, 'error')}` : ''}`
  const facts = [
    project ?? '',
    branch === undefined ? '' : `on ${branch}`,
    who,
    ...kind,
    ...script,
    surfaceText(session),
    ...state,
    session.id,
    span,
    counts,
  ]
    .filter((part) => part !== '')
    .map((part) => oneLine(printable(part)))
  if (style.markdown) return `## ${plainMarkdown(title)}\n\n*${facts.map(plainMarkdown).join(' · ')}*\n\n`
  const paint = painter(style)
  const rule = style.color ? paint(['bold', 'inverse'], ` ${title} `) : `━━ ${title}`
  const below = paint('dim', facts.join(' · '))
  return `${withHangingIndent(rule, style)}\n${withHangingIndent(`   ${below}`, style)}\n\n`
}

const sameDay = (from: number, to: number): string =>
  dated(from).slice(0, 10) === dated(to).slice(0, 10) ? clock(to) : dated(to)

/** What else a record contains, as text; with a summary, also the files that it lists. */
export function detailOf({ detail, readFiles, modifiedFiles }: Item): string | undefined {
  if (!detail) return undefined
  return [detail, listed('Files read', readFiles), listed('Files changed', modifiedFiles)]
    .filter((part) => part !== undefined)
    .join('\n\n')
}

const listed = (title: string, files: readonly string[] | undefined): string | undefined =>
  files && files.length > 0 ? `${title}:\n${files.join('\n')}` : undefined

/** The common fields of a session and its JSON form. */
interface Located {
  kind: string | null
  entry?: { surface?: string; channel?: string; peer?: string }
}

/** Describes where a session takes place: `telegram direct 55…00`. Empty if the kind says the same. */
export function surfaceText({ kind, entry }: Located): string {
  const { surface, channel, peer } = entry ?? {}
  const finer = surface === kind || surface === 'cron-run' ? undefined : surface
  return [channel === finer ? undefined : channel, finer, peer].filter(Boolean).join(' ')
}

/** Surfaces of sessions that an agent started by itself. They are named after a task, not a person. */
const TASKS: ReadonlySet<string | undefined> = new Set(['cron', 'cron-run', 'subagent', 'hook', 'boot'])

/** Shortens the numbers, addresses and handles of people in a session. */
export function withoutIdentities(session: Session): Session {
  const { entry, sessionKey, title } = session
  if (entry === undefined && sessionKey === undefined) return session
  const peer = entry?.peer
  const short = (text: string | undefined, by: (text: string) => string): string | undefined =>
    text === undefined ? undefined : withoutPeer(by(text), peer)
  const label = TASKS.has(entry?.surface) ? (text: string) => text : shortLabel
  const named = title !== undefined && (title === entry?.origin || title === entry?.name)
  return {
    ...session,
    title: short(title, named ? label : (text) => text),
    sessionKey: short(sessionKey, shortKey),
    ...(entry && {
      entry: {
        ...entry,
        ...(peer !== undefined && { peer: shortPeer(peer) }),
        ...(entry.name !== undefined && { name: short(entry.name, label) }),
        ...(entry.origin !== undefined && { origin: short(entry.origin, shortLabel) }),
        ...(entry.spawnedBy !== undefined && { spawnedBy: short(entry.spawnedBy, shortKey) }),
      },
    }),
  }
}

/**
 * Shortens `5550100` to `55…00`, which is still recognizable to those who know it. A prefix before a colon is
 * kept.
 */
export function shortPeer(id: string): string {
  const at = /^[@!#]/.test(id) ? -1 : id.lastIndexOf(':')
  if (at >= 0) return `${id.slice(0, at + 1)}${shortPeer(id.slice(at + 1))}`
  return id.length < 6 ? `${id.slice(0, 1)}…` : `${id.slice(0, 2)}…${id.slice(-2)}`
}

/** Shortens the parts of a session key that identify people: numbers and addresses. */
export const shortKey = (key: string): string =>
  key
    .split(':')
    .map((part) => (/^[+-]?\d{5,}|@/.test(part) && !/^[0-9a-f]{8}-/.test(part) ? shortPeer(part) : part))
    .join(':')

/** Shortens every occurrence of a peer in a text. */
export function withoutPeer(text: string, peer: string | undefined): string {
  const bare = peer?.slice(peer.lastIndexOf(':') + 1)
  return bare === undefined || bare.length < 5 ? text : text.replaceAll(bare, shortPeer(bare))
}

/** Shortens the numbers, addresses and handles in a label such as `Ann (@ann) id:5550100`. */
export const shortLabel = (label: string): string =>
  label.replace(/[\w.+-]{1,64}@[\w.-]+|@\w{2,}|[+-]?\d{5,}/g, shortPeer)

/** The names of the speakers. */
export interface Voice {
  human: string
  /** If absent, the agent's own name. */
  agent?: string
}

const NAMED: Record<string, Voice> = { default: { human: 'You' }, devlog: { human: 'MY HUMAN', agent: 'ME' } }

/** Parses a named voice, or custom names as `human,agent`. Undefined if it is neither. */
export function voiceOf(text: string): Voice | undefined {
  const named = NAMED[text]
  if (named) return named
  const [human, agent, more] = text.split(',').map((word) => word.trim())
  return human && agent && more === undefined ? { human, agent } : undefined
}

/** The name printed before a message. */
export function speakerName(
  item: Pick<Item, 'who' | 'label'>,
  session: Pick<Session, 'platform' | 'agent'>,
  voice: Voice,
): string {
  const { programs, speaker } = identityOf(session.platform)
  const own = programs?.[session.agent] ?? speaker ?? session.agent
  // An agent may have the same name as the human.
  const agent = own.trim().toLowerCase() === voice.human.toLowerCase() ? `${own} (agent)` : own
  const names: Record<Who, string> = {
    human: voice.human,
    agent: voice.agent ?? agent,
    program: 'Program',
    tool: '→',
    error: '✗',
    marker: '·',
    memory: 'Memory',
  }
  const name = names[item.who]
  return item.label && item.who !== 'tool' ? `${name} (${item.label})` : name
}

/** The most characters shown of a quote in a session index. */
const QUOTE_LIMIT = 4000

/** What a session is called: its own title, or what its first prompts ask for. */
export const titleOf = (session: Pick<Session, 'title' | 'firstHuman' | 'asked'>): string | undefined =>
  session.title !== undefined && session.title === session.firstHuman
    ? titleFrom([session.firstHuman, session.asked])
    : session.title?.replace(/\s+/g, ' ')

/** A session row with shortened quotes, and with shortened people unless they are requested in full. */
export function finishSession(whole: Session, identities = false): Session {
  const session = identities ? whole : withoutIdentities(whole)
  const short = (text: string): string =>
    text.length > QUOTE_LIMIT ? `${text.slice(0, QUOTE_LIMIT - 1)}…`.toWellFormed() : text
  const maybe = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : short(text)
  return {
    ...session,
    title: maybe(titleOf(session)),
    firstHuman: maybe(session.firstHuman),
    lastHuman: session.lastHuman.map(short),
    firstProgram: maybe(session.firstProgram),
  }
}
