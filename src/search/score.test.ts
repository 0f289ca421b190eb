import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery } from './parse-query.ts'
import { type Candidate, createScorer } from './score.ts'

const NOW = Date.UTC(2026, 10, 21)
const DAY = 86_400_000

/** Texts or messages, best first. */
function ranked<T extends string | Candidate>(query: string, messages: readonly T[]): T[] {
  const score = createScorer(parseQuery(query, NOW, () => undefined))
  const points = (message: T): number =>
    score(typeof message === 'string' ? { text: message, who: 'human' } : message, NOW)
  return messages.toSorted((one, other) => points(other) - points(one))
}

describe('the ranking', () => {
  it.each<[what: string, query: string, order: string[]]>([
    [
      'prefers whole words to parts of names to starts of words to insides',
      'script',
      ['the script of it', 'the my_script of', 'the scripting i', 'the conscripts i'],
    ],
    ['matches the parts of names in capitals', 'scorer', ['a createScorer b', 'a createscorers']],
    ['matches the parts of paths', 'score', ['see src/score.ts here', 'see scoreboards herer']],
    ['treats a prefix as a whole word', 'deploy*', ['it deployed x', 'it redeployed']],
    ['prefers the typed case', 'OpenClaw', ['the OpenClaw home', 'the openclaw home']],
    ['ignores case in a lower-case query', 'open claw', ['OPEN CLAW', 'an open door with a claw in it']],
    [
      'prefers terms that are together and in order',
      'login error',
      [
        'a login error came on the page today',
        'an error in login came on the page today',
        `login${' and many other words'.repeat(20)} error`,
      ],
    ],
    ['prefers all terms to some', 'login OR error', ['login error', 'login login']],
    ['prefers several matches', 'fern', ['fern, fern and fern here', 'fern, rose and moss here']],
    ['prefers the shorter text', 'fern', ['one fern', `one fern${' and a word'.repeat(50)}`]],
    ['finds Chinese inside longer text', '登录', ['请登录页面', '请打开页面']],
    ['finds accents', 'cafe', ['the café', 'the cake']],
  ])('%s', (_what, query, order) => {
    expect(ranked(query, order.toReversed())).toEqual(order)
  })

  it('prefers a human to an agent, a program, a tool and an error', () => {
    const items = ['human', 'agent', 'program', 'tool', 'error', 'marker'].map((who) => ({
      who,
      text: 'the fern',
    }))
    expect(ranked('fern', items.toReversed())).toEqual(items)
    expect(ranked('', items.toReversed())).toEqual(items)
  })

  it('includes the targets of tools', () => {
    const used = ['/garden/fern.ts', '/garden/rose.ts'].map((target) => ({
      who: 'tool',
      text: 'Read',
      target,
    }))
    expect(ranked('fern', used.toReversed())).toEqual(used)
  })

  it('prefers the newest among equals, but never a newer one to a better match', () => {
    const at = (days: number, text: string) => ({ who: 'agent', text, at: NOW - days * DAY })
    const order = [
      at(0, 'a fern'),
      at(30, 'a fern'),
      at(900, 'a fern'),
      at(0, 'a ferns'),
      { who: 'agent', text: 'a ferns' },
    ]
    expect(ranked('fern', order.toReversed())).toEqual(order)
  })

  it('ignores excluded terms', () => {
    const score = createScorer(parseQuery('fern -rose', NOW, () => undefined))
    expect(score({ who: 'human', text: 'fern' }, NOW)).toBe(
      createScorer(parseQuery('fern', NOW, () => undefined))({ who: 'human', text: 'fern' }, NOW),
    )
  })

  it('is a number of at least zero for any text', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'aAbB1 _-/."*()登录か\u3099é\u0301ςİ🌱\ud83c'),
      maxLength: 40,
    })
    fc.assert(
      fc.property(
        text,
        text,
        fc.option(text, { nil: undefined }),
        fc.integer(),
        (query, items, target, at) => {
          const points = createScorer(parseQuery(query, NOW, () => undefined))(
            { text: items, who: 'agent', at, target },
            NOW,
          )
          expect(points).toBeGreaterThanOrEqual(0)
          expect(points).toBeLessThan(5)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
