import type { Artifact } from '../artifact.ts'
import type { Payload, SessionEvent, SummarizedFiles } from '../event.ts'
import { mapStrings } from '../json.ts'
import type { Item, Position } from '../session.ts'
import { type FoldTraits, shownTarget } from './tool-arguments.ts'

/**
 * `counts`: the session row only. `condensed`: also the items. `full`: also the positions of thinking, inputs
 * and outputs.
 */
export type Keep = 'counts' | 'condensed' | 'full'

/** A text that a tool call sent to another agent. */
export interface SentText {
  line: number
  at: number | undefined
  text: string
  /** The receiving agent. Required for short texts. */
  to?: string | undefined
}

/** What `createReplies` needs from the fold. */
export interface ReplyContext {
  artifact: Artifact
  keep: Keep
  traits: FoldTraits
  items: ReturnType<typeof createItemList>
  /** Second pass: what was done for calls, by their ids. */
  doneCalls?: ReadonlyMap<string, NonNullable<FoldedItem['tool']>> | undefined
  /** Reports a text that a tool call sent to another agent. */
  sent(words: SentText): void
  /** The number of the current turn. */
  turn(): number
}

export interface ReplyCounts {
  toolCalls: number
  errors: number
  possibleErrors: number
  model?: string
  /** The model of the latest turn. */
  turnModel?: string
  /** What changes the price of the current turn's requests. */
  turnTerms?: string[]
}

/** The reply of an item, and why it ended. */
export type OfReply = Pick<Item, 'reply' | 'stopReason'>

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
export type ItemContent = Omit<FoldedItem, 'line' | 'offset' | 'length' | 'at' | 'id' | 'sharedId' | 'order'>

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
      name: clean(tool.name),
      target: tool.target === undefined ? undefined : cut(shownTarget(clean(tool.target)), tool.limit),
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
    ...(event.sharedId !== undefined && { sharedId: event.sharedId }),
    ...event.origin,
    order: follows ? before.order + 1 : order,
  }
}

export const inFileOrder = (a: Item, b: Item): number => a.line - b.line || a.order - b.order

/** Approximate memory of an item besides its texts, in bytes. */
const ITEM_WEIGHT = 500

/** Where an item is, of which record, and of which reply if it is one of its texts. */
export interface OfRecord extends Position {
  record: string | undefined
  reply?: number
}

/** Who says something. */
const MESSAGES: ReadonlySet<string> = new Set(['human', 'agent', 'program'])

/** Collects items until they are taken. */
export function createItemList(keep: boolean) {
  let items: FoldedItem[] = []
  /** Everything that is no message. */
  const others: OfRecord[] = []
  let weight = 0
  let last: FoldedItem | undefined
  /** Whether items that are taken are emitted again when they change. */
  let isDrained = false
  return {
    /** The last item added, whether or not it has been taken. */
    last: (): FoldedItem | undefined => last,
    /** `ahead`: how many places it is ahead of the first item that its event has without `full`. */
    push(event: SessionEvent, item: ItemContent, ahead = 0): void {
      if (!keep) return
      last = itemOf(event, item, last)
      if (ahead > 0) last.order = event.order * ITEMS_PER_EVENT - ahead
      items.push(last)
      if (!MESSAGES.has(item.who)) others.push({ line: last.line, order: last.order, record: event.id })
      weight += ITEM_WEIGHT + (item.text?.length ?? 0) + (item.tool?.target?.length ?? 0)
    },
    /** Reports that a recent item has changed. If it was drained before, it is emitted again. */
    grown(item: FoldedItem): void {
      if (isDrained && !items.includes(item)) items.push(item)
    },
    /** All items, for a file that is read in one go. */
    all: (): FoldedItem[] => items,
    /** Takes the items so far. Keeps the last one back while later lines may extend it. */
    take(atEnd: boolean): FoldedItem[] {
      const final = items.at(-1)
      const held = (final?.who === 'agent' || final?.who === 'marker') && !atEnd ? items.pop() : undefined
      const taken = items.splice(0)
      if (held) items.push(held)
      return taken
    },
    /**
     * Takes the items since the last call. Items that have changed since are emitted again, with the same
     * position.
     */
    drain(): FoldedItem[] {
      const drained = items
      items = []
      weight = 0
      isDrained = true
      return drained
    },
    /** In file order. */
    others,
    /** Approximate memory of the items, in bytes. */
    weight: (): number => weight,
  }
}

/** Markers that come with a summary. */
const SUMMARIES: ReadonlySet<string> = new Set(['compaction', 'branch'])

/** Turns markers into items: compactions, interruptions, model changes, failed replies. */
export function createMarkers(keep: Keep, counts: ReplyCounts, items: ReturnType<typeof createItemList>) {
  /**
   * A summary may be longer than everything else, so the item contains its size and, with `full`, its
   * position. Some clients write the marker first and the summary after it.
   */
  function summary(
    event: SessionEvent,
    marker: string,
    text: string | undefined,
    files?: SummarizedFiles,
  ): void {
    const size = text === undefined ? undefined : sizeOf(text)
    const holds = keep === 'full' && size !== undefined ? { holds: 'summary' as const } : {}
    const last = items.last()
    if (last?.who !== 'marker' || last.marker !== marker || (size && last.text && last.text !== size)) {
      items.push(event, { who: 'marker', marker, text: size, ...holds, ...files })
      return
    }
    if (size === undefined || last.text === size) return
    const { offset, length } = event.origin
    Object.assign(last, { text: size, ...holds, ...files }, keep === 'full' ? { offset, length } : {})
    items.grown(last)
  }

  return function marker(event: SessionEvent, payload: Extract<Payload, { type: 'marker' }>): void {
    const { text } = payload
    if (payload.marker === 'agent-error') {
      counts.errors++
      items.push(event, { who: 'error', text, sure: true })
      return
    }
    if (payload.marker === 'model-change') {
      // The first one is the initial choice of a model, not a change.
      const before = counts.model
      counts.model = payload.text
      if (before === undefined || before === payload.text || keep !== 'full') return
    }
    if (SUMMARIES.has(payload.marker)) {
      summary(event, payload.marker, text, payload.files)
      return
    }
    const last = items.last()
    if (last?.who === 'marker' && last.marker === payload.marker && last.text === text) return
    items.push(event, { who: 'marker', marker: payload.marker, text })
  }
}

const sizeOf = (text: string): string =>
  `a summary of ${text.length.toLocaleString('en-US')} character${text.length === 1 ? '' : 's'}`
