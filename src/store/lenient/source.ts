import type { Steps } from '../../model/iteration.ts'
import type { Node } from '../../search/query.ts'
import type { Piece } from '../../search/words.ts'
import type { SearchAnswer, SearchHit, SearchRequest } from '../search.ts'

/** A session with a title that its first human message does not repeat. */
export interface TitledSession {
  artifact: number
  title: string
  /** For comparing; see `fold`. */
  folded: string
  at: number | null
}

/** What an engine does for one request, within its filters. Messages have numbers. */
export interface SearchSource {
  /** No message can match the filters. */
  isEmpty: boolean
  /** Ranked messages. */
  search(request: SearchRequest): Steps<SearchAnswer>
  /** Messages that match some words, about the newest first. Empty if no word can be looked up. */
  latest(words: Node, count: number): Steps<number[]>
  /** Counts messages that match some words, up to a limit. */
  count(words: Node, most: number): Steps<number>
  /** Ranks some messages, with a score that the caller combines with other criteria. */
  best(
    ids: readonly number[],
    request: SearchRequest,
    rank: (id: number, score: number) => number,
  ): Steps<Pick<SearchAnswer, 'hits' | 'sessions'>>
  /** Words of all messages of a length that have one of these pieces, and perhaps others. */
  vocabulary(lengths: { least: number; most: number }, pieces: readonly Piece[]): readonly string[]
  /** Sessions whose titles match, judged by the folded title. */
  titles(request: SearchRequest, fits: (folded: string) => boolean): readonly TitledSession[]
  /**
   * Makes a hit of a title, at the first line of its session. Undefined if the message there repeats the
   * title.
   */
  titleHit(titled: TitledSession): Omit<SearchHit, 'score'> | undefined
}
