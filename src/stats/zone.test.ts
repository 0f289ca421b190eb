import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayName, momentOf, monthName, offsetIn, weekName, zoneSpans } from './zone.ts'

const DAY = 86_400_000
const dayOf = (text: string): number => Date.parse(text) / DAY

it.each([
  ['2026-01-01', '2026-W01', '2026-01'],
  ['2027-01-03', '2026-W53', '2027-01'],
  ['2024-12-30', '2025-W01', '2024-12'],
  ['1970-01-01', '1970-W01', '1970-01'],
  ['2026-11-21', '2026-W47', '2026-11'],
])('the names of a day for %s are %s and %s', (day, week, month) => {
  expect([dayName(dayOf(day)), weekName(dayOf(day)), monthName(dayOf(day))]).toEqual([day, week, month])
})

describe('the time spans of a time zone', () => {
  /** Two hours ahead of UTC in summer and one in winter, with changes at odd times. */
  const changes = [Date.parse('2026-03-29T01:00:00Z'), Date.parse('2026-10-25T01:00:00Z')]
  const offsetAt = (ms: number): number => (ms >= changes[0]! && ms < changes[1]! ? 2 : 1) * 3_600_000

  it('begin at each change, to the millisecond', () => {
    const spans = zoneSpans(Date.parse('2026-01-01'), Date.parse('2026-12-31'), offsetAt)
    expect(spans.slice(1)).toEqual([
      { fromMs: changes[0], offsetMs: 7_200_000 },
      { fromMs: changes[1], offsetMs: 3_600_000 },
    ])
  })

  it('give the offset of every moment', () => {
    const [from, until] = [Date.parse('2026-01-01'), Date.parse('2026-12-31')]
    const spans = zoneSpans(from, until, offsetAt)
    fc.assert(
      fc.property(fc.integer({ min: from, max: until }), (ms) => {
        expect(spans.findLast(({ fromMs }) => fromMs <= ms)?.offsetMs).toBe(offsetAt(ms))
      }),
    )
  })

  it('are one if nothing changes, or if the range is empty', () => {
    expect(zoneSpans(0, 0, () => 0)).toHaveLength(1)
    expect(zoneSpans(0, 1e12, () => 19_800_000)).toHaveLength(1)
  })
})

describe('a named time zone', () => {
  const HOUR = 3_600_000

  it.each([
    ['Europe/Berlin', '2026-01-15T12:00:00.500Z', 1],
    ['Europe/Berlin', '2026-07-15T12:00:00Z', 2],
    ['Asia/Kolkata', '2026-07-15T23:45:59.999Z', 5.5],
    ['America/New_York', '2026-12-31T23:00:00Z', -5],
    ['Pacific/Kiritimati', '2026-12-31T12:00:00Z', 14],
    ['UTC', '2026-02-28T23:59:59Z', 0],
  ])('%s is at %s ahead of UTC by %s hours', (zone, at, hours) => {
    expect(offsetIn(zone)!(Date.parse(at))).toBe(hours * HOUR)
  })

  it('is undefined if the system does not know it', () => {
    expect(offsetIn('Nowhere/Land')).toBeUndefined()
  })

  it.each([
    ['Europe/Berlin', '2026-01-15T12:00:00Z', '2026-01-15T11:00:00Z'],
    ['Europe/Berlin', '2026-03-29T01:59:59Z', '2026-03-29T00:59:59Z'],
    ['Europe/Berlin', '2026-03-29T02:30:00Z', '2026-03-29T01:00:00Z'],
    ['Europe/Berlin', '2026-03-29T03:00:00Z', '2026-03-29T01:00:00Z'],
    ['Europe/Berlin', '2026-10-25T02:30:00Z', '2026-10-25T00:30:00Z'],
    ['Europe/Berlin', '2026-10-25T03:00:00Z', '2026-10-25T02:00:00Z'],
    // Midnight is skipped.
    ['America/Santiago', '2026-09-06T00:00:00Z', '2026-09-06T04:00:00Z'],
    ['America/Havana', '2026-03-08T00:00:00Z', '2026-03-08T05:00:00Z'],
    ['Africa/Cairo', '2026-04-24T00:00:00Z', '2026-04-23T22:00:00Z'],
    // It comes twice, or the hour before it does.
    ['America/Havana', '2026-11-01T00:00:00Z', '2026-11-01T04:00:00Z'],
    ['America/Santiago', '2026-04-05T00:00:00Z', '2026-04-05T04:00:00Z'],
    // A whole day is skipped.
    ['Pacific/Apia', '2011-12-30T00:00:00Z', '2011-12-30T10:00:00Z'],
    ['Pacific/Apia', '2011-12-31T00:00:00Z', '2011-12-30T10:00:00Z'],
  ])('in %s first shows %s, or later, at %s', (zone, wall, moment) => {
    const offsetAt = offsetIn(zone)!
    expect(new Date(momentOf(Date.parse(wall), offsetAt)).toISOString()).toBe(moment.replace('Z', '.000Z'))
  })
})
