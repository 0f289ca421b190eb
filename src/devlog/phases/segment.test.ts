import { describe, expect, it } from 'vitest'
import { sourceOf } from '../../../test/devlog/labelled.ts'
import { type Turn, turnsOf } from '../evidence/turns.ts'
import { boundary, joinSegments, segmentOf, segmentsOf } from './segment.ts'

const HOUR = 3_600_000

const turns = (
  talk: readonly string[],
  change: (turn: Turn, index: number) => Partial<Turn> = () => ({}),
): Turn[] => turnsOf(sourceOf(talk)).map((turn, index) => ({ ...turn, ...change(turn, index) }))

const TALK = ['H: build the cart', 'T: Edit /p/cart/a.ts', 'H: now the total', 'T: Edit /p/cart/b.ts']

describe('the phases of a session', () => {
  it('do not begin with every prompt', () => {
    expect(segmentsOf(turns(TALK))).toHaveLength(1)
  })

  it('begin after a night', () => {
    const nights = turns(TALK, ({ at, end }, index) => ({
      at: at + index * 20 * HOUR,
      end: end + index * 20 * HOUR,
    }))
    expect(segmentsOf(nights)).toHaveLength(2)
  })

  it('begin after a compaction if other files are changed', () => {
    const talk = [
      ...TALK.slice(0, 2),
      'H: describe the payment provider carefully',
      'T: Edit /p/docs/payment.md',
    ]
    expect(segmentsOf(turns(talk))).toHaveLength(1)
    expect(segmentsOf(turns(talk, (_, index) => ({ compacted: index === 1 })))).toHaveLength(2)
  })

  it('do not begin with the prompt of a program', () => {
    const nights = turns(TALK, (turn, index) => ({
      ...{ at: turn.at + index * 20 * HOUR, end: turn.end + index * 20 * HOUR },
      prompt: { ...turn.prompt, who: index === 1 ? 'program' : 'human' },
    }))
    expect(segmentsOf(nights)).toHaveLength(1)
  })
})

describe('joining', () => {
  it('removes the weakest boundaries until there are few enough', () => {
    const parts = turns(['H: one', 'A: 1', 'H: two', 'A: 2', 'H: three', 'A: 3'], ({ at, end }, index) => {
      const shift = [0, 30, 43][index]! * HOUR
      return { at: at + shift, end: end + shift }
    }).map((turn) => segmentOf(turn))
    expect(boundary(parts[0]!, parts[1]!)).toBeGreaterThanOrEqual(0.8)
    expect(joinSegments(parts, 9).map(({ turns: own }) => own.length)).toEqual([1, 1, 1])
    expect(joinSegments(parts, 1)).toHaveLength(1)
  })
})
