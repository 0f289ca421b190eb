import { smallest } from '../model/lists.ts'
import { hasVariants } from './han.ts'
import { type Needle, needlesOf } from './match.ts'
import type { Node } from './query.ts'

/** What a text must have for a query to match: needed, not enough. Far cheaper than matching. */
export interface Sieve {
  /** Whether a folded text has every piece of a word that it must have. Also true for many that do not match. */
  holds(folded: string): boolean
  /**
   * One of these stands in every text that matches: a piece in ASCII, of which letters may have accents there; the bytes of a Chinese
   * one, a character for each; or `FOREIGN`. Absent where nothing can be said.
   */
  anchors?: string[]
}

/** Stands for any character that is not ASCII. */
export const FOREIGN = '\u0080'

export function createSieve(node: Node): Sieve {
  if ('not' in node) return { holds: () => true }
  if ('term' in node) return anyOf(needlesOf(node.term).map(sieveOf))
  const inner = ('all' in node ? node.all : node.any).map(createSieve)
  if ('all' in node) {
    const [best] = inner
      .flatMap(({ anchors }) => (anchors ? [anchors] : []))
      .sort((one, other) => worth(other) - worth(one))
    return {
      holds: (folded) => inner.every(({ holds }) => holds(folded)),
      ...(best ? { anchors: best } : {}),
    }
  }
  return anyOf(inner)
}

const anyOf = (inner: readonly Sieve[]): Sieve => ({
  holds: (folded) => inner.some(({ holds }) => holds(folded)),
  ...(inner.every(({ anchors }) => anchors)
    ? { anchors: withoutLonger(inner.flatMap(({ anchors }) => anchors ?? [])) }
    : {}),
})

/** Without those that hold another one: where they stand, that one does. */
function withoutLonger(anchors: readonly string[]): string[] {
  const all = [...new Set(anchors)]
  return all.filter((anchor) => !all.some((other) => other !== anchor && anchor.includes(other)))
}

function sieveOf(needle: Needle): Sieve {
  const pieces = needle.parts.map(({ text }) => text)
  const [known] = pieces.flatMap(anchorOf).sort((one, other) => other.length - one.length)
  const anchor = known ?? (pieces.some((piece) => /[^\0-\x7f]/.test(piece)) ? FOREIGN : undefined)
  return {
    holds: (folded) => pieces.every((piece) => folded.includes(piece)),
    ...(anchor === undefined ? {} : { anchors: [anchor] }),
  }
}

/** Pieces that are the same bytes in every text: others may be written with accents, in several characters, or in other characters. */
function anchorOf(piece: string): string[] {
  if (/^[a-z0-9]+$/.test(piece)) return [piece]
  if (!/^\p{sc=Han}+$/u.test(piece)) return []
  const same = Array.from(piece, (character) => (hasVariants(character) ? ' ' : character)).join('')
  return same
    .split(' ')
    .filter((run) => run !== '')
    .map((run) => Buffer.from(run).toString('latin1'))
}

/** Long ones are rare, and few are quickly looked for. */
const worth = (anchors: readonly string[]): number =>
  smallest(anchors.map(({ length }) => length)) / anchors.length
