import { describe, expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRandom } from '../random.ts'
import { draw } from './parts.ts'

const random = createRandom(83)
const left = `${draw(random, 'alnum', 6)}x4Q`
const right = `${draw(random, 'alnum', 6)}7tB`
const padded = Buffer.from(`${left}${right}9`).toString('base64')

/** The text with a value, of which nothing may remain. */
const isRedacted = (text: string, value: string): void => {
  const whole = text.replace('§', () => value)
  const redacted = redact(whole)
  for (const part of value.match(/[A-Za-z0-9]{6,}/g)!) expect(redacted, whole).not.toContain(part)
  expect(redacted.startsWith(text.split('§')[0]!), redacted).toBe(true)
}

const stays = (text: string): void => expect(redact(text)).toBe(text)

const bare = ['password: §', 'DB_PASSWORD=§', 'Passwort: §', 'the password is §']

describe('a password without quotes', () => {
  it.each([...bare, '--password=§', 'db.password=§', 'PGPASSWORD=§ psql', 'data:\n  password: §\n'])(
    'may end as base64 does: %s',
    (text) => {
      expect(padded).toMatch(/[^=]==$/)
      isRedacted(text, padded)
      isRedacted(text, padded.slice(0, -1))
    },
  )

  it.each(bare)('may contain signs, and is redacted as a whole: %s', (text) => {
    for (const sign of ['\\', '(', '=', '"', "'", ',']) isRedacted(text, `${left}${sign}${right}`)
    for (const sign of ['(', '[', '{', '!']) isRedacted(text, `${left}${right}${sign}`)
  })

  it('may be a placeholder that someone completed with a year and a sign', () => {
    isRedacted('DB_PASSWORD=§', 'changeme2019!')
    for (const value of ['changeme2019', 'changeme123!', 'changeme!']) stays(`DB_PASSWORD=${value}`)
  })

  it('may contain one sign of base64 and end with two', () =>
    isRedacted('DB_PASSWORD=§', `${left.slice(0, 4)}=${right}==`))

  it('ends where the next field of a connection string begins, which stays', () => {
    for (const field of ['TrustServerCertificate', 'encrypt'])
      for (const before of ['Server=db;User Id=sa;Password=', 'jdbc:sqlserver://db:1433;user=sa;password='])
        for (const text of [`${before}§;${field}=true`, `{"url":"${before}§;${field}=true"}`])
          expect(redact(text.replace('§', `${left}!7k`))).toBe(text.replace('§', '[REDACTED:password]'))
  })

  it('may begin with a sign', () => {
    isRedacted('DB_PASSWORD=§', `!${left}${right}`)
    for (const sign of ['%', '(', '[']) isRedacted(`mysql -u root -p'§' db`, `${sign}${left}${right}`)
  })

  it('may look like a call up to its bracket, in which no argument begins', () => {
    for (const value of ['Xk(3kd!9Qz', 'Tr4(wl!N3t', 'Ob(84gate#Sea'])
      for (const name of ['password: ', 'password=', 'db_password = '])
        expect(redact(name + value)).toBe(`${name}[REDACTED:password]`)
  })

  it('may look like the beginning of a call whose name or argument is no word', () => {
    for (const value of ['rKxT(uyYk58', 'qv7z(kEwrs40', 'bdHV(Wp2M73'])
      for (const name of ['password: ', 'DB_PASSWORD=', 'la contraseña es '])
        expect(redact(name + value)).toBe(`${name}[REDACTED:password]`)
  })

  it('may begin like a home directory', () => {
    for (const name of ['log in with bob / ', 'hasło to ', 'the password is '])
      expect(redact(`${name}~K4xB19maple`)).toBe(`${name}[REDACTED:password]`)
    stays('the password is ~/secrets/db2')
  })

  it('may contain what opens an expression that nothing closes, and brackets in an element', () => {
    expect(redact("login('lena', '2Jd)6R$(6B')")).toBe("login('lena', '[REDACTED:password]')")
    for (const value of ['Fn[t4_C2Lr', 'Fn|t4_C2Lr'])
      expect(redact(`<password>${value}</password>`)).toBe('<password>[REDACTED:password]</password>')
  })

  it('is told from code and placeholders', () => {
    for (const text of [
      'password: hash(input',
      'password: getPassword(user1,',
      'password: users[0].password,',
      'password = row[2].strip()',
      '$password = Str::random(12);',
      'password = Digest::SHA256.hexdigest(pw2)',
      'passwords = [gen(8) for _ in range(3)]',
      'password = !string.IsNullOrEmpty(p1) ? p1 : p2;',
      'PASSWORD=$(cat /run/secret)',
      "password: 'ab$(whoami)9Q'",
      '<password>getPassword()</password>',
      "'password' => 'required|string|min:8|confirmed'",
      "sed -i 's/DB_PASSWORD=.*/DB_PASSWORD=/' .env",
      'the password is rot13-obfuscated',
      'password = sha256(Salt1',
      'the password is bcrypt-hashed-v2',
      'password = sha256(',
      'password: createHash("sha256")',
      'password: !isValid',
      'password === confirmed==',
      'mysql -u root -p%DB_PASSWORD% db',
      'mysql -u root -p"(secret)" db',
      'password: str=None,',
      'type Mutation { login(email: String!, password: String!): Session }',
      'function open(password: string!, retries: number) {}',
      'func login(password: NonEmptyString!, token: String?) -> Bool',
      'password: @@DB_PASSWORD@@',
      'key: yarn-v4-5f0c6e1b9a7d4238c1e0b7f6a5d49382-linux',
      '1,2026-10-06,test of the password cache,4b93a0768b047c82,334.38,GVZ',
    ])
      stays(text)
  })
})

