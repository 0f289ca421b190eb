import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Context, Dialog } from '../../context/context.ts'
import { field, resumeLine } from '../../context/flags.ts'
import { noteSetAside } from '../../context/fresh-store.ts'
import { ScrollbackError } from '../../errors.ts'
import {
  applyChanges,
  ChangedMeanwhile,
  lastChange,
  type Planned,
  settleChanges,
  undoChanges,
} from '../../io/agent-folder/changes.ts'
import { DamagedJournal } from '../../io/agent-folder/journal.ts'
import { NotBelow } from '../../io/agent-folder/paths.ts'
import { isFolder } from '../../io/directories.ts'
import { NotOurs } from '../../io/own-files.ts'
import type { Environment } from '../../model/artifact.ts'
import { shownName } from '../../model/hidden.ts'
import type { Session } from '../../model/session.ts'
import { shellWord } from '../../model/shell-word.ts'
import { resumption } from '../../platforms/resuming.ts'
import { counted, homely, readableBytes } from '../../render/table.ts'
import { printable, type Screen } from '../../render/terminal.ts'
import { storeFault } from '../../store/sqlite/database.ts'
import { holdLock, makeOwnFolder } from '../../store/sqlite/files.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { asOnlyWriter as asStoreWriter, type Store } from '../../store/store.ts'

/** The flags of every command that writes below an agent's folder. */
export const writeFlags = {
  dryRun: field.flag({ description: 'show what would be written, and write nothing' }),
  yes: field.flag({ description: 'do not ask' }),
  undo: field.flag({
    description: 'undo what restore, unpack or move wrote last, unless the client has changed it since',
  }),
}

export const toFlag = field.text({
  description: 'write to this folder of the client instead of the one that it uses',
  placeholder: 'dir',
  path: 'dir',
})

const ACTIONS = ['create', 'change', 'remove', 'rename', 'same', 'different'] as const

export const writesShape = () =>
  z.object({
    version: z.literal(1),
    done: z.enum(['written', 'planned', 'undone', 'nothing']),
    /** Where the sessions come from. Null for move and undo. */
    from: z.nullable(z.string()),
    files: z.array(
      z.object({
        path: z.string(),
        /** The new path of a file or folder that is renamed. */
        to: z.nullable(z.string()),
        action: z.enum(ACTIONS),
        bytes: z.nullable(z.number()),
      }),
    ),
    sessions: z.array(
      z.object({
        id: z.string(),
        platform: z.string(),
        title: z.nullable(z.string()),
        /** The command that resumes it. Null for subagents, and where it cannot be resumed. */
        resume: z.nullable(z.string()),
      }),
    ),
    /** Placeholders of secrets in what is written. */
    redacted: z.number(),
    /** Commands to run before the sessions are resumed, with the reason. */
    afterward: z.array(z.object({ reason: z.string(), command: z.string() })),
    notes: z.array(z.string()),
  })

export type WritesAnswer = z.output<ReturnType<typeof writesShape>>
export type FileRow = WritesAnswer['files'][number]

export const nothingWritten = (): WritesAnswer => ({
  version: 1,
  done: 'nothing',
  from: null,
  files: [],
  sessions: [],
  redacted: 0,
  afterward: [],
  notes: [],
})

type Writing = Pick<Context, 'dataFolder' | 'choose'> & WithStore

/** Runs `work` as the only writer, after it has completed or reversed what was interrupted before. */
export async function asOnlyWriter<Result>(
  { dataFolder, note, globalFlags, remote }: Context,
  work: () => Promise<Result>,
): Promise<Result> {
  if (globalFlags?.demo || remote)
    throw new ScrollbackError(
      'bad-option',
      `${remote ? '--store' : '--demo'}: only folders of this machine are written to`,
      'Leave it out.',
    )
  try {
    makeOwnFolder(dataFolder)
  } catch (error) {
    throw storeFault(error, dataFolder)
  }
  const lock = holdLock(join(dataFolder, 'changes.lock'))
  if (!lock)
    throw new ScrollbackError(
      'unreadable',
      'Another scrollback is writing to the folder of an agent.',
      'Wait until it ends, then run the command again.',
    )
  try {
    const settled = settleChanges({ dataFolder })
    if (settled) {
      const { done, command, left } = settled
      const what = done === 'completed' ? 'was completed now' : 'was taken back now'
      note(`"${command}" had been interrupted and ${what}.`)
      if (left.length > 0)
        note(
          `Changed since, and left as they are: ${left.map((path) => shownName(path)).join(', ')}`,
          'partly',
        )
    }
    return await work()
  } catch (error) {
    if (error instanceof DamagedJournal)
      throw new ScrollbackError(
        'unreadable',
        `${error.message}.`,
        'The interrupted change in it can no longer be completed. Check the folders of your clients, then delete it.',
        error,
      )
    throw error instanceof NotBelow || error instanceof NotOurs
      ? new ScrollbackError(
          'unreadable',
          `Nothing was written: ${error.message}.`,
          'Links are not followed, and names that mean something else to a system are not used.',
          error,
        )
      : error
  } finally {
    lock.release()
  }
}

