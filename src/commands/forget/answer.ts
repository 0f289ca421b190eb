import { existsSync } from 'node:fs'
import * as z from 'zod/mini'
import type { Context } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { ScrollbackError } from '../../errors.ts'
import { type Artifact, type Environment, forgottenKey, isMemoryName } from '../../model/artifact.ts'
import { counted, grouped, homely } from '../../render/table.ts'
import type { Screen } from '../../render/terminal.ts'
import { isNamed } from '../../selection/session-names.ts'
import type { SessionKey } from '../../selection/session-selection.ts'
import { discover } from '../../sync/discover.ts'
import { type IsForgotten, isForgottenArtifact } from '../../sync/forgotten.ts'

export const input = z.object({
  target: field.texts({
    description: 'a session, project:<name>, or, of an archive, device:<name>',
    positional: true,
  }),
  archive: field.texts({
    description: 'also remove them from this archive; can be repeated',
    placeholder: 'dir',
    path: 'dir',
  }),
  dryRun: field.flag({ description: 'show what would be removed, and change nothing' }),
  yes: field.flag({ description: 'do not ask' }),
  list: field.flag({ description: 'list the sessions that were forgotten on this machine' }),
  undo: field.text({
    description: 'read this session and its subagents again, if their transcripts still exist',
    placeholder: 'session',
  }),
})

export type Input = z.output<typeof input>

const sessionShape = () =>
  z.object({
    platform: z.string(),
    id: z.string(),
    /** When it was forgotten. Null in a dry run. */
    at: z.nullable(z.string()),
  })

export const output = () =>
  z.object({
    version: z.literal(1),
    /** What was done, or would be. */
    done: z.enum(['forgotten', 'dry-run', 'listed', 'undone', 'nothing']),
    /** Subagents included. */
    sessions: z.array(sessionShape()),
    /** What the store contained: messages and words that nothing else contains. Null if not counted. */
    store: z.object({ files: z.number(), messages: z.nullable(z.number()), words: z.nullable(z.number()) }),
    archives: z.array(z.object({ folder: z.string(), records: z.number(), segments: z.number() })),
    /**
     * The agent's files that still exist, memory and small files beside transcripts included. They are not
     * ours, and are not read any more; with `undone`, the transcripts that are read again.
     */
    transcripts: z.array(z.string()),
    /** The agent's databases that have the sessions, and others, too. */
    databases: z.array(z.string()),
    /** The agent's prompt histories, which may have what was typed. */
    histories: z.array(z.string()),
    /** A command that shows that nothing is left. */
    check: z.nullable(z.string()),
    /** Of a space: rows that are left of it, in all tables and parts. */
    left: z.optional(z.number()),
  })

export type ForgetAnswer = z.output<ReturnType<typeof output>>

/** What a program cannot do for the operator of a server. The guide for teams has the same words. */
const OPERATORS_WORK = [
  'The operator of the server still has to:\n',
  '  delete it from backups of the database, or delete those backups\n',
  '  wait until replaced parts leave the disk (old_parts_lifetime, by default 8 minutes)\n',
  '  remove questions with its words from the log of the server: TRUNCATE TABLE system.query_log\n',
]

/** Files that are listed by name. */
const MOST = 10

export function* forgetLines(answer: ForgetAnswer, screen: Screen): Generator<string> {
  const { done, sessions } = answer
  const ids = [...new Set(sessions.map(({ id }) => id))]
  const count = countOf(ids)
  if (done === 'listed') {
    if (sessions.length === 0) yield 'Nothing was forgotten here.\n'
    for (const { id, platform, at } of sessions) yield `${id}  ${platform}  ${at!.slice(0, 16)}\n`
    return
  }
  if (done === 'undone') {
    const [first, ...others] = ids
    const what =
      others.length === 0
        ? `${first} is`
        : `${first} and ${counted(others.length, 'session')} that it started are`
    yield isMemoryName(first!)
      ? `The ${first} is read again.\n`
      : answer.transcripts.length + answer.databases.length > 0
        ? `${what} read again.\n`
        : `${what} no longer left out, but this machine has no transcript of ${others.length === 0 ? 'it' : 'them'}.\n`
    return
  }
  if (done === 'nothing') {
    if (sessions.length === 0) {
      yield 'Nothing of this is stored.\n'
      return
    }
    yield `Nothing is stored. ${count} ${sessions.length === 1 ? 'was' : 'were'} forgotten before:\n`
    for (const { id, at } of sessions) yield `  ${id}  ${at!.slice(0, 16)}\n`
    return
  }
  yield done === 'dry-run' ? `Would forget ${count}:\n` : `Forgot ${count}:\n`
  yield* removedLines(answer, screen)
  for (const id of ids) yield `  ${id}\n`
  yield* fileLines(answer, screen)
  if (done === 'dry-run') yield 'Nothing was changed.\n'
  if (answer.left !== undefined) {
    yield `Rows that are left of it, in all tables and parts of the space: ${grouped(answer.left)}.\n`
    yield* OPERATORS_WORK
  }
  if (answer.check !== null) yield `To check that nothing is left: ${answer.check}\n`
}

