import { hash } from 'node:crypto'
import type { Item, Session } from '../../model/session.ts'
import { oneLine } from '../../render/markdown.ts'
import { printable } from '../../render/printable.ts'
import type { Citation } from './evidence.ts'

/** Where a quote was cut. */
export const GAP = '[…]'
const DIGEST_LENGTH = 12
const USUAL_QUOTE = 280

/** The text of an item on one line: what quotes are taken from and what the digest covers. */
export function citedText({ text, tool, who, media }: Pick<Item, 'text' | 'tool' | 'who' | 'media'>): string {
  const whole =
    who === 'tool' ? [tool?.name, tool?.target].filter(Boolean).join(' ') : (text ?? media?.join(' ') ?? '')
  return oneLine(printable(whole))
}

export const digestOf = (text: string): string => hash('sha256', text, 'hex').slice(0, DIGEST_LENGTH)

/** The text and the digest of items that were cited. An item is cited several times. */
const known = new WeakMap<Item, { text: string; digest: string }>()

function textOf(item: Item): { text: string; digest: string } {
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
  const { text, digest } = textOf(item)
  return {
    ...{ session: session.id, path: session.path, line: item.line },
    at: item.at === undefined ? null : new Date(item.at).toISOString(),
    quote: cutQuote(part ?? text, USUAL_QUOTE),
    digest,
  }
}

/** Shortens a quote at a sentence or a word, and marks the gap. */
export function cutQuote(text: string, limit: number): string {
  if (text.length <= limit) return text
  const room = text.slice(0, limit - GAP.length - 1)
  const sentence = /^.*[.!?](?= )|^.*[。！？]/su.exec(room)?.[0]
  const words = room.slice(0, Math.max(room.lastIndexOf(' '), 0))
  const longEnough = (part: string | undefined): part is string => (part?.length ?? 0) >= limit / 2
  const head = longEnough(sentence) ? sentence : longEnough(words) ? words : room
  return `${head.trimEnd()} ${GAP}`.toWellFormed()
}

/** Whether the text contains the words of a quote, in order. */
export function containsQuote(text: string, quote: string): boolean {
  let from = 0
  for (const part of oneLine(quote)
    .split(GAP)
    .map((each) => each.trim())) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return true
}

/** Two citations of the same record and text. */
export const citationKey = ({ path, line, digest }: Citation): string => `${path}:${line}:${digest}`
