import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ScrollbackError } from '../../errors.ts'
import type { ForgottenSession } from '../../io/forgotten-list.ts'
import { asOnlyWriter } from '../../store/as-only-writer.ts'
import type { Erased, Store } from '../../store/store.ts'
import { changeAnnotations, storedAnnotations } from '../kit/annotations.ts'
import { confirm, defineCommand } from '../kit/command.ts'
import type { Context } from '../kit/context.ts'
import { addForgotten, forgottenHere, removeForgotten } from '../kit/forgotten.ts'
import { freshStore, nothingYet } from '../kit/fresh-store.ts'
import { type ForgetAnswer, type Input, input, output } from './answer.ts'
import { checkArchives, countIn, removeFrom } from './archives.ts'
import { ownMemory } from './memory.ts'
import {
  isRemovedFrom,
  type Selection,
  selectArchived,
  selectStored,
  type Wanted,
  wantedOf,
} from './selection.ts'
import { checkTarget, countOf, forgottenAs, namesNoSession, nothing } from './shared.ts'
import { forgetInTeam } from './team.ts'
import { forgetLines } from './text.ts'

export const forget = defineCommand({
  name: 'forget',
  summary: 'remove sessions from the store and from archives, for good, with a receipt',
  details:
    'Removes messages, index, words, stars and tags of the sessions, their subagents included, and of each --archive the records. What was ' +
    'forgotten is not read, indexed or delivered again, and such an archive does not accept it again. The transcripts belong to the ' +
    'agent: they are listed, not deleted.',
  examples: [
    {
      command: 'scrollback forget 640ab4c7 --dry-run',
      tells: 'show what would be removed, by the beginning of an id',
    },
    {
      command: 'scrollback forget 640ab4c7 --archive ~/backup',
      tells: 'remove a session from the store and from an archive',
    },
    { command: 'scrollback forget project:eastore --yes', tells: 'remove all sessions of a project' },
    {
      command: 'scrollback forget device:old-laptop --archive ~/backup',
      tells: 'remove what a machine delivered',
    },
    {
      command: 'scrollback forget person:ann --store clickhouse://root@db.example.org/team',
      tells: 'remove all sessions of a person from a team store',
    },
    { command: 'scrollback forget --list', tells: 'list what was forgotten here' },
    { command: 'scrollback forget --undo 640ab4c7', tells: 'read a session again from its transcript' },
  ],
  input,
  output,
  async run(given, context): Promise<ForgetAnswer> {
    if (context.remote) return forgetInTeam(given, context)
    if (given.list) return { ...nothing('listed'), sessions: forgottenHere(context).map(rowOf) }
    if (given.undo !== undefined) return undone(given.undo, context)
    checkTarget(given, context)
    const archives = given.archive.map((folder) => resolve(context.here, folder))
    const wanted = wantedOf(given.target, { archives, person: context.machine.user })
    const store = openStore(context)
    checkArchives(archives, context)
    const selection = selectHere(store, wanted, context.machine.user)
    let others = 0
    for (const folder of archives) others += selectArchived(folder, wanted, selection.sessions)
    if (selection.sessions.size + others === 0) return notFound(given, archives, store, context)
    const isRemoved = isRemovedFrom(selection.sessions, wanted)
    const transcripts = selection.files
      .map(({ artifact }) => artifact.database ?? artifact.path)
      .filter((path) => existsSync(path))
    const base = { ...nothing('dry-run'), transcripts: [...new Set(transcripts)].sort() }
    if (given.dryRun)
      return {
        ...base,
        sessions: [...selection.sessions.values()].map(({ platform, session }) => ({
          ...{ platform, id: session, at: null },
        })),
        store: {
          files: selection.files.length,
          messages: store.messagesOnlyIn(selection.files.map(({ id }) => id)),
          words: null,
        },
        archives: archives.map((folder) => countIn(folder, isRemoved)),
      }
    const names = [...selection.sessions.values()].map(({ session }) => session)
    await confirm(`Forget ${countOf(names)}?`, given, context)
    return {
      ...base,
      ...(await remove(selection, { archives, isRemoved }, store, context)),
      check: checkOf(given, context),
    }
  },
  render: forgetLines,
})

