import { describe, expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRandom } from '../random.ts'
import { draw } from './parts.ts'

const random = createRandom(103)
const password = ['Nuss', 'Kipferl88zW'].join('')
const key = `${draw(random, 'alnum', 30)}4f`

const prefixes: ((line: string, at: number) => string)[] = [
  (line) => line,
  (line, at) => `${String(at + 12).padStart(6)}→${line}`,
  (line, at) => `src/a.json:${at + 7}:${line}`,
  (line) => `+${line}`,
  (line) => `web-1  | ${line}`,
  (line) => `│ ${line}`,
  (line, at) => `2026-11-03T09:12:0${at}.123Z ${line}`,
  (line, at) => `173054107${at}.123 ${line}`,
  (line, at) => `I1103 09:12:0${at}.123456       1 main.go:7] ${line}`,
]

const isRedacted = (text: string, value: string, used = prefixes): void => {
  for (const prefix of used) {
    const whole = text.split('\n').map(prefix).join('\n').replace('§', value)
    expect(redact(whole), whole).not.toContain(value)
  }
}

describe('a row of a table', () => {
  it.each([
    'name,user,password\n"Bob Miller",bob,§',
    'note,user,password\n"a note","bob","§"',
    'meta,user,password\n"{""a"":1,""b"":2}",bob,§',
    'name,user,api_key\n"Bob Miller",bob,§',
    'id,login,haslo\n1,bob,§',
  ])('may begin with a cell in quotes: %s', (text) => isRedacted(text, text.includes('key') ? key : password))

  it('may have a long cell before the secret', () => {
    for (const length of [400, 900, 20_000, 60_000]) {
      isRedacted(`note,user,password\n${'x'.repeat(length)},bob,§`, password, prefixes.slice(0, 1))
      isRedacted(`note\tuser\tpassword\n${'x'.repeat(length)}\tbob\t§`, password, prefixes.slice(0, 1))
    }
  })

  it.each([
    '====== Data ======\nKey         Value\n---         -----\napi_key     §',
    'Key         Value\n---         -----\npassword    §\nusername    bob',
    'login      bob\npassword   §',
  ])('may be a name and its value, with spaces between: %s', (text) =>
    isRedacted(text, text.includes('key') ? key : password),
  )

  it('is told from the text below a word', () => {
    const text = `the rules of the password:\n"one", of ${'x'.repeat(500)}, and two\n`
    expect(redact(text)).toBe(text)
  })
})

describe('a pair of name and value', () => {
  it.each([
    '{\n  "value": "§",\n  "name": "API_KEY"\n}',
    '{\n  "value": "§",\n  "type": "plain_text",\n  "name": "API_KEY"\n}',
    '{\n  "name": "API_KEY",\n  "type": "plain_text",\n  "value": "§"\n}',
    '{\n  "keyName": "key1",\n  "permissions": "FULL",\n  "value": "§"\n}',
  ])('may be on several lines, whatever is before each: %s', (text) =>
    isRedacted(text, text.includes('keyName') ? `${draw(random, 'base64', 86)}==` : key),
  )

  it('has the secret behind the id and the time', () =>
    isRedacted(
      `ACCESSKEY\t${['AKIA', draw(random, 'digit', 16)].join('')}\t2026-11-03T09:12:00+00:00\t§\tActive\tbob`,
      draw(random, 'base64', 40),
    ))
})

describe('a value on the line after its name', () => {
  it.each([
    'smtp:\n  password: >-\n    §\n  port: 1',
    'db:\n  password: |\n    §\n',
    '<a>\n<password>\n  §\n</password>',
    `${' '.repeat(18)}password: |\n${' '.repeat(20)}§`,
    `db:\n${' '.repeat(14)}password: >-\n${' '.repeat(14)}§`,
    `x:\n${' '.repeat(14)}<password>\n${' '.repeat(16)}§\n${' '.repeat(14)}</password>`,
    'token: >-\n  §',
    'api_key: |\n  §\n',
    '<setting name="SmtpPassword" serializeAs="String">\n  <value>§</value>\n</setting>',
  ])('is redacted where the form says so: %s', (text) =>
    isRedacted(text, /token|key/.test(text) ? key : password),
  )

  it('is redacted in a record of MySQL, though it has no digit', () => {
    const frame = '*'.repeat(27)
    isRedacted(
      `${frame} 1. row ${frame}\n   user: bob\n  token: §`,
      ['qTzVbnKwRxMp', 'LdHsGfJcYtWa'].join(''),
    )
  })

  it('is told from what is meant to be public', () => {
    const text = `public_key: |\n  ${key}`
    expect(redact(text)).toBe(text)
  })
})
