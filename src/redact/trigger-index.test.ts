import { describe, expect, it } from 'vitest'
import { rules } from './rules.ts'
import { type Trigger, triggerOf } from './trigger.ts'
import { indexTriggers } from './trigger-index.ts'

const index = indexTriggers(rules)

/** How often a rule is tried on a text: what a try reads is bounded by its pattern, so this is the work. */
function tries(text: string): number {
  let count = 0
  index.scan(text, () => count++)
  return count
}

/** A trigger with what has to stand around it. */
function whole(trigger: string | Trigger): string {
  const { literal, before, behind } = triggerOf(trigger)
  const letters = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
  const one = (kind: RegExp): string => letters.find((letter) => kind.test(letter))!
  return (before ? one(before) : '') + literal + (behind ? one(behind.kind).repeat(behind.count) : '')
}

const literals = [...new Set(rules.flatMap(({ triggers }) => triggers.map(whole)))]

describe('the index of triggers', () => {
  it('tries every rule where one of its literals stands, in every spelling that counts', () => {
    for (const [number, { triggers, anyCase }] of rules.entries())
      for (const text of triggers.map(whole))
        for (const spelling of anyCase ? [text.toLowerCase(), text.toUpperCase()] : [text]) {
          const tried: string[] = []
          const around = `ab${spelling}cd`
          index.scan(around, (rule, position) => {
            if (rule === number) tried.push(around.slice(position))
          })
          expect(tried.length, spelling).toBeGreaterThan(0)
        }
  })

  it('tries nothing where no literal stands whole', () => {
    expect(tries('the quick brown fox jumps over the lazy dog 0123456789')).toBe(0)
    expect(tries('gh ghp ghpx sk xoxz pas toke bear er')).toBe(0)
  })

  it('knows literals of any script', () => {
    const places: number[] = []
    indexTriggers([{ triggers: ['密码:', 'пароль'], anyCase: true }]).scan('a密码: ПАРОЛЬ', (_, at) =>
      places.push(at),
    )
    expect(places).toEqual([1, 5])
  })

  it('has twice the work with twice the text, and never more tries for a character than rules share a literal', () => {
    const shared = Math.max(...literals.map((literal) => tries(literal)))
    for (const literal of literals) {
      const [once, twice] = [tries(literal.repeat(200)), tries(literal.repeat(400))]
      expect(twice, literal).toBeLessThanOrEqual(2 * once + shared)
      expect(once, literal).toBeLessThanOrEqual(200 * shared)
    }
  })

  it('asks for literals that are long enough to be told by their beginning', () => {
    expect(literals.filter((literal) => literal.length < 3)).toEqual([])
  })
})
