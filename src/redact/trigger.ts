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
 * The trigger of a pattern in which a run of one character class follows the literal. That run is required
 * too.
 */
export function triggerWithRun(literal: string, source: string): Trigger {
  const run = firstRun.exec(source)
  if (run === null || !isWhole(source.slice(0, run.index), literal)) return { literal }
  return { literal, behind: { kind: new RegExp(run[1]!), count: Number(run[2]) } }
}

/** Whether a part of a pattern is valid by itself and matches the whole text. */
function isWhole(source: string, text: string): boolean {
  // Most parts are letters that mean themselves. Creating hundreds of patterns takes milliseconds.
  if (source === text && /^[\w-]*$/.test(text)) return true
  try {
    return new RegExp(`^(?:${source})$`).test(text)
  } catch {
    return false
  }
}
