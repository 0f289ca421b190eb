import type { Steps } from '../model/iteration.ts'
import type { Who } from '../model/session.ts'
import { asksOfMessages, type Node } from '../search/query.ts'
import type { Piece } from '../search/words.ts'
import type { SearchAnswer, SearchHit, SearchRequest } from './search.ts'
import type { StoredMessage } from './stored.ts'

/** A session with a title that its first human message does not repeat. */
export interface TitledSession {
  artifact: number
  title: string
  /** For comparing; see `fold`. */
  folded: string
  at: number | null
}

/** The messages nearest in meaning, the most similar first, and how similar all messages are. */
export interface Nearest {
  messages: { message: number; similarity: number }[]
  mean: number
  deviation: number
}

/** What an engine does for one request, within its filters. Messages have numbers. */
export interface SearchSource {
  /** No message can match the filters. */
  isEmpty: boolean
  /** Ranked messages. */
  search(request: SearchRequest): Steps<SearchAnswer>
  /**
   * Messages that match some words, about the newest first, and how many there are, roughly if they are more
   * than `count`. Empty if no word can be looked up.
   */
  latest(words: Node, count: number): Steps<{ ids: number[]; total: number }>
  /** Counts messages that match some words, up to a limit. */
  count(words: Node, most: number): Steps<number>
  /** Ranks some messages by their texts, which it reads once. */
  best(
    ids: readonly number[],
    request: SearchRequest,
    rank: Rank,
  ): Steps<Pick<SearchAnswer, 'hits' | 'sessions'>>
  /**
   * The session of each message, by the id of its file, and whether a tool or a program wrote the message.
   */
  ownersOf(ids: readonly number[]): ReadonlyMap<number, { session: number; isAside: boolean }>
  /** How long the texts of some messages are, in characters or bytes. */
  lengthsOf(ids: readonly number[]): ReadonlyMap<number, number>
  /** The wanted messages of a session by their positions in it, and how many messages it has. */
  positionsIn(session: number, isWanted: (message: number) => boolean): SessionPositions
  /** Roughly how many messages and sessions there are. */
  size(): { messages: number; sessions: number }
  /** Words of all messages of a length that have one of these pieces, and perhaps others. */
  vocabulary(lengths: { least: number; most: number }, pieces: readonly Piece[]): readonly string[]
  /** Sessions whose titles match, judged by the folded title. */
  titles(request: SearchRequest, fits: (folded: string) => boolean): readonly TitledSession[]
  /**
   * Makes a hit of a title, at the first line of its session. Undefined if the message there repeats the
   * title.
   */
  titleHit(titled: TitledSession): Omit<SearchHit, 'score'> | undefined
  /** The messages whose vectors are nearest to this one. Absent in engines without vectors. */
  nearest?(vector: Int8Array): Steps<Nearest | undefined>
}

/** Makes ranks of the scores of all messages, by their numbers. */
export type Rank = (scores: ReadonlyMap<number, number>) => (message: number) => number

export const byScore: Rank = (scores) => (message) => scores.get(message)!

/** Those who say something, in contrast to tools, their errors, and programs. */
export const SPEAKING: ReadonlySet<Who> = new Set(['human', 'agent', 'memory'])

/** Some messages of a session, in order, with their positions among all of its messages. */
export interface SessionPositions {
  length: number
  found: readonly { message: number; position: number }[]
}

/** The maximum number of titles. */
const MOST_TITLES = 200

/** The files whose sessions a request may show. */
export interface FileLimits {
  /** Only messages of these files, and none of those. */
  shown?: ReadonlySet<number>
  hidden?: ReadonlySet<number>
  /** Files that a filter excludes. */
  outside?: ReadonlySet<number>
}

/** Titles that match. A title has no speaker and no tool, so filters for these exclude it. */
export function matchingTitles(
  titles: () => Iterable<TitledSession>,
  { query: { filters } }: Pick<SearchRequest, 'query'>,
  { shown, hidden, outside }: FileLimits,
  fits: (folded: string) => boolean,
): TitledSession[] {
  if ([filters, filters.without].some(asksOfMessages)) return []
  const found: TitledSession[] = []
  for (const each of titles()) {
    if (!fits(each.folded)) continue
    const at = each.at ?? 0
    if (shown?.has(each.artifact) === false || hidden?.has(each.artifact) || outside?.has(each.artifact))
      continue
    if (at < (filters.after ?? at) || at >= (filters.before ?? Number.POSITIVE_INFINITY)) continue
    found.push(each)
    if (found.length === MOST_TITLES) break
  }
  return found
}

/** Whether the first words of a session repeat its title, as they do where a client chose none. */
export const isRepeated = (title: string, first: string | undefined): boolean =>
  first !== undefined && beginning(title) === beginning(first)

const beginning = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 40)

/** A title as a hit at the first message of its session; undefined if that message repeats the title. */
export function titleHitAt(
  { title, at }: TitledSession,
  first: StoredMessage,
  session: Pick<SearchHit, 'session' | 'platform' | 'agent' | 'project' | 'path' | 'goneMs'>,
): Omit<SearchHit, 'score'> | undefined {
  const { message, line, offset, length, order, text = '' } = first
  if (isRepeated(title, text)) return undefined
  return {
    message,
    line,
    offset,
    length,
    order,
    who: 'marker',
    label: 'title',
    at: at ?? undefined,
    text: title,
    ...session,
    copies: [],
  }
}
