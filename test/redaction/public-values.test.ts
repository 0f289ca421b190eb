import { describe, expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { createRandom } from '../random.ts'
import { draw } from './parts.ts'

const random = createRandom(487)
const stays = (text: string): void => expect(redact(text)).toBe(text)
/** Only the value is replaced. */
const isRedacted = (text: string, value: string): void => {
  const [before, after] = text.split('§')
  const redacted = redact(text.replace('§', () => value))
  expect(redacted).not.toContain(value)
  expect([redacted.startsWith(before!), redacted.endsWith(after!)], redacted).toEqual([true, true])
}

describe('a value that is meant to be public', () => {
  const checksum = `${draw(random, 'base64', 42)}8=`
  it.each([
    `example.com/vault/auth/token v0.4.0/go.mod h1:${checksum}`,
    `example.com/stdlib/password v0.1.1 h1:${checksum}`,
    `example.com/app/secret v1.2.3-0.20260101000000-abcdef012345 h1:${checksum}`,
    'Garden, Version=13.0.0.0, Culture=neutral, PublicKeyToken=30ad4fe6b2a6aeed',
    '<assemblyIdentity name="Garden" publicKeyToken="30ad4fe6b2a6aeed" />',
  ])('stays: %s', stays)

  const { redact: strict } = createRedactor({ level: 'strict' })
  const word = `${draw(random, 'alnum', 33)}a7B`
  it.each([
    `ETag: W/"${word}"`,
    `etag: "${word}"`,
    `-----BEGIN PUBLIC KEY-----\n${draw(random, 'base64', 64)}\n${word}\n-----END PUBLIC KEY-----`,
  ])('stays at the strict level: %s', (text) => expect(strict(text)).toBe(text))

  it('is replaced at the strict level, if nothing says what it is', () => {
    expect(strict(`W/"${word}"`)).not.toContain(word)
    expect(strict(`first\n${word}\n`)).not.toContain(word)
  })
})

describe('a secret whose place says it', () => {
  const hex = `${draw(random, 'hex', 31)}8`
  it.each([
    ['python bot.py --api-hash=§', hex],
    ['python bot.py --api-id 12345 --api-hash §', hex],
    ['run `oathtool --totp -b §` first', draw(random, 'base32', 32)],
    ['vault login §', `jwx${draw(random, 'digit', 4)}GHU+gm${draw(random, 'digit', 2)}f`],
    ['CONVEX_DEPLOY_KEY=§', `prod:happy-fox-123|${draw(random, 'alnum', 40)}`],
    ["{ 'DEPLOY_KEY': '§' }", `dev:tall-oak-7|${draw(random, 'word', 60)}`],
    [`const client = new Client('AC${draw(random, 'hex', 32)}', '§')`, hex],
    [`password: "{{ '§' | password_hash('sha512') }}"`, `Mohn${draw(random, 'digit', 4)}!ah`],
    [`{{ "§"|password_hash("bcrypt") }}`, `Mohn${draw(random, 'digit', 4)}!ah`],
  ])('is replaced: %s', isRedacted)

  it('is no name of a hash, and no name of a method', () => {
    stays("{{ password | password_hash('sha512') }}")
    stays('vault login -method=userpass username=ann')
  })
})

describe('a column of PINs', () => {
  it.each(['id,name,pin\n1,mara,§\n', 'id;name;PIN;birthday\n1;mara;§;1990-02-03\n', 'name,PIN\nmara,§\n'])(
    'may have other columns than the name: %j',
    (text) => isRedacted(text, '6957'),
  )

  it.each([
    'id,name,pin,mode\n1,led,1274,out\n',
    'name,city,pin\nmara,Pune,411014\n',
    'gpio,name,pin\n1,led,1274\n',
  ])('stays beside what connectors and addresses have: %j', stays)
})

describe('what follows a code that replaces a second factor', () => {
  it('stays, if it only looks like a code, whatever the label of the code', () => {
    const text = `recovery code: ab3de-${draw(random, 'digit', 5)}\n\nbuild42z done\n`
    expect(redact(text)).toBe('recovery code: [REDACTED:recovery-code]\n\nbuild42z done\n')
    for (let key = 0; key < 20; key++) {
      const tagged = createRedactor({
        level: 'standard',
        tags: true,
        key: Buffer.alloc(32, key).toString('base64'),
      })
      expect(tagged.redact(text)).toMatch(
        /^recovery code: \[REDACTED:recovery-code#\w+\]\n\nbuild42z done\n$/,
      )
    }
  })
})

describe('a prompt for a password', () => {
  const { redactJsonLine } = createRedactor({ level: 'standard' })
  const LINES = [
    "print('Password: ')",
    "x = input('Passwort: ')",
    "password = getpass.getpass('Password: ')",
    "const password = prompt('Password?');",
    "db_password = click.prompt('Password', hide_input=True)",
  ]

  it.each(LINES)('stays, at the end of a string of a record, and on a page: %s', (text) => {
    stays(text)
    const record = JSON.stringify({ content: [{ type: 'text', text }], b: 1, more: 'Mohnkuchen' })
    expect(redactJsonLine(record).text).toBe(record)
    for (const quote of ['&#39;', '&#x27;', '&quot;']) stays(`<p>${text.replaceAll("'", quote)}</p>`)
  })

  it('ends with its string: what follows is another value', () => {
    const secret = `Mohn${draw(random, 'digit', 4)}!ah`
    const record = { text: `it is 'Password: ${secret}`, b: 'Mohnkuchen', password: secret }
    const { text } = redactJsonLine(JSON.stringify(record))
    expect(JSON.parse(text)).toEqual({
      text: "it is 'Password: [REDACTED:password]",
      b: 'Mohnkuchen',
      password: '[REDACTED:password]',
    })
  })

  it('is no block of lines, which goes on in the next strings', () => {
    const edge = (word: string): string => `${'-'.repeat(5)}${word} PRIVATE KEY${'-'.repeat(5)}`
    const rows = [draw(random, 'base64', 64), draw(random, 'base64', 64), `${draw(random, 'base64', 30)}==`]
    const lines = [`key: ${edge('BEGIN')}`, ...rows, edge('END')]
    const { text } = redactJsonLine(JSON.stringify({ lines, b: 1 }))
    for (const row of rows) expect(text).not.toContain(row)
    expect(Object.keys(JSON.parse(text))).toEqual(['lines', 'b'])
  })
})
