import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { cleanItem } from '../../src/model/fold/items.ts'
import { toolTarget } from '../../src/model/fold/tool-arguments.ts'
import { mayHoldSecret } from '../../src/redact/byte-filter.ts'
import { areClean, findSecrets, redact } from '../../src/redact/redact.ts'
import { createRedactor, secretsInLine } from '../../src/redact/redactor.ts'
import { withoutSecrets } from '../../src/sync/read/seal.ts'
import { json, run } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'
import { freshSet } from './fresh/set.ts'
import { innocentSet } from './innocent-set.ts'
import { secretSet } from './secret-set.ts'

const { redactJsonLine } = createRedactor({ level: 'standard' })
/** Digits and letters that look chosen, so that the repository contains nothing shaped like a secret. */
const invented = ['LzG1KeW9', 'mJtDfo'].join('')

/** Texts in which the word that announces a secret is first on its line or behind a tab. */
const atLineBegins = [
  `Run this for me:\nmysql -h db -uroot -p${invented} shop`,
  `the login:\nsshpass -p ${invented} ssh bob@h`,
  'code:\nOTP: 207750',
  `rclone:\npass = ${invented}`,
  `x\nredis-cli -h x -a ${invented} ping`,
  `y\nmongosh -u app -p '${invented}'`,
  `z\ndocker login -u bob -p ${invented} ghcr.io`,
  `q\ndefine('DB_PASSWORD', '${invented}');`,
  `mdp\nmdp: ${invented}`,
  'tab\tpw: hunter2!xY9',
]

const everyText = [
  ...atLineBegins,
  ...secretSet(1).map(({ text }) => text),
  ...freshSet('known', 1).map(({ text }) => text),
]
const befores = ['', 'first\n', 'first\t', 'first\r\n\t', 'first "']

/** The only string of the record that a redactor changes. */
const inRecord = (content: string): string => {
  const line = JSON.stringify({ type: 'user', message: { role: 'user', content }, version: '2.1.0' })
  return (JSON.parse(redactJsonLine(line).text) as { message: { content: string } }).message.content
}

const AT = { line: 1, offset: 0, length: 1, order: 0 }

describe('a text and the record that holds it', () => {
  it('lose the same secrets, whatever is before them', () => {
    for (const [at, text] of everyText.entries()) {
      const whole = `${befores[at % befores.length]}${text}`
      expect(inRecord(whole), whole).toBe(redact(whole))
    }
  })

  it('loses them as the target of a tool call, which is shown on one line', () => {
    for (const text of everyText) {
      const command = `cat <<E\n${text}\nE`
      const target = toolTarget('Bash', { command })?.text
      const item = { who: 'tool', tool: { name: 'Bash', target }, ...AT } as const
      expect(cleanItem(item, redact).tool?.target, command).toBe(redact(command).replace(/\s+/g, ' ').trim())
    }
  })

  it('are both left as they are if there is none', () => {
    for (const { text } of innocentSet(3000)) {
      expect(inRecord(`first\n${text}`)).toBe(`first\n${text}`)
      expect(redact(JSON.stringify({ text: `first\n${text}` }))).toBe(
        JSON.stringify({ text: `first\n${text}` }),
      )
    }
  })

  it('have secrets that every other search finds too: the filter, the listing, names and other strings', () => {
    for (const [at, text] of everyText.entries()) {
      const whole = `${befores[at % befores.length]}${text}`
      const line = JSON.stringify({ type: 'user', message: { content: whole } })
      const redacted = redact(whole)
      const bytes = Buffer.from(line)
      expect(withoutSecrets({ whole }).whole, whole).toBe(redacted.toWellFormed())
      expect(secretsInLine(line).length > 0, whole).toBe(redacted !== whole)
      if (redacted !== whole) expect(mayHoldSecret(bytes, 0, bytes.length), whole).toBe(true)
    }
  })

  it('lose them in a text that is itself JSON, as the input of a tool', () => {
    for (const text of atLineBegins) {
      const input = JSON.stringify({ command: text })
      expect(JSON.parse(redact(input))).toEqual({ command: redact(text) })
      expect(JSON.parse(inRecord(input))).toEqual({ command: redact(text) })
      const nested = JSON.stringify({ arguments: input })
      expect(JSON.parse((JSON.parse(inRecord(nested)) as { arguments: string }).arguments)).toEqual({
        command: redact(text),
      })
    }
  })

  it.each([
    { command: `PGPASSWORD='ab'"'"'${invented}' psql` },
    { command: `mysql -u root -p'ab"${invented}' db` },
    { content: `{"password":"ab\\u0022${invented}"}` },
    { command: `wpa_passphrase "My Home" "${invented}"` },
    { fields: [{ name: 'Password', type: 'textbox', value: invented }] },
    { element: 'Password field', ref: 'e5', text: invented },
    { args: ['--password', invented] },
  ])('lose them in the input of a tool, however it is written: %j', (input) => {
    const record = JSON.stringify({ type: 'assistant', message: { content: [{ type: 'tool_use', input }] } })
    expect(redactJsonLine(record).text).not.toContain(invented.slice(4))
    for (const indent of [0, 2, 4]) {
      const text = JSON.stringify(input, null, indent)
      expect(redact(text)).not.toContain(invented.slice(4))
      expect(Object.keys(JSON.parse(redact(text)) as object)).toEqual(Object.keys(input))
      expect(inRecord(text)).toBe(redact(text))
      expect(inRecord(JSON.stringify({ text }))).not.toContain(invented.slice(4))
    }
    expect(toolTarget('mcp__browser__type', input)?.text ?? '').not.toBe(invented)
  })

  it('lose them at their places: what is around them stays as it is written', () => {
    const text = `{"a":"\\u00e9\\n","command":"x \\"y\\"; mysql -p'ab\\"${invented}' db"}`
    expect(redact(text)).toBe(`{"a":"\\u00e9\\n","command":"x \\"y\\"; mysql -p'[REDACTED:password]' db"}`)
  })
})

