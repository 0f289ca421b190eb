import { describe, expect, it } from 'vitest'
import { raw, sql } from './literal.ts'

describe('a statement with values', () => {
  it('has each value as a literal', () => {
    expect(sql`SELECT ${1}, ${'moss'}, ${null}, ${true} FROM ${raw('item')}`).toBe(
      "SELECT 1, 'moss', NULL, 1 FROM item",
    )
    expect(sql`x IN ${[1, 2]} OR y IN ${['a', 'b']} OR z IN ${[]}`).toBe(
      "x IN (1, 2) OR y IN ('a', 'b') OR z IN (NULL)",
    )
  })

  it('stays the statement that it is, whatever a text contains', () => {
    expect(sql`path = ${"it's"}`).toBe("path = 'it\\'s'")
    expect(sql`path = ${"\\' OR 1 = 1 --"}`).toBe("path = '\\\\\\' OR 1 = 1 --'")
    expect(sql`path = ${'nul \0 and \ud800'}`).toBe("path = 'nul \\0 and \ufffd'")
  })

  it('has no number that SQL does not know', () => {
    expect(sql`at < ${Number.POSITIVE_INFINITY} AND at > ${Number.NEGATIVE_INFINITY}`).toBe(
      'at < 9007199254740991 AND at > -9007199254740991',
    )
  })
})
