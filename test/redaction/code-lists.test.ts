import { describe, expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRandom } from '../random.ts'
import { draw } from './parts.ts'

const random = createRandom(109)
const codes = [
  ...[
    `${draw(random, 'low', 4)}7-${draw(random, 'low', 5)}`,
    `${draw(random, 'low', 5)}-3${draw(random, 'low', 4)}`,
  ],
  ...['qzxwv-kjhgf', `${draw(random, 'hex', 7)}4-${draw(random, 'hex', 8)}`],
]
const digits = ['739', '164'].join('')

const prefixes: ((line: string, at: number) => string)[] = [
  (line) => line,
  (line, at) => `${String(at + 12).padStart(6)}\t${line}`,
  (line) => `> ${line}`,
  (line) => `web-1  | ${line}`,
  (line, at) => `[2026-11-03 09:12:0${at}] INFO  ${line}`,
]

/** The text with a code at each sign. */
const isRedacted = (text: string): void => {
  for (const prefix of prefixes) {
    let at = 0
    const whole = text
      .split('\n')
      .map(prefix)
      .join('\n')
      .replace(/§/g, () => codes[at++ % codes.length]!)
    for (const each of [whole, JSON.stringify({ whole })])
      for (const code of codes.slice(0, at)) expect(redact(each), each).not.toContain(code)
  }
}

const stays = (text: string): void => expect(redact(text)).toBe(text)

describe('a list of recovery codes', () => {
  it.each([
    ...['recovery codes:\n1) §\n2) §\n3) §', 'Your recovery codes:\n\n  1. §\n  2. §\n  3. §'],
    ...[
      '**Recovery codes:**\n* `§`\n* `§`',
      'Recovery codes\n§\n§\n§',
      '## Backup codes\n\n- §\n- §\n- [ ] §',
    ],
    ...['GitHub recovery codes\n=====================\n§\n§\n§', '备份代码:\n1. §\n2. §'],
    ...['Códigos de backup:\n- §\n- §', 'Recovery codes:\n§  §\n§  §', 'backup codes: §, §, §'],
    ...['the backup code for the shop is §', 'recovery codes:\n- §\n- §\n- §\n- §'],
    ...['"recoveryCodes": [\n    "§",\n    "§"\n  ]', '{"backupCodes": ["§", "§"]}', 'Notfallcodes:\n§\n§'],
    ...['                  Recovery codes:\n                    §\n                    §'],
    ...['**Recovery codes:**\n```\n§\n§\n```', 'my recovery codes are § and §', 'Ersatzcodes: §'],
  ])('is redacted as a whole: %j', isRedacted)

  it('may consist of digits', () => {
    for (const prefix of prefixes) {
      const whole = ['emergency scratch codes:', '  83920174', '  61029384'].map(prefix).join('\n')
      expect(redact(whole)).not.toMatch(/83920174|61029384/)
    }
  })

  it('leaves the names of programs before it', () => {
    const line = (text: string, at: number): string => `Nov  2 10:11:1${at} web1 shop[71${at}]: ${text}`
    const text = ['Recovery codes:', 'yt4k1-r3vgb', 'cs7r1-36pfv'].map(line).join('\n')
    expect(redact(text)).toBe(text.replace(/\S+-\S+/g, '[REDACTED:recovery-code]'))
  })

  it('may consist of sixteen letters and digits', () => {
    for (const text of ['Recovery codes:\n§\nqx7vtr2mzh9kfwpa', 'Recovery codes:\nQX7VTR2MZH9KFWPA\n§'])
      for (const code of ['zkwmtqrhxvbnpdfg', 'ZKWMTQRHXVBNPDFG', 'b4zkwmtqrhx7vbnp'])
        expect(redact(text.replace('§', code))).not.toMatch(/qx7v|zkwm/i)
    expect(redact('Recovery code: b4zkwmtqrhx7vbnp')).toBe('Recovery code: [REDACTED:recovery-code]')
  })

  it('is told from words', () => {
    for (const text of [
      'backup code paths: read-only, write-only',
      'Backup codes:\n- read-only\n- write-only',
      'The recovery codes are listed\nbelow: well-known',
      'Backup codes\n\nkeep them somewhere-safe please',
      'backup code at line 12345678',
      'Recovery codes:\n- internationalise\n- uncharacteristic',
    ])
      stays(text)
  })
})

