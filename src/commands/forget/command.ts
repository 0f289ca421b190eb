import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { confirm, defineCommand } from '../../context/command.ts'
import type { Context, Machine, Reports, Storage } from '../../context/context.ts'
import { freshStore, nothingYet } from '../../context/fresh-store.ts'
import { dropUnpacked } from '../../deliver/archive/from-archive.ts'
import { lockArchive } from '../../deliver/archive/own-archives.ts'
import { isSound, verifyArchive } from '../../deliver/archive/records.ts'
import { countInArchive, forgetInArchive } from '../../deliver/archive/rewrite.ts'
import { inventory, isForgottenFile } from '../../deliver/delivery/inventory.ts'
import { openDeliveryState } from '../../deliver/delivery/state.ts'
import { ScrollbackError } from '../../errors.ts'
import { dropLastChange } from '../../io/agent-folder/changes.ts'
import { stateOf } from '../../io/archive/directory.ts'
import { type ForgottenSession, forgottenSessions, writeForgotten } from '../../io/forgotten-list.ts'
import { forgottenKey } from '../../model/artifact.ts'
import { shellWord } from '../../model/shell-word.ts'
import { changeAnnotations, storedAnnotations } from '../../selection/annotations.ts'
import {
  documentsAbout,
  isRemovedFrom,
  ownMemory,
  type Selection,
  selectArchived,
  selectStored,
  type Wanted,
  wantedOf,
} from '../../selection/session-selection.ts'
import { SEGMENT_BYTES } from '../../sinks/file.ts'
import { asOnlyWriter, type Erased, type Store } from '../../store/store.ts'
import { forgottenTest, isForgottenSource, keysAt } from '../../sync/forgotten.ts'
import {
  checkTarget,
  countOf,
  existing,
  type ForgetAnswer,
  filesOf,
  forgetLines,
  forgottenAs,
  type Input,
  input,
  namesNoSession,
  nothing,
  output,
  takenBack,
} from './answer.ts'

