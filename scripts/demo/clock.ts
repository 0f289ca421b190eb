/** Summer time ends in the middle of the story. */
const winter = Date.parse('2026-10-25T01:00:00Z')
const hour = 3_600_000

/** The clock of a story: set in local time, stored in milliseconds since 1970. */
export interface Clock {
  now(): number
  advance(seconds: number): number
  /** Jumps to a local time such as `2026-10-05 13:30`; the story never goes back. */
  set(local: string): void
}

/** A clock that starts at a local time such as `2026-09-01 09:12`. */
export function createClock(start: string): Clock {
  let now = parseLocal(start)
  return {
    now: () => now,
    advance: (seconds) => {
      now += Math.round(seconds * 1000)
      return now
    },
    set: (local) => {
      const next = parseLocal(local)
      if (next < now) throw new Error(`the story goes back in time at ${local}`)
      now = next
    },
  }
}

/** Milliseconds since 1970 of a local time such as `2026-09-01 09:12`. */
export function parseLocal(local: string): number {
  const summer = Date.parse(`${local.replace(' ', 'T')}:00+02:00`)
  return summer < winter ? summer : summer + hour
}

/** As a gateway stamps its messages: `Tue 2026-09-29 08:14 GMT+2`. */
export function stamp(at: number, withWeekday = true): string {
  const offset = at < winter ? 2 : 1
  const local = new Date(at + offset * hour)
  const weekday = withWeekday ? `${local.toUTCString().slice(0, 3)} ` : ''
  return `${weekday}${local.toISOString().slice(0, 16).replace('T', ' ')} GMT+${offset}`
}
