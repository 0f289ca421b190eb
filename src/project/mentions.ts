import type { Session } from '../model/session.ts'
import { squash } from './words.ts'

/** A session without a project in which a name was said early on. */
export interface Mention {
  session: Session
  /** The name with what stands around it. */
  words: string
}

/** Words that stand inside many others have to stand alone. */
const SHORTEST_PART = 4

/**
 * The sessions whose first five human messages say a name, however it is written. Sessions without a project are given:
 * others are told by their folder. `clean` takes secrets out before a part is quoted.
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
    const told = openingOf(session).find(
      ({ text, squashed }) => squashed.includes(wanted) && pattern.test(text),
    )
    if (told) found.push({ session, words: around(clean(told.text), pattern) })
  }
  return found
}

/** The letters in their order, with any punctuation between them; a short name only as a word of its own. */
function written(wanted: string): RegExp {
  const letters = [...wanted].map((letter) => letter.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const body = letters.join('[^\\p{L}\\p{N}]*')
  const alone = letters.length < SHORTEST_PART && /^[\p{Script=Latin}\p{N}]+$/u.test(wanted)
  return new RegExp(alone ? `(?<![\\p{L}\\p{N}])${body}(?![\\p{L}\\p{N}])` : body, 'iu')
}

interface Said {
  text: string
  squashed: string
}

/** Sessions may be looked through again: of each this is done once. */
const known = new WeakMap<Session, Said[]>()

function openingOf(session: Session): Said[] {
  let said = known.get(session)
  if (!said) {
    const texts = session.opening ?? (session.firstHuman === undefined ? [] : [session.firstHuman])
    said = texts.map((text) => ({ text, squashed: squash(text) }))
    known.set(session, said)
  }
  return said
}

const REACH = 30

/** The words around the match. */
function around(text: string, pattern: RegExp): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const match = pattern.exec(line)
  const at = match?.index ?? 0
  const from = Math.max(0, at - REACH)
  const to = Math.min(line.length, at + (match?.[0].length ?? 0) + REACH)
  return `${from > 0 ? '…' : ''}${line.slice(from, to).toWellFormed()}${to < line.length ? '…' : ''}`
}