export const forget = defineCommand({
  name: 'forget',
  summary: 'remove sessions from the store and from archives, for good, with a receipt',
  details:
    'Removes the messages, index entries, stars and tags of the sessions and their subagents, and their records from each --archive. What was ' +
    'forgotten is not read, indexed or delivered again, and those archives do not accept it again. Transcripts belong to the ' +
    'agent: they are listed, not deleted.',
  examples: [
    {
      command: 'scrollback forget 640ab4c7 --dry-run',
      description: 'show what would be removed, by the beginning of an id',
    },
    {
      command: 'scrollback forget 640ab4c7 --archive ~/backup',
      description: 'remove a session from the store and from an archive',
    },
    { command: 'scrollback forget project:eastore --yes', description: 'remove all sessions of a project' },
    {
      command: 'scrollback forget device:old-laptop --archive ~/backup',
      description: 'remove what a machine delivered',
    },
    {
      command: 'scrollback forget person:ann --store clickhouse://root@db.example.org/team',
      description: 'remove all sessions of a person from a team store',
    },
    { command: 'scrollback forget --list', description: 'list what was forgotten here' },
    { command: 'scrollback forget --undo 640ab4c7', description: 'read a session again from its transcript' },
  ],
  input,
  output,
  onlyRedacted: { because: 'the store contains no secrets' },
  async run(given, context): Promise<ForgetAnswer> {
    if (context.remote) return (await import('./team.ts')).forgetInTeam(given, context)
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
    const isRemoved = isRemovedFrom(selection.sessions, wanted, archives)
    const files = filesOf(selection.files.map(({ artifact }) => artifact))
    const { beside, histories } = sharedWith(selection, context)
    const base = {
      ...nothing('dry-run'),
      ...files,
      transcripts: existing([...files.transcripts, ...beside]),
      histories,
    }
    if (given.dryRun)
      return {
        ...base,
        sessions: [...selection.sessions.values()].map(({ platform, session }) => ({
          platform,
          id: session,
          at: null,
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

/** The small files beside the transcripts of some sessions, and the prompt histories of their clients. */
function sharedWith(
  { sessions }: Selection,
  { environment }: Context,
): { beside: string[]; histories: string[] } {
  const clients = new Set([...sessions.values()].map(({ platform }) => platform))
  const files = inventory({ ...environment, toolResults: true }).sources.filter(
    ({ row, artifact, platform }) => row.content !== 'rows' && !artifact && clients.has(platform),
  )
  const isChosen = (platform: string, session: string): boolean =>
    sessions.has(forgottenKey(platform, session))
  return {
    beside: files.flatMap((source) => (isForgottenSource(source, isChosen) ? source.path : [])),
    histories: existing(files.flatMap(({ row, path }) => (row.kind === 'prompt-history' ? path : []))),
  }
}

/** What the store of this machine has of it: sessions, and the memory of its person. */
function selectHere(store: Store, wanted: Wanted, user: string): Selection {
  const known = [...store.known().values()]
  const { files, sessions } = selectStored(store, wanted, user, known)
  const memory = ownMemory(known, wanted, user)
  const all = new Set([...files, ...memory.files, ...documentsAbout(known, sessions)])
  return { files: [...all], sessions: new Map([...sessions, ...memory.sessions]) }
}

const rowOf = ({ platform, session, at }: ForgottenSession) => ({ platform, id: session, at })

function openStore(context: Context): Store {
  if (context.globalFlags?.from !== undefined)
    throw new ScrollbackError(
      'bad-option',
      '--from: what is read from an archive is forgotten in the archive',
      `Run: scrollback forget <session> --archive ${context.globalFlags.from}`,
    )
  const fresh = freshStore(context, { onDisk: true })
  if (fresh.found.obstacle === 'busy') throw nothingYet()
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
    if (!given.dryRun) {
      erase([], store, context)
      eraseDelivered(context)
    }
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
  dropLastChange(context)
  const removed: ForgetAnswer['archives'] = []
  for (const folder of archives) removed.push(await removeFrom(folder, isRemoved, forgotten, context))
  eraseDelivered(context)
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

/** Removes what the collector knows of forgotten sessions, whose paths may name projects. */
function eraseDelivered({ dataFolder, environment }: Pick<Context, 'dataFolder' | 'environment'>): void {
  const path = join(dataFolder, 'collect.sqlite')
  const isForgotten = forgottenTest(environment)
  if (!isForgotten || !existsSync(path)) return
  const state = openDeliveryState(path)
  try {
    state.erase((facts) => isForgottenFile(facts, isForgotten), environment.home)
  } finally {
    state.close()
  }
}

function checkOf({ target, archive }: Input, { suggest }: Context): string {
  return suggest('forget', target, { flag: '--archive', values: archive }, '--dry-run')
}

function undone(id: string, context: Context): ForgetAnswer {
  const found = forgottenAs(id, forgottenHere(context), context)
  removeForgotten(found, context)
  return takenBack(found.map(rowOf), context.environment)
}

type Removed = ForgetAnswer['archives'][number]
type IsRemoved = ReturnType<typeof isRemovedFrom>

/** Throws a `ScrollbackError` unless each folder is an archive without damage. */
function checkArchives(folders: readonly string[], { progress }: Reports): void {
  for (const folder of folders) {
    if (!existsSync(folder) || stateOf(folder).type !== 'archive')
      throw new ScrollbackError(
        'bad-option',
        `--archive ${folder}: not an archive`,
        'Give a directory that "scrollback collect" delivered to.',
      )
    progress?.start('Verifying', 0)
    const found = verifyArchive(folder, progress?.advance)
    progress?.stop()
    if (!isSound(found))
      throw new ScrollbackError(
        'unreadable',
        `${folder} is damaged, so it is not known what it contains.`,
        `Repair it first: scrollback collect repair ${shellWord(folder)}`,
      )
  }
}

/** How many records an archive contains that are to be removed. */
const countIn = (folder: string, isRemoved: IsRemoved): Removed => ({
  folder,
  ...countInArchive(folder, isRemoved),
})

/** Removes records from an archive, and the copy of it that was unpacked for `--from`. */
async function removeFrom(
  folder: string,
  isRemoved: IsRemoved,
  forgotten: readonly ForgottenSession[],
  { dataFolder }: Storage,
): Promise<Removed> {
  const lock = lockArchive(folder)
  try {
    dropUnpacked(folder, dataFolder)
    const removed = await forgetInArchive(folder, {
      sessions: forgotten,
      isRemoved,
      segmentBytes: SEGMENT_BYTES,
      nowMs: Date.now,
    })
    return { folder, ...removed }
  } finally {
    lock.release()
  }
}

/** The sessions that were forgotten on this machine. Throws a `ScrollbackError` if the list is damaged. */
function forgottenHere({ environment }: Pick<Machine, 'environment'>): readonly ForgottenSession[] {
  keysAt(environment.forgotten)
  return forgottenSessions(environment.forgotten)
}

/** Adds sessions to the list, each once. Without a list, as in the demo, nothing is kept. */
function addForgotten(
  sessions: readonly ForgottenSession[],
  { environment }: Pick<Machine, 'environment'>,
): void {
  const before = forgottenHere({ environment })
  const known = keysAt(environment.forgotten)
  const fresh = sessions.filter(({ platform, session }) => !known.has(forgottenKey(platform, session)))
  if (environment.forgotten !== undefined && fresh.length > 0)
    writeForgotten(environment.forgotten, [...before, ...fresh])
}

/** Removes sessions from the list, so that they are read again. */
function removeForgotten(
  sessions: readonly ForgottenSession[],
  { environment }: Pick<Machine, 'environment'>,
): void {
  const gone = new Set(sessions.map(({ platform, session }) => forgottenKey(platform, session)))
  const others = forgottenHere({ environment }).filter(
    ({ platform, session }) => !gone.has(forgottenKey(platform, session)),
  )
  if (environment.forgotten !== undefined && gone.size > 0) writeForgotten(environment.forgotten, others)
}
