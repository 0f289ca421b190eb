import { expect, it } from 'vitest'
import { weekHourOf } from './listing.ts'

it('an hour of the week has an address', () => {
  expect(weekHourOf('1-00')).toBe(0)
  expect(weekHourOf('5-09')).toBe(4 * 24 + 9)
  for (const wrong of ['', '0-09', '8-09', '5-24', '5-9', 'x']) expect(weekHourOf(wrong)).toBeUndefined()
})
