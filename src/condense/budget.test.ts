import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agent, failure, human, item, tool } from '../../test/sessions.ts'
import type { Item } from '../model/session.ts'
import { fitBudget, parseBudget } from './budget.ts'

const PATH = '/home/ann/a.jsonl'

function fitted(items: Item[], tokens: number) {
  const sessions = [{ path: PATH, items }]
  const omitted = fitBudget(sessions, tokens)
  return { items: sessions[0]!.items, omitted }
}

/** Upper limit of the cost of an item: four characters per token, plus a little per line. */
const costOf = ({ text, tool: used }: Item): number =>
  Math.ceil(`${used?.name ?? ''}${used?.target ?? ''}${text ?? ''}`.length / 4) + 3

const total = (items: readonly Item[]): number => items.reduce((sum, each) => sum + costOf(each), 0)

describe('a budget', () => {
  it.each([
    ['20k', 20_000],
    ['8000', 8000],
    ['1.5M', 1_500_000],
    [' 2K ', 2000],
    ['0', 0],
    ['much', undefined],
    ['-5', undefined],
    ['5x', undefined],
    ['', undefined],
    ['1e9', undefined],
  ])('of "%s" is %s tokens', (text, tokens) => expect(parseBudget(text)).toBe(tokens))
})

describe('fitting into a budget', () => {
  it('changes nothing if everything fits', () => {
    const items = [human('hello'), tool('Read', 'a'), agent('hello to you')]
    const { items: left, omitted } = fitted([...items], 1000)
    expect(left).toEqual(items)
    expect(omitted).toEqual({ tools: 0, messages: 0, characters: 0, places: [] })
  })

  it('removes tools and errors before messages', () => {
    const { items, omitted } = fitted(
      [human('hello'), tool('Read', 'a'.repeat(100)), failure('no'.repeat(50)), agent('yes')],
      15,
    )
    expect(items.map((each) => each.text)).toEqual(['hello', 'yes'])
    expect(omitted).toMatchObject({ tools: 2, messages: 0, characters: 0 })
  })

  it('cuts the middle of long messages before it drops a message', () => {
    const long = `begin ${'fern '.repeat(2000)}end`
    const { items, omitted } = fitted([human('short'), agent(long)], 500)
    expect(items.length).toBe(2)
    expect(items[1]!.text).toMatch(/^begin fern.* \[…\d+ characters left out…\] .*end$/)
    expect(omitted.messages).toBe(0)
    expect(Number(/…(\d+) characters/.exec(items[1]!.text!)![1])).toBe(omitted.characters)
  })

  it('drops messages of the agent before those of the human, from the middle outwards', () => {
    const items = [1, 2, 3, 4, 5].flatMap((number) => [human(`ask ${number}`), agent(`answer ${number}`)])
    const { items: left, omitted } = fitted(items, 36)
    expect(left.map((each) => each.text)).toMatchInlineSnapshot(`
      [
        "ask 1",
        "answer 1",
        "ask 2",
        "ask 3",
        "ask 4",
        "ask 5",
        "answer 5",
      ]
    `)
    expect(omitted.messages).toBe(items.length - left.length)
  })

  it('reports where something is missing', () => {
    const items = [
      human('hello', { line: 1 }),
      agent('x'.repeat(9000), { line: 2 }),
      tool('Read', 'a'.repeat(300), { line: 3 }),
      tool('Read', 'a'.repeat(300), { line: 4 }),
    ]
    expect(fitted(items, 100).omitted).toMatchInlineSnapshot(`
      {
        "characters": 8700,
        "messages": 0,
        "places": [
          {
            "line": 3,
            "path": "/home/ann/a.jsonl",
            "what": "tools from here on",
          },
          {
            "line": 2,
            "path": "/home/ann/a.jsonl",
            "what": "8700 characters",
          },
        ],
        "tools": 2,
      }
    `)
  })

  it('never exceeds the budget unless nothing is left to cut, and counts everything it removed', () => {
    const words = fc.string({ maxLength: 3000 })
    const one = fc.oneof(
      words.map((text) => human(text)),
      words.map((text) => agent(text)),
      words.map((text) => item({ who: 'program', text })),
      fc.string({ maxLength: 200 }).map((target) => tool('Read', target)),
      fc.string({ maxLength: 200 }).map((text) => failure(text)),
    )
    fc.assert(
      fc.property(fc.array(one, { maxLength: 30 }), fc.integer({ min: 1, max: 5000 }), (items, tokens) => {
        const before = structuredClone(items)
        const { items: left, omitted } = fitted(items, tokens)
        expect(total(left)).toBeLessThanOrEqual(tokens)
        expect(omitted.tools + omitted.messages).toBe(before.length - left.length)
        expect(
          left.every(
            (each) =>
              each.text === undefined ||
              each.text.isWellFormed() ||
              !before.every(({ text }) => text?.isWellFormed()),
          ),
        ).toBe(true)
        if (total(before) <= tokens) expect(left).toEqual(before)
        if (left.length < before.length) expect(omitted.places.length).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })

  it('does not split a surrogate pair', () => {
    for (let shift = 0; shift < 4; shift++) {
      const { items } = fitted([agent('a'.repeat(shift) + '🌱'.repeat(3000))], 200)
      expect(items[0]!.text!.isWellFormed()).toBe(true)
    }
  })
})
