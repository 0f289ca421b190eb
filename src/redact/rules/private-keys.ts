import { fromBase64, isPlausible } from '../judge.ts'
import { combinations, type Rule } from '../rule.ts'
import { linePrefix, textBefore } from './pattern-parts.ts'
import type { Cell } from './table-lines.ts'

const blockName = '(?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?'
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

/** Lines of the longest keys in use. */
const MOST_LINES = 400
const LONGEST_LINE = 240
const LONGEST_PREFIX = 80
const lineOfKey = new RegExp(`^${linePrefix}([A-Za-z0-9+/=]{1,76})[ \\t]{0,4}$`)
const breakAtEnd = new RegExp(`${lineEnd}$`)

/** The lines of base64 before the last line of a key. */
function linesBefore({ input, index }: RegExpExecArray): Cell[] {
  const found: Cell[] = []
  // What a tool writes before the last line.
  let end = index - /[^\r\n\\]*$/.exec(textBefore(input, index, LONGEST_PREFIX))![0].length
  while (found.length < MOST_LINES) {
    const near = textBefore(input, end, LONGEST_LINE)
    const sign = breakAtEnd.exec(near)?.[0].length ?? 0
    if (sign === 0) break
    end -= sign
    const before = near.slice(0, -sign)
    if (!/[A-Za-z0-9+/="'`][ \t]{0,4}$/.test(before.slice(-5))) break
    const escaped = before.lastIndexOf('\\n')
    const text = before.slice(Math.max(before.lastIndexOf('\n') + 1, escaped < 0 ? 0 : escaped + 2))
    const quote = Math.max(text.lastIndexOf('"'), text.lastIndexOf("'"), text.lastIndexOf('`'))
    const own = text.slice(quote + 1)
    const line = lineOfKey.exec(own)?.[1]
    if (line === undefined || (found.length > 0 && line.length < LEAST_LINE)) break
    const stop = end - (own.length - own.trimEnd().length)
    found.push({ start: stop - line.length, end: stop })
    end -= text.length
  }
  return found.some(({ start, end }) => end - start >= LEAST_LINE) ? found : []
}
/** All lines are so long, except for the last one. */
const LEAST_LINE = 48

/** Private keys in PEM, OpenSSH and PGP armor: complete, or cut off by a limit on tool output. */
export const keyBlocks: readonly Rule[] = [
  {
    kind: 'private-key',
    // Those of wallets: of Nostr, of a list of accounts, and in what is printed for tests.
    triggers: ['sec1', 'accounts: [', ') 0x'],
    pattern:
      /(?:(?<=(?<before>(?<![a-z])n))(?=sec1)|accounts: \[\s{0,8}["'](?=0x)|(?<=\(\d{1,2})\) (?=0x))(sec1[02-9ac-hj-np-z]{58}|0x[0-9a-f]{64})(?![\da-z])/iy,
    judge: () => true,
  },
  {
    kind: 'private-key',
    triggers: ['-----BEGIN '],
    pattern: new RegExp(
      `-----BEGIN ${blockName}-----(?:${body}-----END ${blockName}-----|${cutOffBody})`,
      'y',
    ),
    judge: (block) => /[A-Za-z0-9+/]{24}/.test(block),
  },
  {
    kind: 'private-key',
    // One whose beginning was cut off: the lines before its end.
    triggers: ['-----END '],
    pattern: new RegExp(`-----END ${blockName}-----`, 'y'),
    judge: () => true,
    ranges: linesBefore,
  },
  {
    kind: 'private-key',
    // One whose first line was cut off, or a part of that line.
    triggers: ['VATE KEY-----', 'VATE KEY BLOCK-----'],
    pattern: new RegExp(
      `(?<=PRI)VATE KEY(?: BLOCK)?-----(?<!-----(?:BEGIN|END) ${blockName}-----)${cutOffBody}`,
      'y',
    ),
    judge: (block) => /[A-Za-z0-9+/]{24}/.test(block),
  },
  {
    kind: 'private-key',
    // The same, encoded as base64 again, as in manifests, and in lines as `base64` writes it.
    triggers: ['LS0tLS1CRUdJTi'],
    pattern: new RegExp(
      `LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,}={0,2}(?:${lineEnd}${linePrefix}[A-Za-z0-9+/]{60,76}={0,2}(?![A-Za-z0-9+/=]))*(?:${lineEnd}${linePrefix}[A-Za-z0-9+/]{2,76}={0,2}(?=\\s|["'\x60\\\\]|$))?`,
      'y',
    ),
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
    // The secret parts of a key in JSON, identified by the key type in the same object.
    triggers: combinations('"', ['d', 'k', 'p', 'q', 'dp', 'dq', 'qi'], '"\\'),
    pattern:
      /"(?:d[pq]?|[kp]|qi?)\\{0,16}"\s{0,4}:\s{0,4}\\{0,16}"([A-Za-z0-9_-]{16,1024})(?=\\{0,16}")(?:(?<=kty[^{}]{0,4000})|(?=[^{}]{0,4000}kty))/y,
    judge: isPlausible,
  },
]
