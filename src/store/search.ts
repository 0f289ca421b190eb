import type { Annotation } from '../model/session.ts'
import type { Query } from '../search/query.ts'
import type { StoredMessage } from './stored.ts'

export interface SearchRequest {
  query: Query
  /** Only sessions below these roots. */
  roots?: readonly string[]
  /** The maximum number of hits, best first. */
  limit: number
  /** Search for substrings too if fewer whole words match. Defaults to `limit`. */
  enough?: number
  /** Sort by time, the newest first. */
  sort?: 'newest'
  /** Include deleted sessions whose files still exist. */
  deleted?: boolean
  /** Include copies that somebody made. */
  backups?: boolean
  /** What the user noted about sessions, by id, for the filters `tag:` and `is:starred`. */
  annotations?: ReadonlyMap<string, Annotation>
  /** The current time in ms. Recent messages rank higher. */
  now: number
  /**
   * Search as people expect it: include titles, accept messages with most of the words if few have all of
   * them, and correct typing errors if nothing is found.
   */
  relaxed?: boolean
  /** The vector of the query, if a sentence is also searched by meaning. */
  vector?: Int8Array
}

/** A word that no message contains, and the most similar one that some message does. */
export interface Correction {
  word: string
  instead: string
}

export interface SearchHit extends StoredMessage {
  session: string
  platform: string
  agent: string
  project?: string
  path: string
  score: number
  /** Other files that contain the same message. */
  copies: { path: string; line: number }[]
  /** When its file, or its line in the file, was found missing, in ms. */
  goneMs?: number
}

/** What a message and its neighbors contain of the words that were asked for. */
export interface WordsOfPassage {
  /** How many of them. */
  words: number
  /** What they weigh against all of them, from 0 to 1. Rare words weigh more. */
  share: number
}

export interface SearchAnswer {
  /** The best first. Each is loaded lazily. */
  hits: Iterable<SearchHit>
  /** The number of matches. A lower bound if `more` is set. */
  total: number
  more: boolean
  /** Too few whole words matched, so substrings were searched too. */
  widened: boolean
  /** Sessions were ranked by those of the words that they contain, each by its best passage. */
  relaxed?: boolean
  /** Of a relaxed answer: how many words were asked for, and what a passage contains of them. */
  words?: { count: number; in(hit: Pick<SearchHit, 'message' | 'path'>): WordsOfPassage | undefined }
  /** Of an answer that was also searched by meaning: how similar a message is, if it is why it was found. */
  meaning?: { in(hit: Pick<SearchHit, 'message'>): number | undefined }
  /** The query that was searched, if it differs from the request. Snippets are made with it. */
  asked?: Query
  /** Words that no message contains. If `corrected` is set, their replacements were searched. */
  corrections?: Correction[]
  corrected?: boolean
  /** Counts matches per file, by path. If there are very many, only of the ones that were ranked. */
  sessions(): ReadonlyMap<string, number>
}
