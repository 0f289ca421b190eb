import { styleText } from 'node:util'
import type { Item, Session } from '../model/session.ts'
import { identityOf } from '../platforms/identities.ts'
import { agentName } from '../platforms/identity.ts'
import { counted } from './counted.ts'
import { detailOf } from './detail.ts'
import { codeSpan, oneLine, plainMarkdown, quoteMarkdown } from './markdown.ts'
import { printable } from './printable.ts'
import { surfaceText } from './session-surface.ts'
import { speakerName, type Voice } from './voice.ts'
import { wrap } from './wrap.ts'

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

/** Formats the items of one session as text or Markdown. Pure: times, colors and names are arguments. */
export function renderItems(items: readonly Item[], session: Session, style: Style): string {
  const out: string[] = []
  const paint = (format: Parameters<typeof styleText>[0], text: string): string =>
    style.color ? styleText(format, text, { validateStream: false }) : text
  /** Names of files, agents and tools are foreign text. None of them may look like a line of ours. */
  const named = (text: string): string =>
    style.markdown ? plainMarkdown(printable(text)) : oneLine(printable(text))
  const locationOf = (item: Item): string => {
    if (!style.lines) return ''
    const where = `${oneLine(printable(session.path))}:${item.line}`
    return style.markdown ? codeSpan(where) : paint('dim', where)
  }
  const agent = named(speakerName({ who: 'agent' }, session, style.voice))
  let speaker = ''
  let lastAt = 0
  let day = session.startedMs === undefined ? '' : dated(session.startedMs).slice(0, 10)
  /** The header contains the first day. Later days are printed when they begin. */
  const timeOf = (ms: number): string => {
    const full = dated(ms)
    const sameDay = full.startsWith(day)
    day = full.slice(0, 10)
    return sameDay ? clock(ms) : full
  }
  for (const item of items) {
    const where = locationOf(item)
    if (item.who === 'tool' || item.who === 'error' || item.who === 'marker') {
      // Tool calls without a message also get the agent's name.
      if (item.who === 'tool' && speaker !== '' && !speaker.startsWith(agent)) {
        out.push(`\n${style.markdown ? `**${agent}**` : paint('bold', agent)}`)
        if (style.markdown) out.push('')
        speaker = agent
      }
      const line = remark(item, paint, style.markdown)
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
        `${out.length > 0 ? '\n' : ''}${[shown, paint('dim', time), where].filter((part) => part !== '').join('  ')}`,
      )
    } else out.push('')
    if (style.markdown && out.at(-1) !== '') out.push('')
    speaker = name
    lastAt = at
    const body = words(item, style)
    if (body !== '') out.push(body)
    if (item.detail) out.push(quoted(item.detail, style.markdown))
  }
  return out.length > 0 ? `${out.join('\n')}\n` : ''
}

const INDENT = '  '

/**
 * Wraps one of our lines with a hanging indent, so that no part of it looks like the beginning of another.
 */
function withHangingIndent(line: string, { columns, markdown }: Style): string {
  if (columns === undefined || markdown) return line
  const [first, ...rest] = wrap(line, columns - INDENT.length).split('\n')
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
const OWN_SIGN = new RegExp(`^(\\s*)(${SIGNS})`, 'gm')

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
  const rule = style.color
    ? styleText(['bold', 'inverse'], ` ${title} `, { validateStream: false })
    : `━━ ${title}`
  const below = style.color
    ? styleText('dim', facts.join(' · '), { validateStream: false })
    : facts.join(' · ')
  return `${rule}\n${withHangingIndent(`   ${below}`, style)}\n\n`
}

const sameDay = (from: number, to: number): string =>
  dated(from).slice(0, 10) === dated(to).slice(0, 10) ? clock(to) : dated(to)
