import { describe, expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { createRandom } from '../random.ts'
import { draw, invent } from './parts.ts'
import { secretSet } from './secret-set.ts'

const random = createRandom(41)
const some = (shape: string): string => invent(random, shape)
const key = draw(random, 'alnum', 32)
const hexKey = draw(random, 'hex', 32)
const password = ['Brezel', '1971!3w'].join('')
const weak = ['brezel', '745'].join('')
const code = draw(random, 'digit', 5)

/** The text with each value, which stands where the sign is. */
const isRedacted = (text: string, ...values: string[]): void => {
  let whole = text
  for (const value of values) whole = whole.replace('§', value)
  const redacted = redact(whole)
  for (const value of values) expect(redacted, whole).not.toContain(value.slice(-6))
  const [before] = text.split('§')
  expect(redacted.startsWith(before!), redacted).toBe(true)
}

const stays = (text: string): void => expect(redact(text)).toBe(text)

describe('a token of a vendor', () => {
  it.each([
    'st.<uuid>.<hex:32>.<hex:32>',
    'ATBB<alnum:30>7x',
    'packagist_ack_<hex:68>',
    'vercel_blob_rw_<alnum:16>_<alnum:30>4',
    '<hex:30>3b-<hex:8>-<hex:8>',
  ])('is redacted without a name: %s', (shape) => {
    for (const text of ['§', 'is it §?', '["a", "§"]', '<§>', '| prod | § |']) isRedacted(text, some(shape))
  })

  it.each(['https://chat.acme.test/hooks/§', "fetch('http://10.0.0.7:8065/hooks/§')"])(
    'is redacted in the address of a hook: %s',
    (text) => isRedacted(text, some('<low:20>7<low:5>')),
  )

  it('is told from similar identifiers', () => {
    stays(`etag ${hexKey}-${some('<hex:8>-<hex:4>')}`)
    stays('import { useState } from "https://esm.test/hooks/usestateofthewholeprogram"')
    stays(`idToken: '${some('<uuid>')}'`)
    stays('see /hooks/a1b2c3d4e5f6a7b8c9d0e1f2a3 in the tree')
  })

  it('is redacted under a name that ends with an environment', () => {
    for (const end of ['PRODUCTION', 'SANDBOX', 'DEVELOPMENT', 'TEST'])
      isRedacted(`PLAID_SECRET_${end}=§`, hexKey.slice(0, 30))
    stays(`SECRET_NAME=${['shop', 'db-4711-main'].join('-')}`)
  })
})

describe('secrets in headers, cookies and keys', () => {
  it.each(['Authorization: DPoP §', 'authorization: "Hawk §"', 'Ocp-Apim-Subscription-Key: §'])(
    '%s',
    (text) => isRedacted(text, key),
  )

  it('redacts cookies by names that nothing else has, and in lists over several lines', () => {
    isRedacted('_gitlab_session=§', hexKey)
    isRedacted('.AspNetCore.Cookies=§', key)
    const cookies = [
      { name: 'lang', value: 'en' },
      { name: 'connect.sid', value: key, domain: 'shop.test' },
    ]
    const list = JSON.stringify({ cookies }, null, 2)
    for (const text of [list, JSON.stringify({ list }), list.replaceAll('\n', '\nweb-1  | ')])
      expect(redact(text)).not.toContain(key)
  })

  it('redacts every private part of a key in JSON', () => {
    const parts = Object.fromEntries(
      ['d', 'p', 'q', 'dp', 'dq', 'qi'].map((name) => [name, draw(random, 'word', 342)]),
    )
    const n = draw(random, 'word', 683)
    for (const text of [
      JSON.stringify({ kty: 'RSA', n, e: 'AQAB', ...parts }),
      JSON.stringify({ kty: 'RSA', n, e: 'AQAB', ...parts }, null, 2),
      JSON.stringify({ text: JSON.stringify({ ...parts, kty: 'RSA' }) }),
    ]) {
      const redacted = redact(text)
      for (const part of Object.values(parts)) expect(redacted).not.toContain(part.slice(20, 60))
      if (text.includes(n)) expect(redacted).toContain(n)
    }
    stays(JSON.stringify({ p: draw(random, 'word', 60) }))
  })
})

describe('a sentence in any of the languages', () => {
  it.each([
    ...['utilise § comme token', 'utilise § comme jeton', 'nimm § als Token', 'verwende § als API-Schlüssel'],
    ...['użyj § jako tokena', 'usa § como token', 'usa § come token', 'use § como token', 'oto token §'],
    ...['Token to §', 'mój token to §', '这是令牌 §', '这是我的token §', '# 用 § 作为 API 密钥'],
  ])('hands over a key: %s', (text) => {
    for (const value of [key, hexKey]) isRedacted(text, value)
  })

  it.each([
    ...['zmień hasło na §', 'ustaw hasło na §', 'define a palavra-passe como §', 'minha palavra-passe é §'],
    ...['将密码设置为 §', '把密码重置为§', 'mets le mot de passe à §', 'pon la contraseña §'],
    ...['imposta la password su §', 'configura la contraseña como §', 'troque a senha para §'],
    ...['entra com bob / §', 'acesse com bob / §', '凭据：bob / §', '用 bob / § 登录', '+creds: bob / §'],
  ])('states a password: %s', (text) => {
    for (const value of [password, 'brezel-kasten-45']) isRedacted(text, value)
  })

  it('with its password first is redacted', () => isRedacted('§ 是密码', password))

  it.each(['map token to §', 'the sha of this commit is §', 'commit § is the key change'])(
    'about checksums stays: %s',
    (text) => stays(text.replace('§', hexKey)),
  )
})

describe('codes', () => {
  it.each([
    ...['§ es tu código de verificación', '§ es su código', '§ est ton code de connexion', '§ 是您的验证码'],
    ...[
      '§ is the login code',
      'Der Code lautet §',
      'use code § to log in',
      'utilise le code § pour te connecter',
    ],
  ])('are redacted in sentences: %s', (text) => {
    for (const length of [4, 6, 8]) {
      const value = draw(random, 'digit', length)
      expect(redact(text.replace('§', value)), text).toBe(text.replace('§', '[REDACTED:one-time-code]'))
    }
  })

  it.each([
    'your verification code expires; zip code §, area code §',
    'verification failed: exit code §, error code §',
    'Anmeldung: der Fehlercode lautet §',
    'login, promo code §',
  ])('of other things stay: %s', (text) => stays(text.replaceAll('§', code)))

  const codes = Array.from({ length: 4 }, () => `${draw(random, 'small', 4)}x-${draw(random, 'digit', 5)}`)
  it.each([
    'Recovery codes:\n§\n§\n§\n§',
    'Recovery codes:\n-§\n-§\n-§\n-§',
    'Backup codes:\n\n1. §\n2. §\n3. §\n4. §',
    'Your backup codes are:\n  §  §\n  §  §',
    'Wiederherstellungscodes: §, §, §, §',
    'Códigos de recuperación:\nweb-1 | §\nweb-1 | §\nweb-1 | §\nweb-1 | §',
    '"recovery_codes": ["§", "§", "§", "§"]',
    '恢复代码是§ § § §',
  ])('for recovery are redacted as a list: %s', (text) => {
    isRedacted(text, ...codes)
    const json = JSON.stringify({ text: codes.reduce((made, value) => made.replace('§', value), text) })
    for (const value of codes) expect(redact(json)).not.toContain(value)
  })
})

describe('files, names and commands', () => {
  it('redact a short word behind a name in capitals, unless it describes a value', () => {
    for (const word of ['pepper', 'tiger', 'lantern']) isRedacted('DB_PASSWORD=§', word)
    for (const word of ['string', 'required', 'hidden', 'true', 'prompt', 'optional', 'number', 'empty'])
      stays(`DB_PASSWORD=${word}`)
    stays('const password = pepper')
  })

  it.each([
    'Set-Item -Path Env:API_KEY -Value "§"',
    "New-Item -Path Env:API_KEY -Value '§'",
    "gh secret set X -b'§' -R a/b",
    'printf § | gcloud secrets create db --data-file=-',
    '- value: §\n  name: API_KEY',
    'web-1  | - value: "§"\nweb-1  |   name: API_KEY',
    'var SESSION_SECRET string = "§"',
  ])('redact a key: %s', (text) => isRedacted(text, key))

  it.each(['пароль=§', 'лозинка: §', '密码=§', 'パスワード: §', 'κωδικός πρόσβασης: §', 'wachtwoord: §'])(
    'redact a weak password behind a sign: %s',
    (text) => isRedacted(text, weak),
  )

  it.each([
    'jdbc:oracle:thin:ann/§@//db:1521/XE',
    'jdbc:oracle:oci:ann/§@db',
    'redis-cli AUTH §',
    'redis-cli -h cache AUTH ann §',
    '127.0.0.1:6379> AUTH §',
  ])('redact a password: %s', (text) => isRedacted(text, 'Brezel1971x3'))

  it('redact a password that contains a sign, next to its account', () => {
    isRedacted('ann4@shop.test:§', 'kasten#512')
    stays('ann4@shop.test:issue#512')
  })

  it.each(["curl -u 'ann:§'\\''§' https://x.test", "mysql -p'§'\\''§' app", `sshpass -p '§'"'"'§' ssh a@b`])(
    'redact a password with a quote as a whole: %s',
    (text) => isRedacted(text, 'brezel71', 'Fm4jMW'),
  )

  it.each(['3 | ', 'INFO:root:web-1  | '])('redact columns of equal width behind %s', (prefix) => {
    const rows = ['name   email            password', `Bob    bob@shop.test    ${password}`]
    expect(redact(rows.map((row) => prefix + row).join('\n'))).not.toContain(password)
  })

  it.each([
    ...['AUTH required billing:605', 'AUTH failed search:345', 'AUTH ok cart:812', 'AUTH LOGIN PLAIN x:12'],
    ...['artifact key order-98-linux-x64', 'saved with key build-22-linux-x64'],
  ])('leave words and small numbers: %s', stays)
})

describe('a text with JSON', () => {
  it('remains JSON beside any escape', () => {
    for (const sign of ['\n', '\t', '\r', '\b', '\f', '"', '\\', '\u0001'])
      for (const text of [
        `\`\`\`${sign}salmon#340 is the password`,
        `the password is salmon#340${sign}`,
        `the password is salmon#340${sign}"`,
        `${sign}npm_${some('<alnum:36>')}${sign}`,
        `x${sign}${password} ist das Passwort`,
      ])
        for (const line of [JSON.stringify({ text }), JSON.stringify(JSON.stringify({ text }))]) {
          const redacted = redact(line)
          expect(redacted).not.toBe(line)
          const inside: unknown = JSON.parse(redacted)
          if (typeof inside === 'string') JSON.parse(inside)
        }
  })

  it('remains JSON with every invented secret', () => {
    const { find } = createRedactor({ level: 'standard' })
    for (const { text } of secretSet(5))
      for (const line of [JSON.stringify({ text }), JSON.stringify({ text: `\n${text}\n"${text}"\\` })]) {
        expect(() => JSON.parse(redact(line)), line).not.toThrow()
        for (const { start, end } of find(line)) expect(end).toBeGreaterThan(start)
      }
  })
})

describe('a code that is said to a person', () => {
  it.each([
    'le code est §',
    'el código es §',
    'il codice è §',
    'o código é §',
    'kod to §',
    'Use § to log in. It expires soon.',
    'enter § to verify',
  ])('is redacted whatever its length: %s', (text) => {
    for (const digits of ['4218', '43421', '8810603', '12731615']) isRedacted(text, digits)
  })

  it('is redacted in a list of bare recovery codes', () => {
    isRedacted('Recovery codes:\n§\n', '3gdhg41h72')
    expect(redact('Backup codes:\n3gdhg41h72\na1b2c3d4\n9f8e7d6c5b\n')).not.toMatch(/3gdh|a1b2|9f8e/)
  })

  it('is not assumed in the name of a secret in AWS', () => {
    stays('arn:aws:secretsmanager:eu-west-1:595640764090:secret:store-Mkk1Xm')
  })
})

describe('a secret in a call, a map or a test', () => {
  it.each([
    'client.setApiKey("§")',
    'Client.builder().endpoint("https://10.0.4.17").apiKey("§").build()',
    'options.withToken("§")',
    "$auth->clientSecret('§')",
    'mapOf("user" to "moss", "token" to "§")',
    'expect(session.refreshToken).toBe("§")',
    'val apiKey by lazy { "§" }',
  ])('is redacted: %s', (text) => isRedacted(text, key))

  it.each([
    'Map.of("username", "moss", "password", "§")',
    'mapOf("user" to "moss", "password" to "§")',
    'expect(login.password).not.toBe("§")',
    '   11→  ["password"]=>\n   12→  string(14) "§"',
    '[12:00:47] [app] > USER moss\n[12:01:12] [app] > PASS §',
    '+USER moss\n+331 Please specify the password.\n+PASS §',
    'AUTH moss §',
    'set system root-authentication plain-text-password-value "§"',
    'password+="§"',
  ])('is redacted: %s', (text) => isRedacted(text, password))

  it.each([
    ['PASS = "§"', ['brezel/', 'k9x.B4']],
    ['PASS = §', ['brezel/', 'k9x.B4']],
    ['login --password § --user moss', ['!brezel-', 'am-see']],
    ['password: § # until May', ['!brezel-', 'am-see']],
  ])('is redacted where it only looks like a reference: %s', (text, parts) =>
    isRedacted(text, parts.join('')),
  )

  it.each([
    'password: !vault-ref db/main',
    ' PASS  src/cart2.test.ts',
    'lexer.token("IDENTIFIER")',
    'builder.secret("database-url")',
    'client.setApiKey(apiKey)',
    'expect(form.password).toBe("password")',
    'rename "token" to "access_token"',
    'Map.of("kind", "token", "token", "string")',
  ])('is not assumed in: %s', stays)
})
