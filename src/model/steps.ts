/** Work in pieces of a few milliseconds, between which others may have their turn, and after each of which it may be given up. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Does all of it at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
