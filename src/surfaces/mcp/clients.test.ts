import { describe, expect, it } from 'vitest'
import { showsStructured } from './clients.ts'

describe('a program that connects', () => {
  it.each([
    ['claude-code', '2.1.330', true],
    ['claude-code', '2.2.0', true],
    ['claude-code', '3', true],
    ['claude-code', '2.1.112', false],
    ['claude-code', 'x', false],
    ['claude-code-proxy', '9.9.9', false],
    ['openclaw', '2026.9.6', true],
    ['openclaw', '2026.3.13', false],
    ['cursor', '99.0.0', false],
  ])('named %s %s gets no text next to the structured content: %s', (name, version, expected) =>
    expect(showsStructured({ name, version })).toBe(expected),
  )

  it('gets both if it does not identify itself', () => expect(showsStructured(undefined)).toBe(false))
})
