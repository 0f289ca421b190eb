import { expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRandom } from '../random.ts'
import { draw } from './parts.ts'

const random = createRandom(53)
const MARKERS = ['your', 'dummy', 'sample', 'example', 'placeholder', 'changeme', 'redacted']

/** The letters of a word in alternating case, which nobody writes. */
const alternating = (word: string): string =>
  [...word].map((letter, at) => (at % 2 === 0 ? letter : letter.toUpperCase())).join('')

it('a key stays a secret if its random letters contain the word of a placeholder', () => {
  for (const marker of MARKERS)
    for (const inside of [`k${marker}Q`, `K${marker}`, alternating(marker), `Q${marker.toUpperCase()}k`]) {
      const key = `ghp_${draw(random, 'alnum', 10)}${inside}${draw(random, 'alnum', 40)}`.slice(0, 40)
      expect(redact(`clone with ${key} please`), key).toBe('clone with [REDACTED:github-token] please')
    }
})

it.each([
  'AKIAIOSFODNN7EXAMPLE',
  'sk-your-api-key-here-1234567890abcdef',
  `ghp_${'x'.repeat(36)}`,
  'OPENAI_API_KEY=sk-yourapikeyhere',
  'sk_live_YOUR_KEY_HERE_1234567',
  'API_KEY=YourApiKeyHere1234',
  'xoxb-your-token-123456789012',
])('%s is what a person writes instead of a key', (text) => {
  expect(redact(text)).toBe(text)
})
