import type { SessionEvent } from '../event.ts'
import { type FoldedItem, type ItemContent, itemOf } from './item.ts'

/** Approximate memory of an item besides its texts, in bytes. */
const ITEM_WEIGHT = 500

/** Collects items until they are taken. */
export function createItemList(keep: boolean) {
  let items: FoldedItem[] = []
  let weight = 0
  let last: FoldedItem | undefined
  /** The last item, if it has already been taken. */
  let handedOn: FoldedItem | undefined
  return {
    /** The last item added, whether or not it has been taken. */
    last: (): FoldedItem | undefined => last,
    push(event: SessionEvent, item: ItemContent): void {
      if (!keep) return
      last = itemOf(event, item, last)
      items.push(last)
      weight += ITEM_WEIGHT + (item.text?.length ?? 0) + (item.tool?.target?.length ?? 0)
    },
    /** Reports that an item became longer. If it has already been taken, it is emitted again. */
    grown(item: FoldedItem): void {
      if (item !== handedOn) return
      handedOn = undefined
      items.push(item)
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
     * Takes the items since the last call. Items that became longer since are emitted again, with the same
     * position.
     */
    drain(): FoldedItem[] {
      const drained = items
      items = []
      weight = 0
      handedOn = last
      return drained
    },
    /** Approximate memory of the items, in bytes. */
    weight: (): number => weight,
  }
}

export type ItemList = ReturnType<typeof createItemList>
