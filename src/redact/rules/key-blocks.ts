import type { Rule } from '../rule.ts'

/** Line ends as they are, or as escapes inside a JSON string (which may itself stand inside a JSON string). */
const lineEnd = String.raw`(?:\s|\\{1,8}[nrt])`
const header = String.raw`-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----`
const footer = String.raw`-----END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----`
/**
 * Reaches to the next run of dashes at most, and crosses a bare quote only into the neighbouring string literal,
 * so that replacing the block never joins two fields of a JSON line.
 */
const body = String.raw`(?:[^-"\\]|\\[^]|"\s*[+,]?\s*"|-(?!----))*`
const cutOffBody = `${lineEnd}{1,8}(?:[A-Za-z0-9+/=]{16,}${lineEnd}{0,8}){1,}`

/** Private keys in PEM, OpenSSH and PGP armour: whole, or cut off by a limit on the length of tool output. */
export const keyBlocks: readonly Rule[] = [
  {
    kind: 'private-key',
    triggers: ['-----BEGIN '],
    pattern: new RegExp(`${header}(?:${body}${footer}|${cutOffBody})`, 'y'),
    judge: (block) => /[A-Za-z0-9+/]{24}/.test(block),
  },
]
