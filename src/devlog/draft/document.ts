import type { Citation } from '../evidence/evidence.ts'

/**
 * A part of a line. A text is foreign or ours; writers of every format escape it. `quote` shows the words of
 * the record, `cite` only the reference.
 */
export type Inline =
  | string
  | { code: string }
  | { strong: string }
  | { link: SafeLink }
  | { quote: Citation }
  | { cite: Citation }

/** The address of a web page that contains nothing which a format could read as its own. */
type SafeLink = `https://${string}`

const SAFE = /^https:\/\/[\w.-]+(?:\/[\w./-]*)?$/

/** A link if the address is harmless, else the text of it. */
export const linkTo = (address: string): Inline =>
  SAFE.test(address) ? { link: address as SafeLink } : address

/**
 * A block of a draft. A missing weight means that it is never left out; blocks with the lowest weight go
 * first.
 */
export type Block = { weight?: number } & (
  | { type: 'heading'; depth: 2 | 3; text: Inline[] }
  | { type: 'paragraph'; content: Inline[] }
  /** A quotation with its speaker. */
  | { type: 'quote'; speaker: string; citation: Citation }
  | { type: 'list'; items: Inline[][] }
  | { type: 'table'; head: string[]; rows: Inline[][][] }
  /** Mermaid. Only letters, digits and our own syntax. */
  | { type: 'diagram'; source: string }
  /** Where a writer is to add prose, with the evidence for it. */
  | { type: 'writer'; task: string; evidence: Citation[] }
)

/** A draft before it becomes Markdown or HTML. */
export interface Draft {
  title: string
  blocks: Block[]
}

/** A long list is made of many, so that a budget can leave out parts of it. They are shown as one. */
export function joinLists(blocks: readonly Block[]): Block[] {
  const joined: Block[] = []
  for (const block of blocks) {
    const before = joined.at(-1)
    if (block.type === 'list' && before?.type === 'list')
      joined[joined.length - 1] = { ...before, items: [...before.items, ...block.items] }
    else joined.push(block)
  }
  return joined
}