describe('a one-time code', () => {
  it.each([
    ...[
      '验证码:§,5分钟内有效',
      '安全码:§',
      '验证码:§,请勿泄露',
      '【Acme】验证码§',
      'Your one-time password is §.',
    ],
    ...['Use § as your login code', 'Enter § as the one-time code', 'enter § when asked for the code'],
    ...['Code à usage unique : §', 'Anmeldecode: §', 'Ihr Anmeldecode lautet §', 'Gib den Code § ein'],
    ...['passcode: §', 'TOTP §', 'mTAN §', 'my authenticator shows § right now', 'Türcode: §'],
    ...['Gib § ein, um den Code zu bestätigen', 'the door code is §'],
  ])('is redacted: %s', (text) => {
    const [before, after] = text.split('§')
    const redacted = redact(text.replace('§', digits)).replace(':password]', ':one-time-code]')
    expect(redacted).toBe(`${before}[REDACTED:one-time-code]${after}`)
  })

  it.each([
    ...['Dein Code: §', 'Einmalpasswort: §', 'Tu código de un solo uso: §', 'Código de uso único: §'],
    ...['Codice monouso: §', 'Kod logowania: §', 'Kod autoryzacyjny: §', 'Your one-time password is §.'],
  ])('may have four digits: %s', (text) => {
    expect(redact(text.replace('§', '4829'))).toContain('[REDACTED:one-time-code]')
  })

  it.each([
    ...['my PIN: §', 'the PIN for the door is §', 'Die PIN ist §', 'le code PIN est §', 'mi PIN es §'],
    ...['o meu PIN é §', 'il mio PIN è §', 'mój PIN to §', '我的 PIN 是 §', 'PIN 码是 §', '{"pin": "§"}'],
    ...[
      'SIM PUK: 5§',
      'PIN 码:§',
      'PIN：§',
      'PIN-Code: §',
      'the PIN of the garage is §',
      'Code PIN de la carte : §',
    ],
    ...[
      'Die PIN für die Alarmanlage ist §',
      'El PIN de la tarjeta es §',
      'O PIN do cartão é §',
      'PIN karty to §',
    ],
    ...['codice PIN: §', 'il PIN della carta è §', 'código PIN: §', 'kod PIN: §', "pin: '§'", 'pin = "§"'],
  ])('may be the number of a card or a door: %s', (text) => {
    expect(redact(text.replace('§', '4829'))).toContain('[REDACTED:one-time-code]')
  })

  it.each([
    ...[
      'name,pin\nbob,§\nann,7391',
      'card,PIN,limit\n4111,§,500',
      '| User | Card PIN |\n|--|--|\n| bob | § |',
    ],
    ...['user | pin\n-----+-----\nbob  | §', 'Karte;PIN-Code\nSparkasse;§', 'employee\tPIN\nbob\t§'],
    ...['| Carta | PIN |\n|---|---|\n| Maestro | § |', 'Cartão;PIN\nMaestro;§', '银行卡,PIN\nMaestro,§'],
    ...['web-1  | Name;PIN\nweb-1  | Ana;§', 'db_1  |  name | PIN\ndb_1  | ------+-----\ndb_1  |  Ana  | §'],
    ...['nombre;PIN\nAna;§', 'nom,PIN\nAna,§', '用户,PIN\nana,§', 'użytkownik | PIN\n--|--\nana | §'],
  ])('may stand in a column: %j', (text) => {
    expect(redact(text.replace('§', '4829'))).not.toMatch(/4829|7391/)
  })

  it('is no number of a pin of something that has pins', () => {
    for (const text of [
      '| Pin | Function |\n|---|---|\n| 4021 | GND |',
      'pin,function\n1024,GND',
      'PIN  Signal\n1000  GND',
      'name,pin,direction\nreset,1024,in',
      'Name | Pin | Type\n--|--|--\nreset | 1024 | GPIO',
      'PIN | Name\n--|--\n1024 | MOSI',
    ])
      stays(text)
  })

  it.each([
    ...[
      'Il suo codice: §',
      'le code SMS est §',
      '§ è il codice di sicurezza',
      '§ to kod bezpieczeństwa',
      '§ 是您的验证码',
    ],
    ...['nimm den Code §, um dich anzumelden', 'usa el código § para iniciar sesión', 'pairing code: §'],
    ...[
      'użyj kodu §, aby się zalogować',
      'activation code: §',
      '§ is your Acme login code',
      "§ est le code d'accès",
    ],
    ...['Verification code:\n§', 'Your verification code is:\n\n    §\n\nIt expires.', '§ to twój kod'],
  ])('may be said in other words: %j', (text) => {
    for (const value of [digits, '50837164'])
      expect(redact(text.replace('§', value))).toBe(text.replace('§', '[REDACTED:one-time-code]'))
  })

  it.each([
    ...['§ is your product code', '§ è il codice prodotto', '§ ist der Bestellcode', '§ is the error code'],
    ...[
      '§ is the code freeze',
      '§ est le code postal',
      'Error code:\n§',
      'Verification code:\n§ of them',
      'le code produit est §',
    ],
  ])('is none if it is said of another: %j', (text) => stays(text.replace('§', digits)))

  it.each([
    ...['Setze die PIN auf §', 'set the PIN to §', 'imposta il PIN a §', 'imposta il PIN su §'],
    ...['defina o PIN para §', 'mude o PIN como §', 'ustaw PIN na §', '把PIN设为§', '将 PIN 改为 §'],
    ...['mets le code PIN à §', 'définis le PIN sur §', 'pon el PIN en §', 'cambia el PIN a §'],
    ...['§ ist die PIN für die Karte', '§ is the PIN', '§ è il PIN della carta', '§ es el PIN', '§ é o PIN'],
    ...[
      '§ est le PIN',
      '§ est le code PIN de la carte',
      '§ to PIN do karty',
      '§ 是 PIN 码',
      '§是银行卡的PIN码',
      'PIN_CODE=§',
      'card_pin=§',
    ],
    ...['{"pinCode": "§"}', 'unlock --pin §', 'unlock --pin=§', '<pin>§</pin>', 'PIN:\u00a0§'],
  ])('may be a PIN that is set or assigned: %s', (text) => {
    expect(redact(text.replace('§', '7306'))).toBe(text.replace('§', '[REDACTED:one-time-code]'))
  })

  it.each([
    ...['PIN na 7306 zł', 'the PIN wired to 7306', '"pincode": "730612"', 'pin_code: 730612', 'led_pin=7306'],
    ...['spin auf 7306', '7306 is the spinning rate'],
  ])('is no PIN of a card: %s', stays)

  it.each([
    ...['NAICS code §', 'HS code: §', 'the ticket code is §', 'your order code is §', 'Order code: §'],
    ...[
      "le code d'erreur est §",
      'le code de sortie est §',
      "code d'article : §",
      'der Artikelcode lautet §',
    ],
    ...['el código de producto es §', 'el código de salida es §', 'código de artículo: §', 'código HS: §'],
    ...['il codice prodotto è §', 'il codice di stato è §', 'codice articolo: §', 'codice a barre: §'],
    ...['o código do país é §', 'o código de status é §', 'kod produktu: §', 'kod wyjścia to §', 'kod HS: §'],
    ...[
      'login fails with code §',
      'Sign-in failed with code §',
      ' FAIL  password.test.ts > resets with code §',
    ],
  ])('is no code of anything else than a login: %s', (text) => {
    for (const value of ['5207', digits]) stays(text.replace('§', value))
  })

  it.each([
    ...[
      'the code is §',
      'your 6-digit code is §',
      'Sign in with code §',
      'Acme code §',
      'le code de connexion est §',
      'kod do drzwi to §',
    ],
    ...['código de verificación: §', 'el código de acceso es §', 'il codice di conferma è §', 'kod to §'],
  ])('may be one that is not qualified, or only by what it opens: %s', (text) => {
    expect(redact(text.replace('§', digits))).toBe(text.replace('§', '[REDACTED:one-time-code]'))
  })

  it('is told from other numbers', () => {
    for (const text of [
      'exit code: 4829',
      'pin: 4829',
      'your code: 1234 lines',
      'use 8080 as the port',
      'enter 8080 when asked for the port',
      'a PIN of 4 digits',
      '#define LED_PIN 2516',
      'J1.PIN 7282',
      'Postal PIN code: 560001',
      'código postal: 550775',
      'the PIN of the ATmega 2560',
      'PIN der Karte ist 4-stellig',
      'PIN na 1234 zł',
      'PIN to ground 12 of the 1234 chip',
      'the spin is 2000',
      'status code 482913,5 of them',
    ])
      stays(text)
  })
})
