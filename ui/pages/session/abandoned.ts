import type { Span } from './rows.ts'

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
