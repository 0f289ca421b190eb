import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { innocentSet } from '../../test/redaction/innocent-set.ts'
import { secretSet } from '../../test/redaction/secret-set.ts'
import { rules } from './all-rules.ts'
import { createByteFilter, mayHoldSecret } from './byte-filter.ts'
import { findSecrets } from './redact.ts'
import { triggerOf, triggersWithRun } from './rule.ts'
import { assignments } from './rules/assignments.ts'
import { indexTriggers, textTable } from './triggers.ts'

const index = indexTriggers(textTable(rules))
const kinds = [...new Set(rules.map(({ kind }) => kind))].map((kind) => ({
  kind,
  numbers: rules.flatMap((rule, number) => (rule.kind === kind ? number : [])),
  inBytes: createByteFilter(rules.filter((rule) => rule.kind === kind)),
}))
const anywhere = rules.map(
  ({ pattern, after }) =>
    new RegExp(`${pattern.source}${after?.source ?? ''}`, pattern.flags.replace('y', 'g')),
)

/** The positions where the pattern of a rule matches. */
function matchesOf(rule: number, text: string): number[] {
  const pattern = anywhere[rule]!
  const positions: number[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    positions.push(match.index)
    pattern.lastIndex = match.index + 1
  }
  return positions
}

/** Matches that the index or the byte filter misses. */
function missed(text: string): string[] {
  const tried = rules.map(() => new Set<number>())
  index.scan(text, (rule, position) => tried[rule]!.add(position))
  const bytes = Buffer.from(text)
  return kinds.flatMap(({ kind, numbers, inBytes }) => {
    const all = numbers.map((rule): [Set<number>, number[]] => [tried[rule]!, matchesOf(rule, text)])
    const positions = all.flatMap(([, matches]) => matches)
    if (positions.length === 0) return []
    const found = new Set(all.flatMap(([at, matches]) => matches.filter((start) => at.has(start))))
    const left = positions.filter((start) => !found.has(start))
    return [
      ...left.map((start) => `${kind}: ${text.slice(Math.max(0, start - 20), start + 40)}`),
      ...(inBytes(bytes, 0, bytes.length) ? [] : [`${kind}, in bytes: ${text}`]),
    ]
  })
}

const secrets = [1, 2].flatMap((seed) => secretSet(seed)).map(({ text }) => text)
const innocent = innocentSet(1500).map(({ text }) => text)

/** What may be between names and values. */
const joints = [
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
  's',
  'es',
  'word',
  'wd',
  'n',
  'ña',
  '\\u00f1a',
  'X',
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

describe('the characters that a rule requires around its trigger', () => {
  it('surround it wherever the pattern matches, in all invented secrets and in similar texts', () => {
    for (const texts of [secrets, innocent]) {
      expect(missed(texts.join('\n'))).toEqual([])
      expect(missed(texts.map((text) => JSON.stringify({ text })).join('\n'))).toEqual([])
    }
  })

  it('surround it in any other text that the pattern matches', () => {
    fc.assert(
      fc.property(front, spelled, fc.array(joint, { maxLength: 4 }), value, joint, (...parts) => {
        expect(missed(parts.flat().join(''))).toEqual([])
      }),
      { numRuns: 1500 },
    )
  })

  it('surround every name that introduces a value, with any assignment operator', () => {
    const names = new Set([
      'pw',
      'psk',
      ...assignments.flatMap(({ triggers }) => triggers.map((each) => triggerOf(each).literal)),
    ])
    // Each pair of joints with every eighteenth name: all of them would take a minute.
    for (const [turn, name] of [...names].entries())
      for (const before of name === 'key' ? ['secret_access_', 'api-', 'API', 'client-'] : [' ']) {
        const pairs = joints.flatMap((one, index) =>
          joints.flatMap((other, at) =>
            (index + at + turn) % 18 === 0 ? `${before}${name}${one}${other}Tr4wl-n3t!x9Q7zW2` : [],
          ),
        )
        expect(missed(pairs.join('\n;\n'))).toEqual([])
        expect(missed(pairs.map((each) => `<--${each.trimStart()}`).join('\n;\n'))).toEqual([])
      }
  })

  it('surround a name before any sign of the keyboard, alone and with an operator', () => {
    const signs = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index))
    for (const name of ['password', 'passwd', 'passphrase', 'token', 'secret', 'api_key', 'private-key'])
      for (const before of ['', 'string ', 'x.', '<', '--', '$this->set_', '\n    '])
        expect(
          missed(
            signs
              .flatMap((sign) => ['', '=', ':', '"', '("', '{"'].map((more) => `${sign}${more}`))
              .map((between) => `${before}${name}${between}Tr4wl-n3t!x9Q7zW2"}`)
              .join('\n;\n'),
          ),
        ).toEqual([])
  })

  it('may be the end of a text of any length, also if the trigger has two characters', () => {
    for (let length = 0; length < 9; length++) {
      const text = `${'x'.repeat(length)} 用 bob / Tr4wl-n3t!x9 登录`
      expect(missed(text)).toEqual([])
      expect(findSecrets(text), text).toHaveLength(1)
    }
  })

  it('are found across the boundaries of the pieces of a long text', () => {
    for (let length = 16_360; length < 16_390; length++) {
      const text = `${'-'.repeat(length)}password=Tr4wl-n3t!x9`
      expect(findSecrets(text), String(length)).toHaveLength(1)
    }
  })

  it('are derived from the pattern of a token: a run of letters after the literal, and nothing uncertain', () => {
    const run = (literal: string, source: string) => triggersWithRun([literal], source)[0]!.behind
    expect(run('ghp_', 'gh[pousr]_[A-Za-z0-9]{36,}')).toEqual({ kind: /[A-Za-z0-9]/, count: 36 })
    expect(run('sk-proj-', 'sk-(?:proj|admin)-[a-z]{20,}')).toEqual({ kind: /[a-z]/, count: 20 })
    expect(run('napi_', '(?:napi_[a-z]{40,}|npg_[a-z]{12,})')).toBeUndefined()
    expect(run('shp', 'shp(?:at|ss)_[0-9a-f]{32}')).toBeUndefined()
    expect(run('xoxb-', 'xox[abp](?:\\.xox[a-z])?-[a-z]{10,}')).toEqual({ kind: /[a-z]/, count: 10 })
  })
})

describe('the byte filter', () => {
  it('passes every text that contains a secret, also as JSON in JSON', () => {
    for (const text of secrets)
      for (const each of [text, JSON.stringify({ text }), JSON.stringify(JSON.stringify({ text }))]) {
        const bytes = Buffer.from(`é${each}é`)
        const passed = !mayHoldSecret(bytes, 2, bytes.length - 2)
        expect(passed && findSecrets(each).length > 0, each).toBe(false)
      }
  })

  it('does not read past the end', () => {
    const bytes = Buffer.from('client_secret=Tr4wl')
    expect(mayHoldSecret(bytes, 0, bytes.indexOf('='))).toBe(false)
    expect(mayHoldSecret(bytes, 0, bytes.length)).toBe(true)
  })

  it('finds triggers across the boundaries of its chunks', () => {
    for (let length = 16_360; length < 16_390; length++) {
      const bytes = Buffer.from(`${'-'.repeat(length)}password=`)
      expect(mayHoldSecret(bytes, 0, bytes.length), String(length)).toBe(true)
    }
  })
})
