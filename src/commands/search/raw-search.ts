import { isAscii } from 'node:buffer'
import { type Block, readBlocks } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Draft } from '../../model/event.ts'
import { platformOf } from '../../platforms/index.ts'
import { fold } from '../../search/characters.ts'
import { FOREIGN } from '../../search/match.ts'
import { openArtifact } from '../../sync/read/read-session.ts'

/** Finds words in the bytes of transcripts. Only lines that may contain them are parsed. */

/** First bytes, in UTF-8, of Latin letters with accents, and their escapes: they may fold to plain ones. */
const ACCENTS = /[\xc3-\xca\xcc\xcd\xe1]/g
const ESCAPED_ACCENTS = /\\u(?:0[0-3]|1e)[0-9a-f]{2}/gi
/** Anything that is not ASCII, or is escaped. */
const OTHERS = /[\x80-\xff]|\\u[0-9a-f]{4}/gi
/** Whether a line may contain letters that only show when its escapes are decoded. */
const ESCAPED = /\\u[0-9a-f]{4}/i
export const ANYTHING = /\S/g

/** Patterns that find every line that may match, in its bytes. */
export function patternsFor(anchors: readonly string[] | undefined): RegExp[] {
  if (!anchors) return [ANYTHING]
  const plain = anchors.filter((anchor) => anchor !== FOREIGN)
  const patterns = plain.length > 0 ? [new RegExp(plain.join('|'), 'gi')] : []
  if (plain.length < anchors.length) patterns.push(OTHERS)
  else if (plain.some((anchor) => /[a-z]/.test(anchor))) patterns.push(ACCENTS, ESCAPED_ACCENTS)
  return patterns
}

/** Visits a transcript in blocks of lines. Returns how many lines were too long. */
export function inBlocks(artifact: Artifact, visit: (block: Block) => unknown): number {
  const source = openArtifact(artifact)
  try {
    return readBlocks(source, visit)
  } finally {
    source.close()
  }
}

/** The drafts of a line. */
export function draftsOf(bytes: Buffer, start: number, end: number, artifact: Artifact): Draft[] {
  const { normalize } = platformOf(artifact.platform).records
  return parseLine(bytes, start, end).entries.flatMap((entry) => normalize(entry, artifact))
}

/** Start, end and number of the lines in which one of the patterns matches. */
export function* linesWith(
  { bytes, end, number }: Block,
  patterns: readonly RegExp[],
): Generator<[number, number, number]> {
  const ascii = isAscii(bytes.subarray(0, end))
  const text = bytes.toString('latin1', 0, end)
  const lines = new Map<number, number>()
  for (const pattern of patterns) {
    if (ascii && pattern === ACCENTS) continue
    pattern.lastIndex = 0
    while (pattern.test(text)) {
      const at = pattern.lastIndex - 1
      const close = text.indexOf('\n', at)
      const last = close < 0 ? end : close
      lines.set(text.lastIndexOf('\n', at) + 1, last)
      pattern.lastIndex = last + 1
    }
  }
  let line = number
  let counted = 0
  for (const [start, last] of [...lines].sort(([one], [other]) => one - other)) {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) line++
    counted = start
    yield [start, last, line]
  }
}

/** Whether a line, decoded or not, may contain what a sieve asks for. */
export const mayHold = (holds: (folded: string) => boolean, line: string): boolean =>
  holds(fold(line).text) || ESCAPED.test(line)
