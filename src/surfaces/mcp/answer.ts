import { createHash } from 'node:crypto'
import { searchedOf } from '../../commands/search/ask.ts'
import type { FreshStore } from '../../context/context.ts'
import { dirFlags } from '../../context/dir-flags.ts'
import { incompleteOf } from '../../context/scanned.ts'
import { ScrollbackError } from '../../errors.ts'
import { framed, WARNING } from '../../render/frame.ts'
import { createGate } from '../../render/gate.ts'
import { printableJson } from '../../render/terminal.ts'
import type { ShortNames } from '../../selection/session-names.ts'
import { createTurns } from '../server-store.ts'
import type { Listing } from './tool.ts'

/** The limits of one answer. */
interface Bounds {
  /** The question that the cursor belongs to. */
  question: string
  /** The number of entries in earlier answers. */
  offset: number
  /** The maximum number of entries. */
  limit: number
  /** The maximum size of the text as agents see it, in bytes. */
  maxBytes: number
}

interface Page {
  body: Record<string, unknown>
  /** The number of entries in it. */
  count: number
}

const NOTES = 300

/**
 * Puts as many whole entries as fit into an answer, after the head, with a cursor if more follow. An entry
 * that does not fit even alone loses its longest fields and names them. Reading the entries may add notes, so
 * they are asked for last. Rejects with the reason of `stop` if that aborts.
 */
export async function pageOf(
  listing: Listing,
  bounds: Bounds,
  notes: () => readonly string[],
  stop?: AbortSignal,
): Promise<Page> {
  const { question, offset, limit, maxBytes } = bounds
  const entries: object[] = []
  const sessions = new Map<string, object>()
  const body = (): Record<string, unknown> => ({
    about: WARNING,
    ...presentable(listing.head),
    [listing.list]: entries,
    ...(sessions.size > 0 ? { sessions: [...sessions.values()] } : {}),
  })
  const fixed = { ...body(), sessions: [], nextCursor: 'x'.repeat(LONGEST_CURSOR) }
  let room = maxBytes - FRAME_BYTES - bytesOf(fixed)
  let seen = 0
  let more = false
  const turns = createTurns(stop)
  for await (const { entry: made, session: of } of listing.entries()) {
    const turn = turns()
    if (turn) await turn
    if (seen++ < offset) continue
    // Measure the entry in the form that is sent.
    const [entry, session] = [presentable(made), of && presentable(of)]
    const row = session && !sessions.has(session.session) ? session : undefined
    const besides = row ? bytesOf(row) + 1 : 0
    const whole = bytesOf(entry) + 1
    if (entries.length === limit || (entries.length > 0 && whole + besides > room)) {
      more = true
      break
    }
    const fitting = whole + besides > room ? shortened(entry, room - besides - 1) : entry
    entries.push(fitting)
    if (row) sessions.set(row.session, row)
    room -= bytesOf(fitting) + 1 + besides
  }
  return {
    count: entries.length,
    body: {
      ...body(),
      ...noted(notes(), room),
      ...(more ? { nextCursor: cursorAt(question, offset + entries.length) } : {}),
    },
  }
}

/** Removes the longest fields until the entry fits. */
function shortened(entry: object, room: number): object {
  const fields = Object.entries(entry).sort(([, a], [, b]) => bytesOf(b ?? null) - bytesOf(a ?? null))
  const leftOut: string[] = []
  for (;;) {
    const rest = Object.fromEntries(Object.entries(entry).filter(([name]) => !leftOut.includes(name)))
    const fitting = { ...rest, leftOut }
    if (bytesOf(fitting) <= room || leftOut.length >= fields.length) return fitting
    leftOut.push(fields[leftOut.length]![0])
  }
}

/** As many notes as fit, and how many were left out. */
function noted(notes: readonly string[], room: number): { notes?: string[]; notesLeftOut?: number } {
  if (notes.length === 0) return {}
  const shown: string[] = []
  let left = room - bytesOf({ notes: [], notesLeftOut: 99_999 })
  for (const note of notes) {
    const short = note.length > NOTES ? `${note.slice(0, NOTES - 1)}…`.toWellFormed() : note
    left -= bytesOf(short) + 1
    if (left < 0) break
    shown.push(short)
  }
  return {
    ...(shown.length > 0 ? { notes: shown } : {}),
    ...(shown.length < notes.length ? { notesLeftOut: notes.length - shown.length } : {}),
  }
}

