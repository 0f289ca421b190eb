import type { Finding } from './findings.ts'
import { looksRandom } from './judge.ts'
import { textBefore } from './rules/pattern-parts.ts'

const LEAST = 32
const MOST = 120
const letters = new Uint8Array(128)
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-')
  letters[letter.charCodeAt(0)] = 1
/** Characters next to parts of paths, addresses, checksums, images and lists. */
const partBefore = /[+/.@$%~#,;\\]$|[A-Za-z0-9+/]{12}={1,2}$/
const partAfter = /^[+/=.@$%~#,;(]/
const uuidInside = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-/i
/** Ids whose prefix says what they identify. */
const knownId =
  /^(?:toolu|srvtoolu|msg|req|call|fc|resp|rs|chatcmpl|cmpl|gen|run|thread|asst|file|step|batch|cus|pi|pm|ch|in|sub|evt|price|prod|acct|seti|cs|pk|ws|item|img|sess|org|user|proj|sha\d{1,3}|md5|v\d)[_-]|^chunk-|^(?:AAAA|MII|ey)|^[A-Z0-9_]+$|^[a-z0-9-]+$|^[A-Za-z-]+$/
/** Names of values that are meant to be public. */
const innocentName =
  /(?:id|ids|uuid|key|cursor|page\w{0,8}|tag|hash|digest|sum|integrity|nonce|public\w{0,8}|fingerprint|finger_print|kid|continuation\w{0,8}|sync\w{0,8}|sha\d{1,3}|signature|mappings|data|content|checksum|version|commit|class|className|chunk|asset|name)["'\\]{0,17}\s{0,4}[:=]\s{0,4}(?:W\/)?[\\"'`]{0,17}$/i

/** How far before a value its name may begin. */
const NAME = 64
const LEAST_BITS = 4.2

/**
 * Finds random words: 32 to 120 letters, digits, `-` and `_`, with a mixture of digits, lower and upper case.
 * They must stand alone: not in a path, address, checksum or image. Excludes UUIDs, known ids, and values of
 * public names.
 */
export function findHighEntropy(text: string): Finding[] {
  const findings: Finding[] = []
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 128 && letters[code] === 1) continue
    if (at - start >= LEAST) {
      // The letter of an escape does not belong to the word.
      const first = start > 0 && text[start - 1] === '\\' && /[nrt]/.test(text[start]!) ? start + 1 : start
      if (at - first >= LEAST && at - first <= MOST && isHighEntropy(text, first, at))
        findings.push({ kind: 'high-entropy', start: first, end: at })
    }
    start = at + 1
  }
  return findings
}

function isHighEntropy(text: string, start: number, end: number): boolean {
  const value = text.slice(start, end)
  if (!/\d/.test(value) || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false
  const before = textBefore(text, start, NAME)
  if ((partBefore.test(before) && !/\\[nrt]$/.test(before)) || partAfter.test(text.slice(end, end + 1)))
    return false
  if (knownId.test(value) || uuidInside.test(value) || !looksRandom(value) || bits(value) < LEAST_BITS)
    return false
  return !isLineOfArmor(text, start, value.length) && !innocentName.test(before)
}

/** Certificates and public keys have lines of these lengths, and a shorter one at the end. */
function isLineOfArmor(text: string, start: number, length: number): boolean {
  const before = textBefore(text, start, LINE)
  return length === 64 || length === 76 ? /(?:^|\n|\\n)$/.test(before) : ofArmor.test(before)
}
const ofArmor = /(?:^|\n|\\n)(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{76})(?:\r?\n|(?:\\r)?\\n)$/
/** The longest line of armor with the line ends around it. */
const LINE = 84

/** Bits per character. For such a short text, this is at most the logarithm of its length. */
function bits(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let sum = 0
  for (const count of counts.values()) sum -= (count / value.length) * Math.log2(count / value.length)
  return sum
}
