import { stripVTControlCharacters } from 'node:util'
import { paint } from '../../../commands/hit-line.ts'
import type { Item, Session } from '../../../model/session.ts'
import { type Screen, widthOf, wrap } from '../../../render/terminal.ts'
import { renderHeader, renderItems, type Style, speakerName, voiceOf } from '../../../render/text.ts'
import { padTo } from './list.ts'

type Look = Pick<Screen, 'color'>

/** A message in a text, by its first line. */
export interface Mark {
  at: number
  who: Item['who']
  text: string
  /** The file that a tool call was about. */
  target: string | undefined
  /** The line of the transcript, and how `read` names it: `640ab4c7:12`. */
  line: number
  citation: string
}

/** A text that fills the screen: a session, or what a command answers. */
export interface TextView {
  title: string
  lines: readonly string[]
  marks: readonly Mark[]
  /** The session that it is about. */
  session: Session | undefined
  /** The line at the top of the screen. */
  top: number
  /** The first line of the message that a key led to. Scrolling forgets it. */
  current?: number | undefined
  /** What is marked. */
  find: string
  /** What is copied where there are no messages. */
  copied?: string
  /** How the lines were made. */
  layout: Layout
  /** Makes the lines in another way. */
  lay(layout: Layout): Laid
}

interface Layout {
  /** How wide lines are at most. */
  columns: number
  /** Only what people said. */
  isMine: boolean
}

type Laid = Pick<TextView, 'lines' | 'marks'>

const styleFor = (columns: number, { color }: Look): Style => ({
  voice: voiceOf('default')!,
  color,
  columns,
  lines: false,
  markdown: false,
})

interface Named {
  session: Session
  project: string | undefined
  /** What commands call the session. */
  name: string
}

/** A session as a text, with the lines at which its messages begin. */
export function sessionText(
  { session, title, project, name }: Named & { title: string },
  messages: readonly Item[],
  columns: number,
  look: Look,
): TextView {
  const lay = ({ columns, isMine }: Layout): Laid =>
    laidSession(
      { session, project, name },
      isMine ? messages.filter(({ who }) => who === 'human') : messages,
      columns,
      look,
    )
  const layout = { columns, isMine: false }
  return { title, ...lay(layout), session, top: 0, find: '', layout, lay }
}

function laidSession(
  { session, project, name }: Named,
  messages: readonly Item[],
  columns: number,
  look: Look,
): Laid {
  const style = styleFor(columns, look)
  // The title is above the text.
  const lines = linesOf(renderHeader(session, project, style)).slice(1)
  const marks: Mark[] = []
  let speaker = ''
  for (const message of messages) {
    const rendered = linesOf(renderItems([message], session, style))
    if (rendered.length === 0) continue
    const isSpoken = message.who !== 'tool' && message.who !== 'error' && message.who !== 'marker'
    if (isSpoken) {
      const name = speakerName(message, session, style.voice)
      // The same speaker goes on.
      if (name === speaker) rendered[0] = ''
      else lines.push('')
      speaker = name
    }
    marks.push({
      at: lines.length,
      who: message.who,
      text: message.text || message.tool?.target || '',
      target: message.tool?.target,
      line: message.line,
      citation: `${name}:${message.line}`,
    })
    for (const line of rendered) lines.push(line)
  }
  return { lines, marks }
}

/** What a command answered, as a text. */
export function commandText(title: string, text: string, columns: number, session?: Session): TextView {
  const lay = ({ columns }: Layout): Laid => ({
    lines: linesOf(cutAddresses(wrap(text, columns), columns)),
    marks: [],
  })
  const layout = { columns, isMine: false }
  return { title, ...lay(layout), session, top: 0, find: '', copied: text.trimEnd(), layout, lay }
}

/** Continues an address on the next line, because the end of a line that is too wide is not shown. */
const cutAddresses = (text: string, columns: number): string =>
  text.replace(/^https?:\S+$/gm, (address) =>
    (address.match(new RegExp(`.{1,${columns}}`, 'g')) ?? []).join('\n'),
  )

