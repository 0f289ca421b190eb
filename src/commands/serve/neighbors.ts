import * as z from 'zod/mini'
import type { Session } from '../../model/session.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { loadSessions } from '../kit/load-sessions.ts'
import { sorted } from '../kit/session-rows.ts'
import { findSession, sessionField } from './find-session.ts'
import { defineQuestion } from './question.ts'

const output = () =>
  z.object({
    version: z.literal(1),
    /** The ids of the session above and below it in the list. `null` at an end of the list. */
    newer: z.nullable(z.string()),
    older: z.nullable(z.string()),
  })

type Answer = z.output<ReturnType<typeof output>>

/** The sessions beside one in the list of all sessions. The list itself may be very long. */
export const neighbors = defineQuestion({
  name: 'neighbors',
  summary: 'the sessions before and after one in the list of all sessions, which is sorted by activity',
  input: z.object({ session: sessionField }),
  output,
  run(input, context): Answer {
    const { session } = findSession(input.session, freshStore(context)!)
    const rows = sorted(loadSessions({}, context).sessions, 'last', () => undefined)
    const at = rows.findIndex(({ path }) => path === session.path)
    if (at >= 0) return answer(rows[at - 1], rows[at + 1])
    // A copy of another session is not in the list. It goes where its time belongs.
    const older = rows.findIndex((row) => activityOf(row) < activityOf(session))
    return older < 0 ? answer(rows.at(-1), undefined) : answer(rows[older - 1], rows[older])
  },
})

const activityOf = ({ lastActivityMs, modifiedMs }: Session): number => lastActivityMs ?? modifiedMs

const answer = (newer: Session | undefined, older: Session | undefined): Answer => ({
  version: 1,
  ...{ newer: newer?.id ?? null, older: older?.id ?? null },
})
