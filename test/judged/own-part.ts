import type { Usage } from '../../src/model/event.ts'
import { recordKey } from '../../src/model/item-key.ts'
import type { Item, Session } from '../../src/model/session.ts'
import { addUsage } from '../../src/model/usage.ts'
import { freshIndex } from '../store-audit.ts'

interface Read {
  session: Session
  items: Item[]
}

/**
 * The sessions without what they copied from others, because what was exchanged is known by session. Words and
 * errors are those after the last copied one, tokens those that the store counts for the session.
 */
export function withoutCopies<Key, Found extends Read>(
  found: ReadonlyMap<Key, Found>,
  environment: Parameters<typeof freshIndex>[0],
): Map<Key, Found> {
  const usages = countedIn(environment)
  const own = new Map<Key, Found>()
  const seen = new Set<number | undefined>()
  const madeAt = ({ forked, forkedMs }: Session): number => (forked ? (forkedMs ?? Infinity) : 0)
  for (const [key, read] of [...found].sort(([, a], [, b]) => madeAt(a.session) - madeAt(b.session))) {
    const keys = read.items.map(recordKey)
    const from = keys.findLastIndex((each) => each !== undefined && seen.has(each)) + 1
    for (const each of keys) seen.add(each)
    const copied = read.items.slice(0, from)
    const errors = copied.filter(({ who, sure }) => who === 'error' && sure !== false).length
    const session = { ...read.session, errors: read.session.errors - errors }
    const usage = usages.get(read.session.path)
    if (from > 0) Object.assign(session, { usage })
    own.set(key, { ...read, session, items: read.items.slice(from) })
  }
  return new Map([...found.keys()].map((key) => [key, own.get(key)!]))
}

/** Tokens and recorded costs by the file that they count for. */
function countedIn(environment: Parameters<typeof freshIndex>[0]): ReadonlyMap<string, Usage> {
  const store = freshIndex(environment)
  const paths = new Map(Array.from(store.known().values(), ({ id, artifact }) => [id, artifact.path]))
  const sums = new Map<string, Usage>()
  for (const { usage } of store.figures({ zone: [{ fromMs: Number.NEGATIVE_INFINITY, offsetMs: 0 }] }))
    for (const { artifact, recorded, input, output, cacheRead, cacheWrite, reasoning } of usage) {
      const sum = sums.get(paths.get(artifact)!) ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
      addUsage(sum, { input, output, cacheRead, cacheWrite, reasoning, cost: recorded })
      sums.set(paths.get(artifact)!, sum)
    }
  store.close()
  return sums
}