/** What the store of this machine has of it: sessions, and the memory of its person. */
function selectHere(store: Store, wanted: Wanted, user: string): Selection {
  const known = [...store.known().values()]
  const { files, sessions } = selectStored(store, wanted, user, known)
  const memory = ownMemory(known, wanted, user)
  return { files: [...files, ...memory.files], sessions: new Map([...sessions, ...memory.sessions]) }
}

const rowOf = ({ platform, session, at }: ForgottenSession) => ({ platform, id: session, at })

function openStore(context: Context): Store {
  if (context.globalFlags?.from !== undefined)
    throw new ScrollbackError(
      'bad-option',
      '--from: what is read from an archive is forgotten in the archive',
      `Run: scrollback forget <session> --archive ${context.globalFlags.from}`,
    )
  const fresh = freshStore(context, { needs: 'messages' })
  if (!fresh)
    throw new ScrollbackError('bad-option', '--no-redact: not available for forget', 'Leave it out.')
  if (fresh.asIs === 'busy') throw nothingYet()
  if (fresh.store.readOnly)
    throw new ScrollbackError(
      'store-unreadable',
      `The store ${fresh.store.path} is read-only, so nothing can be removed from it.`,
      'Run the command as a user who may write to it.',
    )
  return fresh.store
}

/** What was forgotten before is an answer; anything else that is unknown is an error. */
function notFound(given: Input, archives: readonly string[], store: Store, context: Context): ForgetAnswer {
  // This is how one checks that nothing is left.
  if (given.dryRun && namesNoSession(given)) return nothing('nothing')
  const before = forgottenHere(context).filter(({ session }) =>
    given.target.some((target) => session.startsWith(target)),
  )
  if (before.length > 0) {
    // Writing the store again may have been interrupted.
    if (!given.dryRun) erase([], store, context)
    return { ...nothing('nothing'), sessions: before.map(rowOf) }
  }
  throw new ScrollbackError(
    'no-session',
    `Nothing is stored of ${given.target.join(', ')}${archives.length > 0 ? ', neither here nor in the archive' : ''}.`,
    `List sessions: ${context.suggest('sessions', '--all')}`,
  )
}

/** First the list, so that nothing comes back if what follows is interrupted and run again. */
async function remove(
  { files, sessions }: Selection,
  { archives, isRemoved }: { archives: readonly string[]; isRemoved: ReturnType<typeof isRemovedFrom> },
  store: Store,
  context: Context,
): Promise<Pick<ForgetAnswer, 'done' | 'sessions' | 'store' | 'archives'>> {
  const at = new Date(context.now).toISOString()
  const forgotten = [...sessions.values()].map((each): ForgottenSession => ({ ...each, at }))
  addForgotten(forgotten, context)
  const ids = files.map(({ id }) => id)
  const erased = erase(ids, store, context)
  const { own } = storedAnnotations(context)
  for (const { session } of forgotten) {
    const tags = own.get(session)?.tags
    if (tags)
      changeAnnotations(context, (annotations) =>
        annotations.change(session, { star: false, name: null, remove: tags }),
      )
  }
  const removed: ForgetAnswer['archives'] = []
  for (const folder of archives) removed.push(await removeFrom(folder, isRemoved, forgotten, context))
  return {
    done: 'forgotten',
    sessions: forgotten.map(rowOf),
    store: { files: files.length, ...erased },
    archives: removed,
  }
}

function erase(ids: readonly number[], store: Store, { progress }: Context): Erased {
  progress?.start('Writing the store again', 0)
  const erased = asOnlyWriter(store, () => store.erase(ids))
  progress?.stop()
  if (!erased) throw nothingYet()
  return erased
}

function checkOf({ target, archive }: Input, { suggest }: Context): string {
  const words = [...target, ...archive.flatMap((folder) => ['--archive', folder])]
  return suggest('forget', ...words, '--dry-run')
}

function undone(id: string, context: Context): ForgetAnswer {
  const found = forgottenAs(id, forgottenHere(context), context)
  removeForgotten(found, context)
  return { ...nothing('undone'), sessions: found.map(rowOf) }
}
