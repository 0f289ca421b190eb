import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agent, failure, human, item, tool } from '../../test/sessions.ts'
import type { Item } from '../model/session.ts'
import { createExcerpt, type Excerpt, fitBudget, foldRepeats, foldTools, parseBudget } from './condense.ts'
import { estimateTokens } from './tokens.ts'

const PATH = '/home/ann/a.jsonl'

function fitted(items: Item[], tokens: number) {
  const sessions = [{ path: PATH, items }]
  const omitted = fitBudget(sessions, tokens)
  return { items: sessions[0]!.items, omitted }
}

const costOf = ({ text, tool: used }: Item): number =>
  estimateTokens(`${used?.name ?? ''}${used?.target ?? ''}${text ?? ''}`) + 3

const total = (items: readonly Item[]): number => items.reduce((sum, each) => sum + costOf(each), 0)

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
])('a budget of "%s" is %s tokens', (text, tokens) => expect(parseBudget(text)).toBe(tokens))

describe('fitting into a budget', () => {
  it('changes nothing if everything fits', () => {
    const items = [human('hello'), tool('Read', 'a'), agent('hello to you')]
    const { items: left, omitted } = fitted([...items], 1000)
    expect(left).toEqual(items)
    expect(omitted).toEqual({ sessions: 0, tools: 0, messages: 0, characters: 0, places: [] })
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
    expect(left.map((each) => each.text).join()).toBe('ask 1,answer 1,ask 2,ask 3,ask 4,ask 5')
    expect(omitted.messages).toBe(items.length - left.length)
  })

  it('reports where something is missing', () => {
    const items = [
      human('hello', { line: 1 }),
      agent('x'.repeat(9000), { line: 2 }),
      tool('Read', 'a'.repeat(300), { line: 3 }),
      tool('Read', 'a'.repeat(300), { line: 4 }),
    ]
    expect(fitted(items, 100).omitted).toEqual({
      characters: 8700,
      messages: 0,
      places: [
        { line: 3, path: '/home/ann/a.jsonl', what: 'tools from here on' },
        { line: 2, path: '/home/ann/a.jsonl', what: '8700 characters' },
      ],
      sessions: 0,
      tools: 2,
    })
  })

  it('counts headings, for which the oldest sessions are left out, but never the newest', () => {
    const session = (name: string) => ({ path: name, items: [human(`hello ${name}`)], heading: 30 })
    const sessions = ['a', 'b', 'c', 'd'].map(session)
    const omitted = fitBudget(sessions, 130)
    expect(sessions.map(({ items }) => items.length)).toEqual([0, 0, 1, 1])
    expect(omitted).toMatchObject({ sessions: 2, messages: 2, tools: 0 })
    expect(omitted.places.map(({ path }) => path)).toEqual(['a', 'b'])
    const few = ['a', 'b'].map(session)
    expect(fitBudget(few, 40)).toMatchObject({ sessions: 1 })
    expect(few.map(({ items }) => items.length)).toEqual([0, 1])
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

/** Items as readable lines. */
const itemLines = (items: readonly Item[]): string[] =>
  foldTools(items).map((item) =>
    item.tool && item.who === 'tool'
      ? `→ ${item.tool.name}${item.tool.target === undefined ? '' : ` ${item.tool.target}`}`
      : `${item.who}: ${item.text}`,
  )

describe('what repeats in a row', () => {
  const error = (text: string): Item => ({ ...tool('Bash', 'npm test'), who: 'error', text })
  const lines = (items: Item[]): string[] =>
    foldRepeats(items).map(({ who, tool: used, text }) =>
      [who, used?.name, used?.target, text].filter((part) => part !== undefined).join(' '),
    )

  it('becomes one line with a count: a call, an error, or a call with its error', () => {
    expect(
      lines([
        tool('Read', 'a.ts'),
        tool('Read', 'a.ts'),
        tool('Read', 'b.ts'),
        ...[1, 2, 3].flatMap(() => [tool('Bash', 'npm test'), error('1 failed')]),
        error('2 failed'),
      ]),
    ).toEqual([
      'tool Read ×2 a.ts',
      'tool Read b.ts',
      'tool Bash ×3 npm test',
      'error Bash npm test 1 failed ×3',
      'error Bash npm test 2 failed',
    ])
  })

  it('does not fold what people and agents say', () => {
    expect(lines([human('yes'), human('yes'), agent('Done.'), agent('Done.')])).toHaveLength(4)
  })
})

describe('runs of tool calls', () => {
  it('become one line per tool, with the files it was used on', () => {
    expect(
      itemLines([
        human('look around'),
        tool('Read', '/home/ann/garden/src/a.ts'),
        tool('Read', '/home/ann/garden/src/b.ts'),
        tool('Bash', 'npm test'),
        tool('Read', '/home/ann/garden/c.ts'),
        tool('Read', '/home/ann/garden/d.ts'),
        agent('Seen.'),
      ]),
    ).toEqual(['human: look around', '→ Read ×4 a.ts, b.ts, c.ts, …', '→ Bash npm test', 'agent: Seen.'])
  })

  it('end where somebody speaks or something fails', () => {
    expect(
      itemLines([
        tool('Read', 'a'),
        tool('Read', 'b'),
        agent('hm'),
        tool('Read', 'c'),
        failure('gone'),
        tool('Read', 'd'),
      ]),
    ).toEqual(['→ Read ×2 a, b', 'agent: hm', '→ Read c', 'error: gone', '→ Read d'])
  })

  it('name a file once, however often it was read', () => {
    expect(itemLines([tool('Read', '/x/a.ts'), tool('Read', '/x/a.ts'), tool('Read', '/x/a.ts')])).toEqual([
      '→ Read ×3 a.ts',
    ])
  })

  it('shorten commands, and show no target if no call has one', () => {
    const long = `grep -rn "fern" ${'x'.repeat(100)}`
    expect(itemLines([tool('Bash', long), tool('Bash', 'ls'), tool('Think'), tool('Think')])).toEqual([
      `→ Bash ×2 ${long.slice(0, 39)}…, ls`,
      '→ Think ×2',
    ])
  })

  it('are at the position of their first call, and leave a single call unchanged', () => {
    const [first, second, other] = [tool('Read', '/x/a.ts'), tool('Read', '/x/b.ts'), tool('Bash', 'ls')]
    const folded = foldTools([first!, second!, other!])
    expect(folded.map(({ line, offset }) => [line, offset])).toEqual([
      [first!.line, first!.offset],
      [other!.line, other!.offset],
    ])
    expect(folded[1]).toBe(other)
    expect(first!.tool).toEqual({ name: 'Read', target: '/x/a.ts' })
  })
})

/** Items on lines 10, 20 and so on, with these texts. */
const items = (...words: string[]): Item[] =>
  words.map((text, index) => ({ who: 'human', text, line: (index + 1) * 10, offset: 0, length: 0, order: 0 }))

const six = items('one', 'Two tea', 'three', 'four', 'tea five', 'six')

function excerptOf(given: readonly Item[], wanted: Excerpt, size = given.length): (string | undefined)[] {
  const excerpt = createExcerpt(wanted)
  const found: Item[] = []
  for (let at = 0; at < given.length; at += size) found.push(...excerpt.take(given.slice(at, at + size)))
  return [...found, ...excerpt.end()].map(({ text }) => text)
}

describe('a part of a session', () => {
  it.each<[string, Excerpt, string[]]>([
    ['starts at a line', { line: 30 }, ['three', 'four', 'tea five', 'six']],
    ['starts after a line without items', { line: 35 }, ['four', 'tea five', 'six']],
    ['is the context of a line', { line: 30, around: 1 }, ['Two tea', 'three', 'four']],
    ['is the context of a line without items', { line: 35, around: 1 }, ['three', 'four', 'tea five']],
    ['is only the line', { line: 30, around: 0 }, ['three']],
    ['is the matches of a word, in upper or lower case', { grep: 'TEA' }, ['Two tea', 'tea five']],
    ['is the matches of a word, with their context', { grep: 'two', around: 1 }, ['one', 'Two tea', 'three']],
    [
      'contains the shared context of two matches once',
      { grep: 'tea', around: 2 },
      six.map(({ text }) => text!),
    ],
    ['starts at a line and contains the matches of a word', { line: 30, grep: 'tea' }, ['tea five']],
    ['is the end', { last: 2 }, ['tea five', 'six']],
    ['is the last of the matches', { grep: 'tea', last: 1 }, ['tea five']],
    ['is empty', { last: 0 }, []],
  ])('%s', (_, wanted, expected) => {
    for (const size of [1, 2, 6]) expect(excerptOf(six, wanted, size)).toEqual(expected)
  })

  it('is the same for any size of slices, in order and without duplicates', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('tea', 'milk', 'a tea')),
        fc.record(
          {
            line: fc.nat(100),
            around: fc.nat(3),
            last: fc.nat(5),
            grep: fc.constantFrom('tea', 'MILK', 'x'),
          },
          { requiredKeys: [] },
        ),
        fc.integer({ min: 1, max: 4 }),
        (words, wanted, size) => {
          const given = items(...words.map((each, index) => `${each} ${index}`))
          const whole = excerptOf(given, wanted, Math.max(1, given.length))
          expect(excerptOf(given, wanted, size)).toEqual(whole)
          expect(new Set(whole).size).toBe(whole.length)
        },
      ),
    )
  })
})
