import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { innocentSet } from '../../test/redaction/innocent-set.ts'
import { secretSet, survives } from '../../test/redaction/secret-set.ts'
import { redact } from './redact.ts'
import { createRedactor, type RedactorOptions } from './redactor.ts'

const tagged = (given: Partial<RedactorOptions> = {}) =>
  createRedactor({ level: 'standard', tags: true, ...given })
const [one, two] = ['a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8', 'Z1y2X3w4V5u6T7s8R9q0P1o2N3m4L5k6J7i8'].map(
  (end) => ['gh', 'p_', end].join(''),
) as [string, string]

describe('a redactor', () => {
  it('gives equal secrets equal tags, numbered by kind in the order of their first occurrence', () => {
    const { redact } = tagged()
    expect(redact(`${one} ${two} ${one}`)).toBe(
      '[REDACTED:github-token#1] [REDACTED:github-token#2] [REDACTED:github-token#1]',
    )
    expect(redact(`x ${two}, password=Tr4wl-n3t!`)).toBe(
      'x [REDACTED:github-token#2], password=[REDACTED:password#1]',
    )
  })

  it('recognizes a secret at any depth of JSON and under any name', () => {
    const { redactJsonLine } = tagged()
    const secret = 'k+/9Zq1Lr4Tb7Yd0Wf3Xc6Ve9Us2Pm5No8Ih1Jg4'
    const plain = { aws_secret_access_key: secret }
    const lines = [
      plain,
      { text: JSON.stringify(plain) },
      { text: JSON.stringify({ s: JSON.stringify(plain) }) },
    ]
    const found = lines.map((line) => redactJsonLine(JSON.stringify(line).replaceAll('/', '\\/')).text)
    for (const text of found) expect(text).toContain('[REDACTED:aws-secret-key#1]')
  })

  it('gives tags that are stable with the same key, and reveal nothing under another', () => {
    const [key, other] = ['YWFhYWFhYWFhYWFhYWFhYQ==', 'YmJiYmJiYmJiYmJiYmJiYg==']
    const redacted = tagged({ key }).redact(`${one} ${two}`)
    expect(redacted).toMatch(/^\[REDACTED:github-token#[a-z0-9]{5}\] \[REDACTED:github-token#[a-z0-9]{5}\]$/)
    expect(tagged({ key }).redact(`${one} ${two}`)).toBe(redacted)
    expect(tagged({ key, level: 'strict', identities: true }).redact(redacted)).toBe(redacted)
    const [first, second] = redacted.split(' ')
    expect(first).not.toBe(second)
    expect(tagged({ key: other }).redact(one)).not.toBe(first)
  })

  it('starts counting again in another run', () => {
    tagged().redact(one)
    expect(tagged().redact(two)).toBe('[REDACTED:github-token#1]')
  })

  it('without tags replaces the same secrets as the store', () => {
    const { redact: plain } = createRedactor({ level: 'standard' })
    for (const { text } of secretSet(5)) expect(plain(text)).toBe(redact(text))
  })

  it('changes nothing if it is off', () => {
    const off = createRedactor({ level: 'off', identities: true, home: '/home/ann' })
    expect(off.redact(`${one} /home/ann`)).toBe(`${one} /home/ann`)
    expect(off.find(one)).toEqual([])
    expect(off.redactJsonLine(JSON.stringify({ one }))).toEqual({
      text: JSON.stringify({ one }),
      count: 0,
      kinds: {},
    })
  })

  it.each<[string, Partial<RedactorOptions>]>([
    ['patterns of the user', { patterns: [{ kind: 'acme', pattern: 'ACME-[0-9]{8}' }] }],
    ['random text', { level: 'strict' }],
    ['identities', { identities: true, home: '/home/ann' }],
  ])('never says that bytes are clean without a search if it also looks for %s', (_, more) => {
    const bytes = Buffer.from(
      'before {"text":"ACME-12345678 by Ann, q7Rk2Vz9LmB4xTn8WcY3hJd6FsP1gUaE5"} after',
    )
    const [start, end] = [bytes.indexOf('{'), bytes.indexOf('}') + 1]
    expect(tagged().isClean(bytes, start, end)).toBe(true)
    expect(tagged(more).isClean(bytes, start, end)).toBe(false)
    expect(tagged(more).find(bytes.toString('utf8', start, end))).not.toEqual([])
    expect(tagged({ ...more, level: 'off' }).isClean(bytes, start, end)).toBe(true)
  })

  it('redacts a line and counts the findings by kind', () => {
    const line = JSON.stringify({ a: one, b: [two, one], c: 7, password: 'ab"cd1!ef' })
    expect(tagged().redactJsonLine(line)).toEqual({
      text: JSON.stringify({
        a: '[REDACTED:github-token#1]',
        b: ['[REDACTED:github-token#2]', '[REDACTED:github-token#1]'],
        c: 7,
        password: '[REDACTED:password#1]',
      }),
      count: 4,
      kinds: { 'github-token': 3, password: 1 },
    })
  })

  it('redacts the names of fields too, and leaves them distinct', () => {
    const line = `{"${one}":1,"${two}":2,"[REDACTED:github-token]":3,"in":{"${one}":4}}`
    expect(JSON.parse(createRedactor({ level: 'standard' }).redactJsonLine(line).text)).toEqual({
      '[REDACTED:github-token]~2': 1,
      '[REDACTED:github-token]~3': 2,
      '[REDACTED:github-token]': 3,
      in: { '[REDACTED:github-token]': 4 },
    })
  })

  it('redacts a key that is split over the strings of a list, and preserves the list', () => {
    const armour = (word: string) => `${'-'.repeat(5)}${word} RSA PRIVATE KEY${'-'.repeat(5)}`
    const lines = [armour('BEGIN'), 'MIIx'.repeat(16), armour('END'), 'after']
    const word = '[REDACTED:private-key]'
    const { redactJsonLine } = createRedactor({ level: 'standard' })
    expect(redactJsonLine(JSON.stringify({ lines }))).toEqual({
      text: JSON.stringify({ lines: [word, word, word, 'after'] }),
      count: 1,
      kinds: { 'private-key': 1 },
    })
  })

  it('redacts the raw text of a line that is not JSON', () => {
    expect(tagged().redactJsonLine(`{"cut":"${one}`)).toEqual({
      text: '{"cut":"[REDACTED:github-token#1]',
      count: 1,
      kinds: { 'github-token': 1 },
    })
  })

  it('returns the same string if it contains no secret', () => {
    const { redact: plain, redactJsonLine } = tagged()
    for (const { text } of innocentSet(2000)) {
      expect(plain(text)).toBe(text)
      expect(redactJsonLine(text)).toEqual({ text, count: 0, kinds: {} })
    }
  })

  it('redacts 99 of 100 planted secrets, and misses no more at the strict level', () => {
    const planted = secretSet(6)
    for (const level of ['standard', 'strict'] as const) {
      const { redactJsonLine } = createRedactor({ level })
      const missed = planted.filter((each) => survives(each, redactJsonLine(each.text).text))
      expect(missed.length / planted.length, missed.map(({ text }) => text).join('\n')).toBeLessThanOrEqual(
        0.01,
      )
    }
  })
})

describe('the strict level', () => {
  const { redact: strict } = createRedactor({ level: 'strict' })
  const random = 'q7Rk2Vz9LmB4xTn8WcY3hJd6FsP1gUaE5'

  it.each([`it is ${random}`, `"${random}"`, `x=${random}&y=1`, `first\\n${random}\\n`])(
    'redacts random text: %s',
    (text) => {
      expect(strict(text)).toBe(text.replace(random, '[REDACTED:high-entropy]'))
      expect(redact(text)).toBe(text)
    },
  )

  it.each([
    `/files/${random}`,
    `https://x.test/${random}`,
    `"fingerprint":"${random}"`,
    `toolu_01${random}`,
    `commit ${random.toLowerCase()}`,
    `${random}+/==`,
    `${random}.${random}`,
    `call${random}(1)`,
  ])('leaves random text in other contexts unchanged: %s', (text) => {
    expect(strict(text)).toBe(text)
  })

  it('redacts at most one innocent line in 10,000', () => {
    const alarms = innocentSet(30_000).filter(({ text }) => strict(text) !== text)
    expect(alarms.length, alarms.map(({ text }) => strict(text)).join('\n')).toBeLessThanOrEqual(3)
  })
})

describe('redacting identities', () => {
  const given = { identities: true, home: '/home/ann', users: ['bobby'] }
  const { redact: shown, redactJsonLine } = tagged(given)

  it.each([
    ['cd /home/ann/shop && ls', 'cd ~/shop && ls'],
    ['/Users/carol/x and C:\\Users\\Carol\\x', '~/x and ~\\x'],
    ['/home/ann', '~'],
    ['~/.claude/projects/-home-ann-shop', '~/.claude/projects/-home-[USER#1]-shop'],
    ['Ann said it to Bobby', '[USER#1] said it to [USER#2]'],
    ['mail ann@shop.test, Ann.B@shop.test', 'mail [EMAIL#1], [EMAIL#2]'],
    ['call +49 151 23456789 or (555) 123-4567', 'call [PHONE#1] or [PHONE#2]'],
    ['git@github.test:ann/x a@2x.png pkg@1.2.3', 'git@github.test:[USER#1]/x a@2x.png pkg@1.2.3'],
    ['2026-10-01 08:00:00 1234567890 0.123456789', '2026-10-01 08:00:00 1234567890 0.123456789'],
    ['annual planning', 'annual planning'],
    [
      'postgres://shop:s3cr3t-word@db.shop.test/x',
      'postgres://shop:[REDACTED:connection-string#1]@db.shop.test/x',
    ],
    ['ann@firm.rs and é@x', '[EMAIL#1] and é@x'],
  ])('replaces people in: %s', (text, expected) => {
    expect(tagged(given).redact(text)).toBe(expected)
  })

  it('replaces them in JSON at any depth', () => {
    const line = JSON.stringify({
      cwd: '/home/ann/x',
      out: JSON.stringify({ p: 'C:\\Users\\ann\\x', m: 'ann@x.test' }),
    })
    expect(JSON.parse(redactJsonLine(line).text)).toEqual({
      cwd: '~/x',
      out: JSON.stringify({ p: '~\\x', m: '[EMAIL#1]' }),
    })
  })

  it('recognizes them after a newline and other escapes', () => {
    const { redactJsonLine: redactLine } = tagged(given)
    const words = ['ann@x.test', '/home/ann/y', '+49 151 23456789', 'Bobby']
    const labels = ['[EMAIL#1]', '~/y', '[PHONE#1]', '[USER#1]']
    for (const before of ['', '\n', '\t', '\u001b', '\n\n'])
      for (const [at, word] of words.entries())
        for (const value of [`${before}${word}`, JSON.stringify({ a: `${before}${word}` })]) {
          const { text } = redactLine(JSON.stringify({ value }))
          expect(JSON.parse(text)).toEqual({ value: value.replace(word, labels[at]!) })
        }
  })

  it('does not treat a common home directory name as a person', () => {
    const { redact: plain } = tagged({ identities: true, home: '/home/dev' })
    expect(plain('ls 2>/dev/null in /home/dev/x')).toBe('ls 2>/dev/null in ~/x')
  })

  it('finds nothing in its own output', () => {
    const once = shown(`/home/ann ann@x.test +49 151 23456789 Bobby ${one}`)
    expect(shown(once)).toBe(once)
  })
})

describe('custom patterns and the list of allowed values', () => {
  const patterns = [{ kind: 'acme', pattern: 'ACME-[0-9]{8}' }]

  it('redact what the patterns describe, anywhere', () => {
    const { redact: shown, redactJsonLine } = tagged({ patterns })
    expect(shown('ACME-12345678 x'.repeat(2))).toBe('[REDACTED:acme#1] x[REDACTED:acme#1] x')
    const far = `${'.'.repeat(3000)}ACME-12345678`
    expect(shown(far)).toBe(`${'.'.repeat(3000)}[REDACTED:acme#1]`)
    expect(redactJsonLine('{"a":"\\u0041CME-12345678","n":12345678}').text).toBe(
      '{"a":"[REDACTED:acme#1]","n":12345678}',
    )
  })

  it('redact a secret across the boundary between two chunks of a long text', () => {
    const { redact: shown } = createRedactor({ level: 'standard', patterns })
    for (let before = 2030; before < 2060; before++)
      expect(shown(`${'.'.repeat(before)}ACME-12345678.`)).toBe(`${'.'.repeat(before)}[REDACTED:acme].`)
  })

  it('are searched in the decoded strings of a record', () => {
    const { redactJsonLine } = createRedactor({
      level: 'standard',
      patterns: [{ kind: 'acme', pattern: '^xABC-[0-9]B' }],
    })
    expect(redactJsonLine('{"a":"x\\u0041BC-1\\u0042y"}').text).toBe('{"a":"[REDACTED:acme]y"}')
  })

  it('leave the labels of redacted secrets unchanged', () => {
    const { redact: shown } = tagged({ patterns: [{ kind: 'acme', pattern: '[A-Z]{8}' }] })
    expect(shown(shown(`${one} ABCDEFGH`))).toBe('[REDACTED:github-token#1] [REDACTED:acme#1]')
  })

  it('leave allowed values unchanged, given literally or by a pattern that matches the whole value', () => {
    const { redact: shown } = createRedactor({ level: 'standard', allow: [one, { pattern: 'Tr4wl-.*' }] })
    expect(shown(`${one} ${two} password=Tr4wl-n3t!`)).toBe(
      `${one} [REDACTED:github-token] password=Tr4wl-n3t!`,
    )
  })

  it.each([
    ['(', 'is no regular expression'],
    ['a*', 'matches nothing at all'],
    ['(a+)*b', 'repeats a repetition'],
    ['(\\w|\\d)+b', 'repeats a repetition'],
    ['((ab)+){2,}c', 'repeats a repetition'],
    [`x${'y'.repeat(1000)}`, 'is longer than'],
  ])('reject %s', (pattern, why) => {
    expect(() => tagged({ patterns: [{ kind: 'acme', pattern }] })).toThrow(why)
    expect(() => tagged({ allow: [{ pattern }] })).toThrow(why)
  })

  it.each(['(?:foo|bar)+', '(?:[A-Z]{4}|[0-9]{4}){1,8}x', 'a+b+c', '[^)]+\\)', '(?<n>a)b{2,3}'])(
    'accept %s',
    (pattern) => {
      expect(() => tagged({ patterns: [{ kind: 'acme', pattern }] })).not.toThrow()
    },
  )
})

describe('a redactor on long hostile text', () => {
  const everything = createRedactor({
    level: 'strict',
    tags: true,
    identities: true,
    home: '/home/ann',
    users: ['bobby'],
    patterns: [{ kind: 'acme', pattern: 'A+B+C' }],
  })

  it.each([
    '/home/',
    '/Users/',
    'C:\\Users\\',
    'a@b.',
    '@',
    '+1 ',
    '(555) ',
    '555-',
    'aB3_',
    'ann ',
    'A',
    'AB',
    '-home-',
    '\\',
  ])('terminates: %j', (unit) => {
    const text = unit.repeat(Math.ceil(20_000 / unit.length))
    expect(typeof everything.redact(text)).toBe('string')
    expect(() => JSON.parse(everything.redactJsonLine(JSON.stringify({ [text]: [text] })).text)).not.toThrow()
  })
})

describe('a redactor on any JSON', () => {
  const planted = secretSet(7).filter(
    ({ secret, where }) => /^[\w.+/=-]{24,200}$/.test(secret) && where !== 'its own context',
  )
  const plain = planted
    .filter(({ text }) => text.includes('Here it is') || text.includes('('))
    .map(({ secret }) => secret)
  const secrets = plain.filter((secret) => redact(` ${secret} `) !== ` ${secret} `)
  const secret = fc.constantFrom(...secrets)
  const around = fc.constantFrom('', ' ', '\n', '"', '\\', '\t', '<', '\u001b[32m', 'é', '(', ', ', '\\n')
  const text = fc.tuple(around, secret, around).map((pieces) => pieces.join(''))
  const innocent = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('password', 'token', '-----BEGIN ', '://a:'),
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      text,
      innocent,
      fc.integer(),
      fc.constant(null),
      fc.boolean(),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(innocent, text), tie('tree'), { maxKeys: 4 }),
      tie('tree').map((value) => JSON.stringify(value)),
    ),
  }))
  const spellings = fc.constantFrom<(line: string) => string>(
    (line) => line,
    (line) => line.replaceAll('/', '\\/'),
    (line) => line.replace(/(?<=[A-Za-z])[-_]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
    (line) => line.replaceAll('ghp', '\\u0067hp').replaceAll('sk-', '\\u0073k\\u002D'),
  )

  it('redacts a secret that is only known by its field name, at any depth and in any context', () => {
    const named = ['Tr4wl', '-n3t!'].join('')
    const names = fc.constantFrom('password', 'DB_PASSWORD', 'userPassword', 'admin-passwd', 'passphrase')
    const around = fc.dictionary(fc.string({ unit: 'grapheme' }), innocent, { maxKeys: 3 })
    fc.assert(
      fc.property(names, around, around, fc.nat(3), (name, before, after, depth) => {
        let value: unknown = { ...before, [name]: named, ...after }
        for (let level = 0; level < depth; level++) value = { text: JSON.stringify(value), at: level }
        const { text: redacted } = createRedactor({ level: 'standard' }).redactJsonLine(JSON.stringify(value))
        expect(redacted).not.toContain(named)
        expect(shape(JSON.parse(redacted))).toEqual(shape(value))
      }),
      { numRuns: 300 },
    )
  })

  /** A value with every string as one letter, and names by their number. */
  const shape = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shape)
      : typeof value === 'object' && value !== null
        ? Object.values(value).map(shape)
        : typeof value === 'string'
          ? 's'
          : value

  it('preserves its shape, leaves no planted secret in it, and finds nothing in its own output', () => {
    expect(secrets.length).toBeGreaterThan(50)
    const redactors = [createRedactor({ level: 'standard' }), tagged({ level: 'strict', identities: true })]
    fc.assert(
      fc.property(tree, spellings, fc.constantFrom(...redactors), (value, spell, { redactJsonLine }) => {
        const line = spell(JSON.stringify(value))
        const { text: redacted } = redactJsonLine(line)
        expect(shape(JSON.parse(redacted))).toEqual(shape(JSON.parse(line)))
        expect(redactJsonLine(redacted).text).toBe(redacted)
        for (const secret of secrets) expect(JSON.stringify(JSON.parse(redacted))).not.toContain(secret)
      }),
      { numRuns: 400 },
    )
  })
})
