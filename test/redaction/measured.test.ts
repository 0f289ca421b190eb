import { describe, expect, it } from 'vitest'
import { findSecrets, redact } from '../../src/redact/redact.ts'
import { createRandom } from '../random.ts'
import { innocentSet } from './innocent-set.ts'
import { invent } from './parts.ts'
import { passwordContexts, placeholders } from './people-passwords.ts'
import { everySecretEverywhere, recallBy } from './recall.ts'
import { secretSet, survives } from './secret-set.ts'
import { secretShapes } from './secret-shapes.ts'

/** The number of innocent lines, of which at most one in 10,000 may be redacted. */
const INNOCENT = 30_000
const ALARMS = INNOCENT / 10_000

describe('redaction, measured on invented text', () => {
  it('has at least 500 planted secrets of at least 40 kinds, each complete in its text', () => {
    const planted = secretSet()
    expect(planted.length).toBeGreaterThanOrEqual(500)
    expect(new Set(planted.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(40)
    expect(planted.filter((each) => !survives(each, each.text))).toEqual([])
  })

  it.each([1, 2, 3])('replaces 99 of 100 planted secrets, set %i', (seed) => {
    const planted = secretSet(seed)
    const missed = planted.filter((each) => survives(each, redact(each.text)))
    const listing = missed.map(({ kind, where, text }) => `${kind}, ${where}: ${text}`).sort()
    expect(missed.length / planted.length, listing.join('\n')).toBeLessThanOrEqual(0.01)
  })

  it('replaces 98 of 100 of every class, and 97 of 100 in every context', () => {
    const inContext = everySecretEverywhere()
    const redacted = new Map(inContext.map(({ text }) => [text, redact(text)]))
    for (const [group, least] of [
      ['class', 98],
      ['where', 97],
    ] as const) {
      const recall = recallBy(group, inContext, (text) => redacted.get(text)!)
      console.log(
        recall
          .map(({ name, planted, percent }) => `${percent.toFixed(1)} % of ${planted}: ${name}`)
          .join('\n'),
      )
      for (const { name, percent, left } of recall)
        expect(
          percent,
          `${name}:\n${left.map(({ kind, text }) => `${kind}: ${redact(text)}`).join('\n')}`,
        ).toBeGreaterThanOrEqual(least)
    }
  })

  it('leaves placeholders of passwords unchanged', () => {
    for (const value of placeholders)
      for (const line of Object.values(passwordContexts)) {
        const text = line(value)
        expect(redact(text), text).toBe(text)
      }
  })

  it('replaces some of every kind', () => {
    const missed = new Set<string>()
    const taken = new Set<string>()
    for (const each of secretSet()) (survives(each, redact(each.text)) ? missed : taken).add(each.kind)
    expect([...missed].filter((kind) => !taken.has(kind))).toEqual([])
  })

  it('recognizes every kind with a distinctive form, without a name next to it', () => {
    const random = createRandom(9)
    for (const { kind, shape, named } of secretShapes) {
      if (named) continue
      const secrets = Array.from({ length: 5 }, () => invent(random, shape))
      const taken = secrets.filter((secret) => !survives({ secret }, redact(`it is ${secret} now`)))
      expect(taken.length, kind).toBeGreaterThanOrEqual(4)
    }
  })

  it('leaves every JSON line valid', () => {
    for (const { text } of secretSet())
      if (text.startsWith('{')) expect(() => JSON.parse(redact(text)), text).not.toThrow()
  })

  it('redacts at most one innocent line in 10,000', () => {
    const lines = innocentSet(INNOCENT)
    const alarms = lines.filter(({ text }) => findSecrets(text).length > 0)
    const listing = alarms.slice(0, 40).map(({ sort, text }) => `${sort}: ${redact(text).slice(0, 200)}`)
    expect(alarms.length, listing.join('\n')).toBeLessThanOrEqual(ALARMS)
  })

  it('finds a secret that is planted in an innocent line', () => {
    const planted = secretSet(4)
    const found = innocentSet(200).filter(({ text }, at) => {
      const { secret } = planted[at]!
      return findSecrets(`${text} GITHUB_TOKEN=${secret}`).length > 0
    })
    expect(found.length).toBeGreaterThan(150)
  })
})
