import type { Context } from '../../context/context.ts'
import { ScrollbackError } from '../../errors.ts'
import { counted } from '../../render/table.ts'
import { type Selection, selectStored } from '../../selection/session-selection.ts'
import type { TeamStore } from '../../store/team.ts'
import type { Input, StoreAnswer } from './answer.ts'
import { openTeamStore } from './team-store.ts'

/** Shares a session of the user and its subagents, takes that back, or lists what is shared. */
export async function shared(given: Input, context: Context): Promise<StoreAnswer> {
  const { action, with: reader, list } = given
  const store = openTeamStore(context)
  if (list)
    return {
      version: 1,
      action: 'share',
      shares: store.team.shares().map(({ platform, session, owner, reader: one, atMs }) => ({
        platform,
        id: session,
        owner,
        reader: one === '' ? null : one,
        at: new Date(atMs).toISOString(),
      })),
    }
  const { sessions } = ownSession(given, store, context)
  const names = [...sessions.values()]
  if (action === 'share') store.team.share(names, reader ?? '', context.now)
  else store.team.unshare(names, reader ?? '')
  return {
    version: 1,
    action: action!,
    reader: reader ?? null,
    sessions: names.map(({ platform, session }) => ({ platform, id: session })),
  }
}

/** The named session, with its subagents. Throws a `ScrollbackError` unless it is one of this user. */
function ownSession({ action, target }: Input, store: TeamStore, { suggest }: Context): Selection {
  if (target === undefined || target.length < SHORTEST)
    throw new ScrollbackError(
      'bad-option',
      `store ${action}: the session is missing`,
      `Give at least ${SHORTEST} characters of its id: scrollback store ${action} 640ab4c7 --store …`,
    )
  const user = store.team.user()
  const known = [...store.known().values()]
  // Another person may have a session of the same id, such as a copy of this one.
  const own = known.filter(({ person }) => person === user)
  const wanted = { ids: [target], projects: [], devices: [], persons: [] }
  const selection = selectStored(store, wanted, undefined, own)
  const named = [...selection.sessions.values()].filter(({ session }) => session.startsWith(target))
  if (named.length === 0) {
    const [other] = selectStored(store, wanted, undefined, known).files
    if (other)
      throw new ScrollbackError(
        'bad-option',
        `store ${action}: this is a session of ${other.person}, and you are ${user}`,
        'Only its owner can share it.',
      )
    throw new ScrollbackError(
      'no-session',
      `store ${action}: no session that you can see begins with "${target}"`,
      `List sessions: ${suggest('sessions', '--all')}`,
    )
  }
  if (named.length > 1)
    throw new ScrollbackError(
      'several-sessions',
      `store ${action}: "${target}" is the beginning of ${counted(named.length, 'session')}`,
      'Give more characters of its id.',
    )
  return selection
}

const SHORTEST = 4
