import type { Artifact, Notice } from './artifact.ts'

/** The number of chunks that one model made from one kind of source (`memory`, `sessions`). */
interface SemanticPart {
  kind: string
  model: string
  chunks: number
}

/** The indexed texts compared with the files on disk. Names as in the semantic index. */
export interface SemanticFreshness {
  /** Texts that changed after they were embedded. */
  changed: string[]
  gone: string[]
  /** Memory files that were never embedded. */
  missing: string[]
  /** The number of texts in folders that are not read, whose state is unknown. */
  unchecked: number
}

/** The semantic index of an agent: chunks of its memory and sessions, each with a vector. Not redacted. */
export interface SemanticIndex {
  agent: string
  /** The database that contains the index. */
  path: string
  chunks: number
  /** The number of indexed texts or sessions, by kind. */
  sources: ReadonlyMap<string, number>
  parts: SemanticPart[]
  updatedMs?: number
  freshness: SemanticFreshness
}

/** A chunk that matches a query, in full. Not redacted. */
export interface SemanticHit {
  agent: string
  name: string
  kind: string
  startLine: number
  endLine: number
  text: string
}

export interface SemanticRecall {
  hits: SemanticHit[]
  /** The number of all matches, including those beyond the limit. */
  total: number
  /** `words`: found with the full-text index. `text`: found without it, by substring. */
  by: 'words' | 'text'
  /** Why the full-text index could not be used. */
  why?: string
}

/** The semantic indexes of a root, each of which can be searched, and what could not be read. */
export interface SemanticMemory {
  indexes: SemanticIndex[]
  notices: Notice[]
}

/** The texts on disk that freshness is judged by. */
export type SemanticTexts = readonly Pick<Artifact, 'sessionId' | 'agent' | 'path' | 'bytes' | 'modifiedMs'>[]
