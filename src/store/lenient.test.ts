import { describe, expect, it } from 'vitest'
import { parseQuery } from '../search/query.ts'
import { relax } from '../store/relaxed.ts'

const relaxed = (text: string) => relax(parseQuery(text, 0, () => undefined))
const wordsOf = (text: string): string[] =>
  (relaxed(text)?.words ?? []).map(({ text, prefix }) => `${text}${prefix ? '*' : ''}`).sort()

describe('a question in plain words', () => {
  it.each([
    ['how do we treat the refunds?', ['refund*', 'treat*']],
    ['why is the disk full', ['disk*', 'full*']],
    ['wie lange war der Laden zu', ['Lade*', 'lang*']],
    ['pourquoi la page est lente', ['lent*', 'page*']],
    ['我们怎么修复登录的问题', ['修复', '登录', '问题']],
    ['我們怎麼修復登錄的問題', ['修復', '問題', '登錄']],
    ["it doesn't work", ['work*']],
    ['CI fails fails', ['CI', 'fail*']],
    ['src/auth.ts v2', ['src/auth.ts', 'v2']],
    ['what is it', []],
  ])('is reduced to its significant words, with open endings: %s', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  it('requires more than half of them, or half if it is a sentence', () => {
    expect(relaxed('disk backup restore copy')?.least).toEqual([3])
    expect(relaxed('where is the backup of the disk')?.least).toEqual([2, 1])
  })

  it('leaves parts that are not plain words unchanged', () => {
    expect(relaxed('the disk "is full" -tmp (a OR b)')?.required).toHaveLength(3)
  })

  it('has a dozen words at most', () => {
    expect(relaxed(Array.from({ length: 100 }, (_, at) => `word${at}`).join(' '))?.words).toHaveLength(12)
  })
})
