import type { Citation } from '../evidence/citation.ts'
import type { DynamicKind } from './kinds.ts'

/** Something that happened between human and agent, with where it can be read. */
export interface Dynamic {
  kind: DynamicKind
  /** 0 to 1. Only those from the threshold on are reported. */
  score: number
  /** Figures of kinds that span several items: rounds, attempts, calls. */
  detail: string | null
  /** The first is where it begins. */
  citations: Citation[]
}
