import { confirm } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { ScrollbackError } from '../../errors.ts'
import {
  memoryOf,
  type Selection,
  selectStored,
  type Wanted,
  wantedOf,
} from '../../selection/session-selection.ts'
import type { Forgotten, TeamStore } from '../../store/team.ts'
import { openTeamStore } from '../store/team-store.ts'
import {
  checkTarget,
  countOf,
  type ForgetAnswer,
  forgottenAs,
  type Input,
  namesNoSession,
  nothing,
} from './answer.ts'

/** How often files are erased that a machine wrote meanwhile. */
const MOST_ROUNDS = 3

/** Forgets in a team store what the user named, whichever machine has written it. */
export async function forgetInTeam(given: Input, context: Context): Promise<ForgetAnswer> {
  if (given.archive.length > 0)
    throw new ScrollbackError(
      'bad-option',
      '--archive: not together with --store',
      'Forget it in the team store first, then in the archive, with two commands.',
    )
  const store = openTeamStore(context)
  const { team } = store
  if (given.list) return { ...nothing('listed'), sessions: team.forgotten().map(rowOf) }
  if (given.undo !== undefined) {
    const found = forgottenAs(given.undo, team.forgotten(), context)
    team.acceptAgain(found)
    return { ...nothing('undone'), sessions: found.map(rowOf) }
  }
  checkTarget(given, context)
  const words = given.target
  const wanted = wantedOf(words, { archives: [] })
  const selection = selectAll(store, wanted)
  if (selection.sessions.size === 0) return notFound(given, store, context)
  const ids = selection.files.map(({ id }) => id)
  const base = { ...nothing('dry-run'), transcripts: transcriptsOf(selection) }
  if (given.dryRun)
    return {
      ...base,
      sessions: [...selection.sessions.values()].map(({ platform, session }) => ({
        platform,
        id: session,
        at: null,
      })),
      store: { files: ids.length, messages: store.messagesOnlyIn(ids), words: null },
    }
  const names = [...selection.sessions.values()].map(({ session }) => session)
  await confirm(`Forget ${countOf(names)}?`, given, context)
  return {
    ...base,
    ...remove(selection, wanted, store, context),
    check: context.suggest('forget', words, '--dry-run'),
  }
}

/** Sessions, and the memory of whole devices and persons. */
function selectAll(
  store: TeamStore,
  { memory, ...wanted }: Wanted & { memory?: Pick<Wanted, 'devices' | 'persons'> },
): Selection {
  const known = [...store.known().values()]
  const ofSessions = selectStored(store, wanted, undefined, known)
  const ofMemory = memoryOf(known, memory ?? wanted)
  return {
    files: [...ofSessions.files, ...ofMemory.files],
    sessions: new Map([...ofSessions.sessions, ...ofMemory.sessions]),
  }
}

/** First the note, so that no machine brings back what follows. */
function remove(
  { files, sessions }: Selection,
  { devices, persons }: Wanted,
  store: TeamStore,
  { now, progress }: Context,
): Pick<ForgetAnswer, 'done' | 'sessions' | 'store'> {
  const { team } = store
  const forgotten = [...sessions.values()].map((each): Forgotten => ({ ...each, atMs: now }))
  team.forgetSessions(forgotten, now)
  progress?.start('Erasing', 0)
  const erased = team.eraseAll(files.map(({ id }) => id))
  // A machine that was writing when the note was made may have completed its batch.
  for (let round = 1; round < MOST_ROUNDS; round++) {
    const late = selectAll(store, {
      ids: forgotten.map(({ session }) => session),
      projects: [],
      devices: [],
      persons: [],
      memory: { devices, persons },
    })
    if (late.files.length === 0) break
    const more = team.eraseAll(late.files.map(({ id }) => id))
    erased.messages += more.messages
    erased.words += more.words
  }
  progress?.stop()
  return { done: 'forgotten', sessions: forgotten.map(rowOf), store: { files: files.length, ...erased } }
}

/** What was forgotten before is an answer; anything else that is unknown is an error. */
function notFound(given: Input, { team, path }: TeamStore, { suggest }: Context): ForgetAnswer {
  // This is how one checks that nothing is left.
  if (given.dryRun && namesNoSession(given)) return nothing('nothing')
  const { target } = given
  const before = team.forgotten().filter(({ session }) => target.some((each) => session.startsWith(each)))
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
