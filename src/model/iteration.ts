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

/** Work in steps of a few milliseconds. The caller can do something else after each step, or stop. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Runs all steps without a pause. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** The words of a text as a set. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))
