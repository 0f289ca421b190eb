import * as z from 'zod/mini'
import { itemJson, sessionJson } from '../../condense/item-json.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { loadSessions } from '../kit/load-sessions.ts'
import { finishSession } from '../kit/read-messages.ts'
import { itemShape, sessionShape } from '../kit/session-rows.ts'
import { projectNames } from './listed.ts'
import { defineQuestion } from './question.ts'

/** Sessions with activity within this time are live, in ms. */
const LIVE_MS = 15 * 60_000
const LAST = 3

const output = () =>
  z.object({
    version: z.literal(1),
    /** Each with its last items, oldest first. */
    sessions: z.array(z.extend(sessionShape(), { last: z.array(itemShape()) })),
  })

type Answer = z.output<ReturnType<typeof output>>

/** What is going on now. */
export const live = defineQuestion({
  name: 'live',
  summary: 'sessions that were active in the last 15 minutes or are open, newest first',
  input: z.object({}),
  output,
  run(_, context): Answer {
    const { store } = freshStore(context)!
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
        } as Answer['sessions'][number]
      }),
    }
  },
})
