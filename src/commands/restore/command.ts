import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { ScrollbackError } from '../../errors.ts'
import { lookAt } from '../../io/agent-folder/paths.ts'
import { forgottenSessions } from '../../io/forgotten-list.ts'
import { shownName } from '../../model/hidden.ts'
import type { Session } from '../../model/session.ts'
import { platformOf } from '../../platforms/index.ts'
import { counted, grouped, homely } from '../../render/table.ts'
import { chooseNamed } from '../../selection/choose-sessions.ts'
import { loadSessions } from '../../selection/load-sessions.ts'
import { deletionOf, statedRetention } from '../../selection/vanishing.ts'
import { discover } from '../../sync/discover.ts'
import { besideNote, promptsNotRestored } from './beside.ts'
import { condensedPlan } from './condensed.ts'
import { planRestore, type RestorePlan, restorable } from './files.ts'
import {
  archiveSource,
  archivesHere,
  namedSessions,
  ownEnvironment,
  requiredName,
  transcriptsHere,
} from './sources.ts'
import {
  asOnlyWriter,
  nothingWritten,
  sessionRows,
  shownFirst,
  toFlag,
  undone,
  type WritesAnswer,
  writeFlags,
  writesShape,
  writesText,
  written,
} from './writes.ts'

const input = z.object({
  session: field.text({
    description: 'session id or the beginning of one, or a project',
    positional: true,
  }),
  to: toFlag,
  condensed: field.flag({
    description: 'make a transcript from the messages in the store, for a session that no archive has',
  }),
  ...writeFlags,
})

type Input = z.output<typeof input>

export const restore = defineCommand({
  name: 'restore',
  summary: 'write a session back to where its client looks for it',
  details:
    'Writes the transcript from an archive, byte for byte, with its subagents, outputs of tools and the entry in the session index that the client ' +
    'needs, so that the client resumes it. The archive is --from, or the one that "scrollback collect" filled. Shows what it will write, asks, and ' +
    'never overwrites a file. Archives are redacted unless they were collected with --no-redact: the client then reads the placeholder of a ' +
    'secret. --undo takes back what was written last.\n\n' +
    'Without an archive, --condensed writes the messages of the store as a new transcript, which says so in its first message. ' +
    'A restored file counts as modified now, so that the client does not delete it at once. Gemini CLI goes by the time in the transcript instead: resume an old session before you start it for anything else.',
  examples: [
    { command: 'scrollback restore 640ab4c7 --dry-run', description: 'show what would be written' },
    {
      command: 'scrollback restore 640ab4c7 --from ~/backup',
      description: 'restore a session from an archive',
    },
    {
      command: 'scrollback restore eastore --yes',
      description: 'restore all sessions of a project, without a question',
    },
    { command: 'scrollback restore 640ab4c7 --condensed', description: 'restore what the store has of it' },
    { command: 'scrollback restore --undo', description: 'undo what was written last' },
  ],
  input,
  output: writesShape,
  run: async (given: Input, context: Context): Promise<WritesAnswer> => {
    if (given.undo) return undone(given, context)
    const name = requiredName(given.session, context)
    return asOnlyWriter(context, async () => {
      const { plan, ...source } = given.condensed
        ? { plan: await condensedPlan(name, given.to, context), from: 'store' }
        : await archivedPlan(name, given, context)
      return carriedOut(plan, { ...given, ...source, command: `restore ${name}` }, context)
    })
  },
  isNothing: ({ done, files, notes }) => done === 'nothing' && files.length === 0 && notes.length === 0,
  isVerbatim: () => true,
  render: writesText,
})

/** Looks for the sessions in each archive until one has them. */
async function archivedPlan(
  name: string,
  { to }: Input,
  context: Context,
): Promise<{ plan: RestorePlan; from: string; notes: string[] }> {
  const given = context.globalFlags?.from
  const archives = given === undefined ? archivesHere(context) : [resolve(context.here, given)]
  if (archives.length === 0)
    throw new ScrollbackError(
      'no-session',
      'There is no archive on this machine.',
      `Name one with --from.\n${await withoutArchive(name, context)}`.trimEnd(),
    )
  let missing: ScrollbackError | undefined
  let hasPrompts = false
  for (const folder of archives) {
    const source = archiveSource(folder, context)
    try {
      const named = await namedSessions(name, source.context)
      // Of a session that was deleted before the archive was filled, only a history of prompts tells.
      const sessions = named.filter(({ state }) => state !== 'purged')
      if (sessions.length === 0) {
        hasPrompts = true
        continue
      }
      const target = to === undefined ? undefined : resolve(context.here, to)
      const environment = ownEnvironment(context)
      const all = restorable(sessions, source.origins, target, environment)
      checkOneClient(all, to)
      const from = given === undefined ? ([`--from=${folder}`] as const) : []
      const plans = { isForeign: false, from, here: transcriptsHere(environment) }
      const plan = planRestore(all, plans, context)
      const { artifacts } = discover(source.context.environment)
      const own = new Set(sessions.map(({ path }) => path))
      const beside = promptsNotRestored(
        artifacts.filter(({ path }) => own.has(path)),
        plan.restored,
      )
      const left = besideNote(beside, 'restored')
      return { plan, from: folder, notes: left === undefined ? [] : [left] }
    } catch (error) {
      if (!(error instanceof ScrollbackError && error.isMissing)) throw error
      missing = error
    }
  }
  const { environment, suggest } = context
  const forgotten = forgottenSessions(environment.forgotten).filter(({ session }) => session.startsWith(name))
  if (forgotten.length === 1)
    throw new ScrollbackError(
      'no-session',
      `${forgotten[0]!.session} was forgotten here, so nothing of it is written.`,
      `Take that back first: ${suggest('forget', `--undo=${forgotten[0]!.session}`)}`,
    )
  throw new ScrollbackError(
    'no-session',
    `${archives.map((folder) => homely(folder, environment.home)).join(' and ')}: ${hasPrompts ? `no transcript of ${name}, only its prompts: it was deleted before it was archived` : `no session, project or agent "${name}"`}`,
    given === undefined
      ? `See what is in it: ${suggest('sessions', '--all', `--from=${archives[0]!}`)}\n${await withoutArchive(name, context)}`.trimEnd()
      : `See what is in it: ${suggest('sessions', '--all')}`,
    missing,
  )
}

