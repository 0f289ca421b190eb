import type { Session } from '../../model/session.ts'
import type { Messages } from '../../store/store.ts'

/** With more sessions that began alike, only so many are compared. */
const MOST = 200

/**
 * How many prompts of a listed session are in one that is listed before it, by path: a fork begins with those
 * of its original. What they copied keeps its time, so sessions that began at the same moment are compared.
 */
export function repeatedPrompts(
  sessions: readonly Session[],
  store: Messages | undefined,
): Record<string, number> {
  const repeated: Record<string, number> = {}
  const alike = Map.groupBy(sessions, ({ platform, startedMs }) => `${platform} ${startedMs}`)
  for (const group of alike.values()) {
    if (!store || group.length < 2 || group[0]!.startedMs === undefined) continue
    const known = new Set<number>()
    for (const { path, human } of group.slice(0, MOST)) {
      if (human === 0) continue
      const own = store
        .messages(path, undefined, { usage: false })
        .flatMap(({ who, message }) => (who === 'human' ? [message] : []))
      const count = own.filter((message) => known.has(message)).length
      if (count > 0) repeated[path] = count
      for (const message of own) known.add(message)
    }
  }
  return repeated
}
