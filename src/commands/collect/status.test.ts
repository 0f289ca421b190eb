import { describe, expect, it } from 'vitest'
import { parseLag } from './status.ts'

describe('the duration of --max-lag', () => {
  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['1.5H', 5_400_000],
    [' 3 m ', 180_000],
    ['0s', 0],
  ])('reads %s as %i ms', (text, ms) => {
    expect(parseLag(text)).toBe(ms)
  })

  it.each(['', '15', 'm', '-1h', '1w', '1h30m', 'soon'])('rejects "%s"', (text) => {
    expect(() => parseLag(text)).toThrow(`--max-lag: invalid span "${text}"`)
  })
})
