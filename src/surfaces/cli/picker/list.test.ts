import { describe, expect, it } from 'vitest'
import { inOneRow } from './list.ts'

describe('a line of the picker', () => {
  it('is cut where signs may be drawn wider than they are counted', () => {
    expect(inOneRow('👍🏽 fix the tests', 10)).toBe('👍🏽 fix t')
    expect(inOneRow('परियोजना की स्थिति', 10)).toBe('परियोजना क')
    expect(inOneRow('🇩🇪 Aufgaben', 8)).toBe('🇩🇪 Auf')
  })

  it('keeps its colors and blanks otherwise', () => {
    expect(inOneRow('\x1b[1m👍🏽 fix\x1b[22m', 10)).toBe('\x1b[1m👍🏽 fix\x1b[22m')
    expect(inOneRow('\x1b[1m界 fix\x1b[22m   ', 4)).toBe('\x1b[1m界 fix\x1b[22m   ')
  })
})
