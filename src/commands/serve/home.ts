import * as z from 'zod/mini'
import { itemJson, sessionJson } from '../../condense/item-json.ts'
import { field } from '../../context/flags.ts'
import { freshStore } from '../../context/fresh-store.ts'
import type { Session } from '../../model/session.ts'
import { identities } from '../../platforms/identities.ts'
import { finishSession } from '../../render/text.ts'
import { loadSessions } from '../../selection/load-sessions.ts'
import { itemShape, sessionShape } from '../../selection/session-rows.ts'
import { vanishing as soonGone } from '../../selection/vanishing.ts'
import { projectNames } from './listing.ts'
import { defineQuestion } from './question.ts'

/** Sessions with activity within this time are live, in ms. */
const LIVE_MS = 15 * 60_000
const LAST = 3

const liveShape = () =>
  z.object({
    version: z.literal(1),
    /** Each with its last items, oldest first. */
    sessions: z.array(z.extend(sessionShape(), { last: z.array(itemShape()) })),
  })

type LiveAnswer = z.output<ReturnType<typeof liveShape>>

/** What is going on now. */
export const live = defineQuestion({
  name: 'live',
  summary: 'sessions that were active in the last 15 minutes or are open, newest first',
  input: z.object({}),
  output: liveShape,
  run(_, context): LiveAnswer {
    const { store } = freshStore(context)
    const { sessions } = loadSessions({}, context)
    const names = projectNames(sessions)
    const since = context.now - LIVE_MS
    const now = sessions.filter(
      ({ open, lastActivityMs, modifiedMs, goneMs }) =>
        goneMs === undefined && (open || (lastActivityMs ?? modifiedMs) >= since),
    )
    // A new file without messages is no conversation yet, unless a client has it open.
    const written = now
      .map((whole) => ({ whole, count: store.countMessages(whole.path) }))
      .filter(({ whole, count }) => count > 0 || whole.open)
    return {
      version: 1,
      sessions: written.map(({ whole, count }) => {
        const session = finishSession(whole)
        const { items } = store.itemsAt(whole.path, Math.max(0, count - LAST), LAST)
        return {
          ...sessionJson(session, names.get(whole)),
          last: items.map((item) => itemJson(item, session)),
        } as LiveAnswer['sessions'][number]
      }),
    }
  },
})

/** How many sessions are sent, unless another number is requested. There can be thousands. */
const MOST = 20

const vanishingShape = () =>
  z.object({
    version: z.literal(1),
    /** What clients delete: after so many days, and the setting that changes it. */
    rules: z.array(
      z.object({ platform: z.string(), name: z.string(), days: z.number(), setting: z.string() }),
    ),
    /** How many sessions these are, and of how many the store has all messages. */
    total: z.number(),
    stored: z.number(),
    /** How many of them are in an archive, from which they can be restored. */
    archived: z.number(),
    /** The first of them. */
    sessions: z.array(
      z.object({
        id: z.string(),
        platform: z.string(),
        path: z.string(),
        project: z.nullable(z.string()),
        title: z.nullable(z.string()),
        /** The client deletes it at its first start after this time. */
        deletesAt: z.string(),
        /** Whether the store has all its messages. */
        stored: z.boolean(),
        /** Whether an archive has all of it. */
        archived: z.boolean(),
      }),
    ),
  })

type VanishingAnswer = z.output<ReturnType<typeof vanishingShape>>

/** What clients will delete within a week. */
export const vanishing = defineQuestion({
  name: 'vanishing',
  summary: 'sessions that their clients delete within a week, soonest first',
  input: z.object({
    limit: field.count({ description: `at most n sessions (${MOST}); 0 = all` }),
  }),
  output: vanishingShape,
  run({ limit = MOST }, context): VanishingAnswer {
    const { store, found } = freshStore(context)
    const { sessions } = loadSessions({}, context)
    const names = projectNames(sessions)
    const known = store.known()
    const { soon, stated, longer } = soonGone(sessions, context)
    const isStored = ({ path, bytes }: Session): boolean => {
      const checkpoint = known.get(path)?.checkpoint
      return found.obstacle === undefined && checkpoint !== undefined && checkpoint.size >= bytes
    }
    return {
      version: 1,
      rules: identities.flatMap(({ id: platform, name, keeps }) =>
        keeps && ![...longer.values()].some(({ id }) => id === platform)
          ? [{ platform, name, setting: keeps.setting, days: stated ?? keeps.days }]
          : [],
      ),
      total: soon.length,
      stored: soon.filter(({ session }) => isStored(session)).length,
      archived: soon.filter(({ archive }) => archive !== undefined).length,
      sessions: soon.slice(0, limit || undefined).map(({ session: whole, deletesMs, archive }) => {
        const { id, platform, path, title } = finishSession(whole)
        return {
          id,
          platform,
          path,
          project: names.get(whole) ?? null,
          title: title ?? null,
          deletesAt: new Date(deletesMs).toISOString(),
          stored: isStored(whole),
          archived: archive !== undefined,
        }
      }),
    }
  },
})
