import { plainView } from './plain-view.ts'
import { rules } from './rules.ts'
import { indexTriggers } from './trigger-index.ts'

/** A secret in a text, by kind and place (UTF-16 offsets, `end` exclusive), never by value. */
export interface Finding {
  kind: string
  start: number
  end: number
}

const index = indexTriggers(rules)

/**
 * Finds the secrets of a text or of a raw JSON line, in ascending order and without overlaps.
 * Where two findings overlap, one takes the place of both and carries the kind of the longer.
 */
export function findSecrets(text: string): Finding[] {
  const findings = findIn(text)
  // Encoders escape more than they have to, and an escape inside a secret hides it.
  const view = plainView(text)
  if (view !== undefined)
    for (const { kind, start, end } of findIn(view.text))
      findings.push({ kind, start: view.startOf(start), end: view.endOf(end) })
  return findings.length < 2 ? findings : joinOverlaps(findings)
}

/** Findings in order of their triggers; they may overlap. */
function findIn(text: string): Finding[] {
  const findings: Finding[] = []
  // As with any global pattern, a rule goes on after its last match; this keeps hostile text linear.
  const resumeAt = new Int32Array(rules.length)
  index.scan(text, (number, position) => {
    const rule = rules[number]!
    if (position < resumeAt[number]!) return
    rule.pattern.lastIndex = position
    const match = rule.pattern.exec(text)
    if (match === null) return
    const end = position + match[0].length
    resumeAt[number] = end
    const secret = match.findLast((group) => group !== undefined)!
    if (!rule.judge(secret, match)) return
    const before = match.groups?.before?.length ?? 0
    findings.push({ kind: rule.kind, start: end - secret.length - before, end })
  })
  return findings
}

/** Two secrets glued together hide each other's edges: with one gone, the other shows. Only hostile text goes deeper. */
const rounds = 8

/** Replaces every secret by `[REDACTED:kind]`. A text without secrets comes back as it is. */
export function redact(text: string): string {
  let redacted = text
  for (let round = 0; round < rounds; round++) {
    const findings = findSecrets(redacted)
    if (findings.length === 0) break
    redacted = replaceFindings(redacted, findings)
  }
  return redacted
}

function replaceFindings(text: string, findings: Finding[]): string {
  let replaced = ''
  let copied = 0
  for (const { kind, start, end } of findings) {
    replaced += `${text.slice(copied, start)}[REDACTED:${kind}]`
    copied = end
  }
  return replaced + text.slice(copied)
}

/** Leaving out the shorter of two overlapping findings would leave a piece of a secret in the text. */
function joinOverlaps(findings: Finding[]): Finding[] {
  findings.sort((left, right) => left.start - right.start || right.end - left.end)
  const joined: Finding[] = []
  let longest = 0
  for (const finding of findings) {
    const last = joined.at(-1)
    const length = finding.end - finding.start
    if (last === undefined || finding.start >= last.end) {
      joined.push(finding)
      longest = length
      continue
    }
    if (length > longest) {
      last.kind = finding.kind
      longest = length
    }
    last.end = Math.max(last.end, finding.end)
  }
  return joined
}
