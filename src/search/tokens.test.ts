import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasTokens } from './characters.ts'
import { endsOpen, indexedTokens, indexText, tokensOf } from './tokens.ts'

describe('the indexed form of a text', () => {
  it.each([
    ['plain text — “quoted”, naïve, Привет', 'plain text — “quoted”, naïve, Привет'],
    ['登录页', ' 登录 录页 页 '],
    ['页', ' 页 '],
    ['a登录b', 'a 登录 录 b'],
    ['登录，页面', ' 登录 录 ， 页面 面 '],
    ['カタカナ ｶﾀ ひらがな 한국 ㄅㄆ', ' カタ タカ カナ ナ   ｶﾀ ﾀ   ひら らが がな な   한국 국   ㄅㄆ ㄆ '],
    ['𠀀𠀁a', ' 𠀀𠀁 𠀁 a'],
    ['か\u3099く', ' がく く '],
    ['a\0b', 'a b'],
    ['🤖done 🌱', ' done  '],
  ])('of %j is %j', (text, indexed) => expect(indexText(text)).toBe(indexed))

  it('tolerates halves of surrogate pairs', () => {
    expect(indexText('\ud840登录\udc00')).toBe('\ud840 登录 录 \udc00')
  })
})

describe('the tokens of a term', () => {
  it.each([
    ['Login', ['login'], false],
    ['foo_bar-baz', ['foo', 'bar', 'baz'], false],
    ['登录页', ['登录', '录页'], false],
    ['登', ['登'], true],
    ['a登', ['a', '登'], true],
    ['登录a', ['登录', '录', 'a'], false],
    ['登录 页', ['登录', '录', '页'], true],
    ['录 录', ['录', '录'], true],
    ['->', [], false],
    ['', [], false],
  ])('of %j are %j', (term, tokens, open) => {
    expect(tokensOf(term)).toEqual(tokens)
    expect(endsOpen(tokens)).toBe(open)
    expect(hasTokens(term)).toBe(tokens.length > 0)
  })

  it('are consecutive in every text that contains the term', () => {
    const character = fc.constantFrom(...'登录页面录登ログイン한국어𠀀𠀁', 'a', 'b', ' ', '。', '1')
    fc.assert(
      fc.property(fc.array(character, { maxLength: 12 }), fc.nat(), fc.nat(), (characters, from, length) => {
        const start = from % (characters.length + 1)
        const inside = characters.slice(start, start + 1 + (length % 6))
        // Cuts between words only, because a query does not contain half an English word.
        const cuts = (index: number): boolean =>
          /[ab1]{2}/.test(characters.slice(index - 1, index + 1).join(''))
        if (cuts(start) || cuts(start + inside.length)) return
        const term = tokensOf(inside.join(''))
        const text = indexedTokens(characters.join(''))
        const last = term.length - 1
        const fits = (offset: number): boolean =>
          term.every((token, index) =>
            index === last && endsOpen(term)
              ? text[offset + index]?.startsWith(token)
              : text[offset + index] === token,
          )
        expect(text.length === 0 ? term.length === 0 : text.some((_, offset) => fits(offset))).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})
