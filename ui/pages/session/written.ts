import type { AnswerTo, ChangedFile, Hunk } from '../../api/ask.ts'
import { count, counted, shortPath } from '../../text/format.ts'

/** A line that a hunk added. */
export interface WrittenLine {
  /** Its place in the file. */
  number: number
  text: string
}

/** An address has room for so many characters of the lines that are asked about. */
const MOST_CHARACTERS = 6000

/** A closing bracket says nothing about who wrote it. */
const isTelling = ({ text }: WrittenLine): boolean => /[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(text)

/** The lines that a hunk added, by which its writers are found: the longest if there are too many. */
export function writtenIn({ lines, newStart }: Hunk): WrittenLine[] {
  const added: WrittenLine[] = []
  let number = newStart
  for (const line of lines) {
    if (line.startsWith('-')) continue
    const text = line.slice(1).trim()
    if (line.startsWith('+') && text !== '') added.push({ number, text })
    number++
  }
  const telling = added.filter(isTelling)
  let room = MOST_CHARACTERS
  return (telling.length > 0 ? telling : added)
    .toSorted((one, other) => other.text.length - one.text.length)
    .filter(({ text }, index) => {
      room -= encodeURIComponent(text).length + 1
      return room >= 0 || index === 0
    })
    .sort((one, other) => one.number - other.number)
}

type Change = AnswerTo<'why'>['changes'][number]

/** A change, with the lines that it wrote last. */
export interface Writer {
  change: Change
  lines: WrittenLine[]
  /** How many other changes wrote one of them, too. */
  others: number
}

/** The writers of lines, in the order of the lines. The changes are newest first; the first one of a line wrote it. */
export function writersOf(
  written: readonly WrittenLine[],
  changes: readonly Change[],
  sessions: readonly string[],
): Writer[] {
  const own = changes.filter(({ session }) => sessions.includes(session))
  const wrote = (change: Change, index: number): boolean => change.wrote?.includes(index + 1) ?? true
  const writers = new Map<string, Writer>()
  for (const [index, line] of written.entries()) {
    const change = (own.length > 0 ? own : changes).find((each) => wrote(each, index))
    if (!change) continue
    const writer = writers.get(keyOf(change)) ?? { change, lines: [], others: 0 }
    writer.lines.push(line)
    writers.set(keyOf(change), writer)
  }
  return [...writers].map(([key, writer]) => ({
    ...writer,
    others: changes.filter(
      (each) => keyOf(each) !== key && writer.lines.some((line) => wrote(each, written.indexOf(line))),
    ).length,
  }))
}

/** The changes by which these sessions may have removed lines: what removed them is not written anywhere. */
export function removersOf(changes: readonly Change[], sessions: readonly string[]): Writer[] {
  const writers = new Map<string, Writer>()
  for (const change of changes)
    if (sessions.includes(change.session) && !writers.has(keyOf(change)))
      writers.set(keyOf(change), { change, lines: [], others: 0 })
  return [...writers.values()]
}

/** Edits with the same words before them have one reason. */
const keyOf = ({ session, line, asked, reason }: Change): string =>
  `${session} ${asked || reason ? `${asked?.line} ${reason?.line}` : line}`

/** The places of lines: `line 3`, `lines 1–4, 7`. Without gaps of lines that nobody asked about. */
export function placesOf(lines: readonly WrittenLine[]): string {
  const spans: { from: number; to: number }[] = []
  for (const { number } of lines) {
    const last = spans.at(-1)
    if (last && number === last.to + 1) last.to = number
    else spans.push({ from: number, to: number })
  }
  const shown = spans.map(({ from, to }) => (from === to ? count(from) : `${count(from)}–${count(to)}`))
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown.join(', ')}`
}

/** More names are only counted. */
const MOST_NAMED = 3

/** Which files a patch leaves out and why, as one sentence; none if it has all. Files that are as they were need no patch. */
export function leftOut(files: readonly Pick<ChangedFile, 'path' | 'notInPatch'>[]): string[] {
  const left = files.filter(({ notInPatch }) => notInPatch !== undefined)
  if (left.length === 0) return []
  const names = left.slice(0, MOST_NAMED).map(({ path, notInPatch }) => `${shortPath(path, 2)} ${notInPatch}`)
  const more = left.length > MOST_NAMED ? [`and ${count(left.length - MOST_NAMED)} more`] : []
  return [
    `${counted(left.length, 'file')} ${left.length === 1 ? 'is' : 'are'} not in the patch: ${[...names, ...more].join(', ')}`,
  ]
}
