import type { Artifact } from '../model/artifact.ts'
import type { Item, Session } from '../model/session.ts'
import type { Checkpoint, MessageRow } from '../store/store.ts'
import { type IncrementTask, readIncrement } from './read-increment.ts'
import { createToldOnce } from './told-once.ts'

/** Where following a transcript begins: what was told of it until then. */
export interface FollowBase {
  checkpoint: Checkpoint
  state: Uint8Array
  /** Keys of all that it told, asked for only where it was written anew. */
  told(): ReadonlySet<string>
}

/** What is new in a transcript, in its order. */
export interface Followed {
  session: Session | undefined
  items: Item[]
}

export interface Following {
  baseOf(artifact: Artifact): FollowBase | undefined
  /** Whether any transcript told it before following began. */
  isStored(record: number, digest: number): boolean
  /** Secrets stay in. */
  plain?: boolean
}

/**
 * Reads on in transcripts as they are written. Each thing is told once: also where a file is written anew, shortened, or goes on under
 * another name. A reply that grows is told on from where it was. Throws the system's error when a file cannot be read.
 */
export function createFollower({ baseOf, isStored, plain }: Following) {
  const once = createToldOnce()
  const files = new Map<string, Followable>()
  /** Those whose name another file has now: written anew, or one of them goes on under another name, which may be seen later. */
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
   * The same file under another name: a session that was reset. The system gives numbers of removed files to others, so names count too;
   * they alone where it was written anew in between.
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
    for (let more = true; more; ) {
      const base: IncrementTask['base'] = file.base && {
        ...{ id: 0, revision: 0, checkpoint: file.base.checkpoint, state: file.base.state },
      }
      const isUnknown = file.base === undefined
      const { increment, bytes, itemsOfRows } = readIncrement({ artifact, base, plain })
      const { messages, prompts = [], fresh, fromLine, checkpoint } = increment
      // What stood in it before it was written anew.
      const stood = fresh ? file.base?.told() : undefined
      const rows = [...messages, ...prompts.filter((row) => row[5] >= fromLine)].sort(
        (a, b) => a[5] - b[5] || a[8] - b[8],
      )
      for (const row of rows) {
        const before = (key: string): boolean =>
          stood?.has(key) === true || (isUnknown && isStored(row[9], row[10]))
        if (!once.isNew(row, artifact.sessionId, before)) continue
        const item = itemsOfRows?.get(row) ?? itemOf(row)
        if (item.who === 'agent' && item.text !== undefined) {
          const place = `${item.line} ${item.order}`
          const known = file.grown.get(place)
          file.grown.set(place, item.text)
          if (known !== undefined && item.text.startsWith(known))
            item.text = item.text.slice(known.length).trim()
          if (item.text === '') continue
        }
        items.push(item)
      }
      session = increment.session ?? session
      file.base = { checkpoint, state: bytes, told: file.base?.told ?? (() => new Set()) }
      more = increment.more
    }
    return { session, items }
  }
}

const copyOf = ({ base, grown }: Followable): Followable => ({ base, grown: new Map(grown) })

const begun = (base: FollowBase | undefined): Followable => ({ base, grown: new Map() })

interface Followable {
  base: FollowBase | undefined
  /** Text of replies that may still grow, by their place. */
  grown: Map<string, string>
  identity?: string
}

function itemOf(row: MessageRow): Item {
  const [who, at, text, tool, target, line, offset, length, order, record, , more] = row
  return {
    ...{ who, line, offset, length, order, record, ...more },
    at: at ?? undefined,
    text: text ?? undefined,
    ...(tool === null ? {} : { tool: { name: tool, target: target ?? undefined } }),
  }
}
