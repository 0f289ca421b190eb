import type { Artifact } from '../model/artifact.ts'
import type { Item, Session } from '../model/session.ts'
import type { Checkpoint, MessageRow } from '../store/increment.ts'
import { createDeduplicator } from './deduplicator.ts'
import { type FoldedFile, readIncrement } from './read-increment.ts'

/** The state of a transcript when following begins. */
export interface FollowBase {
  checkpoint: Checkpoint
  reading?: FoldedFile
  /** Keys of all items stored before. Only called if the transcript is read from its beginning. */
  storedKeys(): ReadonlySet<string>
}

/** What is new in a transcript, in order. */
export interface Followed {
  session: Session | undefined
  items: Item[]
}

export interface Following {
  baseOf(artifact: Artifact): FollowBase | undefined
  /** Whether any transcript contained the item before following began. */
  isStored(record: number, digest: number): boolean
  /** Keep secrets. */
  plain?: boolean
}

/**
 * Reads transcripts as they are written. Each item is reported once, also if its file is rewritten, shortened
 * or renamed. A reply that grows is reported from where it ended before. Throws file system errors.
 */
export function createFollower({ baseOf, isStored, plain }: Following) {
  const deduplicator = createDeduplicator()
  const files = new Map<string, Followable>()
  /**
   * Transcripts whose path now belongs to another file: rewritten, or renamed to a path that may be seen
   * later.
   */
  const replaced = new Map<string, Followable>()
  return {
    read(artifact: Artifact): Followed {
      const { identity, path } = artifact
      const file = ofThisName(path, identity) ?? movedFrom(identity, path) ?? begun(baseOf(artifact))
      file.identity = identity
      files.set(path, file)
      return readOn(artifact, file)
    },
  }

  function ofThisName(path: string, identity: string | undefined): Followable | undefined {
    const file = files.get(path)
    if (!file || file.identity === identity) return file
    replaced.set(path, file)
    return copyOf(file)
  }

  /**
   * The transcript that this file was before a rename, as after a reset. The system reuses identities of
   * deleted files, so paths count too; they alone if the file was rewritten in between.
   */
  function movedFrom(identity: string | undefined, path: string): Followable | undefined {
    if (identity === undefined) return undefined
    const known = [...replaced, ...files].filter(([former]) => former !== path)
    const same = known.filter(([, file]) => file.identity === identity)
    const isNamedAfter = ([former]: [string, Followable]): boolean => path.startsWith(`${former}.`)
    const [, file] = same.find(isNamedAfter) ?? same[0] ?? known.findLast(isNamedAfter) ?? []
    return file && copyOf(file)
  }

  function readOn(artifact: Artifact, file: Followable): Followed {
    const items: Item[] = []
    let session: Session | undefined
    /** A slice may leave the prompts of its lines to the last one. */
    let from = Number.POSITIVE_INFINITY
    for (let more = true; more; ) {
      const base = file.base && { id: 0, revision: 0, checkpoint: file.base.checkpoint }
      const { increment, reading, itemsOfRows } = readIncrement({
        artifact,
        base,
        plain,
        reading: file.base?.reading,
      })
      const { messages, prompts = [], fresh, fromLine, checkpoint } = increment
      from = Math.min(from, fromLine)
      // The items of the transcript before it was rewritten.
      const earlierKeys = fresh ? file.base?.storedKeys() : undefined
      const rows = [
        // What was shown as a call of one tool is not shown again as one of another.
        ...messages.filter((row) => row.line >= fromLine || row.who !== 'tool'),
        ...prompts.filter((row) => row.line >= from),
      ].sort((a, b) => a.line - b.line || a.order - b.order)
      for (const row of rows) {
        const before = (key: string): boolean =>
          earlierKeys?.has(key) === true || isStored(row.record, row.digest)
        if (!deduplicator.isNew(row, artifact.sessionId, before)) continue
        const item = itemsOfRows?.get(row) ?? itemOf(row)
        if (item.who === 'agent' && item.text !== undefined) {
          const position = `${item.line} ${item.order}`
          const known = file.grown.get(position)
          file.grown.set(position, item.text)
          if (known !== undefined && item.text.startsWith(known))
            item.text = item.text.slice(known.length).trim()
          if (item.text === '') continue
        }
        items.push(item)
      }
      session = increment.session ?? session
      file.base = { checkpoint, reading, storedKeys: file.base?.storedKeys ?? (() => new Set()) }
      more = increment.more
    }
    return { session, items }
  }
}

const copyOf = ({ base, grown }: Followable): Followable => ({ base, grown: new Map(grown) })

const begun = (base: FollowBase | undefined): Followable => ({ base, grown: new Map() })

interface Followable {
  base: FollowBase | undefined
  /** The text of replies that may still grow, by position. */
  grown: Map<string, string>
  identity?: string
}

function itemOf(row: MessageRow): Item {
  const { at, text, tool, target, more, digest: _, ...position } = row
  return {
    ...position,
    ...more,
    at: at ?? undefined,
    text: text ?? undefined,
    ...(tool === null ? {} : { tool: { name: tool, target: target ?? undefined } }),
  }
}
