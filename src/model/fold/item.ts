import type { SessionEvent } from '../event.ts'
import { mapStrings } from '../map-strings.ts'
import type { Item } from '../session.ts'
import type { Prompt } from './speakers.ts'

/**
 * An item as it is folded. Its texts are as they stand in the file, so they may contain secrets, and are cut
 * to their limits only when they are redacted: a part of a secret is not recognized.
 */
export interface FoldedItem extends Item {
  tool?: NonNullable<Item['tool']> & { limit?: number }
  /** The most characters of the text. */
  limit?: number
}

/** What one event adds to the condensed transcript. The position comes from the event. */
export type ItemContent = Omit<FoldedItem, 'line' | 'offset' | 'length' | 'at' | 'id' | 'order'>

/** The item with its texts redacted and cut. `clean` redacts a text, `cleanNames` the short ones. */
export function cleanItem(
  { limit, ...item }: FoldedItem,
  clean: (text: string) => string,
  cleanNames: <Value>(names: Value) => Value = (names) => mapStrings(names, clean),
): Item {
  const { text, tool } = item
  const names = [
    item.label,
    item.marker,
    item.media,
    item.stopReason,
    item.readFiles,
    item.modifiedFiles,
  ] as const
  const [label, marker, media, stopReason, readFiles, modifiedFiles] = names.every(
    (name) => name === undefined,
  )
    ? names
    : cleanNames(names)
  return {
    ...item,
    label,
    marker,
    media,
    stopReason,
    readFiles,
    modifiedFiles,
    text: text === undefined ? undefined : cut(clean(text), limit),
    tool: tool && {
      name: cleanNames(tool.name),
      target: tool.target === undefined ? undefined : cut(clean(tool.target), tool.limit),
    },
  }
}

/** The beginning of a text, with a sign that it goes on. */
const cut = (text: string, limit = Number.POSITIVE_INFINITY): string =>
  text.length > limit ? `${text.slice(0, limit - 1)}…`.toWellFormed() : text

/** Maximum number of items per event. The order of an item combines the event's order and its own. */
export const ITEMS_PER_EVENT = 1024

/**
 * Builds an item from its event. The id is that of the original record. `before` is the previous item; items
 * of one event are numbered in sequence.
 */
export function itemOf(event: SessionEvent, item: ItemContent, before?: Item): FoldedItem {
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
