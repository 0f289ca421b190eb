import { expect, it } from 'vitest'
import { lastWorkingDay } from './sources.ts'

const dayOf = (at: Date): string => {
  const day = new Date(lastWorkingDay(at.getTime()))
  return `${day.getMonth() + 1}-${day.getDate()} ${day.getHours()}:${day.getMinutes()}`
}

it('the last working day is the day before, and on Mondays and at weekends the Friday', () => {
  // 20 November 2026 is a Friday.
  expect(dayOf(new Date(2026, 10, 20, 12))).toBe('11-19 0:0')
  expect(dayOf(new Date(2026, 10, 21, 12))).toBe('11-20 0:0')
  expect(dayOf(new Date(2026, 10, 22, 12))).toBe('11-20 0:0')
  expect(dayOf(new Date(2026, 10, 23, 9))).toBe('11-20 0:0')
  expect(dayOf(new Date(2026, 10, 24, 9))).toBe('11-23 0:0')
})
