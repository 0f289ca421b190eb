import type { Artifact } from '../model/artifact.ts'
import type { Item, Session, Who } from '../model/session.ts'

/** A stored session. */
export interface StoredSession {
  session: Session
  /** When its file was found missing, in ms. */
  goneMs?: number
  /** The short name of its project, and the folder. */
  project?: string
  folder?: string
}

/** Sessions that were read before, by the ids of their files. `stamp` changes with the file. */
export type SessionsBefore = Map<number, { stamp: string; session: Session }>

/** A memory document. */
export interface StoredDocument {
  id: number
  artifact: Artifact
  goneMs?: number
  /** The file's modification time in ms and its size in bytes, for each version. */
  versions: { number: number; at: number; bytes: number }[]
}

/** An item with its speaker in this file, and the id of the message in the store. */
export interface StoredMessage extends Item {
  message: number
}

export interface StoreStatistics {
  artifacts: number
  gone: number
  messages: number
  occurrences: number
  /** The size of the transcripts when they were last seen, and of the store itself, in bytes. */
  transcriptBytes: number
  storeBytes: number
}

/** Some items of a file, by their position. */
export interface ItemWindow {
  /** How many items the file has. */
  total: number
  items: StoredMessage[]
  /** Replies whose first items precede the window. */
  replies: Set<number>
}

/**
 * All items of a file without their texts, as columns: an object for each item would take ten times as long.
 */
export interface OutlineColumns {
  /** One letter for each item. */
  who: string
  line: number[]
  /** The number of characters of each item's text. */
  size: number[]
  at: (number | null)[]
  /** Items on abandoned branches, from the first position to before the second. */
  off: { from: number; to: number }[]
  /** The items of humans, and the markers, in order. */
  texts: OutlineText[]
  /** The usage of replies by the position of their first item, in order. */
  replies: { index: number[]; context: number[]; output: number[] }
}

interface OutlineText {
  index: number
  /** The beginning of the text. */
  text: string | undefined
  /** Absent if a human wrote it. */
  marker: string | undefined
}

export interface OutlineOptions {
  /** The letter of each kind of speaker, in lower case. */
  letters: Readonly<Record<Who, string>>
  /** The length of texts, in characters. */
  cut: number
}

/** The kinds of speakers. Stores have them as numbers, so the order never changes. */
export const SPEAKERS = [
  'human',
  'agent',
  'program',
  'tool',
  'error',
  'marker',
  'memory',
] as const satisfies readonly Who[]

export const speakerNumber = (who: Who): number => SPEAKERS.indexOf(who)
