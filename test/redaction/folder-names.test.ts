import { expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRandom } from '../random.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const random = createRandom(11)
const drawn = (length: number, from = LETTERS): string =>
  Array.from({ length }, () => from[random(from.length)]).join('')
const HEX = '0123456789abcdef'

it.each([
  `ghp_${drawn(36)}`,
  `github_pat_${drawn(22)}_${drawn(59)}`,
  `npm_${drawn(36)}`,
  `dckr_pat_${drawn(27)}`,
  `gsk_${drawn(52)}`,
  `hf_${drawn(34)}`,
  `sk_live_${drawn(24)}`,
  `shpat_${drawn(32, HEX)}`,
  `lin_api_${drawn(40)}`,
  `ntn_${drawn(44)}`,
  `sbp_${drawn(40, HEX)}`,
  `glsa_${drawn(32)}_${drawn(8, HEX)}`,
  `whsec_${drawn(32)}`,
])('a token is redacted in the name that a client gives the folder of a project: %s', (token) => {
  const own = token.replaceAll('_', '-')
  for (const path of [`-home-ann-${own}`, `-home-ann-${own}-web`, `/home/ann/x/-srv-${own}/a.jsonl`]) {
    const shown = redact(path)
    expect(shown, path).not.toContain(token.slice(-16))
    expect(shown, path).toContain('[REDACTED:')
  }
})

it('a folder that only begins like a token stays', () => {
  for (const name of ['-srv-npm-workspaces', '-srv-hf-models-of-the-garden', '-srv-sbp-accounts'])
    expect(redact(name)).toBe(name)
  const checksum = drawn(64, HEX)
  expect(redact(`npm-${checksum}`)).toBe(`npm-${checksum}`)
})