/** The answer without entries. Distinguishes no matches from nothing to search, and from what comes later. */
export function nothing(fresh: FreshStore, list: string): Record<string, unknown> {
  const { store, found } = fresh
  const incomplete = incompleteOf({ fresh })
  const searched = searchedOf(
    store,
    found.roots.map(({ path }) => path),
  )
  if (incomplete)
    return {
      about: WARNING,
      nothing: 'yet',
      [list]: [],
      searched,
      incomplete,
      advice:
        'Sessions are being indexed, and this answer is only about what is indexed so far: nothing can be concluded from it. Ask again in a minute.',
    }
  if (searched.sessions === 0)
    return {
      about: WARNING,
      nothing: 'indexed',
      [list]: [],
      looked: found.roots.map(({ platform, path, found: exists }) => ({ platform, path, exists })),
      advice: `These folders contain no sessions, so nothing can be concluded about the past. If the sessions are elsewhere, start the server with ${dirFlags.map(({ name }) => name).join(' or ')}.`,
    }
  return {
    about: WARNING,
    nothing: 'found',
    [list]: [],
    searched,
    advice:
      'Nothing in these sessions matches. Try other or fewer words, parts of them (log*), fewer filters, or a longer time span.',
  }
}

/** The maximum length of a cursor, reserved in each answer. */
const LONGEST_CURSOR = 40

/** A cursor after so many entries. It is only valid for one question. */
const cursorAt = (question: string, offset: number): string =>
  Buffer.from(`${fingerprint(question)}.${offset}`).toString('base64url')

/** How many entries precede a cursor. Fails if it is invalid or belongs to another question. */
export function offsetOf(cursor: string, question: string): number {
  const [mark, offset] = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  if (mark !== fingerprint(question) || !/^\d{1,9}$/.test(offset ?? ''))
    throw new ScrollbackError(
      'bad-option',
      'cursor: it belongs to another question',
      'Pass the nextCursor of the previous answer with the same arguments, or leave cursor out to start over.',
    )
  return Number(offset)
}

const fingerprint = (question: string): string =>
  createHash('sha256').update(question).digest('base64url').slice(0, 12)

/** Fields of an item that may have any length. */
const LONG = ['text', 'thinking', 'input', 'output', 'summary'] as const
/** Parts of this size fit into any answer. */
const PART_BYTES = 4000
const STEP = 500

/** Splits an item with a long text into several items with one part each. Yields other items unchanged. */
export function* inParts(item: Record<string, unknown>): Generator<Record<string, unknown>> {
  const long = LONG.filter((name) => {
    const text = item[name]
    return typeof text === 'string' && text.length > PART_BYTES / 6 && bytesOf(text) > PART_BYTES
  })
  if (long.length === 0) return yield item
  const rest = Object.fromEntries(
    Object.entries(item).filter(([name]) => !long.some((each) => each === name)),
  )
  for (const name of long) {
    const pieces = slices(item[name] as string)
    for (const [index, text] of pieces.entries())
      yield { ...rest, [name]: text, part: `${index + 1} of ${pieces.length}` }
  }
}

/** Splits a text into small pieces without splitting a character. */
function slices(text: string): string[] {
  const pieces: string[] = []
  let begin = 0
  let bytes = 0
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + STEP)
    if (end < text.length && isHigh(text.charCodeAt(end - 1))) end++
    const more = bytesOf(text.slice(at, end)) - QUOTES
    if (bytes > 0 && bytes + more > PART_BYTES) {
      pieces.push(text.slice(begin, at))
      begin = at
      bytes = 0
    }
    bytes += more
    at = end
  }
  pieces.push(text.slice(begin))
  return pieces
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Cleans text for an agent: no secrets, and no characters that a human would not see. */
export const { plain: presentable } = createGate({ redact: true, colors: false })

/**
 * What a client may put around an answer before its agent sees it: a notice about foreign content, and the
 * names of server and tool.
 */
const CLIENT_BYTES = 1280

/** The bytes around an answer: our frame, and what a client adds. */
const FRAME_BYTES = CLIENT_BYTES + quotedBytes(framed({}))

/**
 * The size of a value in such a text, in bytes. Some clients show the text as a string in JSON, so a
 * quotation mark counts twice.
 */
const bytesOf = (value: unknown): number => quotedBytes(printableJson(JSON.stringify(value)))

/** The size of the quotation marks of a text. */
const QUOTES = bytesOf('')

/** The size of a text inside a JSON string. */
export function quotedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2
}

/** Cuts a text to this many characters. */
export const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…`.toWellFormed() : text

/** A citation that `read` accepts: short if the session id identifies its file. */
export const citation = (names: ShortNames, { path, line }: { path: string; line: number }): string =>
  `${names.nameOf(path)}:${line}`

/** The row of a cited transcript. Contains its path only once. */
export const cited = (
  names: ShortNames,
  { path, id }: { path: string; id: string },
): { session: string; id: string; path: string } => ({ session: names.nameOf(path), id, path })
