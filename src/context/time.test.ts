import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ScrollbackError } from '../errors.ts'
import { parseTime } from './time.ts'

/** Half an hour past midnight, on the day after the clocks were turned back. */
const NOW = Date.parse('2026-10-26T00:30:00+01:00')

/** The time in the local time zone. */
function shown(text: string, edge: 'since' | 'until'): string {
  const at = new Date(parseTime(text, edge, NOW))
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${at.getMilliseconds()}`
}

beforeAll(() => void vi.stubEnv('TZ', 'Europe/Vienna'))
afterAll(() => void vi.unstubAllEnvs())

describe('parsing a time', () => {
  it.each([
    ['today', '2026-10-26 00:00:00.0', '2026-10-26 23:59:59.999'],
    ['yesterday', '2026-10-25 00:00:00.0', '2026-10-25 23:59:59.999'],
    ['Yesterday ', '2026-10-25 00:00:00.0', '2026-10-25 23:59:59.999'],
    ['2026-01-31', '2026-01-31 00:00:00.0', '2026-01-31 23:59:59.999'],
    ['2026-03-29', '2026-03-29 00:00:00.0', '2026-03-29 23:59:59.999'],
    ['2024-02-29', '2024-02-29 00:00:00.0', '2024-02-29 23:59:59.999'],
    ['2026-02', '2026-02-01 00:00:00.0', '2026-02-28 23:59:59.999'],
    ['2026-12', '2026-12-01 00:00:00.0', '2026-12-31 23:59:59.999'],
    ['2026-01-31T14:05', '2026-01-31 14:05:00.0', '2026-01-31 14:05:00.0'],
    ['2026-01-31 14:05:10', '2026-01-31 14:05:10.0', '2026-01-31 14:05:10.0'],
    ['2026-01-31T14:05:10Z', '2026-01-31 15:05:10.0', '2026-01-31 15:05:10.0'],
    ['this week', '2026-10-26 00:00:00.0', '2026-11-01 23:59:59.999'],
    ['last week', '2026-10-19 00:00:00.0', '2026-10-25 23:59:59.999'],
    ['This Month', '2026-10-01 00:00:00.0', '2026-10-31 23:59:59.999'],
    ['last month', '2026-09-01 00:00:00.0', '2026-09-30 23:59:59.999'],
    ['last year', '2025-01-01 00:00:00.0', '2025-12-31 23:59:59.999'],
    ['october', '2026-10-01 00:00:00.0', '2026-10-31 23:59:59.999'],
    ['December', '2025-12-01 00:00:00.0', '2025-12-31 23:59:59.999'],
    ['this morning', '2026-10-26 00:00:00.0', '2026-10-26 11:59:59.999'],
    ['monday', '2026-10-26 00:00:00.0', '2026-10-26 23:59:59.999'],
    ['Last Monday', '2026-10-19 00:00:00.0', '2026-10-19 23:59:59.999'],
    ['sunday', '2026-10-25 00:00:00.0', '2026-10-25 23:59:59.999'],
    ['now', '2026-10-26 00:30:00.0', '2026-10-26 00:30:00.0'],
  ])('reads %s as from %s to %s', (text, since, until) => {
    expect([shown(text, 'since'), shown(text, 'until')]).toEqual([since, until])
  })

  it.each([
    ['30m', 30 * 60_000],
    ['12h', 12 * 3_600_000],
    ['7d', 7 * 86_400_000],
    ['2w', 14 * 86_400_000],
    ['1.5h', 90 * 60_000],
    ['0d', 0],
    ['7 D', 7 * 86_400_000],
  ])('reads %s as that long ago', (text, ms) => {
    expect(parseTime(text, 'since', NOW)).toBe(NOW - ms)
    expect(parseTime(text, 'until', NOW)).toBe(NOW - ms)
  })

  it.each([
    '',
    'someday',
    '7',
    '7y',
    '-3d',
    '2026',
    '2026-13',
    '2026-00-10',
    '2026-02-30',
    '2025-02-29',
    '26-01-31',
    '31.01.2026',
    '2026-01-31T25:00',
    'tomorrow',
  ])('rejects "%s", with a message that lists what is valid', (text) => {
    expect(() => parseTime(text, 'since', NOW)).toThrow(ScrollbackError)
    try {
      parseTime(text, 'until', NOW)
    } catch (error) {
      const { code, exitCode, message, wayOut } = error as ScrollbackError
      expect({ code, exitCode }).toEqual({ code: 'bad-time', exitCode: 2 })
      expect(message).toBe(`--until: invalid time "${text}"`)
      expect(wayOut).toContain('2026-01-31')
    }
  })
})
