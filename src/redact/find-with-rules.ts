import type { Finding } from './findings.ts'
import type { Rule } from './rule.ts'
import { rules } from './rules.ts'
import { indexTriggers, type TriggerIndex } from './trigger-index.ts'

/** Made when the first text comes: many a command shows only what was redacted before. */
let index: TriggerIndex | undefined

/** How far from a trigger what belongs to its match may begin or end at a seam, and how many seams are tried on each side. */
const REACH = 600
const MOST_SEAMS = 48
/** So often in all, and so often for each character: only text that was made to be slow has more places worth it. */
const TRIES = 2000
const TRIES_EACH = 2

/** Findings that may overlap; of those of the same text the one comes first whose rule does. */
export function findWithRules(text: string, seams: readonly number[] = []): Finding[] {
  const found: { rule: number; finding: Finding }[] = []
  // As with any global pattern, a rule goes on after its last match; this keeps hostile text linear.
  let resumeAt: Int32Array | undefined
  let tries = TRIES + TRIES_EACH * text.length
  const atSeams = (rule: Rule, position: number): Finding[] => {
    for (const { from, to } of cutsAround(rule, text.length, position, seams)) {
      if (tries-- <= 0) break
      const findings = matchAt(rule, text.slice(from, to), position - from)?.findings ?? []
      if (findings.length > 0)
        return findings.map(({ kind, start, end }) => ({ kind, start: start + from, end: end + from }))
    }
    return []
  }
  index ??= indexTriggers(rules)
  index.scan(text, (number, position) => {
    const rule = rules[number]!
    if (resumeAt !== undefined && position < resumeAt[number]!) return
    const match = matchAt(rule, text, position)
    if (match !== undefined) {
      resumeAt ??= new Int32Array(rules.length)
      resumeAt[number] = match.end
    }
    let findings = match?.findings ?? []
    if (findings.length === 0 && seams.length > 0) findings = atSeams(rule, position)
    for (const finding of findings) found.push({ rule: number, finding })
  })
  if (found.length > 1) found.sort((one, other) => one.rule - other.rule)
  return found.map(({ finding }) => finding)
}

interface Match {
  end: number
  /** None where the judge of the rule says that it is no secret. */
  findings: Finding[]
}

function matchAt(rule: Rule, text: string, position: number): Match | undefined {
  rule.pattern.lastIndex = position
  const match = rule.pattern.exec(text)
  if (match === null) return undefined
  const end = position + match[0].length
  const secret = match.findLast((group) => group !== undefined)!
  const { kind } = rule
  if (!rule.judge(secret, match)) return { end, findings: [] }
  if (rule.places) return { end, findings: rule.places(match).map((place) => ({ kind, ...place })) }
  const before = match.groups?.before?.length ?? 0
  return { end, findings: [{ kind, start: end - secret.length - before, end }] }
}

/** Pieces of the text around a trigger that begin at a seam before it, end at one behind it, or both. */
function* cutsAround(
  rule: Rule,
  length: number,
  position: number,
  seams: readonly number[],
): Generator<{ from: number; to: number }> {
  const first = firstFrom(seams, position)
  const next = seams[first] === position ? first + 1 : first
  const tos = seams.slice(next, next + MOST_SEAMS).filter((seam) => seam - position <= REACH)
  // Of a token that is known by its end, the beginning is looked for.
  const reach = rule.pattern.source.includes('(?<before>') ? MOST_SEAMS : 0
  const froms = seams.slice(Math.max(0, first - reach), next).filter((seam) => position - seam <= REACH)
  for (const from of [0, ...froms])
    for (const to of [length, ...tos.toReversed()]) if (from > 0 || to < length) yield { from, to }
}

/** The number of the first seam at a place or behind it. */
function firstFrom(seams: readonly number[], place: number): number {
  let low = 0
  let high = seams.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (seams[middle]! < place) low = middle + 1
    else high = middle
  }
  return low
}
