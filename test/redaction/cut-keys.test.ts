import { describe, expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRandom } from '../random.ts'
import { draw } from './parts.ts'

const random = createRandom(97)
const kinds = ['RSA PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'PRIVATE KEY', 'PGP PRIVATE KEY BLOCK']
const edge = (word: string): string => `${'-'.repeat(5)}${word}${'-'.repeat(5)}`
const lines = Array.from({ length: 9 }, () => draw(random, 'base64', 64))
const last = `${draw(random, 'base64', 22)}==`

const prefixes: ((line: string, at: number) => string)[] = [
  (line) => line,
  (line, at) => `${String(at + 12).padStart(6)}\t${line}`,
  (line) => `+${line}`,
  (line) => `web-1  | ${line}`,
  (line, at) => `2026-11-03T09:12:0${at % 10}.123Z ${line}`,
  (line, at) => `keys/id:${at}:${line}`,
  (line) => `> ${line}`,
]

/** The text as tools print it, and as it is in JSON. */
const isRedacted = (text: string, parts: readonly string[]): void => {
  for (const prefix of prefixes) {
    const printed = text.split('\n').map(prefix).join('\n')
    for (const whole of [printed, JSON.stringify({ a: printed }), JSON.stringify({ printed }).slice(1)])
      for (const part of parts) expect(redact(whole), whole).not.toContain(part)
  }
}

describe.each(kinds)('a private key (%s)', (kind) => {
  it('is redacted without its beginning', () =>
    isRedacted(['$ tail id', ...lines, last, edge(`END ${kind}`), 'ok'].join('\n'), [...lines, last]))

  it('is redacted behind a part of its first line, also without its end', () => {
    isRedacted([`${kind}-----`, ...lines, last, edge(`END ${kind}`)].join('\n'), [...lines, last])
    isRedacted([`${kind}-----`, ...lines].join('\n'), lines)
  })

  it('is redacted as base64 in lines', () => {
    const whole = [edge(`BEGIN ${kind}`), ...lines, last, edge(`END ${kind}`), ''].join('\n')
    for (const width of [64, 76]) {
      const wrapped = Buffer.from(whole)
        .toString('base64')
        .match(new RegExp(`.{1,${width}}`, 'g'))!
      isRedacted(['$ base64 id', ...wrapped, 'ok'].join('\n'), wrapped)
    }
  })
})

describe('what is no private key', () => {
  it('stays: certificates, public keys, and the text before a line that names a key', () => {
    for (const text of [
      [...lines, edge('END CERTIFICATE')].join('\n'),
      [...lines, edge('END PUBLIC KEY')].join('\n'),
      `the file ends with ${edge('END PRIVATE KEY')}`,
      `summary\n${edge('END PRIVATE KEY')}`,
      `${Buffer.from(edge('BEGIN CERTIFICATE')).toString('base64')}\n${lines.join('\n')}`,
    ])
      expect(redact(text)).toBe(text)
  })
})
