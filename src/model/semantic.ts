import type { Artifact, Notice } from './artifact.ts'

/** How many chunks of a kind of source (`memory`, `sessions`) were made with a model. */
interface SemanticPart {
  kind: string
  model: string
  chunks: number
}

/** Texts an index was made of, compared with what is on the disk now. Names as the index has them. */
export interface SemanticFreshness {
  /** Others than when they were embedded. */
  changed: string[]
  gone: string[]
  /** Memory that is there and was never embedded. */
  missing: string[]
  /** How many lie where nothing is looked at, so that nobody can say. */
  unchecked: number
}

/** What an agent finds its memory by: its texts and sessions in pieces, each with a vector. Nothing here is redacted. */
export interface SemanticIndex {
  agent: string
  /** The database it stands in. */
  path: string
  chunks: number
  /** By kind, how many texts or sessions it was made of. */
  sources: ReadonlyMap<string, number>
  parts: SemanticPart[]
  updatedMs?: number
  freshness: SemanticFreshness
}

/** A piece that words were found in, whole. Not redacted. */
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
  /** All there are, also those past the limit. */
  total: number
  /** `text`: without the index of words, by parts of words. */
  by: 'words' | 'text'
  /** Why the index of words could not be asked. */
  why?: string
}

/** The indexes of a root, each of which can be searched, and what could not be read. */
export interface SemanticMemory {
  indexes: SemanticIndex[]
  notices: Notice[]
}

/** What freshness is judged by: the texts that may be opened. */
export type SemanticTexts = readonly Pick<Artifact, 'sessionId' | 'agent' | 'path' | 'bytes' | 'modifiedMs'>[]
