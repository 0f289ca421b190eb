import { styleText } from 'node:util'
import type { Item, Session } from '../model/session.ts'
import { codeSpan, oneLine, plainMarkdown, quoteMarkdown } from './markdown.ts'
import { printable } from './printable.ts'
import { placeWords } from './session-place.ts'
import { speakerName, type Voice } from './voice.ts'
import { wrap } from './wrap.ts'

export interface Style {
  voice: Voice
  color: boolean
  /** Name `file:line` before each item. */
  lines: boolean
  markdown: boolean
  /** Columns of the terminal; absent where lines are not to be broken. */
  columns?: number
}

/** Words after a pause get their time again. */
const PAUSE_MS = 5 * 60_000

const MARKERS: Record<string, string> = {
  compaction: 'the conversation was compacted here',
  interruption: 'interrupted by the human',
  denial: 'declined by the human',
  reset: 'a new conversation begins',
  branch: 'another branch was left',
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

/** The items of one session as text for people, or as Markdown. Pure: times, colours and names come as arguments. */
export function renderItems(items: readonly Item[], session: Session, style: Style): string {
  const out: string[] = []
  const paint = (format: Parameters<typeof styleText>[0], text: string): string =>
    style.color ? styleText(format, text, { validateStream: false }) : text
  /** Names of files, agents and tools are of others: none of them may look like a line of ours. */
  const named = (text: string): string =>
    style.markdown ? plainMarkdown(printable(text)) : oneLine(printable(text))
  const place = (item: Item): string => {
    if (!style.lines) return ''
    const where = `${oneLine(printable(session.path))}:${item.line}`
    return style.markdown ? codeSpan(where) : paint('dim', where)
  }
  let speaker = ''
  let spokenAt = 0
  let day = session.startedMs === undefined ? '' : dated(session.startedMs).slice(0, 10)
  /** The header tells the first day; any other is told when it begins. */
  const timeOf = (ms: number): string => {
    const full = dated(ms)
    const sameDay = full.startsWith(day)
    day = full.slice(0, 10)
    return sameDay ? clock(ms) : full
  }
  for (const item of items) {
    const where = place(item)
    if (item.who === 'tool' || item.who === 'error' || item.who === 'marker') {
      // What the agent did without a word stands under its name all the same.
      const agent = named(speakerName({ who: 'agent' }, session, style.voice))
      if (item.who === 'tool' && speaker !== '' && !speaker.startsWith(agent)) {
        out.push(`\n${style.markdown ? `**${agent}**` : paint('bold', agent)}`)
        if (style.markdown) out.push('')
        speaker = agent
      }
      const line = remark(item, paint, style.markdown)
      out.push(hung(`${style.markdown ? '- ' : '  '}${line}${where && `  ${where}`}`, style))
      // Details of a call, only with --full, stand below it.
      if (item.who !== 'error' && item.detail) out.push(quoted(item.detail, style.markdown))
      continue
    }
    const name = `${named(speakerName(item, session, style.voice))}${item.offBranch ? ' (abandoned branch)' : ''}`
    const at = item.at ?? spokenAt
    if (name !== speaker || at - spokenAt > PAUSE_MS || where) {
      const time = item.at === undefined ? '' : timeOf(item.at)
      const shown = style.markdown
        ? `**${name}**`
        : paint(item.who === 'human' ? ['bold', 'cyan'] : 'bold', name)
      out.push(
        `${out.length > 0 ? '\n' : ''}${[shown, paint('dim', time), where].filter((part) => part !== '').join('  ')}`,
      )
    } else out.push('')
    if (style.markdown && out.at(-1) !== '') out.push('')
    speaker = name
    spokenAt = at
    const said = words(item, style)
    if (said !== '') out.push(said)
    if (item.detail) out.push(quoted(item.detail, style.markdown))
  }
  return out.length > 0 ? `${out.join('\n')}\n` : ''
}

const INDENT = '  '

/** A line of ours that is too long, with what follows further in; nothing in it can look like the beginning of another. */
function hung(line: string, { columns, markdown }: Style): string {
  if (columns === undefined || markdown) return line
  const [first, ...rest] = wrap(line, columns - INDENT.length).split('\n')
  return [first, ...rest.map((each) => INDENT + INDENT + likened(each.trimStart()))].join('\n')
}

const likened = (text: string): string =>
  text.replace(/^(\s*)([→←✗·│])/gm, (_, space, sign) => space + LIKENESSES[sign])

function words(item: Item, { markdown, columns }: Style): string {
  const media = item.media?.map((name) => `[${oneLine(printable(name))}]`).join(' ')
  const text = [item.text === undefined ? '' : printable(item.text), media ?? '']
    .filter((part) => part !== '')
    .join('\n')
  if (markdown) return quoteMarkdown(text)
  const shown = columns === undefined ? text : wrap(text, columns - INDENT.length)
  return likened(shown).replace(/^(?=.)/gm, INDENT)
}

/** With these signs our own lines begin. Words that do get one that looks alike, so that nobody's words pass for a tool call. */
const LIKENESSES: Record<string, string> = { '→': '⇒', '←': '⇐', '✗': '✘', '·': '•', '│': '┆' }

function remark(
  item: Item,
  paint: (format: Parameters<typeof styleText>[0], text: string) => string,
  markdown: boolean,
): string {
  const text = item.text === undefined ? '' : oneLine(printable(item.text))
  const name = item.tool ? oneLine(printable(item.tool.name)) : ''
  const shown = (part: string): string => (markdown ? codeSpan(part) : part)
  if (item.who === 'tool') {
    const target =
      item.tool?.target && item.label !== 'output' ? ` ${shown(oneLine(printable(item.tool.target)))}` : ''
    const arrow = item.label === 'output' ? '←' : '→'
    return markdown
      ? `${arrow} ${codeSpan(name)}${target}`
      : `${paint('dim', arrow)} ${name}${paint('dim', target)}`
  }
  if (item.who === 'error') {
    const told = [name, text]
      .filter((part) => part !== '')
      .map(shown)
      .join(': ')
    return item.sure === false
      ? paint('yellow', `✗? ${told || 'possibly an error'}`)
      : paint('red', `✗ ${told || 'error'}`)
  }
  const said = MARKERS[item.marker ?? ''] ?? shown(oneLine(printable(item.marker ?? 'note')))
  const parts = [said, ...[name, text].filter((part) => part !== '').map(shown)]
  return paint('dim', `· ${parts.join(': ')} ·`)
}

const quoted = (text: string, markdown: boolean): string =>
  markdown
    ? `\n\`\`\`\n${printable(text).replace(/```/g, "'''")}\n\`\`\`\n`
    : printable(text).replace(/^/gm, '    │ ')

