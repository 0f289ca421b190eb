import { cursorAt, LONGEST_CURSOR } from './cursor.ts'
import { bytesOf, FRAME_BYTES, presentable, WARNING } from './frame.ts'
import type { Told } from './tool.ts'
import { createTurns } from './turns.ts'

/** How much of what there is to tell goes into one answer. */
export interface Bounds {
  /** What the cursor belongs to. */
  question: string
  /** Entries that earlier answers held. */
  offset: number
  /** Entries at most. */
  limit: number
  /** Bytes of text at most. */
  maxBytes: number
}

export interface Page {
  body: Record<string, unknown>
  /** Entries in it. */
  count: number
}

const NOTES = 300

/**
 * As many entries as fit, whole, with the head before them and a cursor where more follow. One that does not even fit alone is told
 * without its longest fields, and says which. Rejects with the reason of `stop` when that is aborted.
 */
export async function pageOf(
  told: Told,
  bounds: Bounds,
  notes: readonly string[],
  stop?: AbortSignal,
): Promise<Page> {
  const { question, offset, limit, maxBytes } = bounds
  const entries: object[] = []
  const sessions = new Map<string, object>()
  const body = (): Record<string, unknown> => ({
    about: WARNING,
    ...presentable(told.head),
    [told.list]: entries,
    ...(sessions.size > 0 ? { sessions: [...sessions.values()] } : {}),
  })
  const fixed = { ...body(), sessions: [], nextCursor: 'x'.repeat(LONGEST_CURSOR) }
  let room = maxBytes - FRAME_BYTES - bytesOf(fixed)
  let seen = 0
  let more = false
  const turns = createTurns(stop)
  for await (const { entry: made, session: of } of told.entries()) {
    const turn = turns()
    if (turn) await turn
    if (seen++ < offset) continue
    // What is measured is what is given.
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
      ...noted(notes, room),
      ...(more ? { nextCursor: cursorAt(question, offset + entries.length) } : {}),
    },
  }
}

/** Without its longest fields, until it fits. */
function shortened(entry: object, room: number): object {
  const fields = Object.entries(entry).sort(([, a], [, b]) => bytesOf(b ?? null) - bytesOf(a ?? null))
  const leftOut: string[] = []
  for (;;) {
    const kept = Object.fromEntries(Object.entries(entry).filter(([name]) => !leftOut.includes(name)))
    const fitting = { ...kept, leftOut }
    if (bytesOf(fitting) <= room || leftOut.length >= fields.length) return fitting
    leftOut.push(fields[leftOut.length]![0])
  }
}

/** What is to be said besides, as far as there is room; at least how many remarks there are. */
function noted(notes: readonly string[], room: number): { notes?: string[]; notesLeftOut?: number } {
  if (notes.length === 0) return {}
  const said: string[] = []
  let left = room - '"notes":[],"notesLeftOut":99999,'.length
  for (const note of notes) {
    const short = note.length > NOTES ? `${note.slice(0, NOTES - 1)}…`.toWellFormed() : note
    left -= bytesOf(short) + 1
    if (left < 0) break
    said.push(short)
  }
  return {
    ...(said.length > 0 ? { notes: said } : {}),
    ...(said.length < notes.length ? { notesLeftOut: notes.length - said.length } : {}),
  }
}
