import { describe, expect, it } from 'vitest'
import { openclawSession } from '../../test/sessions.ts'
import { mentionsOf } from './mentions.ts'

const same = (text: string): string => text

const wordsOf = (opening: string[], query: string, clean = same): string[] =>
  mentionsOf([openclawSession({ opening })], query, clean).map(({ words }) => words)

describe('sessions that mention a name early on', () => {
  it('are found by each of their first messages, with the words around the name', () => {
    expect(
      mentionsOf(
        [
          openclawSession({
            id: 'one',
            opening: ['hello', 'and now', 'please look at the orders of\nEastore today'],
          }),
          openclawSession({ id: 'two', firstHuman: 'mow the lawn' }),
          openclawSession({ id: 'three', firstHuman: 'ea-store, as ever' }),
        ],
        'eastore',
        same,
      ).map(({ session, words }) => `${session.id}: ${words}`),
    ).toEqual(['one: please look at the orders of Eastore today', 'three: ea-store, as ever'])
  })

  it('are not found by their title only', () => {
    expect(mentionsOf([openclawSession({ title: 'eastore', firstHuman: 'hello' })], 'eastore', same)).toEqual(
      [],
    )
  })

  it('contain a short name as a separate word', () => {
    expect(wordsOf(['the capital of France'], 'api')).toEqual([])
    expect(wordsOf(['look at the API, please'], 'api')).toEqual(['look at the API, please'])
    expect(wordsOf(['请看一下东店的订单'], '东店')).toEqual(['请看一下东店的订单'])
  })

  it('are quoted after redaction only', () => {
    expect(
      wordsOf(['ferns, and the key is hunter2'], 'ferns', (text) => text.replace('hunter2', '***')),
    ).toEqual(['ferns, and the key is ***'])
  })

  it('are none for a name without letters or digits', () => {
    for (const query of ['', ' ', '--', '.*']) expect(wordsOf(['anything'], query)).toEqual([])
  })
})
