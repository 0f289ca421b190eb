import { fromBase64 } from '../base64.ts'
import { isPlausible } from '../judge.ts'
import type { Rule } from '../rule.ts'
import { linePrefix } from './line-prefix.ts'

const name = '(?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?'
/**
 * Extends to the next run of dashes at most. Crosses a bare quote only into an adjacent string literal, so
 * that replacing the block never joins two fields of a JSON line.
 */
const body = String.raw`(?:[^-"\\]|\\[^]|"\s{0,80}(?:[+,]\s{0,80})?"|-(?!----)|-(?=-{5,6}END )){0,32768}`
/** Line ends, also as escapes in JSON (or JSON inside JSON), with what tools write before a line. */
const lineEnd = String.raw`(?:\r?\n|(?:\\{1,8}r)?\\{1,8}n)`
const between = String.raw`(?:${lineEnd}${linePrefix}|\s|\\{1,8}[nrt]|\d{0,6}[→|:])`
const armorHeader = String.raw`(?:[A-Za-z-]{1,20}: [^\r\n\\]{1,120}${between}{1,8}){0,4}`
const cutOffBody = `${between}{1,16}${armorHeader}(?:[A-Za-z0-9+/=]{16,}${between}{0,16})+`

/** Private keys in PEM, OpenSSH and PGP armor: complete, or cut off by a limit on tool output. */
export const keyBlocks: readonly Rule[] = [
  {
    kind: 'private-key',
    triggers: ['-----BEGIN '],
    pattern: new RegExp(`-----BEGIN ${name}-----(?:${body}-----END ${name}-----|${cutOffBody})`, 'y'),
    judge: (block) => /[A-Za-z0-9+/]{24}/.test(block),
  },
  {
    kind: 'private-key',
    // The same, encoded as base64 again, as in manifests.
    triggers: ['LS0tLS1CRUdJTi'],
    pattern: /LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,}={0,2}/y,
    judge: (block) => fromBase64(block.slice(0, 80)).includes('PRIVATE KEY'),
  },
  {
    kind: 'private-key',
    triggers: ['Private-Lines: '],
    pattern: new RegExp(
      `Private-Lines: \\d{1,3}${between}{1,8}((?:[A-Za-z0-9+/=]{16,64}${between}{0,8}){1,64})(?=Private-MAC|$)`,
      'y',
    ),
    judge: () => true,
  },
  {
    kind: 'private-key',
    // The secret part of a key in JSON, identified by the key type in the same object.
    triggers: ['"d"', '"d\\'],
    pattern:
      /"d\\{0,16}"\s{0,4}:\s{0,4}\\{0,16}"([A-Za-z0-9_-]{40,1024})(?=\\{0,16}")(?:(?<=kty[^{}]{0,2600})|(?=[^{}]{0,1500}kty))/y,
    judge: isPlausible,
  },
]
