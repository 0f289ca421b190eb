/** An occurrence of a term, identified by its index. */
export interface Find {
  term: number
  start: number
  end: number
}

/** How much of the proximity depends on the order. */
const ORDER = 0.2

/**
 * How close together the terms of a query occur at best: 1 if they are adjacent and in order, approaching 0
 * with distance. Missing terms lower the result.
 */
export function closeness(finds: Find[], terms: number): number {
  const present = new Set(finds.map(({ term }) => term)).size
  if (present < 2) return 0
  finds.sort((one, other) => one.start - other.start || one.term - other.term)
  const counts = new Uint32Array(terms)
  let inside = 0
  let best = 0
  for (let first = 0, last = 0; last < finds.length; last++) {
    if (counts[finds[last]!.term]!++ === 0) inside++
    while (counts[finds[first]!.term]! > 1) counts[finds[first++]!.term]!--
    if (inside === present) best = Math.max(best, windowPoints(finds, first, last))
  }
  return (best * present) / terms
}

function windowPoints(finds: readonly Find[], first: number, last: number): number {
  let own = 0
  let end = 0
  let ordered = true
  for (let index = first; index <= last; index++) {
    const find = finds[index]!
    own += find.end - find.start + 1
    end = Math.max(end, find.end)
    if (index > first && find.term <= finds[index - 1]!.term) ordered = false
  }
  // A few words in between cost little.
  const apart = Math.max(0, end - finds[first]!.start + 1 - own)
  return (1 - ORDER + (ordered ? ORDER : 0)) / (1 + apart / 60)
}
