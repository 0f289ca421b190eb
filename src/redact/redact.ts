import { type Finding, joinOverlaps, ROUNDS, replaceFindings } from './findings.ts'
import { inPlainView } from './plain-view.ts'
import { rules } from './rules.ts'
import { indexTriggers, type TriggerIndex } from './trigger-index.ts'

/** Made when the first text comes: many a command shows only what was redacted before. */
let index: TriggerIndex | undefined

/**
 * Finds the secrets of a text or of a raw JSON line, in ascending order and without overlaps.
 * Where two findings overlap, one takes the place of both and carries the kind of the longer.
 */
export function findSecrets(text: string): Finding[] {
  return joinOverlaps(inPlainView(text, findWithRules))
}

/** Findings that may overlap; of those of the same text the one comes first whose rule does. */
export function findWithRules(text: string): Finding[] {
  const found: { rule: number; finding: Finding }[] = []
  // As with any global pattern, a rule goes on after its last match; this keeps hostile text linear.
  let resumeAt: Int32Array | undefined
  index ??= indexTriggers(rules)
  index.scan(text, (number, position) => {
    const rule = rules[number]!
    if (resumeAt !== undefined && position < resumeAt[number]!) return
    rule.pattern.lastIndex = position
    const match = rule.pattern.exec(text)
    if (match === null) return
    const end = position + match[0].length
    resumeAt ??= new Int32Array(rules.length)
    resumeAt[number] = end
    const secret = match.findLast((group) => group !== undefined)!
    if (!rule.judge(secret, match)) return
    const before = match.groups?.before?.length ?? 0
    found.push({ rule: number, finding: { kind: rule.kind, start: end - secret.length - before, end } })
  })
  if (found.length > 1) found.sort((one, other) => one.rule - other.rule)
  return found.map(({ finding }) => finding)
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
