import { rules } from './all-rules.ts'
import { type Finding, joinOverlaps, ROUNDS, replaceFindings } from './findings.ts'
import { inText } from './json-text.ts'
import type { Rule } from './rule.ts'
import { ruleTable } from './rule-table.ts'
import { findPhrases } from './rules/seed-phrases.ts'
import type { Visit } from './shown-text.ts'
import { indexTriggers, type TriggerIndex } from './triggers.ts'

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
  return joinOverlaps(inText(text, findWithRules))
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

/** Separates texts, so that nothing is recognized because of its neighbors. */
const BETWEEN = '\n.\n'

/**
 * Whether there is no secret in any of these texts. Hardly any name or path contains one, so all that were
 * not searched lately are searched at once.
 */
export function areClean(texts: Iterable<string>): boolean {
  const others = Array.from(texts).filter((text) => !clean.has(text))
  if (others.length === 0) return true
  if (findSecrets(others.join(BETWEEN)).length > 0) return false
  for (const text of others) remember(text)
  return true
}

/** Created lazily, because many commands only print text that is already redacted. */
let index: TriggerIndex | undefined

/** How far from a trigger a match may begin or end at a seam, and how many seams are tried on each side. */
const REACH = 600
const MOST_SEAMS = 48
/** Attempts per text, and per character. Only text that was made to be slow exceeds them. */
const TRIES = 2000
const TRIES_PER_CHARACTER = 2

/**
 * Findings, possibly overlapping. Of findings of the same text, the one with the first rule comes first.
 * `visit` is called in ascending order where a rule was tried.
 */
export function findWithRules(text: string, seams: readonly number[] = [], visit?: Visit): Finding[] {
  const found: { rule: number; finding: Finding }[] = []
  // As with any global pattern, a rule continues after its last match. This keeps hostile text linear.
  let resumeAt: Int32Array | undefined
  let tries = TRIES + TRIES_PER_CHARACTER * text.length
  const atSeams = (rule: Rule, position: number): Finding[] => {
    for (const { from, to } of cutsAround(rule, text.length, position, seams)) {
      if (tries-- <= 0) break
      const findings = matchAt(rule, text.slice(from, to), position - from)?.findings ?? []
      if (findings.length > 0)
        return findings.map(({ kind, start, end }) => ({ kind, start: start + from, end: end + from }))
    }
    return []
  }
  index ??= indexTriggers(ruleTable())
  index.scan(text, (number, position) => {
    const rule = rules[number]!
    visit?.(position)
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
  for (const finding of findPhrases(text)) found.push({ rule: rules.length, finding })
  if (found.length === 0) return []
  if (found.length > 1) found.sort((one, other) => one.rule - other.rule)
  return found.map(({ finding }) => besideEscapes(text, finding)).filter(({ start, end }) => start < end)
}

const escapeLetters = /(?:[bfnrt]|u[0-9a-fA-F]{4})?/y

/**
 * No finding begins with the letters of an escape, or ends with the backslash of one, so that JSON stays
 * JSON.
 */
function besideEscapes(text: string, { kind, start, end }: Finding): Finding {
  let from = start
  if (text[start - 1] === '\\') {
    escapeLetters.lastIndex = start
    from += escapeLetters.exec(text)![0].length
  }
  let to = end
  while (to > from && text[to - 1] === '\\' && text[end] !== undefined) to--
  return { kind, start: from, end: to }
}

interface Match {
  end: number
  /** Empty if the rule's judge says that the match is not a secret. */
  findings: Finding[]
}

function matchAt(rule: Rule, text: string, position: number): Match | undefined {
  const match = execAt(rule, text, position)
  if (match === null) return undefined
  const end = position + match[0].length
  const secret = match.findLast((group) => group !== undefined)!
  const { kind } = rule
  if (!rule.judge(secret, match)) return { end, findings: [] }
  if (rule.ranges) return { end, findings: rule.ranges(match).map((position) => ({ kind, ...position })) }
  const before = match.groups?.before?.length ?? 0
  return { end, findings: [{ kind, start: end - secret.length - before, end }] }
}

function execAt({ pattern, after }: Rule, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position
  const match = pattern.exec(text)
  if (match === null || after === undefined) return match
  for (const end of new Set([match[0].length, match[0].length - match[1]!.length])) {
    after.lastIndex = position + end
    const rest = after.exec(text)
    if (rest === null) continue
    rest[0] = match[0].slice(0, end) + rest[0]
    rest.index = position
    return rest
  }
  return null
}

/** Ranges around a trigger that begin at a seam before it, end at a seam after it, or both. */
function* cutsAround(
  rule: Rule,
  length: number,
  position: number,
  seams: readonly number[],
): Generator<{ from: number; to: number }> {
  const first = firstFrom(seams, position)
  const next = seams[first] === position ? first + 1 : first
  const tos = seams.slice(next, next + MOST_SEAMS).filter((seam) => seam - position <= REACH)
  // For a token that is identified by its end, look for its beginning.
  const reach = rule.pattern.source.includes('(?<before>') ? MOST_SEAMS : 0
  const froms = seams.slice(Math.max(0, first - reach), next).filter((seam) => position - seam <= REACH)
  for (const from of [0, ...froms])
    for (const to of [length, ...tos.toReversed()]) if (from > 0 || to < length) yield { from, to }
}

/** The index of the first seam at or after a position. */
function firstFrom(seams: readonly number[], position: number): number {
  let low = 0
  let high = seams.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (seams[middle]! < position) low = middle + 1
    else high = middle
  }
  return low
}
