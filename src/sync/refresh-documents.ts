import { hash } from 'node:crypto'
import { isClosed } from '../io/directories.ts'
import { readSmall } from '../io/source.ts'
import type { Artifact } from '../model/artifact.ts'
import type { Item } from '../model/session.ts'
import type { Increment, Known } from '../store/increment.ts'
import type { Writer } from '../store/store.ts'
import type { Discovery } from './discover.ts'
import { knownOf } from './plan.ts'
import { cleanerOf } from './read/read-session.ts'
import { seal } from './read/seal.ts'
import { messageRow, PARSER_VERSION } from './read-increment.ts'

/** What was read, and what could not be. */
export interface RefreshedDocuments {
  read: number
  bytes: number
  gone: number
  faults: { path: string; fault: string }[]
}

/** Brings memory documents up to date. A changed one is read whole and stored as a new version. */
export function refreshDocuments(
  store: Writer,
  all: ReadonlyMap<string, Known>,
  { roots, documents }: Discovery,
  { now, rebuild, faultOf }: { now: number; rebuild?: boolean; faultOf(error: unknown): string },
): RefreshedDocuments {
  const result: RefreshedDocuments = { read: 0, bytes: 0, gone: 0, faults: [] }
  const known = knownOf('memory', all)
  const written: Increment[] = []
  const returned: number[] = []
  for (const artifact of documents) {
    const before = known.get(artifact.path)
    known.delete(artifact.path)
    if (before?.goneMs !== undefined) returned.push(before.id)
    if (before && !rebuild && isSame(artifact, before)) continue
    try {
      const next = readDocument(artifact, before)
      // Only the modification time changed, or nothing. A later version of this program may redact more.
      const mayDiffer = rebuild && before?.checkpoint.parser !== PARSER_VERSION
      if (before?.checkpoint.tail === next.checkpoint.tail && !mayDiffer) {
        next.checkpoint.generation = before.checkpoint.generation
        Object.assign(next, UNCHANGED)
      }
      written.push(next)
      result.read++
      result.bytes += artifact.bytes
    } catch (error) {
      result.faults.push({ path: artifact.path, fault: faultOf(error) })
    }
  }
  const looked = new Set(roots.filter(({ found }) => found).map(({ path }) => path))
  const gone = [...known.values()].filter(
    ({ artifact, goneMs }) => goneMs === undefined && looked.has(artifact.root) && !isClosed(artifact.path),
  )
  result.gone = gone.length
  if (returned.length > 0) store.markGone(returned, undefined)
  if (written.length > 0) store.write(written.map((each) => revised(each, store, returned)))
  if (gone.length > 0)
    store.markGone(
      gone.map(({ id }) => id),
      now,
    )
  return result
}

/** Nothing of the document is written or removed. */
const UNCHANGED = {
  fresh: false,
  fromLine: Number.MAX_SAFE_INTEGER,
  messages: [],
} satisfies Partial<Increment>

const isSame = ({ bytes, modifiedMs, identity }: Artifact, { checkpoint }: Known): boolean =>
  checkpoint.size === bytes &&
  checkpoint.modifiedMs === modifiedMs &&
  checkpoint.identity === identity &&
  checkpoint.parser === PARSER_VERSION &&
  !checkpoint.recentlyModified

/** A document that was marked as returned has a new revision since. */
function revised(increment: Increment, store: Writer, returned: readonly number[]): Increment {
  if (!increment.base || !returned.includes(increment.base.id)) return increment
  const { id, revision } = store.knownFile({ path: increment.artifact.path })!
  return { ...increment, base: { id, revision } }
}

/** Larger files are not memory documents. */
const LIMIT = 4 * 1024 * 1024
const CLOCK_TICK_MS = 8

/**
 * Reads a memory document as an increment. Each paragraph is a message of its own, redacted, so that a new
 * version mostly refers to the paragraphs of the previous one. Throws file system errors.
 */
function readDocument(artifact: Artifact, known: Known | undefined): Increment {
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
      recentlyModified: Math.abs(Date.now() - artifact.modifiedMs) < CLOCK_TICK_MS,
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
