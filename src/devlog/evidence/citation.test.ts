import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item } from '../../model/session.ts'
import { cite, citedText, containsQuote, cutQuote, digestOf } from './citation.ts'

const session = { id: 'one', path: '/one.jsonl' }
const itemOf = (text: string): Item => ({
  who: 'human',
  text,
  line: 3,
  offset: 0,
  length: 1,
  order: 0,
  at: 0,
})

describe('a citation', () => {
  it('names session, file, line, time, words and digest', () => {
    expect(cite(session, itemOf('One.\nTwo.'))).toEqual({
      ...{ session: 'one', path: '/one.jsonl', line: 3, at: '1970-01-01T00:00:00.000Z' },
      ...{ quote: 'One. Two.', digest: digestOf('One. Two.') },
    })
  })

  it('of a tool call quotes the name and the target', () => {
    const call: Item = { ...itemOf(''), who: 'tool', tool: { name: 'Bash', target: 'npm test' } }
    expect(cite(session, call).quote).toBe('Bash npm test')
  })

  it('resolves to the quoted words, whatever the text', () => {
    const texts = fc.array(
      fc.constantFrom('a', 'word', '. ', '\n', '[…]', '[…] ', '。', '\u202e', '  ', '😀'),
      {
        maxLength: 200,
      },
    )
    fc.assert(
      fc.property(texts, fc.integer({ min: 20, max: 300 }), (parts, limit) => {
        const text = citedText(itemOf(parts.join('')))
        const quote = cutQuote(text, limit)
        expect(quote.length).toBeLessThanOrEqual(Math.max(limit, text.length <= limit ? text.length : 0))
        expect(containsQuote(text, quote)).toBe(true)
      }),
    )
  })

  it('does not resolve to other words, or to the same words in another order', () => {
    expect(containsQuote('never drop the table', 'drop the table')).toBe(true)
    expect(containsQuote('never drop the table', 'always drop the table')).toBe(false)
    expect(containsQuote('first this, then that', 'then that […] first this')).toBe(false)
  })

  it('is cut at a sentence or at a word', () => {
    expect(cutQuote('One two three. Four five six seven.', 24)).toBe('One two three. […]')
    expect(cutQuote('One two three four five six seven', 20)).toBe('One two three […]')
  })
})
