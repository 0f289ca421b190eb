import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'
import { isScrambled } from './scrambled.ts'

describe('letters alone', () => {
  it.each(['wLhqqAFutShQ', 'PESPgjtHfbFwWAKadYEjWWbS', 'qwkzvjhtpxgd'])('look random: %s', (value) => {
    expect(isScrambled(value)).toBe(true)
  })

  it.each([
    'hashedPassword',
    'getUserTokenFromHeader',
    'XMLHttpRequest',
    'correcthorsebattery',
    'AUTHORIZATION',
    'xxxxxxxxxxxx',
    'Anwendungspasswort',
    'wLhqqAFut',
  ])('are words: %s', (value) => {
    expect(isScrambled(value)).toBe(false)
  })

  it.each(['password: VALUE', '"api_key": "VALUE"', 'const token = VALUE', 'Your new API token is: VALUE'])(
    'are a secret in its place only if they look random: %s',
    (text) => {
      const random = text.replace('VALUE', 'PESPgjtHfbFwWAKadYEjWWbS')
      const name = text.replace('VALUE', 'refreshTokenOfTheSession')
      expect(redact(random)).not.toContain('PESP')
      expect(redact(name)).toBe(name)
    },
  )
})
