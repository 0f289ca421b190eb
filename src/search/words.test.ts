import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../test/any-character.ts'
import { IdSet } from '../model/hash.ts'
import { slipsBetween } from '../model/slips.ts'
import { hasTokens } from './characters.ts'
import {
  collectWords,
  endsOpen,
  indexedTokens,
  indexText,
  isNear,
  piecesOf,
  slipsAllowed,
  tokensOf,
} from './words.ts'

function wordsOf(...texts: string[]): string[] {
  const [seen, out] = [new IdSet(), [] as string[]]
  for (const text of texts) collectWords(text, seen, out)
  return out
}

describe('the vocabulary', () => {
  it('contains every word of two letters or more, once, in lower case', () => {
    expect(wordsOf('The Transcript, the transcript_reader', 'TRANSCRIPT reader/readers v2024 the')).toEqual([
      'the',
      'transcript',
      'reader',
      'readers',
      'v2024',
    ])
  })

  it('contains words of other alphabets as the index stores them', () => {
    expect(wordsOf('naïve Cafe\u0301s — Привет… “Straße” x\u0301yz1')).toEqual([
      'naive',
      'cafes',
      'привет',
      'straße',
      'xyz1',
    ])
    expect(wordsOf('Привет', 'ПРИВЕТ cafés CAFES')).toEqual(['привет', 'cafes'])
  })

  it('omits Chinese, Japanese and Korean, and includes the words between', () => {
    expect(wordsOf('使用login登录 ログイン한국어welcome')).toEqual(['login', 'welcome'])
  })

  it.each([
    '12345678',
    '7d9e4f2a',
    'a0000000-0000-4000-8000-000000000000',
    'dGhpc0lzQVRlc3RPZkJhc2U2NA0K',
    'toolu_01A9xKq3ZtR7mVbYw2Lh5PdSe',
    'x'.repeat(41),
  ])('contains no parts of numbers, hashes and random text: %s', (text) =>
    expect(wordsOf(text).filter((word) => word !== 'toolu')).toEqual([]),
  )

  it.each(['deadbeef', 'handleHttp2RequestTimeout', 'Base64', 'x'.repeat(40), 'getElementById'])(
    'contains names that only look like random text: %s',
    (name) => expect(wordsOf(name)).toEqual([name.toLowerCase()]),
  )

  it('is the same as a simple implementation with regular expressions finds', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...'ab AB ef 1 9 z Q _ - é e\u0301 ß п И 登 ﾛ 🌱 🤖 — \0 . word Words café'.split(' '),
        ' ',
      ),
      fc.string({ unit: anyCharacter, maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 40 }), { maxLength: 3 }), (lists) => {
        const texts = lists.map((list) => list.join(''))
        const expected = new Set(texts.flatMap(plainReading))
        expect(wordsOf(...texts)).toEqual([...expected])
      }),
      { numRuns: 2000 },
    )
  })
})

/** The same, slowly. */
function plainReading(text: string): string[] {
  const marks =
    '\\u0300-\\u0304\\u0306-\\u030c\\u030f\\u0311\\u031b\\u0323-\\u0328\\u032d\\u032e\\u0330\\u0331'
  const cjk = /(?:(?![ˇˉˊˋ])[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}])+/u
  return text
    .split(new RegExp(`[^\\p{L}\\p{N}\\p{Co}${marks}]+`, 'u'))
    .map((run) => run.replace(new RegExp(`^[${marks}]+`), ''))
    .filter((run) => !isRandom(run))
    .flatMap((run) => run.replace(new RegExp(`[${marks}]`, 'g'), '').split(cjk))
    .map((word) =>
      word
        .replaceAll('İ', 'i')
        .toLowerCase()
        .replaceAll('ς', 'σ')
        .replaceAll('µ', 'μ')
        .replace(/[\u00c0-\u024f\u1e00-\u1eff]/g, (letter) => {
          const base = letter.normalize('NFD')[0]!
          return /[a-z]/.test(base) ? base : letter
        }),
    )
    .filter((word) => word.length >= 2 && word.length <= 40 && /\p{L}/u.test(word))
    .filter((word) => !(/^[a-f\d]+$/.test(word) && /\d/.test(word)))
}

/** ASCII only: random text contains no other alphabets. */
const isRandom = (run: string): boolean =>
  run.length >= 13 &&
  /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\da-zA-Z]+$/.test(run) &&
  changesOf(run) * 4 > run.length

const changesOf = (word: string): number => word.match(/(?<=\d)\D|(?<=\D)\d|(?<=[a-z])[A-Z]/g)?.length ?? 0

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

describe('typos', () => {
  it.each([
    ['postgres', 'postgress', 1],
    ['rehersal', 'rehearsal', 1],
    ['recieve', 'receive', 1],
    ['same', 'same', 0],
    ['backup', 'package', 3],
  ])('between %s and %s: %i', (one, other, slips) => expect(slipsBetween(one, other, 2)).toBe(slips))

  it('leave a piece of every word at its place', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abc'), minLength: 4, maxLength: 12 })
    fc.assert(
      fc.property(word, word, (one, other) => {
        const allowed = slipsAllowed(one)
        if (slipsBetween(one, other, allowed) > allowed) return
        expect(piecesOf(one, allowed).some((piece) => isNear(other, piece, allowed))).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})
