import { isAbsent } from '../../io/directories.ts'
import type { Inventory } from './inventory.ts'
import { scopeOf } from './records/record-id.ts'
import { keyOf, type Source } from './source.ts'
import type { Checkpoint } from './state/checkpoint.ts'
import { isUnchanged } from './state/checkpoint.ts'
import type { Delivered, SourceFacts } from './state/state.ts'

/** A source with something new, possibly known under another name. */
export interface Todo {
  source: Source
  key: string
  checkpoint?: Checkpoint
  /** Its former name. */
  from?: string
}

export interface Plan {
  todo: Todo[]
  unchanged: number
  /** Known sources that no longer exist, although their folder was listed. */
  gone: { key: string; delivered: Delivered }[]
}

const URGENCY = { P0: 0, P1: 1, P2: 2 }

/** Compares the sources with the checkpoints by size, time and identity. Unchanged files are not opened. */
export function planDelivery(found: Inventory, known: ReadonlyMap<string, Delivered>): Plan {
  const present = new Set(found.sources.map(keyOf))
  /** Names of sources that no longer exist, by file identity. */
  const vanished = new Map<string, string>()
  for (const [key, { facts, checkpoint }] of known)
    if (!present.has(key) && !checkpoint.gone) vanished.set(identityOf(facts, checkpoint.identity), key)
  const plan: Plan = { todo: [], unchanged: 0, gone: [] }
  const moved = new Set<string>()
  for (const source of found.sources) {
    const key = keyOf(source)
    const own = known.get(key)?.checkpoint
    if (own && !own.gone && isUnchanged(source, own)) {
      plan.unchanged++
      continue
    }
    const from = own ? undefined : vanished.get(identityOf(source, source.identity))
    if (from !== undefined) moved.add(from)
    plan.todo.push({
      source,
      key,
      from,
      checkpoint: own ?? ((from && known.get(from)?.checkpoint) || undefined),
    })
  }
  plan.todo.sort(
    (a, b) =>
      URGENCY[a.source.row.priority] - URGENCY[b.source.row.priority] ||
      a.source.modifiedMs - b.source.modifiedMs,
  )
  const looked = new Set(found.roots.filter((root) => root.found).map((root) => root.path))
  const blind = found.notices.map(({ path }) => path)
  for (const [key, delivered] of known) {
    const { facts, checkpoint } = delivered
    if (present.has(key) || moved.has(key) || checkpoint.gone || !looked.has(facts.root)) continue
    if (
      blind.some(
        (path) =>
          facts.path === path || facts.path.startsWith(`${path}/`) || facts.path.startsWith(`${path}#`),
      )
    )
      continue
    // A file in an unreadable folder may still exist.
    if (!isAbsent(facts.path)) continue
    plan.gone.push({ key, delivered })
  }
  return plan
}

/** The identity of a file survives a rename. The records must also belong to the same session. */
const identityOf = (source: SourceFacts, identity: string): string =>
  `${scopeOf(source as Source)} ${identity}`
