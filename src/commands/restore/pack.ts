import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { basename, relative, resolve, sep } from 'node:path'
import * as z from 'zod/mini'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { faultOf } from '../../context/read-files.ts'
import { PACKED_KINDS, type PackHeader, unusualRecord, writePack } from '../../deliver/archive/pack.ts'
import { withoutHome } from '../../deliver/delivery/envelope.ts'
import { inventory, type Source } from '../../deliver/delivery/inventory.ts'
import type { RecordSettings } from '../../deliver/delivery/slice.ts'
import { ScrollbackError } from '../../errors.ts'
import { createOutputFile } from '../../io/own-files.ts'
import { shownName } from '../../model/hidden.ts'
import type { Session } from '../../model/session.ts'
import { shellWord } from '../../model/shell-word.ts'
import { platformOf } from '../../platforms/index.ts'
import { unusualId } from '../../platforms/resuming.ts'
import { isInFolder } from '../../project/group.ts'
import { counted, homely, readableBytes } from '../../render/table.ts'
import { loadSessions } from '../../selection/load-sessions.ts'
import { archivesHere } from '../../selection/vanishing.ts'
import { wayBack } from '../../selection/way-back.ts'
import { keysAt } from '../../sync/forgotten.ts'
import { unwritable } from '../export/output-file.ts'
import { besideNote, promptsBeside } from './beside.ts'
import { impossible, restoringAt, restoringOf } from './files.ts'
import { namedSessions, requiredName } from './sources.ts'

const input = z.object({
  session: field.text({
    description: 'session id or the beginning of one, or a project',
    positional: true,
  }),
  more: field.texts({ description: 'more of them', positional: true }),
  all: field.flag({ description: 'all sessions of this machine' }),
  out: field.text({ description: 'the new file', placeholder: 'file', path: 'file' }),
})

const output = () =>
  z.object({
    version: z.literal(1),
    path: z.string(),
    bytes: z.number(),
    sessions: z.array(z.object({ id: z.string(), platform: z.string(), title: z.nullable(z.string()) })),
    records: z.number(),
    /** Whether secrets were searched for, and how many were redacted. */
    redacted: z.boolean(),
    redactions: z.number(),
    /** Records that were too large, of which only size and hash are in the file. */
    stubs: z.number(),
    /** Prompts of the sessions that no transcript has, so that they are not in the file. */
    beside: z.object({ sideQuestions: z.number(), waiting: z.number() }),
    /** The folders that the sessions ran in, the one of most of them first. */
    directories: z.array(z.string()),
  })

type Packed = z.output<ReturnType<typeof output>>

export const pack = defineCommand({
  name: 'pack',
  summary: 'write sessions into one file, to continue them on another machine',
  details:
    'The file has the transcripts with their subagents, the outputs of tools that are in files of their own, and the entries of the session ' +
    'index. "scrollback unpack" writes them below the folder of the client there. It is a segment of an archive: each of its ' +
    'bytes is checked when it is unpacked, and "zstd -dc" prints its records. Several names, or --all, go into one file.\n\n' +
    'Secrets are redacted. With --no-redact, every byte of the records is as the client wrote it, keys included.',
  examples: [
    {
      command: 'scrollback pack 640ab4c7 --out session.pack',
      description: 'pack a session with its subagents',
    },
    { command: 'scrollback pack eastore --out eastore.pack', description: 'pack all sessions of a project' },
    { command: 'scrollback unpack session.pack', description: 'on the other machine' },
  ],
  input,
  output,
  run: (given: z.output<typeof input>, context: Context) => packed(given, context),
  *render({ path, bytes, sessions, records, redacted, redactions, beside, directories }, screen) {
    yield `Packed ${counted(sessions.length, 'session')} (${counted(records, 'record')}) into ${shownName(homely(path, screen.home))} (${readableBytes(bytes)}); `
    yield redacted ? `${counted(redactions, 'secret')} redacted.\n` : 'nothing is redacted.\n'
    const left = besideNote(beside, 'in the pack')
    if (left !== undefined) yield `${left}\n`
    const folders = distinctNames(projectFolders(directories))
    const isOne = folders.length < 2
    const maps = folders.map(({ folder, name }) => `${folder}=${isOne ? '.' : `./${name}`}`)
    const into = isOne ? 'the folder of the project' : 'the folder that has the projects'
    // Without the flags of this machine.
    yield `Copy it to another machine, into ${into}, and run there: scrollback unpack ${shellWord(basename(path))}${maps.map((map) => ` --map ${shellWord(map)}`).join('')} --yes\n`
  },
})