/** Makes the lines of a text in another way, with the same message at the same height. */
export function layAgain(text: TextView, layout: Layout): void {
  const { columns, isMine } = text.layout
  if (columns === layout.columns && isMine === layout.isMine) return
  const mark = markAt(text)
  const share = text.top / Math.max(1, text.lines.length)
  Object.assign(text, text.lay(layout), { layout })
  const same = mark && text.marks.findLast(({ line }) => line <= mark.line)
  if (same) {
    text.top = Math.max(0, Math.min(same.at, same.at + text.top - mark.at))
    if (text.current !== undefined) text.current = same.at
  } else text.top = Math.round(share * text.lines.length)
}

/** Some messages, as the preview shows them. */
export const passageLines = (
  session: Session,
  messages: readonly Item[],
  columns: number,
  look: Look,
): string[] => linesOf(renderItems(messages, session, styleFor(columns, look)))

const linesOf = (text: string): string[] => text.replace(/\n+$/, '').split('\n')

/** The lines in view, with what is found marked. */
export function textLines(
  { lines, top, find, current }: Pick<TextView, 'lines' | 'top' | 'find' | 'current'>,
  { width, height }: { width: number; height: number },
  look: Look,
): string[] {
  const shown = lines
    .slice(top, top + height)
    .map((line, index) =>
      top + index === current
        ? paint('inverse', padTo(stripVTControlCharacters(line), width), look)
        : clipped(marked(line, find.split(/\s+/), look), width),
    )
  while (shown.length < height) shown.push('')
  return shown
}

/** A line that may have colors, cut if it is too wide. */
function clipped(line: string, width: number): string {
  if (widthOf(stripVTControlCharacters(line)) <= width) return line
  return padTo(stripVTControlCharacters(line), width)
}

/** A line with words in another color. Without any, it is left as it is. */
export function marked(line: string, words: readonly string[], look: Look): string {
  const long = words.filter((word) => word.length > 1)
  if (long.length === 0 || !look.color) return line
  const plain = stripVTControlCharacters(line)
  const pattern = new RegExp(long.map(RegExp.escape).join('|'), 'giu')
  if (plain.search(pattern) < 0) return line
  return plain.replace(pattern, (found) => paint(['bold', 'yellow'], found, look))
}

/** The last line that can be at the top. */
export const lastTop = ({ lines }: Pick<TextView, 'lines'>, height: number): number =>
  Math.max(0, lines.length - height)

/** The message that keys are about: the one that a key led to, or else the one at the top. */
export const markAt = ({
  marks,
  top,
  current = top,
}: Pick<TextView, 'marks' | 'top' | 'current'>): Mark | undefined =>
  marks.findLast(({ at }) => at <= current) ?? marks[0]

/** The next message, in one direction and around the end, that is wanted. Undefined if there is none. */
export function nextMark(
  { marks, top, current = top }: Pick<TextView, 'marks' | 'top' | 'current'>,
  isWanted: (mark: Mark) => boolean,
  direction: 1 | -1,
): number | undefined {
  const wanted = marks.filter(isWanted)
  return direction === 1
    ? (wanted.find(({ at }) => at > current) ?? wanted[0])?.at
    : (wanted.findLast(({ at }) => at < current) ?? wanted.at(-1))?.at
}

/** The next line that contains all words, from a line on, around the end. Undefined if none does. */
export function nextFound(
  { lines }: Pick<TextView, 'lines'>,
  find: string,
  from: number,
  direction: 1 | -1,
): number | undefined {
  const words = find
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return undefined
  const count = lines.length
  for (let step = 0; step < count; step++) {
    const at = (((from + direction * step) % count) + count) % count
    const line = stripVTControlCharacters(lines[at]!).toLowerCase()
    if (words.every((word) => line.includes(word))) return at
  }
  return undefined
}
