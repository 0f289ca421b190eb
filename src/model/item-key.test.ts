import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { singleSpaced } from './item-key.ts'

describe('a single-spaced text', () => {
  it('has no white space at its ends, and single spaces elsewhere', () => {
    expect(singleSpaced(' \n one\t\ttwo\u00a0\u3000three \ufeff')).toBe('one two three')
    expect(singleSpaced(' \n ')).toBe('')
  })

  it('is the same for long texts, wherever their white space is', () => {
    const part = fc.constantFrom('moss', ' ', '\n\n', '\u2003', 'x'.repeat(65_530), ' '.repeat(65_537), '🌱')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
        const text = parts.join('')
        expect(singleSpaced(text)).toBe(text.replace(/\s+/g, ' ').trim())
      }),
    )
  })
})
