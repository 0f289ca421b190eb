import type { Artifact } from '../model/artifact.ts'
import type { Item, Session } from '../model/session.ts'

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
