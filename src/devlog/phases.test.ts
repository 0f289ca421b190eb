import { expect, it } from 'vitest'
import type { Item, Session } from '../model/session.ts'
import { phasesOf } from './phases.ts'
import type { SourceSession, Turn } from './turns.ts'

const HOUR = 3_600_000
const session = { id: 'a1', platform: 'claude-code', agent: 'main', startedMs: 0 } as unknown as Session
const source: SourceSession = { session, project: 'moss', main: true, items: [] }

/** Turns that begin at these hours. */
const turns = (hours: readonly number[]): Turn[] =>
  hours.map((hour, at) => {
    const prompt = { who: 'human', text: `Water the ferns in bed ${at}`, line: at + 1 } as unknown as Item
    return { source, prompt, items: [], at: hour * HOUR, end: hour * HOUR, compacted: undefined }
  })

/** How many turns each phase has. */
const phases = (hours: readonly number[]): number[] =>
  phasesOf([turns(hours)], { calls: [], dynamics: [], errors: [], commits: [] }).map((each) => each.turns)

const hours = (count: number, step: number, from = 0): number[] =>
  Array.from({ length: count }, (_, at) => from + at * step)

it('a phase begins after a long pause, and a long phase is split where the pause was longest', () => {
  expect(phases([0, 1, 2, 10, 11])).toEqual([3, 2])
  expect(phases([...hours(8, 0.5), ...hours(7, 0.5, 5)])).toEqual([8, 7])
})

it('a day of 100,000 turns is one phase, because it has no 16 parts', () => {
  expect(phases(hours(100_000, 0.001))).toEqual([100_000])
})

it('100,000 turns with long pauses are 16 phases, joined where the pauses were shortest', () => {
  const uneven = hours(100_000, 5).map((hour, at) => hour + Math.floor(at / 10_000) * 100)
  const found = phases(uneven)
  expect(found).toHaveLength(16)
  expect(found.reduce((sum, each) => sum + each)).toBe(100_000)
  expect(found.filter((each) => each >= 9990)).toHaveLength(10)
})
