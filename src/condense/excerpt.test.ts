import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item } from '../model/session.ts'
import { createExcerpt, type Excerpt } from './excerpt.ts'

/** Entries of the lines 10, 20 and so on, with these words. */
const items = (...words: string[]): Item[] =>
  words.map((text, index) => ({ who: 'human', text, line: (index + 1) * 10, offset: 0, length: 0, order: 0 }))

const six = items('one', 'Two tea', 'three', 'four', 'tea five', 'six')

function told(given: readonly Item[], wanted: Excerpt, size = given.length): (string | undefined)[] {
  const excerpt = createExcerpt(wanted)
  const found: Item[] = []
  for (let at = 0; at < given.length; at += size) found.push(...excerpt.take(given.slice(at, at + size)))
  return [...found, ...excerpt.end()].map(({ text }) => text)
}

describe('a part of a session', () => {
  it.each<[string, Excerpt, string[]]>([
    ['begins at a line', { line: 30 }, ['three', 'four', 'tea five', 'six']],
    ['begins behind a line that tells nothing', { line: 35 }, ['four', 'tea five', 'six']],
    ['is what stands around a line', { line: 30, around: 1 }, ['Two tea', 'three', 'four']],
    [
      'is what stands around where a line would tell something',
      { line: 35, around: 1 },
      ['three', 'four', 'tea five'],
    ],
    ['is the line alone', { line: 30, around: 0 }, ['three']],
    ['is what holds the words, in any case', { grep: 'TEA' }, ['Two tea', 'tea five']],
    [
      'is what holds the words, with what stands around it',
      { grep: 'two', around: 1 },
      ['one', 'Two tea', 'three'],
    ],
    ['tells what stands around two matches once', { grep: 'tea', around: 2 }, six.map(({ text }) => text!)],
    ['begins at a line and holds the words', { line: 30, grep: 'tea' }, ['tea five']],
    ['is the end', { last: 2 }, ['tea five', 'six']],
    ['is the end of what holds the words', { grep: 'tea', last: 1 }, ['tea five']],
    ['is nothing', { last: 0 }, []],
  ])('%s', (_, wanted, expected) => {
    for (const size of [1, 2, 6]) expect(told(six, wanted, size)).toEqual(expected)
  })

  it('is the same however the session is cut into pieces, in order and without anything twice', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('tea', 'milk', 'a tea')),
        fc.record(
          {
            line: fc.nat(100),
            around: fc.nat(3),
            last: fc.nat(5),
            grep: fc.constantFrom('tea', 'MILK', 'x'),
          },
          { requiredKeys: [] },
        ),
        fc.integer({ min: 1, max: 4 }),
        (words, wanted, size) => {
          const given = items(...words.map((each, index) => `${each} ${index}`))
          const whole = told(given, wanted, Math.max(1, given.length))
          expect(told(given, wanted, size)).toEqual(whole)
          expect(new Set(whole).size).toBe(whole.length)
        },
      ),
    )
  })
})
