import { describe, expect, it } from 'vitest'
import { createRedactor } from './redactor.ts'
import { redactSettings } from './settings.ts'

describe('the settings of redaction', () => {
  it('may contain everything or nothing, and create a redactor', () => {
    const given = {
      level: 'strict',
      identities: true,
      patterns: [{ kind: 'acme', pattern: 'ACME-[0-9]{8}' }],
      allow: ['AKIA-not-one', { pattern: 'TEST-.*' }],
    }
    expect(redactSettings.parse(given)).toEqual(given)
    const { redact } = createRedactor({ level: 'standard', ...redactSettings.parse(given) })
    expect(redact('ACME-12345678 ann@shop.test')).toBe('[REDACTED:acme] [EMAIL]')
    expect(redactSettings.parse({})).toEqual({})
  })

  it.each([
    [{ level: 'loud' }],
    [{ identities: 'yes' }],
    [{ patterns: [{ kind: 'Two words', pattern: 'x' }] }],
    [{ patterns: [{ kind: 'acme', pattern: '' }] }],
    [{ patterns: [{ kind: 'acme' }] }],
    [{ allow: [''] }],
    [{ allow: [7] }],
    [{ alow: [] }],
  ])('reject %j', (given) => {
    expect(redactSettings.safeParse(given).success).toBe(false)
  })
})
