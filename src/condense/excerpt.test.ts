import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item } from '../model/session.ts'
import { createExcerpt, type Excerpt } from './excerpt.ts'

/** Items on lines 10, 20 and so on, with these texts. */
const items = (...words: string[]): Item[] =>
  words.map((text, index) => ({ who: 'human', text, line: (index + 1) * 10, offset: 0, length: 0, order: 0 }))

const six = items('one', 'Two tea', 'three', 'four', 'tea five', 'six')

function excerptOf(given: readonly Item[], wanted: Excerpt, size = given.length): (string | undefined)[] {
  const excerpt = createExcerpt(wanted)
  const found: Item[] = []
  for (let at = 0; at < given.length; at += size) found.push(...excerpt.take(given.slice(at, at + size)))
  return [...found, ...excerpt.end()].map(({ text }) => text)
}

describe('a part of a session', () => {
  it.each<[string, Excerpt, string[]]>([
    ['starts at a line', { line: 30 }, ['three', 'four', 'tea five', 'six']],
    ['starts after a line without items', { line: 35 }, ['four', 'tea five', 'six']],
    ['is the context of a line', { line: 30, around: 1 }, ['Two tea', 'three', 'four']],
    ['is the context of a line without items', { line: 35, around: 1 }, ['three', 'four', 'tea five']],
    ['is only the line', { line: 30, around: 0 }, ['three']],
    ['is the matches of a word, in upper or lower case', { grep: 'TEA' }, ['Two tea', 'tea five']],
    ['is the matches of a word, with their context', { grep: 'two', around: 1 }, ['one', 'Two tea', 'three']],
    [
      'contains the shared context of two matches once',
      { grep: 'tea', around: 2 },
      six.map(({ text }) => text!),
    ],
    ['starts at a line and contains the matches of a word', { line: 30, grep: 'tea' }, ['tea five']],
    ['is the end', { last: 2 }, ['tea five', 'six']],
    ['is the last of the matches', { grep: 'tea', last: 1 }, ['tea five']],
    ['is empty', { last: 0 }, []],
  ])('%s', (_, wanted, expected) => {
    for (const size of [1, 2, 6]) expect(excerptOf(six, wanted, size)).toEqual(expected)
  })

  it('is the same for any size of slices, in order and without duplicates', () => {
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
          const whole = excerptOf(given, wanted, Math.max(1, given.length))
          expect(excerptOf(given, wanted, size)).toEqual(whole)
          expect(new Set(whole).size).toBe(whole.length)
        },
      ),
    )
  })
})
