import { hash } from 'node:crypto'
import { readSmall } from '../../io/source.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Item } from '../../model/session.ts'
import type { Increment, Known } from '../../store/increment.ts'
import { cleanerOf } from '../read/read-session.ts'
import { seal } from '../read/seal.ts'
import { messageRow, PARSER_VERSION } from './read-increment.ts'

/** Larger files are not memory documents. */
const LIMIT = 4 * 1024 * 1024
const CLOCK_TICK_MS = 8

/**
 * Reads a memory document as an increment. Each paragraph is a message of its own, redacted, so that a new
 * version mostly refers to the paragraphs of the previous one. Throws file system errors.
 */
export function readDocument(artifact: Artifact, known: Known | undefined): Increment {
  const content = readSmall(artifact.path, LIMIT)
  if (!content) throw Object.assign(new Error('too large'), { code: 'ERR_BUFFER_TOO_LARGE' })
  const paragraphs = paragraphsOf(cleanerOf({})(content.toString('utf8')), artifact)
  return seal({
    artifact,
    base: known && { id: known.id, revision: known.revision },
    fresh: true,
    more: false,
    fromLine: 1,
    messages: paragraphs.map((item) => messageRow(item, artifact.path)),
    left: [],
    sent: [],
    usages: [],
    statements: [],
    allUsages: true,
    checkpoint: {
      generation: (known?.checkpoint.generation ?? 0) + 1,
      offset: content.length,
      line: 1,
      size: artifact.bytes,
      modifiedMs: artifact.modifiedMs,
      identity: artifact.identity ?? '',
      headLength: 0,
      head: '',
      tail: hash('sha256', content, 'base64url').slice(0, 16),
      parser: PARSER_VERSION,
      racy: Math.abs(Date.now() - artifact.modifiedMs) < CLOCK_TICK_MS,
    },
  })
}

/** Consecutive non-empty lines, at the line where they begin. */
function paragraphsOf(text: string, artifact: Artifact): Item[] {
  const items: Item[] = []
  let begins = 0
  let lines: string[] = []
  const end = (): void => {
    if (lines.length > 0)
      items.push({
        who: 'memory',
        at: artifact.modifiedMs,
        // Equal text in the same file is the same paragraph at any time.
        id: `memory ${artifact.path}`,
        text: lines.join('\n'),
        line: begins,
        offset: 0,
        length: 0,
        order: 0,
      })
    lines = []
  }
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') {
      end()
      continue
    }
    if (lines.length === 0) begins = index + 1
    lines.push(line)
  }
  end()
  return items
}
