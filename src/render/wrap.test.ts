import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wrap } from './wrap.ts'

describe('wrapping', () => {
  it('breaks at spaces and preserves the indentation of a line and of a list', () => {
    expect(wrap('  a line that is much longer than the narrowest', 24)).toBe(
      '  a line that is much\n  longer than the\n  narrowest',
    )
    expect(wrap('- the first of two things to do', 24)).toBe('- the first of two\n  things to do')
  })

  it('counts wide characters as two columns', () => {
    expect(wrap('在庫 在庫 在庫 在庫 在庫 在庫', 24)).toBe('在庫 在庫 在庫 在庫 在庫\n在庫')
  })

  it('leaves fenced code and words that are too long unchanged', () => {
    const code = '```\nconst aLongLine = "that nobody wants to see broken in two"\n```'
    expect(wrap(code, 24)).toBe(code)
    expect(wrap('https://example.org/a/very/long/address/indeed', 24)).toBe(
      'https://example.org/a/very/long/address/indeed',
    )
  })

  it('loses no word, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 60 }), (text, columns) => {
        expect(wrap(text, columns).split(/\s+/).join(' ').trim()).toBe(text.split(/\s+/).join(' ').trim())
      }),
    )
  })
})
