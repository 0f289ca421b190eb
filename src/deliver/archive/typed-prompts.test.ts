import { expect, it } from 'vitest'
import type { Envelope } from '../../model/delivery.ts'
import { hasUnnamed, isTyped } from './typed-prompts.ts'

it('a prompt history of a platform that this version does not know stays as it is', () => {
  const record = { platform: 'later', kind: 'prompt-history', raw: { content: 'Water the ferns' } }
  expect(isTyped(record as unknown as Envelope, new Set(['any']))).toBe(false)
  expect(hasUnnamed('later')).toBe(false)
})
