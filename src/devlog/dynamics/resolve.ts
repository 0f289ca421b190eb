import type { DynamicKind } from './kinds.ts'
import type { Match } from './message.ts'

/** From this score on, a dynamic is reported. */
export const THRESHOLD = 0.5

type Matches = Map<DynamicKind, Match>

const holds = (matches: Matches, kind: DynamicKind): boolean => (matches.get(kind)?.score ?? 0) >= THRESHOLD

/**
 * Decides between kinds that exclude each other in one message. A correction is more specific than a
 * disagreement, and both are more specific than an agreement or a wish.
 */
export function resolve(matches: Matches): Matches {
  if (holds(matches, 'correction')) {
    const { score } = matches.get('disagreement') ?? { score: 0 }
    if (score <= (matches.get('correction')?.score ?? 0)) matches.delete('disagreement')
    matches.delete('agreement')
  }
  if (holds(matches, 'taste') && matches.get('disagreement')?.sentence === matches.get('taste')?.sentence)
    matches.delete(
      matches.get('disagreement')!.score > matches.get('taste')!.score ? 'taste' : 'disagreement',
    )
  if (holds(matches, 'disagreement') && holds(matches, 'agreement')) matches.delete('agreement')
  const reacts = (['correction', 'disagreement', 'agreement', 'taste'] as const).some((kind) =>
    holds(matches, kind),
  )
  if (reacts) matches.delete('intent')
  if (holds(matches, 'question') && matches.get('intent')?.sentence !== matches.get('question')?.sentence) {
    const wish = matches.get('intent')?.score ?? 0
    if (wish < 0.7) matches.delete('intent')
  }
  return new Map([...matches].filter(([, { score }]) => score >= THRESHOLD))
}
