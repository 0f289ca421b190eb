import { describe, expect, it } from 'vitest'
import { spansWeekHour, weekHourIn, weekHourName, weekHourText } from '../../ui/text/week.ts'

const at = (day: number, hour: number, minute = 0): number => new Date(2026, 10, day, hour, minute).getTime()

describe('an hour of the week', () => {
  it('has an address and a name', () => {
    const hour = { weekday: 4, hour: 9 }
    expect(weekHourText(hour)).toBe('5-09')
    expect(weekHourIn('5-09')).toEqual(hour)
    expect(weekHourName(hour)).toBe('Fridays, 09:00 to 10:00')
    for (const wrong of ['', '0-09', '8-09', '5-24', '5-9', 'x']) expect(weekHourIn(wrong)).toBeUndefined()
  })

  it('belongs to the sessions that were going on during it', () => {
    // The 6th of November 2026 is a Friday.
    const friday = { weekday: 4, hour: 9 }
    expect(spansWeekHour(at(6, 9, 30), at(6, 9, 40), friday)).toBe(true)
    expect(spansWeekHour(at(6, 8, 30), at(6, 9, 1), friday)).toBe(true)
    expect(spansWeekHour(at(6, 8, 30), at(6, 8, 59), friday)).toBe(false)
    expect(spansWeekHour(at(6, 10), at(6, 20), friday)).toBe(false)
    expect(spansWeekHour(at(2, 10), at(7, 10), friday)).toBe(true)
    expect(spansWeekHour(at(6, 10), at(13, 9), friday)).toBe(true)
  })
})
