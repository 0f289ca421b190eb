import hljs from 'highlight.js/lib/common'

/** What the highlighter collects before it makes HTML of it. The page makes elements of it instead. */
interface Collected {
  rootNode: { children: Piece[] }
}

/** Code in pieces, or undefined for a language that is not known. */
export function piecesOf(text: string, language: string): Piece[] | undefined {
  if (!hljs.getLanguage(language)) return undefined
  const { _emitter } = hljs.highlight(text, { language, ignoreIllegals: true })
  return (_emitter as unknown as Collected).rootNode.children
}

/** A piece of code: text, or pieces under the name of a syntactic role. */
export type Piece = string | { scope?: string; children: Piece[] }
