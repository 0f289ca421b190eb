import { citationKey } from '../evidence/citation.ts'
import type { Citation } from '../evidence/evidence.ts'

/** Numbers citations in the order in which they are used. Two of the same record share a number. */
export interface Footnotes {
  numberOf(citation: Citation): number
  all(): { number: number; citation: Citation }[]
}

export function createFootnotes(): Footnotes {
  const numbers = new Map<string, { number: number; citation: Citation }>()
  return {
    numberOf(citation) {
      const key = citationKey(citation)
      const note = numbers.get(key) ?? { number: numbers.size + 1, citation }
      numbers.set(key, note)
      return note.number
    },
    all: () => [...numbers.values()],
  }
}

const SHORT = 8

/**
 * The first eight characters of a session's id. Ids of subagents all begin alike, so that part is left out.
 */
export function shortSession(id: string): string {
  const own = id.replace(/^agent-/, '')
  return own.slice(0, SHORT).replace(/[^\w-]/g, '_')
}

/** `2026-09-22 08:33`, in UTC. */
export const dayAndTime = (at: string | null): string =>
  at === null ? 'no time' : `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
