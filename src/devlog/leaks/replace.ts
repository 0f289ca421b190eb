import { mapStrings } from '../../model/map-strings.ts'
import { GAP } from '../evidence/citation.ts'
import type { Evidence } from '../evidence/evidence.ts'

/**
 * Replaces values in all texts of the evidence by the mark of a gap, so that the rest of a quote can still be
 * checked. Paths of transcripts and digests stay.
 */
export function replaceIn(evidence: Evidence, values: readonly string[]): Evidence {
  if (values.length === 0) return evidence
  const replaced = replacer(values)
  const paths = new Set(evidence.sessions.map(({ path }) => path))
  return mapStrings(evidence, (text) => (paths.has(text) ? text : replaced(text)))
}

/** The same for one text. */
export function replacer(values: readonly string[]): (text: string) => string {
  const longestFirst = [...values].sort((a, b) => b.length - a.length)
  return (text) => longestFirst.reduce((done, value) => done.replaceAll(value, GAP), text)
}