/** Takes back the last change. */
export async function undone(
  { yes, dryRun }: { yes: boolean; dryRun: boolean },
  context: Context,
): Promise<WritesAnswer> {
  return asOnlyWriter(context, async () => {
    const { dataFolder } = context
    const last = lastChange({ dataFolder })
    if (!last) throw new ScrollbackError('nothing-found', 'There is nothing to take back.')
    const files = last.steps.flatMap((step): FileRow | [] => {
      const path = join(step.root, step.below)
      if (step.type === 'clear') return []
      if (step.type === 'rename')
        return { path: join(step.root, step.to), to: path, action: 'rename', bytes: null }
      const action = step.type === 'remove' ? 'create' : step.before === null ? 'remove' : 'change'
      return { path, to: null, action, bytes: null }
    })
    const base = { ...nothingWritten(), files, notes: [`Takes back "${last.command}" of ${last.at}.`] }
    if (dryRun) return { ...base, done: 'planned' as const }
    await agreed(`Take back "${last.command}" (${counted(files.length, 'file')})?`, { yes }, context)
    try {
      undoChanges({ dataFolder })
    } catch (error) {
      throw changedFault(error, 'It is not taken back, because the client would lose what it wrote.')
    }
    const { stored } = last
    if (stored !== undefined) {
      const removed = files.flatMap(({ action, path }) => (action === 'remove' ? path : []))
      forgetFiles(
        removed.filter((path) => !stored.includes(path)),
        context,
      )
    }
    return { ...base, done: 'undone' as const }
  })
}

/** Shows a human what is planned, before the question. */
export function shownFirst(answer: WritesAnswer, { yes }: { yes: boolean }, context: Context): void {
  if (yes || !context.choose) return
  const { environment, now, suggest, columns = 80 } = context
  const screen = { columns, color: false, terminal: true, home: environment.home, now, suggest }
  for (const line of writesText({ ...answer, done: 'planned' }, screen)) context.note(line.trimEnd())
}

/** Asks, and makes the changes. Throws a `ScrollbackError` if that is not wanted or impossible. */
export async function written(
  changes: readonly Planned[],
  { yes, question, command }: { yes: boolean; question: string; command: string },
  context: Writing,
): Promise<void> {
  await agreed(question, { yes }, context)
  const { dataFolder, now } = context
  const created = changes.flatMap((change) =>
    change.type === 'write' && change.before === null ? join(change.root, change.below) : [],
  )
  try {
    applyChanges(changes, { dataFolder, command, nowMs: now, stored: storedFiles(created, context) })
  } catch (error) {
    throw changedFault(error, 'Nothing was written. Run the command again.')
  }
}

/*
 * The store keeps sessions whose files are gone. But a file that was only there until a change was taken back
 * was never a session of this machine.
 */
type WithStore = Pick<Context, 'storePath' | 'ownStorePath' | 'now' | 'note'>

/** The store of this machine, also while an archive is read. */
const pathOf = ({ storePath, ownStorePath = storePath }: WithStore): string => ownStorePath

/** Those of some files that the store knows. Undefined if it cannot be asked. */
const storedFiles = (paths: readonly string[], context: WithStore): string[] | undefined =>
  existsSync(pathOf(context))
    ? withStore(context, (store) => paths.filter((path) => store.knownFile({ path }) !== undefined))
    : []

/** Removes some files from the store, with the messages that only they contain. */
function forgetFiles(paths: readonly string[], context: WithStore): void {
  if (paths.length === 0 || !existsSync(pathOf(context))) return
  withStore(context, (store) => {
    const known = paths.flatMap((path) => store.knownFile({ path }) ?? [])
    const clients = new Set(known.map(({ artifact }) => artifact.platform))
    // What prompt histories have of these sessions is read again.
    const histories = [...store.known().values()].filter(
      ({ artifact: { kind, sessionId, platform } }) =>
        kind === 'prompt-history' && sessionId === '' && clients.has(platform),
    )
    const isDone = asStoreWriter(store, () => {
      if (known.length > 0) store.forget([...known, ...histories].map(({ id }) => id))
      return true
    })
    if (!isDone) context.note('Another scrollback is writing, so lists still have what was taken back.')
  })
}

/** What is written does not depend on the store: if it cannot be opened, that is said. */
function withStore<Result>(context: WithStore, work: (store: Store) => Result): Result | undefined {
  const { now, note } = context
  try {
    const { store, setAside } = openSqliteStore(pathOf(context), now)
    if (setAside !== undefined) noteSetAside(setAside, { note })
    try {
      return work(store)
    } finally {
      store.close()
    }
  } catch (error) {
    if (!(error instanceof ScrollbackError)) throw error
    note(`${error.message} ${error.wayOut ?? ''}`.trim())
    return undefined
  }
}

