import { findWithRules } from './find-with-rules.ts'
import { type Finding, joinOverlaps, ROUNDS, replaceFindings } from './findings.ts'
import { inShownText } from './shown-view.ts'

/**
 * Finds the secrets of a text or a raw JSON line, in ascending order and without overlaps. Overlapping
 * findings are joined under the kind of the longest.
 *
 * @example
 * import { findSecrets } from 'agent-scrollback'
 *
 * const key = `AKIA${'IOSFODNN7EXAMPLQ'}`
 * findSecrets(`key ${key}`) // => [{ kind: 'aws-access-key-id', start: 4, end: 24 }]
 */
export function findSecrets(text: string): Finding[] {
  return joinOverlaps(inShownText(text, findWithRules))
}

/**
 * Replaces every secret by `[REDACTED:kind]`. Returns a text without secrets unchanged.
 *
 * @example
 * import { redact } from 'agent-scrollback'
 *
 * const key = `AKIA${'IOSFODNN7EXAMPLQ'}`
 * redact(`key ${key}`) // => 'key [REDACTED:aws-access-key-id]'
 */
export function redact(text: string): string {
  if (clean.has(text)) return text
  let redacted = text
  for (let round = 0; round < ROUNDS; round++) {
    const findings = findSecrets(redacted)
    if (findings.length === 0) break
    redacted = replaceFindings(redacted, findings, (kind) => `[REDACTED:${kind}]`)
  }
  remember(redacted)
  return redacted
}

/**
 * Texts without secrets. Names repeat all the time, and every message passes here several times on its way to
 * the store.
 */
const clean = new Set<string>()
let characters = 0
const LONGEST = 32 * 1024
const MOST_TEXTS = 4000
const MOST_CHARACTERS = 512 * 1024

function remember(text: string): void {
  if (text.length > LONGEST) return
  if (clean.size >= MOST_TEXTS || characters > MOST_CHARACTERS) {
    clean.clear()
    characters = 0
  }
  clean.add(text)
  characters += text.length
}
