/** One of several sessions with similar prompts: its start and the hash of its prompt. */
export interface Alike {
  at: number
  whole: number
}

/** Two runs of one script are at most this far apart. */
const CLOSE_MS = 15 * 60_000

/**
 * The confidence that a script started a set of sessions whose only prompts differ in a parameter. It grows
 * with the number of sessions, of distinct prompts, and of sessions that began within 15 minutes of another.
 * Between 0 and 0.95; 0 for fewer than three sessions.
 */
export function scriptConfidence(sessions: readonly Alike[]): number {
  const count = sessions.length
  if (count < 3) return 0
  const distinct = new Set(sessions.map(({ whole }) => whole)).size
  const times = sessions.map(({ at }) => at).sort((a, b) => a - b)
  const close = times.filter(
    (at, index) =>
      at - (times[index - 1] ?? Number.NEGATIVE_INFINITY) <= CLOSE_MS ||
      (times[index + 1] ?? Number.POSITIVE_INFINITY) - at <= CLOSE_MS,
  ).length
  const byCount = count >= 20 ? 0.6 : count >= 10 ? 0.5 : count >= 5 ? 0.4 : 0.25
  const byParameter = distinct === count ? 0.2 : distinct > 1 ? 0.1 : 0
  const byRhythm = close >= count * 0.8 ? 0.25 : close >= count * 0.5 ? 0.15 : 0
  return Math.min(0.95, Math.round((byCount + byParameter + byRhythm) * 100) / 100)
}
