import { afterEach, describe, expect, it } from 'vitest'
import { distinctNames, dollarsOnAxis } from '../../ui/text/format.ts'
import {
  dateOf,
  dayName,
  isDay,
  momentOf,
  onClock,
  setClock,
  timeOfDay,
  weekHourIn,
  weekHourName,
  weekHourText,
} from '../../ui/text/times.ts'

const at = (text: string): number => Date.parse(`${text}T12:00:00`)

it('days have their year unless it is the current one', () => {
  const now = at('2026-11-15')
  expect(dayName(at('2025-09-03'), now)).toContain('2025')
  expect(dayName(at('2026-09-03'), now)).not.toContain('2026')
  expect(dateOf(at('2025-12-31'), now)).toContain('2025')
  expect(dateOf(at('2026-01-01'), now)).not.toContain('2026')
})

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

/** A time of the day as the page shows it. */
const clock = (hours: number, minutes: number): string =>
  timeOfDay(new Date(2026, 0, 31, hours, minutes).getTime())

it('the clock times in the words of a schedule are shown as all others are', () => {
  expect(onClock('at 04:30 and 16:00 on Sunday (Europe/Berlin)')).toBe(
    `at ${clock(4, 30)} and ${clock(16, 0)} on Sunday (Europe/Berlin)`,
  )
  expect(onClock('once on 2025-12-01 07:00')).toBe(`once on ${dateOf(at('2025-12-01'))}, ${clock(7, 0)}`)
  expect(onClock('every 30 minutes')).toBe('every 30 minutes')
})

it('the labels of an axis of small costs differ', () => {
  const labels = [0, 0.25, 0.5, 0.75, 1].map((part) => dollarsOnAxis(part * 0.012, 0.012))
  expect(labels).toEqual(['$0.00', '$0.003', '$0.006', '$0.009', '$0.012'])
  expect(dollarsOnAxis(0.75, 3)).toBe('$0.75')
})

it('an hour of the week has an address and a name', () => {
  const hour = { weekday: 4, hour: 9 }
  expect(weekHourText(hour)).toBe('5-09')
  expect(weekHourIn('5-09')).toEqual(hour)
  expect(weekHourName(hour)).toBe(`Fridays, ${clock(9, 0)} to ${clock(10, 0)}`)
  for (const wrong of ['', '0-09', '8-09', '5-24', '5-9', 'x']) expect(weekHourIn(wrong)).toBeUndefined()
})

it('the names of files in a list are as long as it takes to tell them apart', () => {
  const paths = ['/a/hooks/index.ts', '/a/state/index.ts', '/b/state/index.ts', '/a/read.ts', 'index.ts']
  expect([...distinctNames(paths).entries()].sort()).toEqual([
    ['/a/hooks/index.ts', 'hooks/index.ts'],
    ['/a/read.ts', 'read.ts'],
    ['/a/state/index.ts', 'a/state/index.ts'],
    ['/b/state/index.ts', 'b/state/index.ts'],
    ['index.ts', 'index.ts'],
  ])
})