/**
 * What can be done with a session that no archive has, as a line. Throws if nothing has to be done: it is
 * still there. Empty if the name is not known here either.
 */
async function withoutArchive(name: string, context: Context): Promise<string> {
  const { suggest } = context
  let sessions: Session[]
  try {
    sessions = (await chooseNamed(loadSessions({}, context), { name, all: false }, context)).sessions
  } catch (error) {
    if (error instanceof ScrollbackError) return ''
    throw error
  }
  const [first] = sessions
  if (!first) return ''
  if (sessions.every(({ goneMs, state }) => goneMs === undefined && state === 'live'))
    throw new ScrollbackError(
      'bad-option',
      `${first.id} is not deleted: its transcript is where the client looks for it.`,
      `Resume it: ${suggest('resume', [first.id])}`,
    )
  const gone = sessions.find(({ goneMs }) => goneMs !== undefined) ?? first
  const { identity, restoring } = platformOf(gone.platform)
  if (restoring && 'condensed' in restoring)
    return `Write what the store has of it: ${suggest('restore', [name], '--condensed')}`
  return identity.begins
    ? `${identity.name} resumes nothing without a whole transcript. Give it a brief of the session instead: ${suggest('handoff', [gone.id], `--to=${identity.short}`)}`
    : `Read what the store has of it: ${suggest('read', [gone.id])}`
}

/** A folder that was named belongs to one client. */
export function checkOneClient(
  all: readonly { session: { platform: string } }[],
  to: string | undefined,
): void {
  const platforms = new Set(all.map(({ session }) => session.platform))
  if (to !== undefined && platforms.size > 1)
    throw new ScrollbackError(
      'bad-option',
      `--to ${to}: the sessions belong to several clients (${[...platforms].join(', ')}), each with its own folder`,
      'Name one session, or leave out --to.',
    )
}

/**
 * Which sessions their clients would delete again, because they go by what the transcripts record, as
 * sentences.
 */
function againDeleted(restored: readonly Session[], context: Context): string[] {
  const stated = statedRetention(context)
  const doomed = restored.filter((session) => {
    const fresh = { ...session, modifiedMs: context.now }
    return (
      session.parentSessionId === undefined &&
      (deletionOf(fresh, stated) ?? Number.POSITIVE_INFINITY) < context.now
    )
  })
  return [...Map.groupBy(doomed, ({ platform }) => platform)].map(([platform, own]) => {
    const { name, keeps } = platformOf(platform).identity
    const [it, each] = own.length === 1 ? ['it', 'it'] : [`${grouped(own.length)} of them`, 'each']
    return `${name} goes by the time in the transcript and deletes ${it} again at its next start, unless that resumes ${each}: resume ${each} first, or set ${keeps!.setting}.`
  })
}

/** Shows the plan or carries it out. */
export async function carriedOut(
  plan: RestorePlan,
  {
    dryRun,
    yes,
    from,
    command,
    notes = [],
  }: { dryRun: boolean; yes: boolean; from: string; command: string; notes?: string[] },
  context: Context,
): Promise<WritesAnswer> {
  const { changes, files, redacted, missing, impossible, elsewhere, moved, restored, afterward } = plan
  for (const reason of impossible) context.note(reason, 'partly')
  if (missing > 0)
    context.note(
      `${counted(missing, 'line')} of the transcripts ${missing === 1 ? 'is' : 'are'} missing in it.`,
      'partly',
    )
  const different = files.filter(({ action }) => action === 'different')
  for (const { path, bytes } of different)
    context.note(
      `${shownName(path)} is already there and different: ${grouped(lookAt(path)?.size ?? 0)} bytes there, ${grouped(bytes ?? 0)} in the source. It is not overwritten.`,
      'partly',
    )
  const environment = ownEnvironment(context)
  const answer: WritesAnswer = {
    ...nothingWritten(),
    from,
    files,
    redacted,
    afterward,
    notes: [
      ...notes,
      ...againDeleted(restored, context),
      ...moved.map(({ id, directory }) => `Already there, in another folder: ${id} is in ${directory} now.`),
      ...elsewhere.map(
        ({ id, path }) =>
          `Already there, at another place: ${path}. Resume it: ${context.suggest('resume', [id])}`,
      ),
    ],
    sessions: sessionRows(restored, environment),
  }
  if (restored.length === 0 && impossible.length > 0) return answer
  if (changes.length === 0) return answer
  if (dryRun) return { ...answer, done: 'planned' }
  const into = [...new Set(changes.map(({ root }) => root))].filter((root) => existsSync(root))
  const question = `Write ${counted(changes.length, 'file')} below ${into.map((root) => homely(root, environment.home)).join(' and ')}?`
  shownFirst(answer, { yes }, context)
  await written(changes, { yes, question, command }, context)
  return { ...answer, done: 'written' }
}
