import type { SQLInputValue } from 'node:sqlite'
import { append } from '../../../model/iteration.ts'
import type { Span } from '../figures/calendar.ts'

/** Filters as expressions of the index, and as conditions on rows where those are not exact. */
export interface Restriction {
  expressions: string[]
  denied: string[]
  conditions: string[]
  values: SQLInputValue[]
  /**
   * Checks what the index cannot: whether the parts of a name follow each other in the text or the target of
   * a message.
   */
  holds?(text: string): boolean
  /** The range of message ids of the requested time. May include others. */
  span?: Span
  before?: number
  /** Nothing can match. */
  empty: boolean
  /** Only show messages of these files, and none of those. */
  shown?: ReadonlySet<number>
  hidden?: ReadonlySet<number>
  /** Files that a filter excludes. */
  outside?: ReadonlySet<number>
}

export const unrestricted = (): Restriction => ({
  ...{ expressions: [], denied: [], conditions: [], values: [], empty: false },
})

/** An expression of the index: any of these facets. */
export const facetExpression = (facets: readonly string[]): string =>
  `{facet} : (${facets.map((facet) => `"${facet}"`).join(' OR ')})`

/** Only messages with one of the facets match. */
export function demand(restriction: Restriction, facets: readonly string[]): void {
  if (facets.length === 0) restriction.empty = true
  else restriction.expressions.push(facetExpression(facets))
}

/** No message with one of the facets matches. */
export function deny(restriction: Restriction, facets: readonly string[]): void {
  if (facets.length > 0) restriction.denied.push(facetExpression(facets))
}

/** Only messages for which an SQL condition holds match. */
export function where(restriction: Restriction, condition: string, values: readonly SQLInputValue[]): void {
  restriction.conditions.push(condition)
  append(restriction.values, values)
}
