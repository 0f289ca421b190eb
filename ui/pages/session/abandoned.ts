import type { Branch, Span } from './path.ts'

/**
 * Abandoned branches with their tool calls. The server marks only messages, because parallel calls are side branches
 * of any branch: the calls between two abandoned messages, and those up to the human's next prompt, were left, too.
 */
export function wholeBranches(messages: readonly Span[], who: string): readonly Span[] {
  const branches: Span[] = []
  for (const [index, { from, to }] of messages.entries()) {
    const end = callsEnd(who, to)
    const isLeft = end === messages[index + 1]?.from || who[end] === 'h'
    const branch = { from, to: isLeft ? end : to }
    const last = branches.at(-1)
    if (last?.to === from) last.to = branch.to
    else branches.push(branch)
  }
  return branches
}

function callsEnd(who: string, from: number): number {
  let end = from
  while (who[end] === 't' || who[end] === 'e') end++
  return end
}

/** Where a branch begins, and the item that it goes on from. */
export interface Start {
  index: number
  after: number
}

/**
 * The branches of these stretches. A stretch has several where the human went back more than once; without
 * their beginnings it is one branch, which parts from the item before it.
 */
export function branchesIn(stretches: readonly Span[], starts: readonly Start[]): Branch[] {
  return stretches.flatMap(({ from, to }) => {
    const own = starts.filter(({ index, after }) => index > from && index < to && after < index)
    const first = starts.find(({ index, after }) => index === from && after < index)
    const begins = [{ index: from, after: first?.after ?? from - 1 }, ...own]
    return begins.map(({ index, after }, at) => ({ from: index, to: begins[at + 1]?.index ?? to, after }))
  })
}
