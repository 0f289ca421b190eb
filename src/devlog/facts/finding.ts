/** What the fact check can say about a sentence. */
export const FINDING_KINDS = [
  ...(['quote', 'cut', 'speaker', 'number', 'date', 'file', 'name', 'command', 'session'] as const),
  ...(['outcome', 'general', 'uncited', 'unsupported', 'footnote', 'link', 'unwritten'] as const),
] as const

/**
 * `quote`: words that the cited record does not contain. `cut`: a quote without the words that limit or
 * reverse it. `speaker`: somebody else said it. `number`, `date`, `file`, `name`, `command`, `session`: not
 * in the cited records. `outcome`: the evidence shows another outcome. `general`: "always" or "usually" with
 * citations of fewer than three sessions. `uncited`: a fact without a citation. `unsupported`: it shares no
 * word with the cited records. `footnote`: an unknown number, or a changed footnote. `link`: an address, an
 * image or HTML that is no quotation. `unwritten`: a marked place without prose.
 */
export type FindingKind = (typeof FINDING_KINDS)[number]

/** A sentence that the evidence does not hold, and why. */
export interface FactFinding {
  kind: FindingKind
  /** Of the text, from 1. */
  line: number
  sentence: string
  /** What was not found. */
  what: string
}
