import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from './characters.ts'
import {
  type Candidate,
  createMatcher,
  createScorer,
  createSieve,
  FOREIGN,
  findIn,
  needlesOf,
  type Range,
  wantedTerms,
} from './match.ts'
import { type Node, parseQuery, type Term } from './query.ts'

const term = (text: string, more: Partial<Term> = {}): Term => ({
  text,
  phrase: false,
  prefix: false,
  ...more,
})

const matches = (words: Node | undefined, text: string, options?: { loose: boolean }): boolean =>
  createMatcher(words, options)(text)

const findTerm = (text: string, term: Term, limit = 1000): Range[] =>
  findIn(fold(text), needlesOf(term), limit)

/** The matches, as written in the text. */
const found = (text: string, asked: Term): string[] =>
  findTerm(text, asked).map(([start, end]) => text.slice(start, end))

describe('a term', () => {
  it.each([
    ['Login and LOGIN', 'login', ['Login', 'LOGIN']],
    ['script, transcript', 'script', ['script']],
    ['a transcript', 'script', ['script']],
    ['Café, CAFE\u0301S, cafe', 'café', ['Café', 'cafe']],
    ['İSTANBUL', 'istanbul', ['İSTANBUL']],
    ['foo.bar foo bar foobars', 'foo_bar', ['foo.bar', 'foo bar']],
    ['fooBar, foo-bar', 'foo_bar', ['fooBar', 'foo-bar']],
    ['foobars', 'foo_bar', ['foobar']],
    ['登錄頁面，登录', '登录', ['登錄', '登录']],
    ['登录页面，登录', '登录', ['登录', '登录']],
    ['使用abc登录', '用abc', ['用abc']],
    ['か\u3099く', 'がく', ['か\u3099く']],
    ['\u1112\u1161\u11ab국', '한국', ['\u1112\u1161\u11ab국']],
    ['x -> y', '->', ['->']],
    ['aaaaa', 'aa', ['aa', 'aa']],
    ['nothing', 'other', []],
    ['anything', ' ', []],
  ])('in %j: %j', (text, asked, expected) => expect(found(text, term(asked))).toEqual(expected))

  it('with a star may continue', () => {
    expect(found('logins, blogs, logout', term('log', { prefix: true }))).toEqual(['log', 'log'])
  })

  it('is found up to a maximum number of times', () => {
    expect(findTerm('na '.repeat(10_000), term('na'))).toHaveLength(1000)
    expect(findTerm('banana '.repeat(10_000), term('na'), 10)).toHaveLength(10)
  })

  it('is found wherever it was inserted, and each match is the term', () => {
    const text = fc.string({ unit: fc.constantFrom(...'aAéßσςİ登ﾛ🌱\u0301\u3099か - _'), maxLength: 30 })
    fc.assert(
      fc.property(text, text, fc.stringMatching(/^[a-z]{1,5}$/), (before, after, word) => {
        const whole = `${before} ${word} ${after}`
        const ranges = findTerm(whole, term(word.toUpperCase()))
        expect(ranges.length).toBeGreaterThan(0)
        for (const [start, end] of ranges)
          expect(
            whole
              .slice(start, end)
              .normalize('NFD')
              .replace(/[\u0300-\u036f]/g, '')
              .toLowerCase(),
          ).toBe(word)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a query', () => {
  const words = (text: string) => parseQuery(text, 0, () => undefined).words

  it('matches parts of words only if allowed, and never for quoted phrases and exclusions', () => {
    expect(matches(words('script'), 'a transcript')).toBe(false)
    expect(matches(words('script'), 'a transcript', { loose: true })).toBe(true)
    expect(matches(words('"script"'), 'a transcript', { loose: true })).toBe(false)
    expect(matches(words('-script'), 'a transcript', { loose: true })).toBe(true)
  })

  it('without words matches everything, and one without letters matches only parts of words', () => {
    expect(matches(undefined, '')).toBe(true)
    const loosely = createMatcher(words('->'), { loose: true })
    expect(loosely('a->b')).toBe(true)
    expect(loosely('a b')).toBe(false)
  })

  it('returns its terms in their order, without the excluded ones', () => {
    expect(wantedTerms(words('c -(d) (b OR -(e)) a')).map(({ text }) => text)).toEqual(['c', 'b', 'a'])
  })
})

const sieveOf = (query: string) => createSieve(parseQuery(query, 0, () => undefined).words!)

describe('a sieve', () => {
  it.each([
    ['Login', ['login']],
    ['a login', ['login']],
    ['foo_bar', ['foo']],
    ['src/auth.ts', ['auth']],
    ['login OR signup', ['login', 'signup']],
    ['page (login OR signup)', ['page']],
    ['-test login', ['login']],
    ['-test', undefined],
    ['login OR -test', undefined],
    ['ёлка', [FOREIGN]],
    ['login OR ёлка', ['login', FOREIGN]],
    ['→', [FOREIGN]],
  ])('of %j looks for %j', (query, anchors) => {
    expect(sieveOf(query).anchors).toEqual(anchors)
  })

  it('looks for the bytes of Chinese characters', () => {
    expect(sieveOf('使用').anchors).toEqual([Buffer.from('使用').toString('latin1')])
  })

  it('looks for characters that are the same in simplified and traditional Chinese', () => {
    expect(sieveOf('登录').anchors).toEqual([Buffer.from('登').toString('latin1')])
    expect(sieveOf('页').anchors).toEqual([FOREIGN])
  })

  const words = fc.constantFrom(
    ...'login Log foo_bar café cafe\u0301 登录页 登錄 fooBar か\u3099く 한국 İst - x "a b" OR ( ) -log'.split(
      ' ',
    ),
  )
  const texts = fc.array(words, { maxLength: 8 }).map((all) => all.join(' '))

  it('passes every text that matches', () => {
    fc.assert(
      fc.property(texts, texts, (query, text) => {
        const { words: asked } = parseQuery(query, 0, () => undefined)
        if (!asked || !createMatcher(asked, { loose: true })(text)) return
        const { holds, anchors } = createSieve(asked)
        const { text: folded } = fold(text)
        expect(holds(folded)).toBe(true)
        const bytes = Buffer.from(folded).toString('latin1')
        if (anchors)
          expect(
            anchors.some(
              (anchor) => bytes.includes(anchor) || (anchor === FOREIGN && /[\x80-\xff]/.test(bytes)),
            ),
          ).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

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
