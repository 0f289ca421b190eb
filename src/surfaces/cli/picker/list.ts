import { stripVTControlCharacters } from 'node:util'
import { paint } from '../../../commands/hit-line.ts'
import type { Entry, Memory, SessionEntry } from '../../../commands/picker/source.ts'
import { shortName } from '../../../model/hidden.ts'
import { identityOf } from '../../../platforms/identities.ts'
import { cutNames, cutTo, grouped, readableBytes } from '../../../render/table.ts'
import { type Screen, shownLine, widthOf } from '../../../render/terminal.ts'

type Look = Pick<Screen, 'color' | 'now'>

/** The rows that are in view. */
export interface View {
  entries: readonly Entry[]
  /** The selected entry. */
  cursor: number
  /** The first entry that is shown. */
  top: number
  /** Whether keys go to the rows, and not to the query. */
  isFocused: boolean
}

/** The first entry that is shown, so that the selected one is in view with its day above it. */
export function topFor({ entries, cursor, top }: Omit<View, 'isFocused'>, height: number): number {
  const first = entries[cursor - 1]?.kind === 'day' ? cursor - 1 : cursor
  const next = Math.min(top, Math.max(0, entries.length - height), first)
  return Math.max(next, cursor - height + 1)
}

/** The lines of a list, each exactly as wide as there is room. */
export function listLines(
  view: View,
  { width, height }: { width: number; height: number },
  look: Look,
): string[] {
  const { entries, cursor, top, isFocused } = view
  const lines = entries.slice(top, top + height).map((entry, index) => {
    const isSelected = top + index === cursor
    const lead = isSelected ? paint(isFocused ? ['bold', 'cyan'] : 'cyan', '▌', look) : ' '
    return `${lead}${lineOf(entry, width - 1, isSelected, look)}`
  })
  while (lines.length < height) lines.push(' '.repeat(width))
  return lines
}

function lineOf(entry: Entry, width: number, isSelected: boolean, look: Look): string {
  if (entry.kind === 'session') return sessionLine(entry, width, isSelected, look)
  if (entry.kind === 'day') {
    const count = entry.sessions === 1 ? '' : `  ${grouped(entry.sessions)}`
    return paint('dim', padTo(`${dayName(entry.ms, look.now)}${count}`, width), look)
  }
  if (entry.kind === 'fold')
    return paint(
      isSelected ? 'bold' : 'dim',
      padTo(`${entry.isOpen ? '▾' : '▸'} ${entry.label}`, width),
      look,
    )
  const title = padTo(`   ${shownLine(memoryTitle(entry))}`, width)
  return isSelected ? paint('bold', title, look) : title
}

/** Whose memory it is, and the name of its file. */
export const memoryTitle = ({ owner, hit }: Memory): string => `memory of ${owner}: ${hit.session}`

/** Narrower lists have no column for the project and the size. */
const WITH_PROJECT = 44
const WITH_SIZE = 58
const PROJECT = 14

function sessionLine(entry: SessionEntry, width: number, isSelected: boolean, look: Look): string {
  const { session, project, copies, matches } = entry
  const { prefix, color } = identityOf(session.platform)
  const at = session.lastActivityMs ?? session.modifiedMs
  const right = [
    ...(width >= WITH_PROJECT ? [padTo(cutNames([shortName(project ?? '-')], PROJECT)[0]!, PROJECT)] : []),
    ageOf(at, look.now).padStart(5),
    ...(width >= WITH_SIZE ? [readableBytes(session.bytes).padStart(7)] : []),
  ].join(' ')
  const extra = [
    ...(session.annotation?.star ? ['★'] : []),
    ...(session.open ? ['[open]'] : []),
    ...(session.goneMs === undefined ? [] : ['[file gone]']),
    ...(session.kind && session.kind !== 'human' ? [`[${session.kind}]`] : []),
    ...(session.annotation?.tags ?? []).map((tag) => `#${tag}`),
  ].join(' ')
  const more = [
    ...(matches !== undefined && matches > 1 ? [`${grouped(matches)} hits`] : []),
    ...(copies > 0 ? [`+${copies}`] : []),
  ].join(' ')
  const room = Math.max(4, width - widthOf(right) - 4)
  const title = padTo(
    shownLine([extra, entry.title].filter((part) => part !== '').join(' ')),
    room - (more === '' ? 0 : widthOf(more) + 1),
  )
  const sign = paint(color, prefix.slice(0, 2).padEnd(2), look)
  const text = isSelected ? paint('bold', title, look) : title
  const end = more === '' ? '' : ` ${paint('dim', more, look)}`
  return `${sign} ${text}${end} ${paint('dim', right, look)}`
}

/** Cut or filled to exactly this width. */
export function padTo(text: string, width: number): string {
  const cut = cutTo(text, Math.max(0, width))
  return cut + ' '.repeat(Math.max(0, width - widthOf(cut)))
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
const YEAR = 365 * DAY

/** How long ago: `5m`, `3h`, `12d`, `2y`. */
function ageOf(ms: number, now: number): string {
  const past = Math.max(0, now - ms)
  if (past < HOUR) return `${Math.floor(past / 60_000)}m`
  if (past < DAY) return `${Math.floor(past / HOUR)}h`
  return past < 2 * YEAR ? `${Math.floor(past / DAY)}d` : `${Math.floor(past / YEAR)}y`
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** `Today`, `Yesterday`, `Monday`, and the date. */
function dayName(ms: number, now: number): string {
  const day = new Date(ms)
  const pad = (value: number): string => String(value).padStart(2, '0')
  const date = `${day.getFullYear()}-${pad(day.getMonth() + 1)}-${pad(day.getDate())}`
  // A day of the clock change has 23 or 25 hours.
  const past = Math.round((new Date(now).setHours(0, 0, 0, 0) - ms) / DAY)
  if (past === 0) return `Today, ${date}`
  return past === 1 ? `Yesterday, ${date}` : `${WEEKDAYS[day.getDay()]}, ${date}`
}

/**
 * Signs whose width depends on the terminal: spacing vowels, tones of skin, what joins or selects pictures,
 * and the letters of flags.
 */
const UNCERTAIN = /\p{Mc}|\p{Emoji_Modifier}|\p{RI}|\u200d|\ufe0f/u
const SPACING = /^(?:\p{Mc}|\ufe0f)$/u

/**
 * A line that no terminal gives a second row, however wide it draws such signs: what may not fit is cut. A
 * row too many would move everything above it out of the screen.
 */
export function inOneRow(line: string, columns: number): string {
  if (!UNCERTAIN.test(line)) return line
  const plain = stripVTControlCharacters(line).trimEnd()
  let [width, end] = [0, 0]
  for (const sign of plain) {
    width += SPACING.test(sign) ? 1 : Math.max(widthOf(sign), /\p{RI}/u.test(sign) ? 2 : 0)
    if (width > columns) return plain.slice(0, end)
    end += sign.length
  }
  return line.trimEnd()
}
