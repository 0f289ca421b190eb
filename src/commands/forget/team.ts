import { confirm } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { ScrollbackError } from '../../errors.ts'
import {
  memoryOf,
  type Selection,
  selectStored,
  type Wanted,
  wantedOf,
} from '../../selection/session-selection.ts'
import type { Store } from '../../store/store.ts'
import type { Administration, Forgotten } from '../../store/team.ts'
import { eraseAll, openAdministration } from '../store/team-store.ts'
import {
  checkTarget,
  countOf,
  type ForgetAnswer,
  forgottenAs,
  type Input,
  namesNoSession,
  nothing,
  takenBack,
} from './answer.ts'

/** Forgets in a space what the user named, whichever machine has sent it. */
export async function forgetInTeam(given: Input, context: Context): Promise<ForgetAnswer> {
  if (given.archive.length > 0)
    throw new ScrollbackError(
      'bad-option',
      '--archive: not together with --store',
      'Forget it in the space first, then in the archive, with two commands.',
    )
  const space = openAdministration(context)
  if (given.list) return { ...nothing('listed'), sessions: space.forgotten().map(rowOf) }
  if (given.undo !== undefined) {
    const found = forgottenAs(given.undo, space.forgotten(), context)
    space.acceptAgain(found)
    return takenBack(found.map(rowOf), context.environment)
  }
  checkTarget(given, context)
  const { store } = freshStore(context)
  const words = given.target
  const wanted = wantedOf(words, { archives: [] })
  const selection = selectAll(store, wanted)
  if (selection.sessions.size === 0) {
    if (!given.dryRun) space.eraseRemoved()
    return notFound(given, space, store.path, context)
  }
  const ids = selection.files.map(({ id }) => id)
  const base = { ...nothing('dry-run'), transcripts: transcriptsOf(selection) }
  const sessions = [...selection.sessions.values()]
  if (given.dryRun)
    return {
      ...base,
      sessions: sessions.map(({ platform, session }) => ({ platform, id: session, at: null })),
      store: { files: ids.length, messages: space.messagesOnlyIn(ids), words: null },
    }
  await confirm(`Forget ${countOf(sessions.map(({ session }) => session))}?`, given, context)
  const messages = space.messagesOnlyIn(ids)
  // First the rule, so that no machine brings back what follows.
  space.forget(sessions)
  space.eraseRemoved()
  const left = eraseAll(space, ids, sessions, context)
  const at = new Date(context.now).toISOString()
  return {
    ...base,
    done: 'forgotten',
    sessions: sessions.map(({ platform, session }) => ({ platform, id: session, at })),
    store: { files: ids.length, messages, words: null },
    left,
    check: context.suggest('forget', words, '--dry-run'),
  }
}

/** Sessions, and the memory of whole devices and persons. */
function selectAll(store: Store, wanted: Wanted): Selection {
  const known = [...store.known().values()]
  const ofSessions = selectStored(store, wanted, undefined, known)
  const ofMemory = memoryOf(known, wanted)
  return {
    files: [...ofSessions.files, ...ofMemory.files],
    sessions: new Map([...ofSessions.sessions, ...ofMemory.sessions]),
  }
}

/** What was forgotten before is an answer; anything else that is unknown is an error. */
function notFound(given: Input, space: Administration, path: string, { suggest }: Context): ForgetAnswer {
  // This is how one checks that nothing is left.
  if (given.dryRun && namesNoSession(given)) return nothing('nothing')
  const { target } = given
  const before = space.forgotten().filter(({ session }) => target.some((each) => session.startsWith(each)))
  if (before.length > 0) return { ...nothing('nothing'), sessions: before.map(rowOf) }
  throw new ScrollbackError(
    'no-session',
    `Nothing of ${target.join(', ')} is stored in ${path}.`,
    `List sessions: ${suggest('sessions', '--all')}`,
  )
}

const transcriptsOf = ({ files }: Selection): string[] =>
  [
    ...new Set(
      files.flatMap(({ artifact, goneMs }) =>
        goneMs === undefined ? (artifact.database ?? artifact.path) : [],
      ),
    ),
  ].sort()

const rowOf = ({ platform, session, atMs }: Forgotten) => ({
  platform,
  id: session,
  at: new Date(atMs).toISOString(),
})
