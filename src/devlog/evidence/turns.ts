import type { Item } from '../../model/session.ts'
import type { SourceSession } from '../source.ts'

/** A prompt and everything up to the next one. Items before the first prompt belong to no turn. */
export interface Turn {
  source: SourceSession
  prompt: Item
  /** What followed the prompt. */
  items: Item[]
  /** In ms. Of the prompt, or of the first item with a time. */
  at: number
  /** Of the last item with a time. */
  end: number
  /** The session was compacted during this turn or right before it. */
  compacted: boolean
}

/** The turns of the active branch of a session, in order. */
export function turnsOf(source: SourceSession): Turn[] {
  const turns: Turn[] = []
  let compacted = false
  let last = source.session.startedMs ?? source.session.modifiedMs
  for (const item of source.items) {
    if (item.offBranch) continue
    last = item.at ?? last
    if (item.who === 'human' || item.who === 'program') {
      turns.push({ source, prompt: item, items: [], at: last, end: last, compacted })
      compacted = false
      continue
    }
    const turn = turns.at(-1)
    if (item.who === 'marker' && item.marker === 'compaction') compacted = true
    if (!turn) continue
    turn.items.push(item)
    turn.end = last
  }
  return turns
}
