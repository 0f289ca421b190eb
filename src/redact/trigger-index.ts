import type { Rule } from './rule.ts'

const hashMask = 0x7fff

/** Two steps of five bits push a character out after three, so the hash always speaks of the last three. */
function rollHash(hash: number, code: number): number {
  return ((hash << 5) ^ code) & hashMask
}

/** Finds, in one pass over a text, the places where a rule is worth trying. */
export interface TriggerIndex {
  /** Calls `visit` in ascending order of position; a visited place is a candidate, not yet a match. */
  scan(text: string, visit: (rule: number, position: number) => void): void
}

/** A literal in both of its spellings, and the rules that begin with it. */
interface Trigger {
  small: string
  capital: string
  rules: number[]
}

/** Prepares the index. Rules are named by their position in `rules`. */
export function indexTriggers(rules: readonly Pick<Rule, 'triggers' | 'anyCase'>[]): TriggerIndex {
  const marked = new Uint8Array(hashMask + 1)
  const buckets = new Map<number, Trigger[]>()
  for (const [rule, { triggers, anyCase }] of rules.entries())
    for (const trigger of new Set(triggers)) {
      const small = anyCase ? trigger.toLowerCase() : trigger
      const capital = anyCase ? trigger.toUpperCase() : trigger
      for (const hash of new Set(spellings(small, capital).map(hashOf))) {
        marked[hash] = 1
        const bucket = buckets.get(hash) ?? []
        buckets.set(hash, bucket)
        const same = bucket.find((each) => each.small === small && each.capital === capital)
        if (same) same.rules.push(rule)
        else bucket.push({ small, capital, rules: [rule] })
      }
    }
  return {
    scan(text, visit) {
      let hash = 0
      for (let at = 0; at < text.length; at++) {
        hash = rollHash(hash, text.charCodeAt(at))
        if (marked[hash] === 1 && at >= 2)
          for (const trigger of buckets.get(hash)!)
            if (standsAt(text, at - 2, trigger)) for (const rule of trigger.rules) visit(rule, at - 2)
      }
    },
  }
}

function standsAt(text: string, position: number, { small, capital }: Trigger): boolean {
  for (let at = 0; at < small.length; at++) {
    const code = text.charCodeAt(position + at)
    if (code !== small.charCodeAt(at) && code !== capital.charCodeAt(at)) return false
  }
  return true
}

function hashOf(start: string): number {
  let hash = 0
  for (let at = 0; at < 3; at++) hash = rollHash(hash, start.charCodeAt(at))
  return hash
}

/** The first three characters, each small or capital. */
function spellings(small: string, capital: string): string[] {
  return [0, 1, 2].reduce<string[]>(
    (made, at) => made.flatMap((start) => [start + small[at], start + capital[at]]),
    [''],
  )
}
