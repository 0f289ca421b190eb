/** Appends a list to another. A call that spreads a list puts all of it on the stack, which a long one exceeds. */
export function append<Item>(list: Item[], more: Iterable<Item>): void {
  for (const item of more) list.push(item)
}

/** The largest of some numbers, and no less than `least`. */
export function largest(values: Iterable<number>, least = Number.NEGATIVE_INFINITY): number {
  let found = least
  for (const value of values) if (value > found) found = value
  return found
}

/** The smallest of some numbers; infinity of none. */
export function smallest(values: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY
  for (const value of values) if (value < found) found = value
  return found
}
