import { DYNAMIC_KINDS } from '../dynamics/kinds.ts'
import type { Citation, Dynamic, ErrorEvidence, Theme } from './evidence.ts'

const LEAST_SESSIONS = 3
const MOST_CITATIONS = 5
/** Kinds that occur in every session are no theme. */
const REPEATABLE = DYNAMIC_KINDS.filter(
  (kind) => !['intent', 'question', 'proposal', 'agreement'].includes(kind),
)

/** Dynamics and error messages that occur in at least three sessions. */
export function themesOf(dynamics: readonly Dynamic[], errors: readonly ErrorEvidence[]): Theme[] {
  const byAbout = new Map<string, Map<string, Citation>>()
  const add = (about: string, citation: Citation): void => {
    const sessions = byAbout.get(about) ?? new Map<string, Citation>()
    if (!sessions.has(citation.session)) sessions.set(citation.session, citation)
    byAbout.set(about, sessions)
  }
  for (const { kind, citations } of dynamics) if (REPEATABLE.includes(kind)) add(kind, citations[0]!)
  for (const { error } of errors) if (error.quote !== '') add(`the error "${general(error.quote)}"`, error)
  return [...byAbout]
    .filter(([, sessions]) => sessions.size >= LEAST_SESSIONS)
    .map(([about, sessions]) => ({
      ...{ about, sessions: sessions.size },
      citations: [...sessions.values()].slice(0, MOST_CITATIONS),
    }))
    .sort((a, b) => b.sessions - a.sessions)
}

/** An error message without what differs from time to time. */
const general = (text: string): string =>
  text
    .replace(/(?:[\w.~-]*\/)+[\w.-]+|'[^']*'|"[^"]*"/g, '…')
    .replace(/\d+/g, 'n')
    .slice(0, 100)
