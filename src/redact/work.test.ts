import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rules } from './all-rules.ts'
import { findSecrets } from './redact.ts'
import { triggerOf } from './rule.ts'

/** How often a pattern was tried, and how many characters matched. */
let tries = 0
let matched = 0

const patterns = new Set(rules.flatMap(({ pattern, after }) => [pattern, after ?? []].flat()))

beforeEach(() => {
  for (const pattern of patterns)
    pattern.exec = (text) => {
      const match = RegExp.prototype.exec.call(pattern, text)
      tries++
      matched += match?.[0].length ?? 0
      return match
    }
})

afterEach(() => {
  for (const pattern of patterns) Reflect.deleteProperty(pattern, 'exec')
})

function workOn(text: string): number {
  tries = 0
  matched = 0
  findSecrets(text)
  return tries + matched
}

const literals = [
  ...new Set(rules.flatMap(({ triggers }) => triggers.map((each) => triggerOf(each).literal))),
]
const joints = ['', '=', ', ']
/** What a short text may take however it is written. */
const LITTLE = 500

describe('the work of finding secrets', () => {
  it('grows no faster than the text, whatever trigger is repeated', () => {
    const steep = literals.flatMap((literal) =>
      joints.flatMap((joint) => {
        const unit = literal + joint
        const workOver = (length: number): number => workOn(unit.repeat(Math.ceil(length / unit.length)))
        const long = workOver(1000)
        if (long <= 6 * LITTLE) return []
        const short = workOver(250)
        return long > 6 * Math.max(short, LITTLE) ? [`${JSON.stringify(unit)}: ${short}, ${long}`] : []
      }),
    )
    expect(steep).toEqual([])
  })

  it('covers a run of names and signs at once, and does not continue from every name in it', () => {
    for (const name of ['password=', 'api_key=', 'secret=', 'contrasena='])
      for (const end of ['', '(', '\n', '"']) {
        const length = name.length * 5000
        workOn(name.repeat(5000) + end)
        expect(matched / length, name + end).toBeGreaterThan(0.9)
        expect((matched + tries) / length, name + end).toBeLessThan(12)
      }
  })

  it('is limited if hidden characters are between all triggers', () => {
    for (const literal of ['.atlasv1.', 'bedrock-api-key-', 'sk-', 'password='])
      for (const length of [10_000, 40_000]) {
        const text = `${literal}\u200b`.repeat(Math.ceil(length / literal.length))
        expect(workOn(text) / text.length, literal).toBeLessThan(40)
      }
  })
})
