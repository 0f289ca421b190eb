/** Appends to a list without spreading, because the arguments of a spread call must fit on the stack. */
export function append<Item>(list: Item[], more: Iterable<Item>): void {
  for (const item of more) list.push(item)
}

/** The largest of the numbers, but at least `least`. */
export function largest(values: Iterable<number>, least = Number.NEGATIVE_INFINITY): number {
  let found = least
  for (const value of values) if (value > found) found = value
  return found
}

/** The smallest of the numbers, `Infinity` if there are none. */
export function smallest(values: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY
  for (const value of values) if (value < found) found = value
  return found
}
