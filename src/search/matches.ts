import { fold } from './fold.ts'
import { findNext, isWhole, needlesOf, type Range } from './match.ts'
import type { Node, Term } from './query.ts'

export interface MatchOptions {
  /** Also match inside words. Does not apply to quoted phrases and excluded words. */
  loose?: boolean
}

/**
 * Whether a text matches a query in the same way as the full-text index. A query without words matches
 * everything.
 */
export function matches(words: Node | undefined, text: string, options: MatchOptions = {}): boolean {
  return createMatcher(words, options)(text)
}

/** The same, prepared once for many texts. */
export function createMatcher(
  words: Node | undefined,
  { loose = false }: MatchOptions = {},
): (text: string) => boolean {
  if (words === undefined) return () => true
  const holds = compileNode(words, loose)
  return (text) => holds(fold(text).text)
}

/** The same for texts that are folded already. */
export const createFoldedMatcher = (words: Node | undefined): ((folded: string) => boolean) =>
  words === undefined ? () => true : compileNode(words, false)

function compileNode(node: Node, loose: boolean): (folded: string) => boolean {
  if ('term' in node) return compileTerm(node.term, loose)
  if ('not' in node) {
    const denied = compileNode(node.not, false)
    return (folded) => !denied(folded)
  }
  const inner = ('all' in node ? node.all : node.any).map((each) => compileNode(each, loose))
  return 'all' in node
    ? (folded) => inner.every((holds) => holds(folded))
    : (folded) => inner.some((holds) => holds(folded))
}

function compileTerm(term: Term, loose: boolean): (folded: string) => boolean {
  const needles = needlesOf(term)
  const range: Range = [0, 0]
  return (folded) => {
    for (const needle of needles)
      for (let from = 0; findNext(folded, needle, from, range); from = range[0] + 1)
        if ((loose && !term.phrase) || isWhole(folded, needle, range)) return true
    return false
  }
}
