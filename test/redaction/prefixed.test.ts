import { describe, expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { createRandom } from '../random.ts'
import { draw } from './parts.ts'

const random = createRandom(17)
const { redactJsonLine } = createRedactor({ level: 'standard' })

/** What tools write before the lines of a file. `№` is the number of the line. */
const prefixes = [
  '-',
  '--',
  '+',
  '- ',
  '< ',
  '> ',
  '| ',
  '│ ',
  '┃ ',
  '     №\t',
  '№→',
  '№: ',
  '  № │ ',
  '№-',
  'deploy/server.key:№:',
  'web-1  | ',
  '[api] ',
  '#12 0.345 ',
  'remote: ',
  '2026-10-01T08:00:00Z INFO ',
  '[08:00:00] ',
  'Oct  1 08:00:00 web cron[812]: ',
  '2026-10-01T08:00:00.123456Z stdout F ',
]
const behind = (prefix: string, text: string): string =>
  text
    .split('\n')
    .map((line, at) => prefix.replace('№', String(at + 1)) + line)
    .join('\n')

const edge = (word: string): string => `${'-'.repeat(5)}${word} RSA PRIVATE KEY${'-'.repeat(5)}`
const lines = Array.from({ length: 8 }, () => draw(random, 'base64', 64))
const block = [edge('BEGIN'), ...lines, `${draw(random, 'base64', 22)}==`, edge('END')].join('\n')

/** A text, and as a line of JSON in which it is once and twice. */
const spellings = (text: string): string[] => [
  redact(text),
  JSON.parse(redactJsonLine(JSON.stringify({ text })).text).text,
  JSON.parse(JSON.parse(redactJsonLine(JSON.stringify({ text: JSON.stringify({ text }) })).text).text).text,
]

describe('a secret directly behind what a tool writes before each line', () => {
  it.each(prefixes)('is redacted if it is a private key, whole or cut off: %j', (prefix) => {
    const whole = behind(prefix, block)
    const cutOff = whole.split('\n').slice(0, 6).join('\n')
    for (const text of [whole, cutOff])
      for (const redacted of spellings(text)) {
        expect(redacted).toContain('[REDACTED:private-key]')
        for (const line of lines) expect(redacted).not.toContain(line.slice(0, 20))
      }
  })

  it('is redacted in a removed file between other lines of the diff, which stay', () => {
    const diff = `diff --git a/x.pem b/x.pem\n--- a/x.pem\n+++ /dev/null\n@@ -1,10 +0,0 @@\n${behind('-', block)}\ndiff --git a/y b/y\n`
    expect(redact(diff)).toBe(
      'diff --git a/x.pem b/x.pem\n--- a/x.pem\n+++ /dev/null\n@@ -1,10 +0,0 @@\n-[REDACTED:private-key]\ndiff --git a/y b/y\n',
    )
  })

  const jwt = [
    'ey',
    'JhbGciOiJIUzI1NiJ9.ey',
    'J',
    draw(random, 'word', 40),
    '.',
    draw(random, 'word', 43),
  ].join('')
  const vault = ['s', '.', 'a1B2c3D4e5F6g7H8i9J0k1L2'].join('')
  const password = `Tr4wl${draw(random, 'alnum', 6)}9`
  it.each([
    ['a signed token', jwt, 'jwt'],
    ['a token whose prefix is short', vault, 'vault-token'],
  ])('is redacted behind the sign of a diff: %s', (_, secret, kind) => {
    for (const sign of ['-', '--', '+', '+-'])
      for (const redacted of spellings(`@@ -1 +1 @@\n${sign}${secret}\n ok`))
        expect(redacted).toContain(`\n${sign}[REDACTED:${kind}]\n`)
  })

  it('is redacted if it is an option of a command on a removed line', () => {
    for (const command of ['mysql -u root -p', 'sshpass -p ', 'redis-cli -a ', 'sqlcmd -U sa -P '])
      for (const redacted of spellings(`@@ -1 +1 @@\n-${command}${password}\n ok`))
        expect(redacted).toBe(redacted.replace(password, ''))
  })

  it('is not assumed inside words that contain such a sign', () => {
    for (const text of ['a-eyJ', 'x--mysql -p', 'task-s.abc', '- list\n- of\n- words'])
      expect(redact(text)).toBe(text)
  })
})

/** A log writes another time before each line. */
const logs = [
  '[2026-10-01 08:00:0№,412] INFO  billing - ',
  '2026-10-01 08:00:0№,412 - billing.store - INFO - ',
  '2026-10-01T08:00:0№.412Z INFO billing::store: ',
  '[08:00:0№.412] INFO (4121): ',
  'billing-db-1 | 2026-10-01 08:00:0№.412 UTC [7] LOG:  ',
  '2026-10-01T08:00:0№+0000 web7 billing[812]: ',
  '2026-10-01T08:00:0№.123456789Z stdout F ',
  '+',
]

describe('a secret on a line of a log that is not the line of its name', () => {
  const password = `Tr4wl${draw(random, 'alnum', 6)}#9`
  const key = `${draw(random, 'alnum', 38)}x7`
  it.each(logs)('is redacted behind the time of its line: %j', (prefix) => {
    for (const text of [
      `password: |\n  ${password}`,
      `- name: DB_PASSWORD\n  value: ${password}`,
      `<password>\n  ${password}\n</password>`,
      `{\n  "name": "API_KEY",\n  "value": "${key}"\n}`,
      `NAME    USER   PASSWORD\nprod    ann    ${password}\nstage   bob    ${password}`,
    ])
      for (const redacted of spellings(behind(prefix, text))) {
        expect(redacted).not.toContain(password)
        expect(redacted).not.toContain(key)
        expect(redacted.replace(/\[REDACTED:[\w-]+\]/g, '')).toBe(
          behind(prefix, text).replaceAll(password, '').replace(key, ''),
        )
      }
  })

  it.each([...logs, '[pod/api-7d9f-x2x1/api] '])(
    'is redacted in a list of codes, and the times stay: %j',
    (prefix) => {
      for (const codes of [
        'k4m9x-w2p7q\nb8n3t-z6r5v\nc2h7d-q9s4f',
        'abcd-1234-efgh-5678\nijkl-9012-mnop-3456',
      ])
        for (const redacted of spellings(behind(prefix, `Recovery codes:\n${codes}`)))
          expect(redacted).toBe(
            behind(prefix, `Recovery codes:\n${codes.replace(/.+/g, '[REDACTED:recovery-code]')}`),
          )
    },
  )

  it('is not assumed in other lines of a log', () => {
    for (const prefix of logs)
      for (const text of [
        'password: |\n  see the vault',
        'NAME    USER   PASSWORD\nprod    ann    (unchanged)',
        'Recovery codes:\nnone are left\nbilling-7 restarted',
        'start - 4121 tokens\nstop - 12 keys',
      ])
        expect(redact(behind(prefix, text))).toBe(behind(prefix, text))
  })
})

describe('a secret behind the sign of a diff, or the number of a line', () => {
  const password = `Mohn${draw(random, 'digit', 4)}!ah`
  const SIGNS = ['-', '+', '3-', '12:', 'config/app.env-3-', 'config/app.env:3:']
  const TEXTS = [
    'sshpass -p§ ssh bob@h',
    'redis-cli -h cache -a §',
    'zip -r -P § a.zip b',
    'az login -u bob -p §',
    'bw login bob@h.test §',
    'entra con bob / §',
    'root:§@10.0.0.7',
  ]

  it.each(SIGNS)('is redacted behind %j', (sign) => {
    for (const text of TEXTS)
      for (const redacted of spellings(`first line\n${sign}${text.replace('§', password)}\nlast line`))
        expect(redacted, text).not.toContain(password)
    for (const text of ['981878 is your verification code', '594906 is the PIN'])
      for (const redacted of spellings(`first line\n${sign}${text}\nlast line`))
        expect(redacted, text).not.toContain(text.slice(0, 6))
  })

  it.each(['', '     1\t', '1→', '3-', 'config/app.env-3-'])(
    'is redacted on the line after its account: %j',
    (sign) => {
      for (const redacted of spellings(`${sign}USER bob\n${sign.replace(/[13]/, '4')}PASS ${password}\n`))
        expect(redacted).not.toContain(password)
    },
  )

  it('is not assumed where the number is one of another kind', () => {
    for (const text of [
      'a 12:bw login bob',
      '10-20 is the range',
      'task-594906 is the PIN of nothing',
      'v3-root:latest@10',
    ])
      expect(redact(text)).toBe(text)
  })
})
