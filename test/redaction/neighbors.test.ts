import { expect, it } from 'vitest'
import { rules } from '../../src/redact/all-rules.ts'
import { redact } from '../../src/redact/redact.ts'
import { createRedactor } from '../../src/redact/redactor.ts'

const { redactJsonLine } = createRedactor({ level: 'standard' })
const kinds = [...new Set(rules.map(({ kind }) => kind))]

it.each(kinds)('the label of a redacted %s announces no secret in what follows it', (kind) => {
  for (const follows of [
    '\n\nrelease-2024 branch next\n',
    '\nThe release-2024 branch is next, at 3f9c1d2.\n',
    ' then run pnpm-lock2 again',
    '\n\nbuild-4711\n',
  ]) {
    const text = `[REDACTED:${kind}]${follows}`
    expect(redact(text)).toBe(text)
  }
})

it('a line below a list of codes that has another form stays', () => {
  const text = 'Recovery codes:\nk3f9c-2d8hw\nq7m2x-9t4bz\n\nrelease-2024 branch next\n'
  expect(redact(text)).toBe(
    'Recovery codes:\n[REDACTED:recovery-code]\n[REDACTED:recovery-code]\n\nrelease-2024 branch next\n',
  )
})

it('the value below a flag in a numbered list is the last one of it', () => {
  const rest = '\n\nYou  10:59\n  and here:\n  ```\n  ls -la\n  ```\nbob,release-2024,next\n'
  const value = ['LzG1KeW9', 'mJtDfo', '7pQx2'].join('')
  expect(redact(`1\targs:\n2\t- --api-token\n3\t- ${value}${rest}`)).toBe(
    `1\targs:\n2\t- --api-token\n3\t- [REDACTED:table-value]${rest}`,
  )
})

it.each(['version code 482913 was uploaded', 'build code 482913', 'exit code 4829'])(
  'a code of things is no one-time code: %s',
  (text) => expect(redact(text)).toBe(text),
)

/** Sentences that announce a secret behind them, which is not there. */
const ANNOUNCING = [
  'set the password to something longer',
  'the password for production is',
  'please change the password to',
  '-p, --password string   Password for the registry',
  'the recovery code is',
  'Recovery codes:',
  'my API key is',
  'use this token:',
]

it.each(ANNOUNCING)('the ids beside a text stay, however the record is spaced: %s', (text) => {
  const record = {
    message: { content: [{ type: 'text', text }], id: 'msg_01B2s2jQ0kU9EKcswA29kjys', type: 'message' },
    uuid: '2ece4fc5-ef7a-4ea7-bbef-454e9f0f7bb5',
    timestamp: '2025-11-29T11:12:32.000Z',
  }
  const compact = JSON.stringify(record)
  const spaced = compact.replace(/(?<=")([:,])(?=["[{])/g, '$1 ').replaceAll('}],"', '}], "')
  for (const line of [compact, spaced, spaced.replaceAll(': ', ' :\t')])
    expect(redactJsonLine(line).text).toBe(line)
})
