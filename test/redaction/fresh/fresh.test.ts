import { describe, expect, it } from 'vitest'
import { redact } from '../../../src/redact/redact.ts'
import { createRedactor } from '../../../src/redact/redactor.ts'
import { type Fresh, freshSet, isLeft } from './set.ts'

const { redactJsonLine } = createRedactor({ level: 'standard' })

/** How many of a hundred were redacted, by kind. */
function recallByKind(set: readonly Fresh[]): Map<string, number> {
  const groups = Map.groupBy(set, ({ kind }) => kind)
  return new Map(
    Array.from(groups, ([kind, members]) => {
      const left = members.filter(({ secret, text }) => isLeft(secret, redact(text)))
      return [kind, 100 - (left.length / members.length) * 100]
    }),
  )
}

describe('secrets of forty kinds in the contexts of people and agents', () => {
  it('are whole in their texts before', () => {
    const set = [...freshSet('known', 1), ...freshSet('held out', 1)]
    expect(set.filter(({ secret, text }) => !isLeft(secret, text))).toEqual([])
    expect(new Set(set.map(({ kind }) => kind)).size).toBe(40)
    expect(new Set(set.map(({ where }) => where)).size).toBeGreaterThanOrEqual(30)
  })

  it.each([
    ['known', 1],
    ['held out', 2],
    ['held out', 3],
  ] as const)('are redacted, 95 of 100 at least, and 90 of each kind: %s, seed %i', (name, seed) => {
    const set = freshSet(name, seed)
    const left = set.filter(({ secret, text }) => isLeft(secret, redact(text)))
    const listing = left.map(({ kind, where, text }) => `${kind}, ${where}: ${text}`).join('\n')
    expect(100 - (left.length / set.length) * 100, listing).toBeGreaterThanOrEqual(95)
    expect(
      [...recallByKind(set)].filter(([, percent]) => percent < 90),
      listing,
    ).toEqual([])
  })

  it('are redacted in a line of JSON as well, which remains JSON', () => {
    const set = freshSet('held out', 4)
    const left = set.filter(({ secret, text }) => {
      const line = redactJsonLine(JSON.stringify({ content: text })).text
      return isLeft(secret, JSON.parse(line).content)
    })
    const listing = left.map(({ kind, where, text }) => `${kind}, ${where}: ${text}`).join('\n')
    expect(100 - (left.length / set.length) * 100, listing).toBeGreaterThanOrEqual(95)
  })

  it('are redacted once: a second time changes nothing', () => {
    for (const { text } of freshSet('held out', 5)) {
      const redacted = redact(text)
      expect(redact(redacted)).toBe(redacted)
    }
  })
})