function changedFault(error: unknown, ifChanged: string): unknown {
  if (error instanceof ChangedMeanwhile)
    return new ScrollbackError(
      'unreadable',
      `Changed meanwhile: ${error.paths.slice(0, 5).join(', ')}${error.paths.length > 5 ? ' …' : ''}`,
      ifChanged,
      error,
    )
  const { code, message, syscall } = error as NodeJS.ErrnoException
  if (code === undefined || syscall === undefined) return error
  const wayOut = ['ENOSPC', 'EDQUOT'].includes(code)
    ? 'Free some space, then run the command again.'
    : 'Check who may write to that folder, then run the command again.'
  return new ScrollbackError('unreadable', `Nothing was written: ${message}`, wayOut, error)
}

async function agreed(
  question: string,
  { yes }: { yes: boolean },
  { choose }: Pick<Dialog, 'choose'>,
): Promise<void> {
  if (yes) return
  const options = [
    { label: 'no', hint: 'write nothing' },
    { label: 'yes', hint: 'write them; --undo takes it back' },
  ]
  if ((await choose?.(question, options)) === 1) return
  throw new ScrollbackError(
    'bad-option',
    'Nothing was written.',
    'Add --yes to write it, or --dry-run to see what would be written.',
  )
}

/** The line that resumes a session. It makes the folder if there is none: the client needs it. */
function lineOf({ words, variables, directories }: Startable): string {
  const directory = directories.find(isFolder) ?? directories[0] ?? null
  const line = resumeLine(words, variables, directory)
  if (directory === null || isFolder(directory)) return line
  return process.platform === 'win32'
    ? `mkdir -Force ${shellWord(directory)}; ${line}`
    : `mkdir -p ${shellWord(directory)} && ${line}`
}

type Startable = Exclude<ReturnType<typeof resumption>, { impossible: string }>

/** Sessions with the commands that resume them. */
export const sessionRows = (
  sessions: readonly Session[],
  environment: Environment,
): WritesAnswer['sessions'] =>
  sessions.map((session) => {
    const { id, platform, title } = session
    const how = resumption({ ...session, goneMs: undefined }, environment)
    const line = 'impossible' in how || session.kind === 'subagent' ? null : lineOf(how)
    return { id, platform, title: title ?? null, resume: line }
  })

const WORDS: Record<FileRow['action'], [planned: string, done: string]> = {
  create: ['would write', 'wrote'],
  change: ['would change', 'changed'],
  remove: ['would remove', 'removed'],
  rename: ['would rename', 'renamed'],
  same: ['already there, the same', 'already there, the same'],
  different: ['already there, different', 'already there, different'],
}
const MOST_FILES = 40
const MOST_SESSIONS = 20

export function* writesText(answer: WritesAnswer, screen: Screen): Generator<string> {
  const { done, files, sessions, afterward, redacted, notes } = answer
  for (const note of notes) yield `${shownName(note)}\n`
  for (const { path, to, action, bytes } of files.slice(0, MOST_FILES)) {
    const word = WORDS[action][done === 'planned' ? 0 : 1]
    const name = shownName(homely(path, screen.home))
    const target = to === null ? '' : ` to ${shownName(homely(to, screen.home))}`
    yield `  ${word}: ${name}${target}${bytes === null ? '' : ` (${readableBytes(bytes)})`}\n`
  }
  if (files.length > MOST_FILES) yield `  … and ${counted(files.length - MOST_FILES, 'file')} more\n`
  if (redacted > 0)
    yield `${counted(redacted, 'secret')} ${redacted === 1 ? 'is' : 'are'} redacted: the client and its model read the placeholder, such as [REDACTED:kind], instead.\n`
  if (done === 'undone') yield 'Everything is as before.\n'
  if (done === 'nothing' && files.length > 0) yield 'There is nothing to write.\n'
  if (done !== 'written' && done !== 'nothing') return
  if (done === 'written') yield `Take it back: ${screen.suggest('restore', '--undo')}\n`
  for (const { reason, command } of afterward) yield `${reason}. Run first:\n${printable(command)}\n`
  const resumed = sessions.filter(({ resume }) => resume !== null)
  if (resumed.length > 0) yield `${resumed.length === 1 ? 'Resume it' : 'Resume them'}:\n`
  for (const { resume } of resumed.slice(0, MOST_SESSIONS)) yield `${printable(resume!)}\n`
  if (resumed.length > MOST_SESSIONS)
    yield `… and ${counted(resumed.length - MOST_SESSIONS, 'session')} more\n`
}