const MAX_RECORDS = 1000
const MAX_BYTES = 5 * 1024 * 1024

async function packed(
  { session, more, all: isAll, out }: z.output<typeof input>,
  context: Context,
): Promise<Packed> {
  if (isAll && session !== undefined)
    throw new ScrollbackError('bad-option', `--all: it already includes ${session}`, 'Leave out one of them.')
  const names = isAll ? [] : [requiredName(session, context), ...more]
  if (out === undefined)
    throw new ScrollbackError(
      'bad-option',
      'The file is missing.',
      `Name it: ${context.suggest('pack', isAll ? '--all' : names, '--out=session.pack')}`,
    )
  if (context.globalFlags?.from !== undefined)
    throw new ScrollbackError(
      'bad-option',
      '--from: the sessions of an archive need no pack',
      `Restore from it on the other machine: ${context.suggest('restore', names.slice(0, 1))}`,
    )
  const path = resolve(context.here, out)
  if (existsSync(path))
    throw new ScrollbackError('bad-option', `${path} exists.`, 'Name another file, or delete it first.')
  const sessions = isAll ? loadSessions({}, context).all : await allNamed(names, context)
  const gone = sessions.filter(({ goneMs, state }) => goneMs !== undefined || state === 'purged')
  const reasonAgainst = (session: Session): string | undefined => {
    const { platform, root, path } = session
    const restoring = restoringAt(platformOf(platform), relative(root, path).split(sep).join('/'))
    return typeof restoring === 'string'
      ? restoring
      : (unusualId(session) ??
          unusualRecord({ platform, path: withoutHome(path, context.environment.home), kind: 'transcript' }))
  }
  const existing = sessions.filter((each) => !gone.includes(each))
  const there = existing.filter(({ bytes }) => bytes > 0)
  const empty = existing.length - there.length
  if (empty > 0) context.note(`${counted(empty, 'empty transcript')} left out.`)
  const all = there.filter((each) => reasonAgainst(each) === undefined)
  if (gone.length > 0) {
    const archives = archivesHere(context)
    const back = gone.flatMap((each) => wayBack(each, archives, context).command ?? [])
    const first =
      back.length === 0
        ? ''
        : ` First write back what there is of ${gone.length === 1 ? 'it' : 'one'}: ${back[0]}`
    context.note(
      `${counted(gone.length, 'session')} without a transcript ${gone.length === 1 ? 'is' : 'are'} not in it.${first}`,
      'partly',
    )
  }
  const [useless] = there.filter((each) => !all.includes(each))
  if (useless && all.length > 0)
    context.note(
      `${counted(there.length - all.length, 'session')} left out, because ${impossible(useless, reasonAgainst(useless)!, context)}`,
      'partly',
    )
  else if (useless)
    throw new ScrollbackError(
      'bad-option',
      `A pack would be of no use: ${impossible(useless, reasonAgainst(useless)!, context)}`,
    )
  if (all.length === 0)
    throw new ScrollbackError(
      'no-session',
      `No transcript ${isAll ? '' : `of ${names.join(', ')} `}${empty > 0 ? 'has a record' : 'is on this machine'}.`,
    )
  if (!context.redact)
    context.note(
      'The file contains every secret of these sessions in plain text. Give it only to people who may see them.',
    )
  const { sources, isWanted } = sourcesOf(all, context)
  const { device } = context.machine
  const created = new Date(context.now).toISOString()
  const options = { settings: settingsFor(context), nowMs: Date.now(), isWanted, faultOf }
  const write = (count: number) => {
    const header: PackHeader = { pack: 1, created, device, redacted: context.redact, sessions: count }
    const file = openFile(path)
    try {
      const counts = writePack(file.write, header, sources, options)
      if (counts.sessions === count) file.done()
      else file.drop()
      return counts
    } catch (error) {
      file.drop()
      throw error
    }
  }
  let count = all.length
  let counts = write(count)
  // Some have no records, or cannot be read.
  for (; counts.sessions !== count && counts.sessions > 0; counts = write(count)) count = counts.sessions
  if (counts.sessions === 0)
    throw new ScrollbackError(
      'no-session',
      `No transcript ${isAll ? '' : `of ${names.join(', ')} `}has a record.`,
    )
  for (const fault of counts.faults) context.note(`${fault.path} ${fault.fault}`, 'partly')
  if (counts.stubs > 0)
    context.note(`${counted(counts.stubs, 'record')} was too large and is not in it.`, 'partly')
  return {
    version: 1,
    path,
    bytes: statSync(path).size,
    sessions: all.map(({ id, platform, title }) => ({ id, platform, title: title ?? null })),
    records: counts.records,
    redacted: context.redact,
    redactions: counts.redactions,
    stubs: counts.stubs,
    beside: promptsBeside(sources.flatMap(({ artifact }) => artifact ?? [])),
    directories: directoriesOf(all),
  }
}

