import { describe, expect, it } from 'vitest'
import { rules } from './all-rules.ts'
import { ruleTable } from './rule-table.ts'
import { type Trigger, triggerOf } from './trigger.ts'
import { indexTriggers } from './trigger-index.ts'
import { textTable } from './trigger-table.ts'

const index = indexTriggers(textTable(rules))

/** How often a rule is tried on a text. Each attempt is bounded by its pattern, so this measures the work. */
function tries(text: string): number {
  let count = 0
  index.scan(text, () => count++)
  return count
}

/** A trigger with the required characters around it. */
function whole(trigger: string | Trigger): string {
  const { literal, before, behind } = triggerOf(trigger)
  const letters = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
  const one = (kind: RegExp): string => letters.find((letter) => kind.test(letter))!
  return (before ? one(before) : '') + literal + (behind ? one(behind.kind).repeat(behind.count) : '')
}

const literals = [...new Set(rules.flatMap(({ triggers }) => triggers.map(whole)))]

describe('the index of triggers', () => {
  it('tries every rule at each of its literals, in every spelling that counts', () => {
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

  it('tries nothing where no literal is complete', () => {
    expect(tries('the quick brown fox jumps over the lazy dog 0123456789')).toBe(0)
    expect(tries('gh ghp ghpx sk xoxz pas toke bear er')).toBe(0)
  })

  it('is the same after its table was stored as JSON, as in the package', () => {
    const stored = indexTriggers(JSON.parse(JSON.stringify(ruleTable())))
    const text = literals.join(' ab')
    const found: string[] = []
    index.scan(text, (...each) => found.push(each.join()))
    expect(found.length).toBeGreaterThan(literals.length)
    stored.scan(text, (...each) => expect(each.join()).toBe(found.shift()))
    expect(found).toEqual([])
  })

  it('supports literals of any script', () => {
    const positions: number[] = []
    const table = textTable([{ triggers: ['密码:', 'пароль'], anyCase: true }])
    indexTriggers(table).scan('a密码: ПАРОЛЬ', (_, at) => positions.push(at))
    expect(positions).toEqual([1, 5])
  })

  it('does twice the work for twice the text, and no more tries per character than rules share a literal', () => {
    const shared = Math.max(...literals.map((literal) => tries(literal)))
    for (const literal of literals) {
      const [once, twice] = [tries(literal.repeat(200)), tries(literal.repeat(400))]
      expect(twice, literal).toBeLessThanOrEqual(2 * once + shared)
      expect(once, literal).toBeLessThanOrEqual(200 * shared)
    }
  })

  it('requires literals that are long enough to be identified by their beginning', () => {
    expect(literals.filter((literal) => literal.length < 3)).toEqual([])
  })
})
