/** A literal at which a pattern begins, with the characters that must surround it. */
export interface Trigger {
  /** At least three characters. */
  literal: string
  /** The character before it. */
  before?: RegExp
  /** The number of characters of a class after it. */
  behind?: { kind: RegExp; count: number }
}

export const triggerOf = (trigger: string | Trigger): Trigger =>
  typeof trigger === 'string' ? { literal: trigger } : trigger

const firstRun = /(\[[^\]]+\])\{(\d+)/

/**
 * The triggers of a pattern. Where a run of one character class follows a literal, that run is required too.
 */
export function triggersWithRun(literals: readonly string[], source: string): Trigger[] {
  const run = firstRun.exec(source)
  if (run === null) return literals.map((literal) => ({ literal }))
  const isWhole = wholeMatcher(source.slice(0, run.index))
  const behind = { kind: new RegExp(run[1]!), count: Number(run[2]) }
  return literals.map((literal) => (isWhole(literal) ? { literal, behind } : { literal }))
}

/** Returns whether a part of a pattern is valid by itself and matches a whole text. */
function wholeMatcher(source: string): (text: string) => boolean {
  // Most parts are letters that mean themselves. Creating hundreds of patterns takes milliseconds.
  if (/^[\w-]*$/.test(source)) return (text) => text === source
  try {
    const pattern = new RegExp(`^(?:${source})$`)
    return (text) => pattern.test(text)
  } catch {
    return () => false
  }
}
