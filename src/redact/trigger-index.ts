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

/** Prepares the index. Rules are named by their position in `rules`. */
export function indexTriggers(rules: readonly Rule[]): TriggerIndex {
  const marked = new Uint8Array(hashMask + 1)
  const buckets = new Map<number, number[]>()
  for (const [rule, { triggers, anyCase }] of rules.entries()) {
    for (const start of new Set(triggers.flatMap((trigger) => spellings(trigger.slice(0, 3), anyCase)))) {
      let hash = 0
      for (let at = 0; at < 3; at++) hash = rollHash(hash, start.charCodeAt(at))
      const bucket = buckets.get(hash) ?? []
      if (!bucket.includes(rule)) bucket.push(rule)
      buckets.set(hash, bucket)
      marked[hash] = 1
    }
  }
  return {
    scan(text, visit) {
      let hash = 0
      for (let at = 0; at < text.length; at++) {
        hash = rollHash(hash, text.charCodeAt(at))
        if (marked[hash] === 1 && at >= 2) for (const rule of buckets.get(hash) ?? []) visit(rule, at - 2)
      }
    },
  }
}

function spellings(text: string, anyCase = false): string[] {
  if (!anyCase) return [text]
  return Array.from(text).reduce<string[]>(
    (made, character) =>
      made.flatMap((start) => [start + character.toLowerCase(), start + character.toUpperCase()]),
    [''],
  )
}
