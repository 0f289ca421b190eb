import type { Zone } from '../../local-time.ts'

/** The length of a slot, in ms. Local time differs from UTC by whole slots. */
export const SLOT_MS = 900_000
/** The slot of everything that has no time. */
export const TIMELESS_SLOT = -1

/** A slot as SQL, of an expression for a time. */
export const slotOf = (at: string): string =>
  `if(ifNull(${at}, 0) > 0, intDiv(assumeNotNull(${at}), ${SLOT_MS}), ${TIMELESS_SLOT})`

/** Slots of a span of time. The ends are exclusive. */
export interface Slots {
  first: number
  end: number
  /** Those of which the span has only a part. */
  partial: number[]
}

/** The slots of a span of time in ms, whose end is exclusive. */
export function slotsWithin(from: number, until: number): Slots {
  const [first, end] = [Math.ceil(from / SLOT_MS), Math.floor(until / SLOT_MS)]
  const partial = [
    ...(from % SLOT_MS === 0 ? [] : [first - 1]),
    ...(until % SLOT_MS === 0 || end < first ? [] : [end]),
  ]
  return { first, end: Math.max(first, end), partial }
}

/** Whether every slot is within one local hour. */
export const hasWholeSlots = (zone: Zone): boolean =>
  zone.every(
    ({ fromMs, offsetMs }, index) => offsetMs % SLOT_MS === 0 && (index === 0 || fromMs % SLOT_MS === 0),
  )
