import type { Context } from '../../context/context.ts'
import { isoTime } from '../../context/time.ts'
import type { StoreAnswer } from './answer.ts'
import { openAdministration } from './team-store.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

/** What an administrator wants to know of a space. */
export function spaceStatus(context: Context): StoreAnswer {
  const space = openAdministration(context)
  return {
    version: 1,
    action: 'status',
    from: space.format(),
    cutoff: isoTime(space.cutoff()),
    machines: space.machines().map(({ deliveredMs, newestMs, ...machine }) => ({
      ...machine,
      deliveredAt: iso(deliveredMs),
      // As the machine says, which may be anything.
      newestAt: newestMs === 0 ? null : isoTime(newestMs),
    })),
    forgotten: space.forgotten().map(({ platform, session, by, atMs }) => ({
      platform,
      id: session,
      by,
      at: iso(atMs),
    })),
  }
}
