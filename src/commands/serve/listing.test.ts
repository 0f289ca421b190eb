import { describe, expect, it } from 'vitest'
import type { Session } from '../../model/session.ts'
import { offsetIn } from '../../stats/zone.ts'
import { goingOnAt, spansWeekHour, weekHourOf } from './listing.ts'

const at = (day: number, hour: number, minute = 0): number => Date.UTC(2026, 10, day, hour, minute)

describe('an hour of the week', () => {
  it('has an address', () => {
    expect(weekHourOf('1-00')).toBe(0)
    expect(weekHourOf('5-09')).toBe(4 * 24 + 9)
    for (const wrong of ['', '0-09', '8-09', '5-24', '5-9', 'x']) expect(weekHourOf(wrong)).toBeUndefined()
  })

  it('belongs to the sessions that were going on during it', () => {
    // The 6th of November 2026 is a Friday.
    const friday = 4 * 24 + 9
    expect(spansWeekHour(at(6, 9, 30), at(6, 9, 40), friday, 0)).toBe(true)
    expect(spansWeekHour(at(6, 8, 30), at(6, 9, 1), friday, 0)).toBe(true)
    expect(spansWeekHour(at(6, 8, 30), at(6, 8, 59), friday, 0)).toBe(false)
    expect(spansWeekHour(at(6, 10), at(6, 20), friday, 0)).toBe(false)
    expect(spansWeekHour(at(2, 10), at(7, 10), friday, 0)).toBe(true)
    expect(spansWeekHour(at(6, 10), at(13, 9), friday, 0)).toBe(true)
  })

  it('is one of the clock of the reader, in summer and in winter', () => {
    const isThen = goingOnAt(4 * 24 + 9, at(20, 0), offsetIn('Europe/Berlin')!)
    const session = (startedMs: number): Session => ({ startedMs, lastActivityMs: startedMs }) as Session
    expect(isThen(session(at(6, 8, 30)))).toBe(true)
    expect(isThen(session(at(6, 9, 30)))).toBe(false)
    const summer = (hour: number): number => Date.UTC(2026, 6, 3, hour, 30)
    expect(isThen(session(summer(7)))).toBe(true)
    expect(isThen(session(summer(8)))).toBe(false)
  })
})
