import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../test/any-character.ts'
import { type Filters, type Node, type ParseTime, parseQuery } from './query.ts'

const NOW = Date.UTC(2026, 10, 21)
const DAY = 86_400_000

/** Parses dates and numbers of days, as far as the tests need them. */
const parseTime: ParseTime = (text, edge, now) => {
  const ago = /^(\d+)d$/.exec(text)
  if (ago) return now - Number(ago[1]) * DAY
  return /^\d{4}-\d{2}-\d{2}/.test(text) && edge === 'since' ? Date.parse(text) : undefined
}

const parse = (text: string) => parseQuery(text, NOW, parseTime)

/** The words of a query in a notation that shows the tree. */
function notationOf(node: Node | undefined): string {
  if (node === undefined) return 'nothing'
  if ('term' in node) {
    const { text, phrase, prefix } = node.term
    return `${phrase ? `"${text}"` : text}${prefix ? '*' : ''}`
  }
  if ('not' in node) return `not ${notationOf(node.not)}`
  return 'all' in node
    ? `(${node.all.map(notationOf).join(' & ')})`
    : `(${node.any.map(notationOf).join(' / ')})`
}

/** The filters that are set. */
function set(filters: Partial<Filters>): object {
  const entries = Object.entries(filters).map(([name, value]) => [
    name,
    name === 'without' ? set(value as Filters) : value,
  ])
  return Object.fromEntries(
    entries.filter(
      ([, value]) =>
        value !== false && Object.keys(Object(value)).length + (typeof value === 'object' ? 0 : 1) > 0,
    ),
  )
}

describe('the words of a query', () => {
  it.each([
    ['login failed', '(login & failed)'],
    ['  Login\t\nfailed ', '(Login & failed)'],
    ['"exact phrase" and “curly one”', '("exact phrase" & and & "curly one")'],
    ['log* "to be or not"*', '(log* & "to be or not"*)'],
    ['2*3 ** foo** -* a-*', '(2*3 & foo** & a-*)'],
    ['a b OR c d', '(a & (b / c) & d)'],
    ['a | b|c', '((a / b / c))'],
    ['or Or oR ORDER', '(or & Or & oR & ORDER)'],
    ['a -bit -"c d" -e*', '(a & not bit & not "c d" & not e*)'],
    ['-foo', '(not foo)'],
    ['a-b --full -> - x', '(a-b & --full & x)'],
    ['(a OR b) -(c d)', '((a / b) & not (c & d))'],
    ['((a)) (b c)', '(a & (b & c))'],
    ['-(-foo)', '(foo)'],
    ['docker compose up -d (rm -f)', '(docker & compose & up & -d & (rm & -f))'],
    ['error -32601 or -1.5 -2nd -五', '(error & -32601 & or & -1.5 & not 2nd & not 五)'],
    ['call f(x) (g(y))', '(call & f(x) & g(y))'],
    ['a"b c"d', '(a & "b c" & d)'],
    ['登录 使用login', '(登录 & 使用login)'],
    ["don’t don't C++ #42", "(don’t & don't & C++ & #42)"],
    ['', 'nothing'],
    [' \n\0 ', 'nothing'],
  ])('%j', (text, expected) => {
    expect(notationOf(parse(text).words)).toBe(expected)
    expect(parse(text)).toMatchObject({ text, remarks: [] })
  })

  it.each([
    ['a "b c', '(a & b & c)', 'a quotation mark has no other'],
    ['rm -rf "-it"', '(rm & not rf & "-it")', '-rf leaves out what contains rf'],
    ['a” b', '(a & b)', 'a quotation mark has no other'],
    ['a project:"my app', '(a & project: & my & app)', 'a quotation mark has no other'],
    ['(a OR b', '((a / b))', 'a parenthesis is not closed'],
    ['a) b (c', '(a) & b & c)', 'a parenthesis is not closed'],
    ['OR a', '(a)', 'OR joins what is on both sides'],
    ['a OR', '(a)', 'OR joins what is on both sides'],
    ['(a |) b', '(a & b)', 'OR joins what is on both sides'],
    ['OR a OR OR b OR', '((a / b))', 'OR joins what is on both sides'],
    ['a OR -', '(a)', 'OR joins what is on both sides'],
    ['| "or" |', '("or")', 'OR joins what is on both sides'],
  ])('with broken syntax are those in it, and a remark says so: %j', (text, expected, remark) => {
    expect(notationOf(parse(text).words)).toBe(expected)
    expect(parse(text).remarks.map((each) => each.split(':')[0])).toContainEqual(
      expect.stringContaining(remark),
    )
  })

  it.each([
    [') a ()', '(a)'],
    ['OR', '(OR)'],
    ['- OR -', '(OR)'],
  ])('are all that is in it where nothing was left out: %j', (text, expected) => {
    expect(notationOf(parse(text).words)).toBe(expected)
    expect(parse(text).remarks).toEqual([])
  })

  it('are the typed text if there is nothing to search for, and a remark says so', () => {
    expect(notationOf(parse(' -> ').words)).toBe('(->)')
    expect(parse('a after:2026-02-01 before:2026-01-31').remarks).toEqual([
      'after: is not earlier than before:, so no time is between them',
    ])
    expect(parse('a after:2026-01-31 before:2026-02-01').remarks).toEqual([])
    expect(parse(' -> ').remarks).toEqual(['-> has no letter or digit: there is nothing to search for'])
    expect(parse('-> project:shop').words).toBeUndefined()
  })

  it('in a text without syntax are its words', () => {
    const word = fc
      .string({
        unit: fc.oneof(
          fc.constantFrom(...'abcXYZ019_-./登é'),
          fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
        ),
        minLength: 1,
      })
      .filter((text) => /[\p{L}\p{N}\p{Co}]/u.test(text) && !/[\s\0"“”„‟()|*:]|^-|^OR$/u.test(text))
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const { all = [] } = parse(words.join(' ')).words ?? {}
        expect(all.map((node) => ('term' in node ? node.term.text : node))).toEqual(words)
      }),
      { numRuns: 1000 },
    )
  })
})

