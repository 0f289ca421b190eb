import { ScrollbackError } from '../errors.ts'
import type { Finding } from './findings.ts'
import { mayTakeForEver } from './pattern-check.ts'

/** A user-defined kind of secret. */
export interface OwnPattern {
  /** Lower-case letters, digits and `-`: `[REDACTED:kind]`. */
  kind: string
  /** A JavaScript regular expression. */
  pattern: string
}

/** A text is searched in pieces of this length, which limits the time of a slow pattern. */
const PIECE = 2048
/** The overlap of pieces, and the maximum length of such a secret. */
const LONGEST_OWN = 512
const LONGEST_PATTERN = 1000

/**
 * Creates a function that finds user-defined secrets. Throws `bad-pattern` for an invalid regular expression,
 * one that matches the empty string, and one with nested repetitions, which can take exponential time.
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

/** Compiles a pattern of the settings. Throws with the reason if it is invalid. */
export function compile(pattern: string, kind: string): RegExp {
  const wrong = (why: string, cause?: unknown): ScrollbackError =>
    new ScrollbackError(
      'bad-pattern',
      `the pattern of "${kind}" ${why}: ${pattern.slice(0, 80)}`,
      'Use a JavaScript regular expression, for example ACME-[0-9]{8}.',
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