/** The sessions of several names, each once. */
async function allNamed(names: readonly string[], context: Context): Promise<Session[]> {
  const found = new Map<string, Session>()
  for (const name of names)
    for (const session of await namedSessions(name, context)) found.set(session.path, session)
  return [...found.values()]
}

/** Folders without those below others of them. */
const projectFolders = (directories: readonly string[]): string[] =>
  directories.filter((each) => !directories.some((other) => other !== each && isInFolder(each, other)))

/** Folders with names of their own for another machine: the last part, and a number where it is taken. */
function distinctNames(folders: readonly string[]): { folder: string; name: string }[] {
  const taken = new Set<string>()
  return folders.map((folder) => {
    const last = folder.split(/[/\\]/).findLast((part) => part !== '') ?? 'project'
    let name = last
    for (let number = 2; taken.has(name); number++) name = `${last}-${number}`
    taken.add(name)
    return { folder, name }
  })
}

/** Subagents run where their session does. */
function directoriesOf(sessions: readonly Session[]): string[] {
  const counts = new Map<string, number>()
  for (const { kind, cwds } of sessions) {
    const own = kind === 'subagent' ? undefined : cwds[0]?.[0]
    if (own !== undefined) counts.set(own, (counts.get(own) ?? 0) + 1)
  }
  return [...counts].sort((one, other) => other[1] - one[1]).map(([path]) => path)
}

function openFile(path: string): ReturnType<typeof createOutputFile> {
  try {
    return createOutputFile(path)
  } catch (error) {
    throw unwritable(path, error)
  }
}

function settingsFor({ environment, machine, redact }: Context): RecordSettings {
  return {
    device: machine.device,
    deviceId: 'pack',
    home: environment.home,
    users: [machine.user],
    redact: { level: redact ? 'standard' : 'off' },
    tagKey: randomBytes(32).toString('base64'),
    normalized: false,
    historyFromMs: null,
    maxRecords: MAX_RECORDS,
    maxBytes: MAX_BYTES,
    forgotten: [...keysAt(environment.forgotten)],
  }
}

/** The sources of sessions, and which of their records are about them. */
function sourcesOf(sessions: readonly Session[], { environment }: Context) {
  const paths = new Set(sessions.map(({ path }) => path))
  const ids = new Set(sessions.map(({ platform, id }) => `${platform} ${id}`))
  const folders = sessions.flatMap(({ platform, root, path }) => {
    const restoring = restoringOf(platformOf(platform))
    const below = relative(root, path).split(sep).join('/')
    const folder = typeof restoring === 'string' ? undefined : restoring.folder?.(below)
    return folder === undefined ? [] : `${platform} ${root} ${folder}/`
  })
  const inFolder = ({ platform, root, name }: Source): boolean =>
    folders.some((folder) => `${platform} ${root} ${name}`.startsWith(folder))
  const whole = new Set<string>()
  const found = inventory({ ...environment, toolResults: true })
  const sources = found.sources.filter((source) => {
    if (!PACKED_KINDS.has(source.row.kind)) return false
    if (source.row.kind === 'transcript') return paths.has(source.path)
    const own = inFolder(source)
    if (own) whole.add(source.name)
    return own || (source.row.kind === 'session-index' && source.session === null)
  })
  return {
    sources,
    isWanted: ({
      kind,
      platform,
      session,
      path,
    }: {
      kind: string
      platform: string
      session: string | null
      path: string
    }) =>
      kind === 'transcript' ||
      ids.has(`${platform} ${session}`) ||
      [...whole].some((name) => path.endsWith(`/${name}`)),
  }
}
