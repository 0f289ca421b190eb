import type { Rule } from '../rule.ts'

const name = '(?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?'
/**
 * Reaches to the next run of dashes at most, and crosses a bare quote only into the neighbouring string literal,
 * so that replacing the block never joins two fields of a JSON line.
 */
const body = String.raw`(?:[^-"\\]|\\[^]|"\s{0,80}(?:[+,]\s{0,80})?"|-(?!----)){0,32768}`
/** Line ends as they are, as escapes inside JSON (or JSON inside JSON), and the margin of numbered lines. */
const between = String.raw`(?:\s|\\{1,8}[nrt]|\d{0,6}[→|:])`
const armourHeader = String.raw`(?:[A-Za-z-]{1,20}: [^\r\n\\]{1,120}${between}{1,8}){0,4}`
const cutOffBody = `${between}{1,16}${armourHeader}(?:[A-Za-z0-9+/=]{16,}${between}{0,16})+`

/** Private keys in PEM, OpenSSH and PGP armour: whole, or cut off by a limit on the length of tool output. */
export const keyBlocks: readonly Rule[] = [
  {
    kind: 'private-key',
    triggers: ['-----BEGIN '],
    pattern: new RegExp(`-----BEGIN ${name}-----(?:${body}-----END ${name}-----|${cutOffBody})`, 'y'),
    judge: (block) => /[A-Za-z0-9+/]{24}/.test(block),
  },
]
