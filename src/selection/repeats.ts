import { hash53 } from '../model/hash.ts'
import { messageKey, recordKey } from '../model/item-key.ts'
import type { Item, Session } from '../model/session.ts'

/** How many first messages decide whether a session may repeat another. */
const OPENING = 3

/** The keys of the first messages. A copy or a fork of a session has the same. */
export function openingOf(items: Iterable<Item>, { id }: Pick<Session, 'id'>): number[] {
  const opening: number[] = []
  for (const item of items) {
    const key = isSpeech(item) ? keyOf(item, id) : undefined
    if (key !== undefined && opening.push(key) === OPENING) break
  }
  return opening
}

/** Finds sessions that begin like an earlier one. `keysIn` returns the keys of all items of a session. */
export function createRepeats<Task>(keysIn: (task: Task) => Iterable<number>) {
  const openings = new Map<number, Task[]>()
  return {
    /** What the earlier sessions with one of these first messages contain. Undefined if there are none. */
    above(opening: readonly number[]): ReadonlySet<number> | undefined {
      const alike = new Set(opening.flatMap((key) => openings.get(key) ?? []))
      if (alike.size === 0) return undefined
      const keys = new Set<number>()
      for (const task of alike) for (const key of keysIn(task)) keys.add(key)
      return keys
    },
    add(task: Task, opening: readonly number[]): void {
      for (const key of opening) openings.set(key, [...(openings.get(key) ?? []), task])
    },
  }
}

/** Whether an item is in one of the sessions of which these are the keys. */
export const isAbove = (item: Item, { id }: Pick<Session, 'id'>, above: ReadonlySet<number>): boolean =>
  above.has(keyOf(item, id) ?? Number.NaN)

/** Says that items are left out. */
export const repetition = (count: number): Item => ({
  who: 'marker',
  marker: 'note',
  text:
    count === 1
      ? '1 entry that is already in a session above'
      : `${count} entries that are already in a session above`,
  line: 1,
  offset: 0,
  length: 0,
  order: 0,
})

/** The keys of items, to find them in other sessions. */
export const keysOf = (items: readonly Item[], session: string): number[] =>
  items.flatMap((item) => keyOf(item, session) ?? [])

const isSpeech = (item: Item): boolean =>
  item.who === 'human' || item.who === 'agent' || item.who === 'program'

/**
 * What an item has in common with its copies. Items from a store already have the key of their record. Where
 * records have no ids, copies are in files of the same session, with the same time and content.
 */
function keyOf(item: Item, session: string): number | undefined {
  const record = item.record ?? recordKey(item)
  // A copy of a reply may be cut short. Prompts of one moment may be two.
  const isPrompt = item.who === 'human' || item.who === 'program'
  if (record !== undefined && record >= 0)
    return isPrompt ? hash53([`${record} ${messageKey(item, session).digest}`], 0) : record
  if (item.at === undefined || item.who === 'marker') return undefined
  const key = messageKey(item, session)
  return -1 - hash53([`${key.record} ${key.digest}`], 0)
}
