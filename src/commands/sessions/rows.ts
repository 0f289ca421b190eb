import { sessionJson } from '../../condense/item-json.ts'
import type { Session } from '../../model/session.ts'
import { chooseSessions } from '../choose/sessions.ts'
import type { Context } from '../kit/command.ts'
import { loadSessions } from '../kit/load.ts'
import { type Filters, spanOf } from '../kit/options.ts'
import { partOfList } from '../kit/remote/part.ts'
import { finishSession } from '../read/job.ts'
import { costsOf } from './costs.ts'
import { type Sort, sorted } from './order.ts'

/** A session in the list. `words` mention the requested name, if nothing else does. */
interface Listed {
  session: Session
  words: string | undefined
}

interface SessionsWanted extends Filters {
  project?: string | undefined
  identities: boolean
  mentioned?: boolean
  sort: Sort
}

/** The sessions that the filters choose, in order. Making a row takes longer than choosing it. */
export async function rowsOf(input: SessionsWanted, context: Context) {
  const loaded = loadSessions(input, context, partOf(input, context))
  const chosen = await chooseSessions(loaded, { ...input, name: input.project }, context)
  const costOf = input.sort === 'cost' ? await costsOf(loaded.sessions, context) : undefined
  const own = sorted(chosen.sessions, input.sort, costOf ?? (() => undefined))
  const listed: Listed[] = [...own.map((session) => ({ session, words: undefined })), ...chosen.mentions]
  return {
    loaded,
    chosen,
    listed,
    rowOf: ({ session, words }: Listed) => ({
      ...sessionJson(finishSession(session, input.identities), chosen.nameOf(session), words),
      ...(costOf && { cost: costOf(session) ?? null }),
    }),
  }
}

/** What is enough of a team store. For an unknown agent, an error lists all others. */
const partOf = ({ project: name, agent, since }: SessionsWanted, context: Context) =>
  agent === undefined ? partOfList({ name, sinceMs: spanOf({ since }, context).since }) : undefined
