import { cutQuote } from '../evidence/citation.ts'
import type { Citation } from '../evidence/evidence.ts'
import type { Block, Draft } from './document.ts'

/** A draft within a budget, and what was left out. */
export interface Fitted {
  draft: Draft
  tokens: number
  /** Blocks that were left out, and quotes that were shortened. */
  leftOut: { blocks: number; shortened: number }
}

/** Lengths that quotes are cut to if blocks that cannot be left out exceed the budget. */
const LENGTHS = [280, 160, 80, 40]

/**
 * Leaves out the blocks with the lowest weights until the text fits. If that is not enough, quotes are cut
 * too. Undefined if even that exceeds the budget. `count` counts the tokens of a draft in its final format.
 */
export function fitDraft(draft: Draft, budget: number, count: (draft: Draft) => number): Fitted | undefined {
  for (const length of LENGTHS) {
    const found = leaveOut(shortened(draft, length), budget, count)
    if (!found) continue
    const { shortened: cut } = length === LENGTHS[0] ? { shortened: 0 } : { shortened: cutIn(draft, length) }
    return { ...found, leftOut: { ...found.leftOut, shortened: cut } }
  }
  return undefined
}

/**
 * The weights decide in which order blocks are added; the largest number of them that fits is found by
 * halving.
 */
function leaveOut(draft: Draft, budget: number, count: (draft: Draft) => number): Fitted | undefined {
  const order = draft.blocks
    .map((block, index) => ({ index, weight: block.weight ?? Number.POSITIVE_INFINITY }))
    .sort((a, b) => b.weight - a.weight || a.index - b.index)
  const fixed = order.filter(({ weight }) => weight === Number.POSITIVE_INFINITY).length
  const withFirst = (size: number): Draft => {
    const taken = new Set(order.slice(0, size).map(({ index }) => index))
    return { ...draft, blocks: withoutEmptySections(draft.blocks.filter((_, index) => taken.has(index))) }
  }
  let [low, high] = [fixed, order.length]
  if (count(withFirst(low)) > budget) return undefined
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (count(withFirst(middle)) <= budget) low = middle
    else high = middle - 1
  }
  // A small block further down may still fit.
  const taken = new Set(order.slice(0, low).map(({ index }) => index))
  let best = withFirst(low)
  let tokens = count(best)
  for (const { index } of order.slice(low, low + TRIED)) {
    if (tokens > budget * ENOUGH) break
    const more = new Set([...taken, index])
    const tried = { ...draft, blocks: withoutEmptySections(draft.blocks.filter((_, at) => more.has(at))) }
    const size = count(tried)
    if (size > budget) continue
    taken.add(index)
    best = tried
    tokens = size
  }
  return { draft: best, tokens, leftOut: { blocks: draft.blocks.length - best.blocks.length, shortened: 0 } }
}

const TRIED = 40
const ENOUGH = 0.985

/** A heading that nothing follows says nothing. */
function withoutEmptySections(blocks: readonly Block[]): Block[] {
  return blocks.filter((block, index) => {
    if (block.type !== 'heading') return true
    const next = blocks.slice(index + 1).find((each) => each.type !== 'heading' || each.depth <= block.depth)
    return next !== undefined && next.type !== 'heading'
  })
}

const short = (citation: Citation, length: number): Citation =>
  citation.quote.length <= length ? citation : { ...citation, quote: cutQuote(citation.quote, length) }

function shortened(draft: Draft, length: number): Draft {
  const content = <Part>(part: Part): Part =>
    typeof part === 'object' && part !== null && 'quote' in part
      ? { ...part, quote: short(part.quote as Citation, length) }
      : part
  return {
    ...draft,
    blocks: draft.blocks.map((block) => {
      if (block.type === 'quote') return { ...block, citation: short(block.citation, length) }
      if (block.type === 'list') return { ...block, items: block.items.map((item) => item.map(content)) }
      return block
    }),
  }
}

const cutIn = ({ blocks }: Draft, length: number): number =>
  blocks
    .flatMap((block) =>
      block.type === 'quote'
        ? [block.citation]
        : block.type === 'list'
          ? block.items
              .flat()
              .flatMap((part) => (typeof part === 'object' && 'quote' in part ? [part.quote] : []))
          : [],
    )
    .filter(({ quote }) => quote.length > length).length
