import { containsQuote, digestOf } from '../evidence/citation.ts'
import type { ParsedCitation } from './parse.ts'

/**
 * `holds`: the record is there and contains the quote. `changed`: the line has another record now. `edited`:
 * the record is there, and the quote in the file is not in it. `gone`: no transcript has this line any more.
 */
type CitationState = 'holds' | 'changed' | 'edited' | 'gone'

export interface CheckedCitation extends ParsedCitation {
  state: CitationState
  /** The transcript was deleted, and the words come from the store. */
  stored: boolean
}

/** The cited texts that a session has on a line, in every transcript with that id. */
export interface FoundRecord {
  texts: readonly string[]
  /** The file is missing on disk. */
  gone: boolean
}

/** Compares a citation with the records on its line. */
export function verify(citation: ParsedCitation, records: readonly FoundRecord[]): CheckedCitation {
  const checked = (state: CitationState, stored = false): CheckedCitation => ({ ...citation, state, stored })
  if (records.every(({ texts }) => texts.length === 0)) return checked('gone')
  for (const { texts, gone } of records) {
    const text = texts.find((each) => digestOf(each) === citation.digest)
    if (text === undefined) continue
    const isWhole = citation.quotes.every((quote) => containsQuote(text, quote))
    return checked(isWhole ? 'holds' : 'edited', gone)
  }
  return checked('changed')
}
