import { isAscii } from 'node:buffer'
import { openArtifact } from '../../collect/read/read-session.ts'
import { type Block, readBlocks, readLines } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import { openSource } from '../../io/source.ts'
import type { Artifact, Root } from '../../model/artifact.ts'
import type { Draft } from '../../model/event.ts'
import { platformOf } from '../../platforms/index.ts'
import { secretKinds } from '../../redact/all-rules.ts'
import { fold } from '../../search/characters.ts'
import { createSieve, FOREIGN, wantedTerms } from '../../search/match.ts'
import type { Node } from '../../search/query.ts'
import type { ReadingContext } from './context.ts'
import { searchFiles } from './read-files.ts'

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

export interface WordSettings {
  words: Node
}

/** Whether a message, a call or a title of a file may match the words. */
export interface WordsOfOne {
  path: string
  tooLong: number
  found: boolean
}

export function createWordSearch({ words }: WordSettings): (artifact: Artifact) => WordsOfOne {
  const { holds, anchors } = createSieve(words)
  const patterns = patternsFor(anchors)
  const isIn = (draft: Draft): boolean => holds(fold(JSON.stringify(searchedPart(draft))).text)
  return (artifact) => {
    const { path, titleHint, entry } = artifact
    let found = holds(fold(JSON.stringify([titleHint, entry])).text)
    if (found) return { path, tooLong: 0, found }
    try {
      const tooLong = inBlocks(artifact, (block) => {
        for (const [start, end] of linesWith(block, patterns)) {
          if (!mayHold(holds, block.bytes.toString('utf8', start, end))) continue
          found = draftsOf(block.bytes, start, end, artifact).some(isIn)
          if (found) return true
        }
        return false
      })
      return { path, tooLong: 0, found: found || tooLong > 0 }
    } catch {
      // Whatever is wrong with the file is reported when it is read.
      return { path, tooLong: 0, found: true }
    }
  }
}

/** Thinking and the output of tools are not searched. */
function searchedPart({ payload }: Draft): unknown {
  if (payload.type !== 'message') return payload
  const parts = payload.parts.flatMap((part) => {
    if (part.type === 'thinking') return []
    return part.type === 'tool-result' ? { ...part, body: undefined } : part
  })
  return { ...payload, parts }
}

/**
 * The files that may match the words of a query. Undefined if all files are needed: if the query has no
 * words, or some that this program writes itself, or a prompt of a deleted session may match.
 */
export function filesWith(
  words: Node | undefined,
  artifacts: readonly Artifact[],
  { roots, all }: { roots: readonly Root[]; all: readonly Artifact[] },
  context: ReadingContext,
): Set<Artifact> | undefined {
  const terms = wantedTerms(words)
  if (
    words === undefined ||
    terms.length === 0 ||
    OWN_WORDS.some((word) => terms.some(({ text }) => word.includes(text.toLowerCase())))
  )
    return undefined
  const { holds } = createSieve(words)
  if (roots.some((root) => isInHistory(root, holds, all))) return undefined
  const found = new Set<Artifact>()
  const job = { job: 'words', settings: { words }, run: createWordSearch({ words }) }
  for (const { artifact, found: one } of searchFiles(artifacts, job, context))
    if (one.found) found.add(artifact)
  // What a subagent is for is in a file beside it, and in the call that started it.
  const parents = new Set(Array.from(found, ({ sessionId }) => sessionId))
  for (const artifact of artifacts)
    if (artifact.besideMs !== undefined && parents.has(artifact.parentSessionId ?? '')) found.add(artifact)
  return found
}

/** Words that are in the store and not in transcripts. */
const OWN_WORDS = ['redacted', ...secretKinds]

/** Whether the prompt history has the words, in a prompt of a session that has no transcript. */
function isInHistory(
  root: Root,
  holds: (folded: string) => boolean,
  artifacts: readonly Artifact[],
): boolean {
  const history = root.found ? platformOf(root.platform).history : undefined
  if (!history) return false
  let known: Set<string> | undefined
  let found = false
  for (const file of history.files(root)) {
    const source = history.open?.(file) ?? openSource(file.path)
    try {
      readLines(source, ({ bytes, start, end }) => {
        if (found || !mayHold(holds, bytes.toString('utf8', start, end))) return
        known ??= new Set(artifacts.map(({ sessionId }) => sessionId))
        for (const entry of parseLine(bytes, start, end).entries) {
          const draft = history.normalize(entry)
          if (draft && !known.has(draft.sessionId ?? '') && holds(fold(JSON.stringify(draft.payload)).text))
            found = true
        }
      })
    } finally {
      source.close()
    }
  }
  return found
}
