import type { SessionEvent } from '../event.ts'
import type { Item } from '../session.ts'
import type { Prompt } from './speakers.ts'

/** What one event adds to the condensed transcript. The position comes from the event. */
export type ItemContent = Omit<Item, 'line' | 'offset' | 'length' | 'at' | 'id' | 'order'>

/** Maximum number of items per event. The order of an item combines the event's order and its own. */
export const ITEMS_PER_EVENT = 1024

/**
 * Builds an item from its event. The id is that of the original record. `before` is the previous item; items
 * of one event are numbered in sequence.
 */
export function itemOf(event: SessionEvent, item: ItemContent, before?: Item): Item {
  const order = event.order * ITEMS_PER_EVENT
  const follows =
    before?.line === event.origin.line && before.order >= order && before.order < order + ITEMS_PER_EVENT
  return {
    ...item,
    at: event.at,
    id: event.forkedFrom ?? event.id,
    ...event.origin,
    order: follows ? before.order + 1 : order,
  }
}

export const promptItem = ({ speaker, text, label, media }: Prompt): ItemContent => ({
  who: speaker,
  text,
  label,
  ...(media.length > 0 ? { media } : {}),
})

export const inFileOrder = (a: Item, b: Item): number => a.line - b.line || a.order - b.order
