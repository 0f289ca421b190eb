import { isAbsent } from '../../io/directories.ts'
import type { Checkpoint } from './checkpoint.ts'
import { isUnchanged } from './checkpoint.ts'
import type { Inventory } from './inventory.ts'
import { scopeOf } from './record-id.ts'
import { keyOf, type Source } from './source.ts'
import type { Delivered, SourceFacts } from './state.ts'

/** A source with something new in it, maybe known under another name. */
export interface Todo {
  source: Source
  key: string
  checkpoint?: Checkpoint
  /** The name it was known under. */
  from?: string
}

export interface Plan {
  todo: Todo[]
  unchanged: number
  /** Known sources that are no more, although their folder was looked through. */
  gone: { key: string; delivered: Delivered }[]
}

const URGENCY = { P0: 0, P1: 1, P2: 2 }

/** Compares what is there with what was delivered, by size, time and identity alone: an unchanged file is not opened. */
export function planDelivery(found: Inventory, known: ReadonlyMap<string, Delivered>): Plan {
  const present = new Set(found.sources.map(keyOf))
  /** Names that nothing has any more, by the file that had them. */
  const homeless = new Map<string, string>()
  for (const [key, { facts, checkpoint }] of known)
    if (!present.has(key) && !checkpoint.gone) homeless.set(identityOf(facts, checkpoint.identity), key)
  const plan: Plan = { todo: [], unchanged: 0, gone: [] }
  const moved = new Set<string>()
  for (const source of found.sources) {
    const key = keyOf(source)
    const own = known.get(key)?.checkpoint
    if (own && !own.gone && isUnchanged(source, own)) {
      plan.unchanged++
      continue
    }
    const from = own ? undefined : homeless.get(identityOf(source, source.identity))
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
    // What could not be looked at was not found either.
    if (!isAbsent(facts.path)) continue
    plan.gone.push({ key, delivered })
  }
  return plan
}

/** A file keeps its number under another name; that its records are of the same session must fit too. */
const identityOf = (source: SourceFacts, identity: string): string =>
  `${scopeOf(source as Source)} ${identity}`
