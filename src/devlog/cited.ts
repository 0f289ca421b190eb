import type { Item, Session } from '../model/session.ts'
import type { TimeFact } from './facts.ts'
import type { NumberFact } from './numbers.ts'

/** A session as the check sees it. */
export interface CheckedSession {
  session: Session
  items: readonly Item[]
}

/** A cited record with the session around it. */
export interface Cited {
  item: Item
  text: string
  home: CheckedSession
}

/** What a sentence may rely on: the words of its records, and the tools of the turns around them. */
export interface Evidence {
  cited: readonly Cited[]
  /** The words of the records. */
  texts: readonly string[]
  /** Tool calls and errors of the same turns. */
  tools: readonly string[]
  numbers: readonly NumberFact[]
  /** Those of the records themselves. */
  ofRecords: ReadonlySet<NumberFact>
  times: readonly TimeFact[]
  /** The records of the sentence before, from which a text may count minutes or days. */
  before: readonly Cited[]
}
