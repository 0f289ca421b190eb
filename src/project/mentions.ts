import type { Session } from '../model/session.ts'
import { squash } from './words.ts'

/** A session without a project that mentions a name early on. */
export interface Mention {
  session: Session
  /** The name with its surrounding text. */
  words: string
}

/** Shorter names must be words of their own, because they occur inside too many others. */
const SHORTEST_PART = 4

/**
 * The sessions whose first five human messages contain a name in any spelling. Pass only sessions without a
 * project; the others have a folder. `clean` redacts the quoted part.
 */
export function mentionsOf(
  sessions: readonly Session[],
  query: string,
  clean: (text: string) => string,
): Mention[] {
  const wanted = squash(query)
  if (wanted === '') return []
  const pattern = written(wanted)
  const found: Mention[] = []
  for (const session of sessions) {
    const mention = openingOf(session).find(
      ({ text, squashed }) => squashed.includes(wanted) && pattern.test(text),
    )
    if (mention) found.push({ session, words: around(clean(mention.text), pattern) })
  }
  return found
}

/**
 * The letters in order, with any punctuation between them. A short name only matches as a word of its own.
 */
function written(wanted: string): RegExp {
  const letters = [...wanted].map((letter) => letter.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const body = letters.join('[^\\p{L}\\p{N}]*')
  const alone = letters.length < SHORTEST_PART && /^[\p{Script=Latin}\p{N}]+$/u.test(wanted)
  return new RegExp(alone ? `(?<![\\p{L}\\p{N}])${body}(?![\\p{L}\\p{N}])` : body, 'iu')
}

interface OpeningMessage {
  text: string
  squashed: string
}

/** Cached per session, because sessions are searched repeatedly. */
const known = new WeakMap<Session, OpeningMessage[]>()

function openingOf(session: Session): OpeningMessage[] {
  let opening = known.get(session)
  if (!opening) {
    const texts = session.opening ?? (session.firstHuman === undefined ? [] : [session.firstHuman])
    opening = texts.map((text) => ({ text, squashed: squash(text) }))
    known.set(session, opening)
  }
  return opening
}

const REACH = 30

/** The text around the match. */
function around(text: string, pattern: RegExp): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const match = pattern.exec(line)
  const at = match?.index ?? 0
  const from = Math.max(0, at - REACH)
  const to = Math.min(line.length, at + (match?.[0].length ?? 0) + REACH)
  return `${from > 0 ? '…' : ''}${line.slice(from, to).toWellFormed()}${to < line.length ? '…' : ''}`
}
