import { ScrollbackError } from '../errors.ts'
import type { Finding } from './findings.ts'
import { mayTakeForEver } from './pattern-check.ts'

/** A shape of secret that only its owner knows. */
export interface OwnPattern {
  /** Small letters, digits and `-`: `[REDACTED:kind]`. */
  kind: string
  /** A regular expression as JavaScript understands it. */
  pattern: string
}

/** A text is searched in pieces of this length, so that a slow pattern stays slow for so long only, */
const PIECE = 2048
/** which overlap by as much as a secret of such a kind may be long. */
const LONGEST_OWN = 512
const LONGEST_PATTERN = 1000

/**
 * Makes what finds the shapes that somebody described themselves. Throws `bad-pattern` for what is no regular expression, what matches
 * nothing at all, and what repeats a repetition, because that takes for ever on some texts.
 */
export function createOwnFinder(patterns: readonly OwnPattern[]): (text: string) => Finding[] {
  const compiled = patterns.map(({ kind, pattern }) => ({ kind, pattern: compile(pattern, kind) }))
  return (text) => compiled.flatMap(({ kind, pattern }) => findInPieces(text, kind, pattern))
}

function findInPieces(text: string, kind: string, pattern: RegExp): Finding[] {
  const findings: Finding[] = []
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = text.slice(at, at + PIECE + LONGEST_OWN)
    for (const match of piece.matchAll(pattern))
      if (match[0] !== '')
        findings.push({ kind, start: at + match.index, end: at + match.index + match[0].length })
  }
  return findings
}

/** Compiles a pattern out of somebody's settings, or says what is wrong with it. */
export function compile(pattern: string, kind: string): RegExp {
  const wrong = (why: string, cause?: unknown): ScrollbackError =>
    new ScrollbackError(
      'bad-pattern',
      `the pattern of "${kind}" ${why}: ${pattern.slice(0, 80)}`,
      'Write a regular expression as JavaScript understands it, for example ACME-[0-9]{8}.',
      cause,
    )
  if (pattern.length > LONGEST_PATTERN) throw wrong(`is longer than ${LONGEST_PATTERN} characters`)
  let compiled: RegExp
  try {
    compiled = new RegExp(pattern, 'g')
  } catch (error) {
    throw wrong(`is no regular expression (${(error as Error).message.split(': ').at(-1)})`, error)
  }
  if (''.match(compiled) !== null) throw wrong('matches nothing at all')
  if (mayTakeForEver(pattern)) throw wrong('repeats a repetition, which takes for ever on some texts')
  return compiled
}
