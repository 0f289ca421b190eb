import { createTurns } from '../turns.ts'
import { cursorAt, LONGEST_CURSOR } from './cursor.ts'
import { bytesOf, FRAME_BYTES, presentable, WARNING } from './frame.ts'
import type { Listing } from './tool.ts'

/** The limits of one answer. */
export interface Bounds {
  /** The question that the cursor belongs to. */
  question: string
  /** The number of entries in earlier answers. */
  offset: number
  /** The maximum number of entries. */
  limit: number
  /** The maximum size of the text as agents see it, in bytes. */
  maxBytes: number
}

export interface Page {
  body: Record<string, unknown>
  /** The number of entries in it. */
  count: number
}

const NOTES = 300

/**
 * Puts as many whole entries as fit into an answer, after the head, with a cursor if more follow. An entry
 * that does not fit even alone loses its longest fields and names them. `notes` returns those that were made
 * until then. Rejects with the reason of `stop` if that aborts.
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