describe('a password in quotes', () => {
  it.each([`'§'`, `password: '§'`, `sshpass -p '§' ssh h`, `curl -u 'bob:§' https://shop.test`])(
    'may contain a backslash: %s',
    (text) => {
      isRedacted(text.startsWith("'") ? `DB_PASSWORD=${text}` : text, `${left}\\${right}`)
      isRedacted(JSON.stringify({ password: '§' }), `${left}\\\\${right}`)
    },
  )

  it.each([
    ...["curl -u 'bob:§' https://shop.test", "curl -u bob:'§' https://shop.test"],
    ...['curl -u bob:"§" https://shop.test', 'curl -u "bob":"§" https://shop.test'],
    ...['curl -su bob:§ https://shop.test', 'curl -fsSLu bob:§ https://shop.test'],
  ])('is found whichever part of the argument is in quotes: %s', (text) => {
    isRedacted(text, `${left}${right}`)
    if (text.includes("'")) for (const sign of ['"', '(', ')']) isRedacted(text, `${left}${sign}${right}`)
  })
})

describe('a random key', () => {
  it.each(['API_KEY=§', 'X-Api-Key: §', 'tool --token §', '{"apiKey": "§"}'])(
    'may have two parts with a dot between: %s',
    (text) => isRedacted(text, `${draw(random, 'alnum', 15)}4.${draw(random, 'alnum', 19)}3`),
  )

  it('may begin like a path', () => isRedacted('ENCRYPTION_KEY=§', `/${draw(random, 'alnum', 40)}d7=`))

  it('ends before the host of an address, which stays', () => {
    const clone = 'git clone https://x-access-token:§@github.com/shop/app.git'
    const token = ['gh', 's_', draw(random, 'alnum', 36)].join('')
    expect(redact(clone.replace('§', token))).toBe(clone.replace('§', '[REDACTED:github-token]'))
  })

  it('signs sessions under that name', () => isRedacted('SESSION_KEY=§', padded))

  it('is told from names with dots', () => {
    stays('api_key=config.services.paymentGateway.apiKey2')
    stays('SESSION_KEY=cart-items')
  })
})
