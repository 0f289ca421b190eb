import type { Draft } from '../event.ts'
import type { Accounting } from '../session.ts'

const REMEMBERED = 100

/**
 * The bucket of a parsed line: event if it yielded any, else unknown if it contains anything unknown, else
 * skipped.
 */
export function bucketOf(drafts: readonly Draft[]): {
  bucket: 'event' | 'skipped' | 'unknown'
  name: string
} {
  let skipped = ''
  let unknown = ''
  for (const { payload } of drafts) {
    if (payload.type === 'skipped') skipped ||= payload.name
    else if (payload.type === 'unknown') unknown ||= payload.name
    else return { bucket: 'event', name: '' }
  }
  return unknown ? { bucket: 'unknown', name: unknown } : { bucket: 'skipped', name: skipped || 'empty' }
}

/** Counts every line once. */
export function createAccounting(): Accounting & {
  add(bucket: 'event' | 'skipped' | 'unknown', name: string): void
  damaged(offset: number): void
  torn(offset: number): void
} {
  return {
    events: 0,
    skipped: {},
    unknown: {},
    malformed: 0,
    malformedAt: [],
    add(bucket, name) {
      if (bucket === 'event') this.events++
      else this[bucket][name] = (this[bucket][name] ?? 0) + 1
    },
    /** Remembers the offset of a torn line from which a whole record was recovered. */
    torn(offset) {
      if (this.malformedAt!.length < REMEMBERED) this.malformedAt!.push(offset)
    },
    damaged(offset) {
      this.malformed++
      if (this.malformedAt!.length < REMEMBERED) this.malformedAt!.push(offset)
    },
  }
}

/** The counts alone, as stored with a session. */
export const plainAccounting = ({
  events,
  skipped,
  unknown,
  malformed,
  malformedAt,
}: Accounting): Accounting => ({
  events,
  skipped,
  unknown,
  malformed,
  ...(malformedAt?.length ? { malformedAt } : {}),
})
