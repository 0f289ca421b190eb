import { describe, expect, it } from 'vitest'
import { bagOf } from './bag.ts'
import { parseQuery } from './query.ts'

const bag = (text: string) => bagOf(parseQuery(text, 0, () => undefined))
const wordsOf = (text: string): string[] =>
  (bag(text)?.words ?? []).map(({ term: { text, prefix } }) => `${text}${prefix ? '*' : ''}`).sort()

describe('a query as a bag of words', () => {
  it.each([
    ['how do we treat the refunds?', ['refund*', 'treat*']],
    ['why is the disk full', ['disk*', 'full*']],
    ['wie lange war der Laden zu', ['Lade*', 'lang*']],
    ['pourquoi la page est lente', ['lent*', 'page*']],
    ['我们怎么修复登录的问题', ['修复', '登录', '问题']],
    ['我們怎麼修復登錄的問題', ['修復', '問題', '登錄']],
    ["it doesn't work", ['work*']],
    ['CI fails fails', ['CI', 'fail*']],
    ['the long-term and/or final plan', ['final*', 'long*', 'plan*', 'term*']],
    ['src/auth.ts v2', ['src/auth.ts', 'v2']],
    ['what is it', ['is', 'it', 'what*']],
    ['it', []],
  ])('has its significant words, with open endings: %s', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  it.each([
    'how long did we say tokens stay valid',
    'when did we give up on websockets',
    'why is the disk full?',
    'postgres backup schedule retention',
    'which e-mail and/or phone numbers do we keep, and since when',
    '我们怎么修复登录的问题',
  ])('is that of a sentence: %s', (text) => {
    expect(bag(text)?.isSentence).toBe(true)
  })

  it.each([
    'postgres backup',
    'the backup',
    'round the tax -test',
    'why is the "disk full"',
    'one OR other of them all',
    'deploy* of the shop',
    'why does src/cart.ts round the price',
    'where do we call roundPrice in the shop',
    'what sets ROUND_UP to true',
    'how is node:fs used',
    'why did --force not work',
    'it',
  ])('is not that of a sentence: %s', (text) => {
    expect(bag(text)?.isSentence ?? false).toBe(false)
  })

  it('keeps parts that are not plain words', () => {
    expect(bag('the disk "is full" -tmp (a OR b)')?.required).toHaveLength(3)
  })

  it('has a dozen words at most', () => {
    expect(bag(Array.from({ length: 100 }, (_, at) => `word${at}`).join(' '))?.words).toHaveLength(12)
  })
})
