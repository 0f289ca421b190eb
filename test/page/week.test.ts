import { describe, expect, it } from 'vitest'
import { weekHourIn, weekHourName, weekHourText } from '../../ui/text/times.ts'

describe('an hour of the week', () => {
  it('has an address and a name', () => {
    const hour = { weekday: 4, hour: 9 }
    expect(weekHourText(hour)).toBe('5-09')
    expect(weekHourIn('5-09')).toEqual(hour)
    expect(weekHourName(hour)).toBe('Fridays, 09:00 to 10:00')
    for (const wrong of ['', '0-09', '8-09', '5-24', '5-9', 'x']) expect(weekHourIn(wrong)).toBeUndefined()
  })
})
