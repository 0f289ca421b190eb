/** A piece of code: text, or pieces under the name of a syntactic role. */
export type Piece = string | { scope?: string; children: Piece[] }
