import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { innocentSet } from '../../test/redaction/innocent-set.ts'
import { secretSet } from '../../test/redaction/secret-set.ts'
import { createByteFilter, mayHoldSecret } from './byte-filter.ts'
import { findSecrets } from './redact.ts'
import { assignments } from './rules/assignments.ts'
import { rules } from './rules.ts'
import { triggerOf, triggerWithRun } from './trigger.ts'
import { indexTriggers } from './trigger-index.ts'

const index = indexTriggers(rules)
const kinds = [...new Set(rules.map(({ kind }) => kind))].map((kind) => ({
  kind,
  numbers: rules.flatMap((rule, number) => (rule.kind === kind ? number : [])),
  inBytes: createByteFilter(rules.filter((rule) => rule.kind === kind)),
}))
const anywhere = rules.map(({ pattern }) => new RegExp(pattern.source, pattern.flags.replace('y', 'g')))

/** Where the pattern of a rule matches, whatever stands there. */
function matchesOf(rule: number, text: string): number[] {
  const pattern = anywhere[rule]!
  const places: number[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    places.push(match.index)
    pattern.lastIndex = match.index + 1
  }
  return places
}

/** Places where patterns of a kind match, and none that does is tried; or where the bytes do not tell that one does. */
function missed(text: string): string[] {
  const tried = rules.map(() => new Set<number>())
  index.scan(text, (rule, position) => tried[rule]!.add(position))
  const bytes = Buffer.from(text)
  return kinds.flatMap(({ kind, numbers, inBytes }) => {
    const all = numbers.map((rule): [Set<number>, number[]] => [tried[rule]!, matchesOf(rule, text)])
    const places = all.flatMap(([, matches]) => matches)
    if (places.length === 0) return []
    const found = new Set(all.flatMap(([at, matches]) => matches.filter((place) => at.has(place))))
    const left = places.filter((place) => !found.has(place))
    return [
      ...left.map((place) => `${kind}: ${text.slice(Math.max(0, place - 20), place + 40)}`),
      ...(inBytes(bytes, 0, bytes.length) ? [] : [`${kind}, in bytes: ${text}`]),
    ]
  })
}

const secrets = [1, 2, 3].flatMap((seed) => secretSet(seed)).map(({ text }) => text)
const innocent = innocentSet(3000).map(({ text }) => text)

/** What stands between names and values, and whatever else may. */
const joints = [
  ...[
    '',
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '\u2003',
    '=',
    ':',
    ' => ',
    '": "',
    '"',
    "'",
    '`',
    '\\"',
    '\\\\\\"',
    '\\n',
    ']',
    '**',
    '|',
  ],
  ...[
    '>',
    '</',
    ',',
    ';',
    '(',
    '[',
    '\x1b[32m',
    '\\u001b[1m',
    ' is ',
    ' ist now ',
    ': string =',
    '"value": ',
    ' value=',
  ],
  ...[
    '_key',
    'key',
    '_PROD',
    'staging',
    '-staging_1',
    'Value',
    'base',
    'dev',
    'live',
    'old',
    'new',
    '2',
    'v2',
    '_',
  ],
  ...['s', 'es', 'word', 'wd', 'n', 'ña', '\\u00f1a', 'X'],
]
const joint = fc.constantFrom(...joints)
const value = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9+/_.=-]{4,60}$/),
  fc.stringMatching(/^[0-9a-f]{32,64}$/),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)
const front = fc.constantFrom(
  ...[
    '',
    ' ',
    '"',
    '--',
    'ENV ',
    '<',
    'api_',
    'API-',
    'api',
    'access',
    'secret_access_',
    'Client-',
    'x',
    '\\n',
    '\\u0022',
    '密',
    'é',
  ],
  ...['"name": "', 'cookie: a=b; ', 'postgres'],
)
const literals = [
  ...new Set(rules.flatMap(({ triggers }) => triggers.map((each) => triggerOf(each).literal))),
]
const spelled = fc
  .tuple(fc.constantFrom(...literals), fc.constantFrom('as it is', 'small', 'capital'))
  .map(([text, how]) =>
    how === 'small' ? text.toLowerCase() : how === 'capital' ? text.toUpperCase() : text,
  )

describe('what has to stand around a trigger', () => {
  it('stands around it wherever the pattern matches, in all invented secrets and in what only looks like them', () => {
    for (const texts of [secrets, innocent]) {
      expect(missed(texts.join('\n'))).toEqual([])
      expect(missed(texts.map((text) => JSON.stringify({ text })).join('\n'))).toEqual([])
    }
  })

  it('stands around it in whatever else the pattern matches', () => {
    fc.assert(
      fc.property(front, spelled, fc.array(joint, { maxLength: 4 }), value, joint, (...parts) => {
        expect(missed(parts.flat().join(''))).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })

  it('stands behind every name that announces a value, whatever assigns it', () => {
    const names = new Set(
      assignments.flatMap(({ triggers }) => triggers.map((each) => triggerOf(each).literal)),
    )
    for (const name of names)
      for (const before of name === 'key' ? ['secret_access_', 'api-', 'API', 'client-'] : [' ']) {
        const pairs = joints.flatMap((one) =>
          joints.map((other) => `${before}${name}${one}${other}Tr4wl-n3t!x9Q7zW2`),
        )
        expect(missed(pairs.join('\n;\n'))).toEqual([])
        expect(missed(pairs.map((each) => `<--${each.trimStart()}`).join('\n;\n'))).toEqual([])
      }
  })

  it('is taken from the pattern of a token: a run of letters behind the literal, and nothing that is not sure', () => {
    const run = (literal: string, source: string) => triggerWithRun(literal, source).behind
    expect(run('ghp_', 'gh[pousr]_[A-Za-z0-9]{36,}')).toEqual({ kind: /[A-Za-z0-9]/, count: 36 })
    expect(run('sk-proj-', 'sk-(?:proj|admin)-[a-z]{20,}')).toEqual({ kind: /[a-z]/, count: 20 })
    expect(run('napi_', '(?:napi_[a-z]{40,}|npg_[a-z]{12,})')).toBeUndefined()
    expect(run('shp', 'shp(?:at|ss)_[0-9a-f]{32}')).toBeUndefined()
    expect(run('xoxb-', 'xox[abp](?:\\.xox[a-z])?-[a-z]{10,}')).toEqual({ kind: /[a-z]/, count: 10 })
  })
})

describe('the look at bytes', () => {
  it('lets no text pass in which something is found, as it is or as JSON in JSON', () => {
    for (const text of secrets)
      for (const each of [text, JSON.stringify({ text }), JSON.stringify(JSON.stringify({ text }))]) {
        const bytes = Buffer.from(`é${each}é`)
        const passed = !mayHoldSecret(bytes, 2, bytes.length - 2)
        expect(passed && findSecrets(each).length > 0, each).toBe(false)
      }
  })

  it('does not look past the end', () => {
    const bytes = Buffer.from('a secret=Tr4wl')
    expect(mayHoldSecret(bytes, 0, bytes.indexOf('='))).toBe(false)
    expect(mayHoldSecret(bytes, 0, bytes.length)).toBe(true)
  })

  it('sees what stands across the pieces that it takes at a time', () => {
    for (let length = 16_360; length < 16_390; length++) {
      const bytes = Buffer.from(`${'-'.repeat(length)}password=`)
      expect(mayHoldSecret(bytes, 0, bytes.length), String(length)).toBe(true)
    }
  })
})
