import { findWithRules } from './find-with-rules.ts'
import { type Finding, joinOverlaps, ROUNDS, replaceFindings } from './findings.ts'
import { inShownText } from './shown-view.ts'

/**
 * Finds the secrets of a text or of a raw JSON line, in ascending order and without overlaps.
 * Where two findings overlap, one takes the place of both and carries the kind of the longer.
 */
export function findSecrets(text: string): Finding[] {
  return joinOverlaps(inShownText(text, findWithRules))
}

/** Replaces every secret by `[REDACTED:kind]`. A text without secrets comes back as it is. */
export function redact(text: string): string {
  let redacted = text
  for (let round = 0; round < ROUNDS; round++) {
    const findings = findSecrets(redacted)
    if (findings.length === 0) break
    redacted = replaceFindings(redacted, findings, (kind) => `[REDACTED:${kind}]`)
  }
  return redacted
}
