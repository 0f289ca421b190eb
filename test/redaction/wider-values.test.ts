import { describe, expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRandom } from '../random.ts'
import { draw } from './parts.ts'

const random = createRandom(223)
const password = ['Klee_', '1984x!'].join('')
const hexKey = `${draw(random, 'hex', 31)}7`
const walletKey = `${draw(random, 'hex', 63)}7`

/** The text with a value, which is gone, while what is before it stays. */
const isRedacted = (text: string, value: string): void => {
  const whole = text.replace('§', () => value)
  const redacted = redact(whole)
  expect(redacted, whole).not.toContain(value)
  expect(redacted.startsWith(text.split('§')[0]!), redacted).toBe(true)
  expect(redact(JSON.stringify({ text: whole })), whole).not.toContain(value)
}

const stays = (text: string): void => expect(redact(text)).toBe(text)

describe('a password of capitals and digits', () => {
  it.each(['Admin Password: §', 'PASSWORD=§', '{Name:bob Password:§ Age:3}', 'WPA Key: §', 'Password=§'])(
    'is told from the name of a constant: %s',
    (text) => {
      for (const value of ['KQ7M2XWD', 'QH7D33K81PX2', `${draw(random, 'HEX', 48)}7A`])
        isRedacted(text, value)
    },
  )

  it.each(['password: AUTH_MODE_2', 'password=HMACSHA256', 'password: SHA512', 'Password: DEFAULT_PW2'])(
    'and a constant stays: %s',
    stays,
  )

  it('may be a key, if its name is in capitals as well', () => {
    for (const text of ['FINNHUB_KEY=§', 'export RAWG_KEY="§"']) isRedacted(text, 'QX7RN2KD9WPT3HLM')
    isRedacted('CYPRESS_RECORD_KEY=§', '7c1e0a52-93bd-4f1e-8a60-5d2c7b9e4f13')
    stays('CACHE_KEY=QX7RN2KD9WPT3HLM')
    stays('RECORD_KEY=7c1e0a52-93bd-4f1e-8a60-5d2c7b9e4f13')
  })
})

describe('a password in a sentence', () => {
  it.each([
    ...['le mdp est §', 'he puesto § como contraseña', 'log in with the password §.', 'login bob password §'],
    ...['create user readonly identified by §', 'pre-shared key: §', 'login bob, passwd §'],
  ])('may end in a sign that emphasizes: %s', (text) => {
    for (const value of ['herbst1977_', 'winter#82*', 'Kiel1989!*', 'tulpe%4471_']) isRedacted(text, value)
  })

  it.each([
    ...['用户名 bob，密码 §', 'пароль от сервера: §', 'パスワード = "§"', '비밀번호: §', '密码是§'],
    ...['unlock the vault with §', 'hasło to §'],
  ])('may have letters of its language: %s', (text) => {
    for (const value of ['Größe!1984', 'Élan-2004', 'naïve#1974']) isRedacted(text, value)
  })

  it.each([
    ...[
      'Generated password: §',
      'Initial admin password: §',
      'Your temporary password: §',
      'shared secret: §',
    ],
  ])('may have brackets: %s', (text) => {
    for (const value of ['tqW{ab}YKr9,]K?51sdFu', 'zL[9x}QkT4{m']) isRedacted(text, value)
  })

  it.each([
    ...['the password was changed to §', 'pw for bob is §', 'pwd for bob: §', 'password – §', 'password — §'],
    ...[
      'Credentials\n  bob.k\n  Password §',
      'Enter your password › §',
      'PASS §\nNICK bob',
      'USER bob\nPASS §',
    ],
    ...['Clé WPA : §', 'Clave WiFi: §', 'Chiave WPA: §', 'Klucz WPA: §', 'Netzwerkschlüssel: §'],
    ...[
      '初始密码§',
      '账号bob密码§',
      '密码（§）',
      '$x = "§" | ConvertTo-SecureString -Force',
      'ftp> quote PASS §',
    ],
    ...['<Data Name="Password">§</Data>', '<Password> §</Password>', 'password := []byte("§")', 'Sifre: §'],
    ...['ssid,psk\nhome,§', 'DefaultPassword    REG_SZ    §', 'password_wo = "§"', 'secret_string = "§"'],
    ...['reg add X /v DefaultPassword /t REG_SZ /d §', '(setq erc-password "§")'],
  ])('may be announced like this: %s', (text) => isRedacted(text, password))

  it.each([
    'Password policy: at least 12characters!',
    'PASS src/login2.test.ts\nUSER story 4',
    'unlock the door with key 4',
    'the password was changed to a longer one',
    'Invalid password: too-short',
    '密码AES256加密后保存',
    '密码bcrypt加密',
    '--- PASS: TestLogin2 (0.01s)',
    'Settings › Password › Change2FA',
    '- a code review 185204',
  ])('is told from other sentences: %s', stays)
})

describe('a password on the last words of a line', () => {
  it('is told from words in a sentence', () => {
    isRedacted('Credentials\n  bob.k\n  Password §\n', 'birke1990#')
    stays('Credentials\n  bob.k\n  Password birke1990# is wrong')
  })
})

describe('a value with a dot, or with signs', () => {
  it.each(['password = "§"', "password: '§'", 'DB_PASSWORD=§', '{"password":"§"}'])(
    'may be a password: %s',
    (text) => {
      for (const value of ['rTBFXWm8YCKKkd.gVSq', 'Zk4.mQx8LwT2']) isRedacted(text, value)
    },
  )

  it.each(['secret = "§"', '"secret": "§"', 'shared_secret = "§"', 'secret=§ ; the proxy'])(
    'may be a secret: %s',
    (text) => {
      for (const value of ['Nebel#47', 'Birke-1988!']) isRedacted(text, value)
    },
  )

  it.each(['password: "errors.password2Short"', 'password = "auth.step2Title"'])('may be a name: %s', stays)
})

describe('a key by its name or its form', () => {
  it.each([
    ...[
      'SALT=§',
      'PASSWORD_SALT=§',
      'APP_API_HASH=§',
      'api_hash = "§"',
      'APP_PEPPER="§"',
      'decryptionKey="§"',
    ],
  ])('is redacted: %s', (text) => isRedacted(text, hexKey))

  it.each([
    ...['accounts: ["§"]', 'new ethers.Wallet("§")', 'privateKeyToAccount("§")', 'Private Keys\n====\n(0) §'],
  ])('of a wallet is redacted: %s', (text) => isRedacted(text, `0x${walletKey}`))

  it('of Nostr is redacted', () => {
    isRedacted('it is §', `ns${'ec1'}${draw(random, 'bech32', 58).toLowerCase()}`)
    stays(`salt: ${hexKey}`)
    stays(`(0) 0x${walletKey.slice(0, 40)}`)
  })
})

describe('a code', () => {
  it.each(['- code §', 'code from the sms: §'])('may be an item of a list: %s', (text) =>
    isRedacted(text, '185204'),
  )
})
