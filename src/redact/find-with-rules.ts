import type { Finding } from './findings.ts'
import type { Rule } from './rule.ts'
import { rules } from './rules.ts'
import { indexTriggers, type TriggerIndex } from './trigger-index.ts'

/** Made when the first text comes: many a command shows only what was redacted before. */
let index: TriggerIndex | undefined

/** How far from a trigger what belongs to its match may begin or end at a seam, and how many seams are tried there. */
const REACH_BACK = 100
const REACH = 600
const MOST_SEAMS = 48

/** Findings that may overlap; of those of the same text the one comes first whose rule does. */
export function findWithRules(text: string, seams: readonly number[] = []): Finding[] {
  const found: { rule: number; finding: Finding }[] = []
  // As with any global pattern, a rule goes on after its last match; this keeps hostile text linear.
  let resumeAt: Int32Array | undefined
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
    if (findings.length === 0 && seams.length > 0) findings = findAtSeams(rule, text, position, seams)
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

/** What matches where the text is cut at a seam before the trigger, behind it, or at both. */
function findAtSeams(rule: Rule, text: string, position: number, seams: readonly number[]): Finding[] {
  const near = seamsFrom(seams, position - REACH_BACK)
  const froms = near.filter((seam) => seam <= position)
  const tos = near.filter((seam) => seam > position)
  if (rule.pattern.source.includes('(?<before>')) froms.unshift(0)
  else froms.splice(0, froms.length, 0, ...froms.filter((seam) => seam === position))
  for (const from of froms)
    for (const to of [text.length, ...tos.toReversed()]) {
      if (from === 0 && to === text.length) continue
      const findings = matchAt(rule, text.slice(from, to), position - from)?.findings ?? []
      if (findings.length > 0)
        return findings.map(({ kind, start, end }) => ({ kind, start: start + from, end: end + from }))
    }
  return []
}

/** The seams around a place, at most so many. */
function seamsFrom(seams: readonly number[], place: number): number[] {
  let low = 0
  let high = seams.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (seams[middle]! < place) low = middle + 1
    else high = middle
  }
  const near: number[] = []
  for (let at = low; at < seams.length && near.length < MOST_SEAMS && seams[at]! <= place + REACH; at++)
    near.push(seams[at]!)
  return near
}
