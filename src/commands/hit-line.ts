import { styleText } from 'node:util'
import { shortName, shownName } from '../model/hidden.ts'
import type { Session } from '../model/session.ts'
import { cutTo } from '../render/table.ts'
import { cutOf, printable, type Screen, shownLine, widthOf } from '../render/terminal.ts'
import { dated, speakerName } from '../render/text.ts'
import type { Query } from '../search/query.ts'
import { type Snippet, snippetOf } from '../search/snippet.ts'
import type { SearchHit } from '../store/search.ts'
import type { StoredMessage } from '../store/stored.ts'

/** A message or tool call, as one line shows it. */
export interface HitEntry {
  who: string
  at?: number
  text: string
  /** A snippet that already exists. */
  snippet?: Snippet
}

/** The length of a snippet if lines are not wrapped. */
const USUAL = 160
/** On narrower screens, speaker and time get a line of their own. */
const LEAST = 36
/** Columns of a time and of typical names. */
const WHEN = 14
const WHO = 6

type Format = Parameters<typeof styleText>[0]

export const paint = (format: Format, text: string, screen: Pick<Screen, 'color'>): string =>
  screen.color && text !== '' ? styleText(format, text, { validateStream: false }) : text

/** The speaker, named as in `read`, or the tool of a call. */
export function speakerOf(
  message: Pick<StoredMessage, 'who' | 'label' | 'tool'>,
  { platform, agent }: Pick<SearchHit, 'platform' | 'agent'>,
): string {
  if (message.who === 'tool' || message.who === 'error') {
    const sign = message.who === 'error' ? '✗' : '→'
    return `${sign} ${message.tool?.name ?? (message.who === 'error' ? 'error' : 'tool')}`
  }
  if (message.who === 'marker' && message.label === 'title') return 'Title'
  return speakerName(message, { platform: platform as Session['platform'], agent }, { human: 'You' })
}

/** The speaker, the time and the best snippet. On a terminal, cut to its width. */
export function fitted(
  entry: HitEntry,
  query: Query | undefined,
  { lead, width }: { lead: string; width: number },
  screen: Screen,
): string {
  const who = shortName(shownLine(entry.who))
  const when = entry.at === undefined ? ' '.repeat(WHEN) : dated(entry.at).slice(2)
  const gap = ' '.repeat(Math.max(0, WHO - widthOf(who)))
  const named = paint(who === 'You' ? ['bold', 'cyan'] : 'bold', who, screen)
  const head = `${paint('dim', when, screen)}  ${named}`
  const used = width + WHEN + 2 + Math.max(WHO, widthOf(who)) + 2
  const narrow = screen.columns - used < LEAST
  const room = !Number.isFinite(screen.columns)
    ? USUAL
    : Math.max(24, screen.columns - (narrow ? width + 2 : used))
  const snippet = entry.snippet ?? snippetIn(entry.text, query, room, screen)
  const text = marked(snippet, room, screen)
  return narrow ? `${lead}${head}\n${' '.repeat(width + 2)}${text}\n` : `${lead}${head}${gap}  ${text}\n`
}

/** Wide characters take two columns, so a snippet that was cut for narrow ones is cut again. */
function snippetIn(text: string, query: Query | undefined, room: number, screen: Screen): Snippet {
  const wanted = query ?? NOTHING
  const snippet = snippetOf(text, wanted, room)
  const columns = widthOf(snippet.text)
  if (columns <= room || !Number.isFinite(screen.columns)) return snippet
  return snippetOf(text, wanted, Math.floor((room * snippet.text.length) / columns))
}

const NOTHING = { text: '', remarks: [] } as unknown as Query

/** A part of a line. */
const inLine = (text: string): string => printable(text).replaceAll('\n', ' ')

function marked({ text, marks }: Snippet, room: number, screen: Screen): string {
  // A snippet made for another width is cut with its marks.
  const end =
    Number.isFinite(screen.columns) && widthOf(text) > room
      ? (cutOf(text, room - 1) ?? text.length)
      : text.length
  let out = ''
  let at = 0
  for (const [from, to] of marks) {
    if (to > end) break
    out += `${inLine(text.slice(at, from))}${paint(['bold', 'yellow'], inLine(text.slice(from, to)), screen)}`
    at = to
  }
  return `${out}${inLine(text.slice(at, end))}${end < text.length ? '…' : ''}`
}

/** The heading of the matches of one session. */
export function emphasis(
  { date, project, agent, title }: { date?: string; project?: string; agent: string; title: string },
  screen: Screen,
): string {
  const facts = [date, project, agent]
    .filter((fact) => fact !== undefined)
    .map(shownName)
    .join(' · ')
  const line = shownLine(title)
  const left = Math.min(100, Math.max(12, screen.columns - widthOf(facts) - 6))
  const shown = cutTo(line, left)
  return `━━ ${paint('dim', facts, screen)}${facts === '' ? '' : ' · '}${paint('bold', shown, screen)}`
}
