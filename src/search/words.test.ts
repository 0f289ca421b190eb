import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IdSet } from '../model/id-set.ts'
import { collectWords } from './words.ts'

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
      fc.string({ unit: 'binary', maxLength: 4 }),
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