describe('a member of a record', () => {
  const value = ['aB3$', 'xY9kLm2Q'].join('')
  it.each([
    ['by its name', { password: value }],
    ['with signs that JSON escapes', { password: `${value}"\\/` }],
    ['by the name beside it', { name: 'DB_PASSWORD', value }],
    ['inside the object with the name', { db_password: { value, sensitive: true } }],
    ['in JSON within JSON', { body: JSON.stringify({ password: value }) }],
  ])('identifies its value: %s', (_, record) => {
    const { text, count } = redactJsonLine(JSON.stringify(record))
    expect(count).toBe(1)
    expect(text).not.toContain(value.slice(0, 8))
    expect(Object.keys(JSON.parse(text) as object)).toEqual(Object.keys(record))
  })

  it('keeps the bytes of the other strings', () => {
    const line = `{"a":"\\u00e9\\/\\n","token":"${invented}${invented}","b":"\\/"}`
    expect(redactJsonLine(line).text).toBe('{"a":"\\u00e9\\/\\n","token":"[REDACTED:token]","b":"\\/"}')
  })
})

describe('what leaves a transcript', () => {
  it('is without the secrets at the beginning of a line, and they are listed', () => {
    const home = temporaryHome()
    putClaude(
      home,
      uuid(7),
      atLineBegins.map((text, at) => claude.user(at + 1, text)),
    )
    const secrets = /LzG1KeW9mJtDfo|207750|hunter2!xY9/
    expect(run(['read', uuid(7), '--full'], home).stdout).not.toMatch(secrets)
    expect(run(['export', uuid(7), '--format', 'native', '--out', '-'], home).stdout).not.toMatch(secrets)
    expect(run(['collect', 'stdout:', '--history', 'all'], home).stdout).not.toMatch(secrets)
    expect(json(home, 'secrets', '--all', '--places').secrets.length).toBe(3)
    const pack = join(home, 'it.pack')
    run(['pack', uuid(7), '--out', pack], home)
    expect(zstdDecompressSync(readFileSync(pack)).toString('latin1')).not.toMatch(secrets)
    run(['collect', `file:${join(home, 'archive')}`, '--history', 'all'], home)
    for (const entry of readdirSync(join(home, 'archive'), { recursive: true, withFileTypes: true }))
      if (entry.isFile() && entry.name.endsWith('.zst'))
        expect(
          zstdDecompressSync(readFileSync(join(entry.parentPath, entry.name))).toString('latin1'),
        ).not.toMatch(secrets)
  })
})

it('several texts are clean together exactly if each of them is alone', () => {
  const texts = [...secretSet(3), ...innocentSet(500, 4)].map(({ text }) => text)
  const differing = texts.filter(
    (text) => areClean(['moss', text, 'fern.ts']) !== (findSecrets(text).length === 0),
  )
  expect(differing).toEqual([])
})
