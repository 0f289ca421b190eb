import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from './fold.ts'
import { createMatcher } from './matches.ts'
import { parseQuery } from './parse-query.ts'
import { createSieve, FOREIGN } from './sieve.ts'

const sieveOf = (query: string) => createSieve(parseQuery(query, 0, () => undefined).words!)

describe('a sieve', () => {
  it.each([
    ['Login', ['login']],
    ['a login', ['login']],
    ['foo_bar', ['foo']],
    ['src/auth.ts', ['auth']],
    ['login OR signup', ['login', 'signup']],
    ['page (login OR signup)', ['page']],
    ['-test login', ['login']],
    ['-test', undefined],
    ['login OR -test', undefined],
    ['ёлка', [FOREIGN]],
    ['login OR ёлка', ['login', FOREIGN]],
    ['→', [FOREIGN]],
  ])('of %j looks for %j', (query, anchors) => {
    expect(sieveOf(query).anchors).toEqual(anchors)
  })

  it('looks for the bytes of Chinese characters', () => {
    expect(sieveOf('使用').anchors).toEqual([Buffer.from('使用').toString('latin1')])
  })

  it('looks for characters that are the same in simplified and traditional Chinese', () => {
    expect(sieveOf('登录').anchors).toEqual([Buffer.from('登').toString('latin1')])
    expect(sieveOf('页').anchors).toEqual([FOREIGN])
  })

  const words = fc.constantFrom(
    ...'login Log foo_bar café cafe\u0301 登录页 登錄 fooBar か\u3099く 한국 İst - x "a b" OR ( ) -log'.split(
      ' ',
    ),
  )
  const texts = fc.array(words, { maxLength: 8 }).map((all) => all.join(' '))

  it('passes every text that matches', () => {
    fc.assert(
      fc.property(texts, texts, (query, text) => {
        const { words: asked } = parseQuery(query, 0, () => undefined)
        if (!asked || !createMatcher(asked, { loose: true })(text)) return
        const { holds, anchors } = createSieve(asked)
        const { text: folded } = fold(text)
        expect(holds(folded)).toBe(true)
        const bytes = Buffer.from(folded).toString('latin1')
        if (anchors)
          expect(
            anchors.some(
              (anchor) => bytes.includes(anchor) || (anchor === FOREIGN && /[\x80-\xff]/.test(bytes)),
            ),
          ).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
