import type { Filters } from './filters.ts'

/** One word or quoted phrase as it was typed, without its quotes or the star of a prefix. */
export interface Term {
  text: string
  /** It was quoted: match it exactly, and never inside a word. */
  phrase: boolean
  /** A star follows: its last word is a prefix. */
  prefix: boolean
}

/** The words of a query as a tree. Lists are never empty, and `not` never contains another `not` directly. */
export type Node = { all: Node[] } | { any: Node[] } | { not: Node } | { term: Term }

/** Plain data, which can be sent to a worker or written as JSON. */
export interface Query {
  /** As typed. */
  text: string
  /** Absent if there are only filters. Every term contains a letter or digit, unless it is the only one. */
  words?: { all: Node[] }
  filters: Filters
  /** Sentences about parts that were not interpreted as they may have been meant. */
  remarks: string[]
}

/** Parses a time as people write it. Returns undefined if it is invalid, and never throws. */
export type ParseTime = (text: string, edge: 'since' | 'until', now: number) => number | undefined
