import { smallest } from '../model/lists.ts'
import { hasVariants } from './han.ts'
import { type Needle, needlesOf } from './match.ts'
import type { Node } from './query.ts'

/** A cheap necessary condition for a match. It is not sufficient. */
export interface Sieve {
  /**
   * Whether a folded text contains every required part of a word. May be true for texts that do not match.
   */
  holds(folded: string): boolean
  /**
   * Every matching text contains one of these: an ASCII string, whose letters may have accents in the text;
   * the bytes of a Chinese string, one character each; or `FOREIGN`. Absent if there is no such set.
   */
  anchors?: string[]
}

/** Represents any character that is not ASCII. */
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

/** Removes anchors that contain another one, because the shorter one covers them. */
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

/**
 * Parts that have the same bytes in every text. Others may be written with accents, decomposed, or in other
 * characters.
 */
function anchorOf(piece: string): string[] {
  if (/^[a-z0-9]+$/.test(piece)) return [piece]
  if (!/^\p{sc=Han}+$/u.test(piece)) return []
  const same = Array.from(piece, (character) => (hasVariants(character) ? ' ' : character)).join('')
  return same
    .split(' ')
    .filter((run) => run !== '')
    .map((run) => Buffer.from(run).toString('latin1'))
}

/** Long anchors are rare, and few anchors are fast to search for. */
const worth = (anchors: readonly string[]): number =>
  smallest(anchors.map(({ length }) => length)) / anchors.length
