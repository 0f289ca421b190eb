import { textBefore } from './rules/pattern-parts.ts'
/**
 * A secret in a text: kind and position (UTF-16 offsets, `end` exclusive), never the value.
 *
 * @example
 * import { type Finding, findSecrets } from 'agent-scrollback'
 *
 * const key = `AKIA${'IOSFODNN7EXAMPLQ'}`
 * const [finding]: Finding[] = findSecrets(key)
 * finding?.kind // => 'aws-access-key-id'
 */
export interface Finding {
  kind: string
  start: number
  end: number
}

/**
 * Joins overlapping findings and sorts the result. The joined finding has the kind of the longest. Dropping
 * the shorter one of two would leave a part of a secret in the text.
 */
export function joinOverlaps(findings: Finding[]): Finding[] {
  if (findings.length < 2) return findings
  findings.sort((left, right) => left.start - right.start || right.end - left.end)
  const joined: Finding[] = []
  let longest = 0
  for (const finding of findings) {
    const last = joined.at(-1)
    const length = finding.end - finding.start
    if (last === undefined || finding.start >= last.end) {
      joined.push({ ...finding })
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

/**
 * Replaces each finding by the result of `label`. A number that is a value of JSON becomes a string, so that
 * the text remains JSON.
 */
export function replaceFindings(
  text: string,
  findings: readonly Finding[],
  label: (kind: string, value: string) => string,
): string {
  let replaced = ''
  let copied = 0
  for (const { kind, start, end } of findings) {
    const quote = quoteOfNumber(text, start, end)
    replaced += text.slice(copied, start) + quote + label(kind, text.slice(start, end)) + quote
    copied = end
  }
  return replaced + text.slice(copied)
}

const NAME_END = 40

/** The quote around the name whose value is a number of JSON, or nothing. */
function quoteOfNumber(text: string, start: number, end: number): string {
  if (!/^\d+$/.test(text.slice(start, end))) return ''
  const before = /((?<!\\)\\*")\s*:\s*$/.exec(textBefore(text, start, NAME_END))
  return before?.[1] ?? ''
}

/**
 * Redacting one of two adjacent secrets can reveal the edge of the other. Only hostile text needs more
 * rounds.
 */
export const ROUNDS = 8
