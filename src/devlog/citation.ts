import { hash } from 'node:crypto'
import type { Item, Session } from '../model/session.ts'
import { oneLine } from '../render/markdown.ts'
import { printable, type Suggest } from '../render/terminal.ts'
import type { Citation } from './evidence.ts'
import type { TimeFact } from './facts.ts'
import type { NumberFact } from './numbers.ts'
import { cutText, plainWords } from './sentences.ts'

const DIGEST_LENGTH = 12
const USUAL_QUOTE = 280

/** The text of an item on one line: what quotes are taken from and what the digest covers. */
export function citedText({ text, tool, who, media }: Pick<Item, 'text' | 'tool' | 'who' | 'media'>): string {
  const whole =
    who === 'tool' ? [tool?.name, tool?.target].filter(Boolean).join(' ') : (text ?? media?.join(' ') ?? '')
  return oneLine(printable(whole))
}

export const digestOf = (text: string): string => hash('sha256', text, 'hex').slice(0, DIGEST_LENGTH)

/** The text and the digest of items. They are asked for several times. */
const known = new WeakMap<Item, { text: string; digest: string }>()

/** The cited text of an item and its digest. */
export function recordOf(item: Item): { text: string; digest: string } {
  let found = known.get(item)
  if (!found) {
    const text = citedText(item)
    found = { text, digest: digestOf(text) }
    known.set(item, found)
  }
  return found
}

/** Cites an item: a part of its text, or its beginning. */
export function cite(session: Pick<Session, 'id' | 'path'>, item: Item, part?: string): Citation {
  const { text, digest } = recordOf(item)
  return {
    session: session.id,
    path: session.path,
    line: item.line,
    at: item.at === undefined ? null : new Date(item.at).toISOString(),
    quote: cutText(part ?? text, USUAL_QUOTE),
    digest,
  }
}

const SHORT_DIGEST = 6

/** What marks and headings call a session, by its id. `read` knows it by that name, too. */
export type NameOf = (session: string) => string

/** A name as marks contain it: a footnote of Markdown has no spaces and brackets. */
export const nameInMark = (name: string): string => name.replace(/[^\w.-]/g, '_')

/** Names for marks, of those that commands take. */
export const namesInMarks =
  ({ id }: Pick<Suggest, 'id'>): NameOf =>
  (session) =>
    nameInMark(id(session))

/**
 * The mark of a citation, `[^640ab4c7:5:8f3a1c]`: session, line and the beginning of the digest. It is a
 * footnote of Markdown and can be checked without anything else.
 */
export const markOf = (citation: Pick<Citation, 'session' | 'line' | 'digest'>, nameOf: NameOf): string =>
  `[^${labelOf(citation, nameOf)}]`

export const labelOf = (
  { session, line, digest }: Pick<Citation, 'session' | 'line' | 'digest'>,
  nameOf: NameOf,
): string => `${nameOf(session)}:${line}:${digest.slice(0, SHORT_DIGEST)}`

/** A citation as a text states it. */
export interface Mark {
  /** The text between `[^` and `]`. */
  label: string
  session: string
  line: number
  digest: string
}

const LABEL = /^([\w.-]+):(-?\d+):([\da-f]{6,})$/

/** Reads the label of a mark. Undefined if it is a footnote of somebody else. */
export function parseLabel(label: string): Mark | undefined {
  const [, session, line, digest] = LABEL.exec(label) ?? []
  return session === undefined ? undefined : { label, session, line: Number(line), digest: digest! }
}

/** `2026-09-22 08:33`, in UTC. */
const dayAndTime = (at: string | null): string =>
  at === null ? 'no time' : `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`

/** The definition of a mark, which shows readers of the text where the words are. */
export const definitionOf = (label: string, at: string | null): string => {
  const { session, line } = parseLabel(label)!
  return `[^${label}]: session \`${session}\`, line ${line}, ${dayAndTime(at)}`
}

/**
 * Words as they are compared: without Markdown, with plain quotation marks, dashes and single spaces. The
 * case of letters counts.
 */
export const comparable = (text: string): string =>
  text
    .replace(/\\/g, '')
    .replace(/!?\[([^\]\n]{0,1000})\]\([^()\s]*\)/g, '$1')
    .replace(/&lt;/g, '<')
    .replace(/&#33;/g, '!')
    .replace(/[*_`~[\]]/g, '')
    .normalize('NFC')
    .replace(/[“”„«»″]/g, '"')
    .replace(/[‘’‚′]/g, "'")
    .replace(/[‐‑–—]/g, '-')
    .replace(/…/g, '...')
    .replace(/\s+/g, ' ')
    .trim()

/**
 * Whether a record contains the words of a quote, in order. A gap may be marked, the first letter may be of
 * another case, and the last mark of punctuation may be missing.
 */
export function containsQuote(text: string, quote: string): boolean {
  const parts = quote
    .split(/(?<!\s)\s*(?:\[…\]|\[\.\.\.\]|…|\.\.\.)\s*/)
    .map(comparable)
    .filter(Boolean)
  const shown = printable(text)
  // Drafts quote the plain words of lines and of paragraphs.
  const forms = [shown, plainWords(shown), plainWords(shown.replace(/\s+/g, ' '))]
  return forms.some((form) => containsParts(comparable(form), parts))
}

function containsParts(record: string, parts: readonly string[]): boolean {
  let from = 0
  for (const part of parts) {
    const at = [part, part.replace(/[.,;:!?。，]$/, '')]
      .flatMap((each) => [each, swapped(each, 'toLowerCase'), swapped(each, 'toUpperCase')])
      .map((each) => ({ index: record.indexOf(each, from), length: each.length }))
      .find(({ index }) => index >= 0)
    if (!at) return false
    from = at.index + at.length
  }
  return true
}

const swapped = (text: string, change: 'toLowerCase' | 'toUpperCase'): string =>
  text.slice(0, 1)[change]() + text.slice(1)

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
