/** A secret in a text, by kind and place (UTF-16 offsets, `end` exclusive), never by value. */
export interface Finding {
  kind: string
  start: number
  end: number
}

/**
 * Ascending, without overlaps: where findings overlap, one takes the place of all and carries the kind of the longest.
 * Leaving out the shorter of two would leave a piece of a secret in the text.
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

/** Puts in the place of each finding what `label` says of it. */
export function replaceFindings(
  text: string,
  findings: readonly Finding[],
  label: (kind: string, value: string) => string,
): string {
  let replaced = ''
  let copied = 0
  for (const { kind, start, end } of findings) {
    replaced += text.slice(copied, start) + label(kind, text.slice(start, end))
    copied = end
  }
  return replaced + text.slice(copied)
}

/** Two secrets glued together hide each other's edges: with one gone, the other shows. Only hostile text goes deeper. */
export const ROUNDS = 8
