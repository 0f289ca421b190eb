import { afterEach, describe, expect, it } from 'vitest'
import { isDay, momentOf, setClock } from '../../ui/text/times.ts'

const local = (...parts: [number, number, number]): number => new Date(...parts).getTime()

afterEach(() => setClock(new Date().toUTCString()))

describe('a day in an address', () => {
  it('is a day of the reader: from its first moment to its last', () => {
    expect(Date.parse(momentOf('2026-01-31', 'since'))).toBe(local(2026, 0, 31))
    expect(Date.parse(momentOf('2026-01-31', 'until'))).toBe(local(2026, 1, 1) - 1)
  })

  it('can be today or yesterday, by the clock of the server', () => {
    setClock('Sun, 01 Mar 2026 12:00:00 GMT')
    expect(Date.parse(momentOf('today', 'since'))).toBe(local(2026, 2, 1))
    expect(Date.parse(momentOf('yesterday', 'since'))).toBe(local(2026, 1, 28))
  })

  it('leaves other times as they are', () => {
    for (const text of ['', '7d', '2026-01', '2026-01-31T10:00Z', 'soon']) {
      expect(momentOf(text, 'since')).toBe(text)
      expect(isDay(text)).toBe(false)
    }
  })
})
