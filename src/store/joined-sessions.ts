import { largest } from '../model/iteration.ts'
import type { Passage, RankedSession } from './ranked-sessions.ts'
import type { Nearest, SearchSource } from './search-source.ts'

/**
 * What meaning counts against words. The words of the best session count 1; meaning counts this much for each
 * standard deviation by which a session's most similar message exceeds the usual one. On the questions of
 * LoCoMo, weights from 0.08 to 0.16 differ by half a percent: see `bench/recall.ts`.
 */
const WEIGHT = 0.12
/** How many sessions are found by meaning, and how far above the usual their best message has to be. */
const SESSIONS = 20
const LEAST = 1
/** How many messages of a session are shown by meaning, if they are nearly as similar as the best. */
const PASSAGES = 2
const NEARLY = 0.5

/** Sessions ranked by words and by meaning, and how similar the messages are that meaning found. */
export interface JoinedSessions {
  sessions: RankedSession[]
  similarities: ReadonlyMap<number, number>
}

/** The most similar messages of a session, the best first. */
interface Similar {
  message: number
  similarity: number
  /** Standard deviations above the mean of all messages. */
  above: number
}

/**
 * Joins the ranking by words with the nearest messages. Scores of both kinds are sums, so a session that both
 * find ranks above one that only one of them finds.
 */
export function joinSessions(
  source: Pick<SearchSource, 'ownersOf'>,
  ranked: readonly RankedSession[],
  nearest: Nearest,
): JoinedSessions {
  const similar = bySession(source, nearest)
  const known = new Map(ranked.map((each) => [each.session, each]))
  const best = largest(
    ranked.map(({ score }) => score),
    0,
  )
  const found = new Map([...similar].slice(0, SESSIONS).filter(([, [first]]) => first!.above >= LEAST))
  const similarities = new Map<number, number>()
  const sessions = [...new Set([...known.keys(), ...found.keys()])].map((session): RankedSession => {
    const byWords = known.get(session)
    const words = best > 0 ? (byWords?.score ?? 0) / best : 0
    const meaning = WEIGHT * Math.max(0, similar.get(session)?.[0]?.above ?? 0)
    const messages = nearlyBest(found.get(session) ?? [])
    for (const { message, similarity } of messages) similarities.set(message, similarity)
    const passages = [byWords?.passages ?? [], messages.map((each) => passageOf(each, byWords))]
    // What counts more is shown first.
    if (meaning > words) passages.reverse()
    return { ...byWords, session, score: words + meaning, meaning, passages: distinct(passages.flat()) }
  })
  return { sessions: sessions.sort((one, other) => other.score - one.score), similarities }
}

/** The messages of each session, the session with the most similar one first. */
function bySession(
  source: Pick<SearchSource, 'ownersOf'>,
  { messages, mean, deviation }: Nearest,
): Map<number, Similar[]> {
  const owners = source.ownersOf(messages.map(({ message }) => message))
  const sessions = new Map<number, Similar[]>()
  for (const { message, similarity } of messages) {
    const owner = owners.get(message)
    if (!owner) continue
    const some = sessions.get(owner.session) ?? []
    sessions.set(owner.session, some)
    some.push({ message, similarity, above: deviation > 0 ? (similarity - mean) / deviation : 0 })
  }
  return sessions
}

const nearlyBest = (similar: readonly Similar[]): Similar[] =>
  similar.slice(0, PASSAGES).filter(({ above }) => above >= similar[0]!.above - NEARLY)

/** A message that meaning found, with what the words say about it. */
const passageOf = ({ message, above }: Similar, byWords: RankedSession | undefined): Passage =>
  byWords?.passages.find((each) => each.message === message) ?? {
    message,
    score: above,
    own: 0,
    words: 0,
    share: 0,
  }

const distinct = (passages: readonly Passage[]): Passage[] => [
  ...new Map(passages.map((each) => [each.message, each])).values(),
]