const WHOLE_QUERY = 'filters apply to the whole query, not to one side of OR'
const ONE_BY_ONE = 'a minus before a group with filters excludes what matches any part of it'

describe('the filters of a query', () => {
  it.each([
    ['project:shop project:"my app" project:shop', { project: ['shop', 'my app'] }],
    [
      'agent:main platform:claude-code session:a0 tool:Bash file:src/(app)/a.ts',
      {
        agent: ['main'],
        platform: ['claude-code'],
        session: ['a0'],
        tool: ['Bash'],
        file: ['src/(app)/a.ts'],
      },
    ],
    ['who:me who:Assistant who:it who:error who:program', { who: ['human', 'agent', 'error', 'program'] }],
    ['Project:Shop is:error has:question', { project: ['Shop'], error: true, question: true }],
    [
      '-tool:Bash -is:error -project:“my app”',
      { without: { tool: ['Bash'], error: true, project: ['my app'] } },
    ],
    ['after:2026-01-31 before:2026-02-28', { after: Date.UTC(2026, 0, 31), before: Date.UTC(2026, 1, 28) }],
    ['after:9d after:7d before:1d before:2d', { after: NOW - 7 * DAY, before: NOW - 2 * DAY }],
    ['-before:7d -after:1d', { after: NOW - 7 * DAY, before: NOW - DAY }],
    ['before:"2026-01-31 14:00"', { before: Date.parse('2026-01-31 14:00') }],
    ['(project:shop OR project:garden)', { project: ['shop', 'garden'] }],
    ['-(tool:Bash -tool:Read)', { tool: ['Read'], without: { tool: ['Bash'] } }],
    ['- tool:Bash', { tool: ['Bash'] }],
    [
      'edited:a.ts read:b.ts -edited:c.ts',
      { edited: ['a.ts'], read: ['b.ts'], without: { edited: ['c.ts'] } },
    ],
    ['(project:shop who:human)', { project: ['shop'], who: ['human'] }],
    ['-(tool:Bash)', { without: { tool: ['Bash'] } }],
  ])('%j', (text, expected) => {
    expect(set(parse(text).filters)).toEqual(expected)
    expect(parse(text)).not.toHaveProperty('words')
    expect(parse(text).remarks).toEqual([])
  })

  it('may be between words', () => {
    const query = parse('login project:shop (fails OR failed) -who:tool')
    expect(notationOf(query.words)).toBe('(login & (fails / failed))')
    expect(set(query.filters)).toEqual({ project: ['shop'], without: { who: ['tool'] } })
  })

  it.each([
    ['-(project:shop who:human)', ONE_BY_ONE],
    ['moss -(fern project:shop)', ONE_BY_ONE],
    ['(who:human project:shop) OR (who:agent project:shed)', WHOLE_QUERY],
    ['(project:shop) OR (who:agent)', WHOLE_QUERY],
    ['(project:shop) OR moss', WHOLE_QUERY],
  ])('%s is told how it was understood', (text, remark) => {
    expect(parse(text).remarks).toEqual([remark])
  })

  it.each([
    'foo:bar',
    'http://x.test/a?b',
    'C:\\x',
    '12:30',
    'file:///home/ann/a.ts',
    'x:project:y',
    'a:',
    ':b',
  ])('do not include others, which are words: %s', (text) => {
    expect(notationOf(parse(text).words)).toBe(`(${text})`)
    expect(parse(text)).toMatchObject({ remarks: [] })
    expect(set(parse(text).filters)).toEqual({})
  })

  it.each([
    ['after:soon', 'after:soon is not a valid time (use 7d, 2026-01-31 or yesterday): searched as words'],
    [
      '-before:later',
      'before:later is not a valid time (use 7d, 2026-01-31 or yesterday): searched as words',
    ],
    [
      'who:banana',
      'who:banana is not a known speaker (use human, agent, tool, program, error or memory): searched as words',
    ],
    ['is:purple', 'is:purple is not a known property (use error, question or starred): searched as words'],
    ['agent:main:discord', 'agent:main:discord is not the name of an agent: searched as words'],
    ['project: shop', 'project: needs a value right after the colon: searched as words'],
  ])('with an invalid value are words, and a remark says so: %s', (text, remark) => {
    expect(parse(text).remarks).toEqual([remark])
    expect(notationOf(parse(text).words)).toContain(text.replace(/^-/, '').split(' ')[0])
    expect(set(parse(text).filters)).toEqual({})
  })

  it('apply to the whole query, and a remark says so next to OR', () => {
    for (const text of ['a OR project:b', 'tool:Bash OR file:x']) {
      expect(parse(text).remarks).toEqual(['filters apply to the whole query, not to one side of OR'])
    }
  })
})

