import type { SessionEvent } from './event.ts'
import type { Prompt } from './prompts.ts'
import type { Told } from './replies.ts'
import type { Item } from './session.ts'

/** Items that one event may tell, at most: an item's order holds the event's and its own. */
const PARTS = 1024

/** An item with the id of the record that said it first, and its place: of what one event tells, each comes after the one before. */
export function itemOf(event: SessionEvent, item: Told, before?: Item): Item {
  const order = event.order * PARTS
  const follows = before?.line === event.origin.line && before.order >= order && before.order < order + PARTS
  return {
    ...item,
    at: event.at,
    id: event.forkedFrom ?? event.id,
    ...event.origin,
    order: follows ? before.order + 1 : order,
  }
}

export const toldPrompt = ({ speaker, text, label, media }: Prompt): Told => ({
  who: speaker,
  text,
  label,
  ...(media.length > 0 ? { media } : {}),
})

export const inFileOrder = (a: Item, b: Item): number => a.line - b.line || a.order - b.order
