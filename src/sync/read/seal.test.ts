import { expect, it } from 'vitest'
import { everySecretEverywhere } from '../../../test/redaction/recall.ts'
import { redact } from '../../redact/redact.ts'
import { withoutSecrets } from './seal.ts'

const NEIGHBORS = ['/home/ann/token', 'sha256', 'id', 'Bash', 'hash of the key', 'user: ann', 'password']

it('a secret among names is removed as if it stood alone, whatever stands beside it', () => {
  const missed: string[] = []
  for (const [index, { text }] of everySecretEverywhere().entries()) {
    // Kinds and contexts alternate, so that a third has all of both.
    if (index % 3 !== 0) continue
    const before = NEIGHBORS[index % NEIGHBORS.length]!
    const after = NEIGHBORS[(index * 3 + 1) % NEIGHBORS.length]!
    const [, found] = withoutSecrets([before, text, after])
    if (found !== redact(text).toWellFormed()) missed.push(text)
  }
  expect(missed).toEqual([])
})
