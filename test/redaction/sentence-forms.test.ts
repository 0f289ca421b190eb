import { describe, expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRandom } from '../random.ts'
import { draw } from './parts.ts'

const random = createRandom(113)
const passwords = [['Nuss#', 'Kipferl88'].join(''), `${draw(random, 'alnum', 9)}4zQ`, 'zvzh-QZf46-fyzlo2']
const key = `${draw(random, 'alnum', 30)}4f`
const hexKey = `${draw(random, 'hex', 39)}7`

/** The text with each value, which stands where the sign is. Of it, all other words remain. */
const isRedacted = (text: string, ...values: string[]): void => {
  let whole = text
  for (const value of values) whole = whole.replace('§', () => value)
  const redacted = redact(whole)
  for (const value of values) expect(redacted, whole).not.toContain(value)
  const words = text.split(/§|\s+/).filter((word) => /^\p{L}+$/u.test(word))
  for (const word of words) expect(redacted, whole).toContain(word)
}

const stays = (text: string): void => expect(redact(text)).toBe(text)

describe('a sentence about a password', () => {
  it.each([
    ...[
      'setz das Passwort bitte auf §',
      "j'ai changé le mot de passe root en §",
      'puse la contraseña en "§"',
    ],
    ...['mude a senha para §', 'zmieniłem hasło roota na §', 'użyj § jako hasła', 'użyj hasła §'],
    ...['z hasłem § nie działa', '§ 是 bob 的密码', '这是账号密码:bob / §', 'le mdp est §'],
    ...['§ est le mot de passe du serveur', 'login failed for bob with password §'],
    ...['Lösenordet är §', 'Пароль от сервера §', 'gebruiker bob, wachtwoord §'],
  ])('is read in its language: %s', (text) => {
    for (const password of passwords) isRedacted(text, password)
  })

  it.each([
    ...['if it asks for a password just type §', "the password hasn't changed, still §"],
    ...['I always use § as my password there', 'when prompted, enter §', 'the vault unlocks with §'],
    ...['Our shop password used to be §; rotate it', "it's §, that's the password for the box"],
    ...['and the password is… §', "here's the login for mail.shop.test: bob / §", 'Creds for shop: bob / §'],
    ...['the old password (§) still works', 'password "§" does not work', 'tried password "§"'],
  ])('is read however it is worded: %s', (text) => {
    for (const password of passwords.slice(0, 2)) isRedacted(text, password)
  })

  it.each([
    'the password of the shop user got changed from § to §',
    'the passwords are § for staging and § for production',
    'Password was §, now it is §',
    'change the password from § to §',
    'the new password is §, the old one was §',
  ])('may name two: %s', (text) => isRedacted(text, passwords[0]!, passwords[1]!))

  it('is told from other sentences', () => {
    for (const text of [
      'the password is base64-encoded',
      'change the password from the old form to the new one',
      'we moved every password from LastPass to Bitwarden',
      'the new password is required, the old one was removed',
      'the password is AES-256-GCM encrypted',
      'the password is sha256-hashed',
      'Passwort: erforderlich',
      'always pass `UInt128`, never less',
      'the branch changed from v1.2.3 to v1.2.4',
      'changed from 10.0.0.1:8080 to 10.0.0.2:8080',
      'when prompted, enter your password',
      'when asked, use port 8080',
      'the passwords are hashed for staging and salted for production',
      'the password field was renamed, now it is called secret_2',
      'use bcrypt as my password hash there',
      'set the password length to 12',
      'hasło jest wymagane',
      'das Passwort ist SHA-512-gehasht',
      `the password hash is $2b$12$${draw(random, 'alnum', 50)}`,
      `the password hash is ${hexKey}`,
    ])
      stays(text)
  })
})

describe('a sentence about a key', () => {
  it.each([
    ...['Setze das Token auf §', '§ to token', 'użyj tokena §', '§ to klucz API', 'set the API key to §'],
    ...['The signing secret for the shop is §', 'the client secret is §'],
  ])('is read: %s', (text) => {
    isRedacted(text, key)
    if (/secret/.test(text)) isRedacted(text, hexKey)
  })

  it('is told from the key of a cache', () => {
    stays(`Cache restored from key: Linux-node-${hexKey}${hexKey.slice(0, 24)}`)
    stays(`Cache saved with the key: Linux-node-${hexKey}`)
    stays(`key: macOS-x64-pip-${hexKey}`)
    stays(`key: v12-modules-${hexKey.slice(0, 7)}`)
    isRedacted('key: §', `sk-shop-${hexKey}`)
  })
})
