import type { Item } from '../../model/session.ts'
import { citationKey, citedText, digestOf } from '../evidence/citation.ts'
import type { Citation, Evidence, Phase, UsedSession } from '../evidence/evidence.ts'
import type { SourceSession } from '../source.ts'

/** A record that a text may cite, in full. */
export interface CitedRecord {
  number: number
  citation: Citation
  /** The whole text of the record on one line. */
  text: string
  /** The call of an error. */
  call: string
  who: Item['who'] | undefined
  session: UsedSession | undefined
  /** The phases of the time line that contain it. */
  phases: readonly Phase[]
  /** Quotes of it in the evidence. */
  quotes: readonly string[]
}

/** What a text is checked against. */
export interface Material {
  evidence: Evidence
  /** By the number of the footnote. */
  records: ReadonlyMap<number, CitedRecord>
  /** The draft that the text was made from. Its own lines hold. */
  draft: string
  /** How the draft names the two sides. */
  sides: { human: string; agent: string }
  /** All records and the draft, for words that need no citation. */
  vocabulary: string
}

/** Gathers what a text may cite. The footnotes are those that the writer was given. */
export function materialOf(
  sources: readonly SourceSession[],
  given: Pick<Material, 'evidence' | 'draft' | 'sides'> & {
    footnotes: readonly { number: number; citation: Citation }[]
    /** Removes from the text of a record what must not be shown. */
    clean?: ((text: string) => string) | undefined
  },
): Material {
  const { evidence, footnotes, clean = (text: string) => text } = given
  const items = itemsOf(sources, footnotes)
  const quotes = quotesOf(evidence)
  const records = new Map<number, CitedRecord>()
  for (const { number, citation } of footnotes) {
    const { session: id, at, digest, quote } = citation
    const found = items
      .get(`${citation.path}:${citation.line}`)
      ?.find(({ text }) => digestOf(text) === digest)
    const session = evidence.sessions.find((each) => each.id === id)
    const phases = evidence.phases.filter(
      ({ sessions, from, to }) => sessions.includes(id) && at !== null && at >= from && at <= to,
    )
    records.set(number, {
      ...{ number, citation, session, phases, who: found?.who },
      text: clean(found?.text ?? quote),
      call: clean(found?.call ?? ''),
      quotes: quotes.get(citationKey(citation)) ?? [quote],
    })
  }
  const vocabulary = [...[...records.values()].map(({ text }) => text), given.draft].join('\n')
  return { evidence, draft: given.draft, sides: given.sides, records, vocabulary }
}

interface FoundItem {
  text: string
  call: string
  who: Item['who']
}

/** The items on the cited lines. */
function itemsOf(
  sources: readonly SourceSession[],
  footnotes: readonly { citation: Citation }[],
): Map<string, FoundItem[]> {
  const wanted = new Set(footnotes.map(({ citation: { path, line } }) => `${path}:${line}`))
  const found = new Map<string, FoundItem[]>()
  for (const { session, items } of sources) {
    const calls = new Map<string, Item>()
    for (const item of items) {
      if (item.who === 'tool' && item.callId !== undefined) calls.set(item.callId, item)
      const key = `${session.path}:${item.line}`
      if (!wanted.has(key)) continue
      const call = item.who === 'error' && item.callId !== undefined && calls.get(item.callId)
      const entry = { text: citedText(item), call: call ? citedText(call) : '', who: item.who }
      const same = found.get(key)
      if (same) same.push(entry)
      else found.set(key, [entry])
    }
  }
  return found
}

/** All quotes of the evidence, by the record they are taken from. */
function quotesOf(evidence: Evidence): Map<string, string[]> {
  const quotes = new Map<string, string[]>()
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (!('digest' in value && 'quote' in value)) {
      for (const each of Object.values(value)) look(each)
      return
    }
    const citation = value as Citation
    const key = citationKey(citation)
    const same = quotes.get(key)
    if (!same) quotes.set(key, [citation.quote])
    else if (!same.includes(citation.quote)) same.push(citation.quote)
  }
  look(evidence)
  return quotes
}
