/** A literal at which a pattern begins, and what stands around it wherever the pattern matches. */
export interface Trigger {
  /** At least three characters. */
  literal: string
  /** The character before it. */
  before?: RegExp
  /** So many characters of a kind behind it. */
  behind?: { kind: RegExp; count: number }
}

export const triggerOf = (trigger: string | Trigger): Trigger =>
  typeof trigger === 'string' ? { literal: trigger } : trigger

const firstRun = /(\[[^\]]+\])\{(\d+)/

/** The trigger of a pattern that goes on with a run of letters of one kind: these have to stand there too. */
export function triggerWithRun(literal: string, source: string): Trigger {
  const run = firstRun.exec(source)
  if (run === null || !isWhole(source.slice(0, run.index), literal)) return { literal }
  return { literal, behind: { kind: new RegExp(run[1]!), count: Number(run[2]) } }
}

/** Whether a piece of a pattern is a pattern by itself, and fits all of a text. */
function isWhole(source: string, text: string): boolean {
  try {
    return new RegExp(`^(?:${source})$`).test(text)
  } catch {
    return false
  }
}