function* removedLines({ store, archives }: ForgetAnswer, { home }: Screen): Generator<string> {
  const { files, messages, words } = store
  const ofWords = words === null ? '' : ` and ${counted(words, 'word')}`
  const only =
    messages === null ? '' : `, ${counted(messages, 'message')}${ofWords} that nothing else contains`
  yield `  the store: ${counted(files, 'file')}${only}\n`
  for (const { folder, records, segments } of archives)
    yield `  ${homely(folder, home)}: ${counted(records, 'record')} in ${grouped(segments)} ${segments === 1 ? 'segment' : 'segments'}\n`
}

/** Files of the agent: transcripts and memory, databases, and prompt histories. */
function* fileLines(
  { transcripts, databases, histories }: ForgetAnswer,
  { home }: Screen,
): Generator<string> {
  for (const [paths, words] of [
    [transcripts, 'These files belong to the agent and are still there. Delete them yourself:'],
    [
      databases,
      'These databases of agents have the sessions, and others, too. Delete the sessions there, end the client, and rewrite\n' +
        'the file (sqlite3 FILE VACUUM), because SQLite keeps deleted words in free space:',
    ],
    [histories, 'What was typed may also be in these histories of prompts, which belong to the agent:'],
  ] as const) {
    if (paths.length === 0) continue
    yield `${words}\n`
    for (const path of paths.slice(0, MOST)) yield `  ${homely(path, home)}\n`
    if (paths.length > MOST) yield `  and ${grouped(paths.length - MOST)} more; --json lists all\n`
  }
}

/** The answer when sessions are no longer forgotten, with what this machine has of them. */
export function takenBack(sessions: ForgetAnswer['sessions'], environment: Environment): ForgetAnswer {
  const keys = new Set(sessions.map(({ platform, id }) => forgottenKey(platform, id)))
  const isOne: IsForgotten = (platform, session) => keys.has(forgottenKey(platform, session))
  const own = discover(environment).artifacts.filter((artifact) => isForgottenArtifact(artifact, isOne))
  return { ...nothing('undone'), sessions, ...filesOf(own) }
}

/** The files of these that exist, and the databases, which have others, too. */
export function filesOf(artifacts: readonly Artifact[]): Pick<ForgetAnswer, 'transcripts' | 'databases'> {
  return {
    transcripts: existing(artifacts.flatMap(({ database, path }) => (database === undefined ? path : []))),
    databases: existing(artifacts.flatMap(({ database }) => database ?? [])),
  }
}

/** Those of some paths that exist, each once, in order. */
export const existing = (paths: readonly string[]): string[] =>
  [...new Set(paths)].filter((path) => existsSync(path)).sort()

/** An answer in which nothing has happened yet. */
export const nothing = (done: ForgetAnswer['done']): ForgetAnswer => ({
  version: 1,
  done,
  sessions: [],
  archives: [],
  transcripts: [],
  databases: [],
  histories: [],
  check: null,
  store: { files: 0, messages: null, words: null },
})

/** What was or will be forgotten, in words: `3 sessions`, or `3 sessions, and memory`. */
export function countOf(names: Iterable<string>): string {
  const all = [...new Set(names)]
  const memories = all.filter(isMemoryName).length
  return `${counted(all.length - memories, 'session')}${memories > 0 ? ', and memory' : ''}`
}

/** Whether whole projects, devices and persons were named, of which no list says what was forgotten. */
export const namesNoSession = ({ target }: Input): boolean =>
  target.every((each) => /^(?:project|device|person):./.test(each))

/** Throws a `ScrollbackError` if nothing is named. */
export function checkTarget({ target }: Input, { suggest }: Pick<Context, 'suggest'>): void {
  if (target.length === 0)
    throw new ScrollbackError(
      'bad-option',
      'Name what to forget.',
      `A session, project:<name>, device:<name> or person:<name>. List sessions: ${suggest('sessions', '--all')}`,
    )
}

/**
 * The forgotten session with this beginning of its id, and those that were forgotten with it because it
 * started them. Throws a `ScrollbackError` unless there is one.
 */
export function forgottenAs<Forgotten extends SessionKey>(
  id: string,
  forgotten: readonly Forgotten[],
  { suggest }: Pick<Context, 'suggest'>,
): Forgotten[] {
  const found = forgotten.filter(({ session }) => isNamed(session, id))
  const ids = new Set(found.map(({ session }) => session))
  if (found.length === 0)
    throw new ScrollbackError(
      'no-session',
      `--undo: no session that was forgotten begins with "${id}"`,
      `List them: ${suggest('forget', '--list')}`,
    )
  if (ids.size > 1)
    throw new ScrollbackError(
      'bad-option',
      `--undo: "${id}" is the beginning of ${counted(ids.size, 'session')}`,
      `Choose one: ${suggest('forget', '--list')}`,
    )
  return withDescendants(found, forgotten)
}

/** Some forgotten sessions, followed by those whose parent is one of them. */
function withDescendants<Forgotten extends SessionKey>(
  found: readonly Forgotten[],
  forgotten: readonly Forgotten[],
): Forgotten[] {
  const all = new Set(found)
  for (const { session } of all) for (const each of forgotten) if (each.parent === session) all.add(each)
  return [...all]
}