describe('the parser', () => {
  const check = (text: string): void => {
    const query = parse(text)
    expect(JSON.parse(JSON.stringify(query))).toEqual(query)
    if (query.words) walk(query.words)
    const asks = query.words !== undefined || Object.keys(set(query.filters)).length > 0
    expect(asks).toBe(text.replaceAll('\0', ' ').trim() !== '')
  }

  /** Checks that the tree is as its type promises. */
  function walk(node: Node): void {
    if ('term' in node) expect(node.term.text).not.toBe('')
    else if ('not' in node) {
      expect(node.not).not.toHaveProperty('not')
      walk(node.not)
    } else {
      const inner = 'all' in node ? node.all : node.any
      expect(inner.length).toBeGreaterThan(0)
      inner.forEach(walk)
    }
  }

  it('accepts any text', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), check), { numRuns: 2000 })
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }), (codes) =>
        check(String.fromCharCode(...codes)),
      ),
    )
  })

  it('accepts its own syntax in any order', () => {
    const pieces =
      '" “ ” ( ) - | * : OR -( -" a b登 \0 -> \n project: agent: who: before: after: is: has: file: tool:Bash who:me is:error 7d project:" 🌱'.split(
        ' ',
      )
    const piece = fc.constantFrom(...pieces, ' ', ' ', ' ')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (list) => check(list.join(''))),
      { numRuns: 5000 },
    )
  })

  it('accepts long and deeply nested texts quickly', () => {
    expect(notationOf(parse(`${'('.repeat(50_000)}a`).words)).toBe('(a)')
    for (const piece of ['(a ', 'a" ', '-', '"', 'f(', 'a OR ', 'who: ', '-(', 'aaaaaaaa'])
      expect(() => parse(piece.repeat(20_000))).not.toThrow()
  })
})