/** What stands above a session's items. */
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
  const client = session.version === undefined ? 'Claude Code' : `Claude Code ${session.version}`
  const who = `${session.platform === 'claude-code' ? client : `OpenClaw ${session.agent}`}${by}`
  const branch = session.branches?.at(-1)
  const script = session.script
    ? [
        `probably a script (${Math.round(session.script.confidence * 100)} %, ${session.script.sessions} sessions open alike)`,
      ]
    : []
  const kind = session.kind === null || session.kind === 'human' ? [] : [session.kind]
  const state: string[] = session.state === 'live' ? [] : [session.state]
  if (session.goneMs !== undefined) state.push(`file gone since ${dated(session.goneMs)}`)
  const counts = `${session.human} human, ${session.agentMessages} agent, ${session.toolCalls} tools${session.errors ? `, ${session.errors} errors` : ''}`
  const facts = [
    project ?? '',
    branch === undefined ? '' : `on ${branch}`,
    who,
    ...kind,
    ...script,
    placeWords(session),
    ...state,
    session.id,
    span,
    counts,
  ]
    .filter((part) => part !== '')
    .map((part) => oneLine(printable(part)))
  if (style.markdown) return `## ${plainMarkdown(title)}\n\n*${facts.map(plainMarkdown).join(' · ')}*\n\n`
  const rule = style.color
    ? styleText(['bold', 'inverse'], ` ${title} `, { validateStream: false })
    : `━━ ${title}`
  const below = style.color
    ? styleText('dim', facts.join(' · '), { validateStream: false })
    : facts.join(' · ')
  return `${rule}\n${hung(`   ${below}`, style)}\n\n`
}

const sameDay = (from: number, to: number): string =>
  dated(from).slice(0, 10) === dated(to).slice(0, 10) ? clock(to) : dated(to)
