import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { noteObstacle, wholeStore } from '../../context/fresh-store.ts'
import { unreadLines } from '../../context/scanned.ts'
import { shortName } from '../../model/hidden.ts'
import { append } from '../../model/iteration.ts'
import { identityOf } from '../../platforms/identities.ts'
import { platformOf } from '../../platforms/index.ts'
import { type Column, counted, grouped, homely, readableBytes, table } from '../../render/table.ts'
import type { Screen } from '../../render/terminal.ts'
import { dated, finishSession } from '../../render/text.ts'
import { createProjectNames, loadSessions } from '../../selection/load-sessions.ts'
import { retentionWarnings, vanishing } from '../../selection/vanishing.ts'
import type { StoredSession } from '../../store/stored.ts'
import { movedFolders } from '../../sync/read/moved-folders.ts'
import { type Diagnosis, diagnose, type FileDiagnosis, output, total } from './diagnose.ts'
import { driftOf, driftText } from './drift.ts'
import { newerWarnings } from './newer.ts'

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'prove that no file, line or stored message is missing',
  details:
    'Compares every file with the store by size, time and content hash; --deep reads every file again and compares row by row. ' +
    'Exits with code 3 if anything is missing.',
  examples: [
    { command: 'scrollback doctor', description: 'check what is on disk, what is stored, and what is wrong' },
    { command: 'scrollback doctor --deep', description: 'read everything again and compare' },
    {
      command: 'scrollback doctor --vanishing',
      description: 'list what clients are about to delete, and whether an archive has it',
    },
    {
      command: 'scrollback doctor --drift',
      description: 'list unknown types and fields, ready for an issue',
    },
    {
      command: "scrollback doctor --json | jq '.artifacts[] | select(.problems != [])'",
      description: 'for programs',
    },
  ],
  input: z.object({
    deep: field.flag({ description: 'read every file again and compare the store with it, row by row' }),
    vanishing: field.flag({
      description: 'only list what clients delete within a week; exits with 3 if any of it is in no archive',
    }),
    drift: field.flag({
      description: 'only list unknown types and fields in your files, with counts',
    }),
  }),
  output,
  onlyRedacted: { because: 'the store contains no secrets' },
  async run(input, context): Promise<Diagnosis> {
    const fresh = await wholeStore(context, { words: true })
    noteObstacle(fresh, context)
    const found = diagnose(fresh, input.deep, context)
    const deleted = vanishing(loadSessions({}, context).sessions, context)
    append(found.warnings, retentionWarnings(deleted, context))
    append(found.warnings, movedWarnings(fresh.store.sessions(), context))
    append(found.warnings, newerWarnings(fresh.store.sessions(), context))
    if (input.vanishing) return { ...found, vanishing: vanishingRows(deleted, context) }
    if (!input.drift) return found
    const rows = new Map(fresh.store.sessions().map(({ session }) => [session.path, session]))
    return { ...found, drift: driftOf(fresh.found.artifacts, rows, context) }
  },
  render: doctorText,
})

/** What clients delete soon. The answer is partial if any of it is in no archive. */
function vanishingRows(
  { soon, longer }: ReturnType<typeof vanishing>,
  context: Context,
): NonNullable<Diagnosis['vanishing']> {
  const { environment, suggest } = context
  for (const [root, { name, keeps }] of longer)
    context.note(
      `Transcripts in ${homely(root, environment.home)} outlive the default of ${name}. State the days of its setting to be warned: ${suggest('keep', '--remember', `--retention=${keeps!.days}`)}`,
    )
  if (soon.some(({ archive }) => archive === undefined)) context.partly?.()
  const projectOf = createProjectNames(context.fresh?.store)
  return soon.map(({ session, deletesMs, archive = null }) => {
    const { id, platform, path, title = null } = finishSession(session)
    const deletesAt = new Date(deletesMs).toISOString()
    return { id, platform, project: projectOf(session) ?? null, path, title, deletesAt, archive }
  })
}

/** Sessions whose folder is gone while its repository is elsewhere, with the command that moves them. */
function movedWarnings(
  sessions: readonly StoredSession[],
  { dataFolder, globalFlags, remote, suggest }: Context,
): string[] {
  if (globalFlags?.demo || globalFlags?.from !== undefined || remote) return []
  const own = sessions.flatMap(({ session: { platform, state, cwds }, goneMs }) =>
    goneMs === undefined && state !== 'purged' && platformOf(platform).moving && cwds[0] ? [cwds[0][0]] : [],
  )
  return movedFolders(new Set(own), dataFolder).map(({ from, to }) => {
    const count = own.filter((path) => path === from || path.startsWith(`${from}/`)).length
    return `${counted(count, 'session')} ran in ${from}, which is gone. Its repository is now at ${to}, where the client does not look for ${count === 1 ? 'it' : 'them'}: ${suggest('move', [from, to])}`
  })
}

/** At most this many files are listed. */
const SHOWN = 40

const vanishingColumns = ({ suggest }: Screen): Column<NonNullable<Diagnosis['vanishing']>[number]>[] => [
  { title: 'DELETED FROM', whole: true, value: ({ deletesAt }) => dated(Date.parse(deletesAt)) },
  { title: 'ID', value: ({ id }) => suggest.id(id) },
  { title: 'PROJECT', value: ({ project }) => project ?? '', most: 20 },
  { title: 'KEPT IN', value: ({ archive }) => (archive === null ? 'the store, as text' : 'an archive') },
  { title: 'TITLE', value: ({ title }) => title ?? '', rest: true },
]

function* doctorText(answer: Diagnosis, screen: Screen): Generator<string> {
  if (answer.vanishing) {
    const left = answer.vanishing.filter(({ archive }) => archive === null).length
    if (answer.vanishing.length === 0) yield 'No client deletes a session within a week.\n'
    else {
      yield* table(answer.vanishing, vanishingColumns(screen), screen)
      yield left === 0
        ? '\nAn archive has all of it.\n'
        : `\n${counted(left, 'session')} ${left === 1 ? 'is' : 'are'} in no archive. To keep all of it: ${screen.suggest('keep')}\n`
    }
    return
  }
  if (answer.drift) {
    yield* driftText(answer.drift)
    return
  }
  const sum = (of: (row: FileDiagnosis) => number): number =>
    answer.artifacts.reduce((all, row) => all + of(row), 0)
  for (const { platform, path, reason, found } of answer.sources) {
    const { tried } = identityOf(platform)
    const known = tried === undefined ? '' : `, tried up to ${tried}`
    yield `${found ? '✓' : '·'} ${homely(path, screen.home)} (${reason})${found ? known : ' is missing'}\n`
  }
  const bad = answer.artifacts.filter((row) => row.problems.length > 0)
  yield `\n${counted(answer.artifacts.length, 'file')}, ${readableBytes(sum((row) => row.bytes))}, ${counted(
    sum((row) => row.lines),
    'line',
  )}: ${[
    `${grouped(sum((row) => row.accounting?.events ?? 0))} indexed`,
    `${grouped(sum((row) => total(row.accounting?.skipped)))} skipped on purpose`,
    `${grouped(sum((row) => total(row.accounting?.unknown)))} of unknown type`,
    `${grouped(sum((row) => row.accounting?.malformed ?? 0))} damaged`,
  ].join(', ')}.\n`
  yield* skippedTypes(sums(answer.artifacts.map((row) => row.accounting?.skipped)))
  const unknown = sums(answer.artifacts.map((row) => row.accounting?.unknown))
  if (unknown.length > 0) yield `  Unknown: ${listed(unknown)}\n`
  for (const { path, accounting } of answer.artifacts)
    if (accounting?.malformed)
      yield `  damaged lines in ${homely(path, screen.home)} at byte ${(accounting.malformedAt ?? []).slice(0, 5).join(', ')}\n`
  yield `The store contains ${counted(answer.store.messages, 'message')} with ${counted(answer.store.occurrences, 'occurrence')} in ${readableBytes(answer.store.bytes)}: ${homely(answer.store.path, screen.home)}\n`
  for (const { path, problems } of bad.slice(0, SHOWN))
    for (const problem of problems) yield `✗ ${homely(path, screen.home)}: ${problem}\n`
  if (bad.length > SHOWN) yield `  … and ${counted(bad.length - SHOWN, 'file')} more; --json names them all\n`
  if (answer.refused.length > 0) yield '\nNever opened:\n'
  yield* byFolder(answer.refused, screen.home)
  const spare = answer.refused.filter((each) => each.spare)
  if (spare.length > 0)
    yield `Copies and deleted sessions among these take ${readableBytes(spare.reduce((all, each) => all + each.bytes, 0))} in ${counted(spare.length, 'file')}. Scrollback never deletes them.\n`
  if (answer.unread.length > 0)
    yield `\nFiles next to sessions that were not read (${counted(answer.unread.length, 'file')}, ${readableBytes(answer.unread.reduce((all, each) => all + each.bytes, 0))}):\n`
  yield* byFolder(answer.unread, screen.home)
  yield* unreadLines(answer.unread, screen)
  for (const { path, files, bytes } of answer.unlisted)
    yield `\n${counted(files, 'file')} below ${homely(path, screen.home)} (${readableBytes(bytes)}) ${files === 1 ? 'looks like a transcript and is' : 'look like transcripts and are'} not read.\n`
  for (const warning of answer.warnings) yield `\n! ${warning}\n`
  const ofRead = answer.unread.length + answer.unlisted.length > 0 ? ' of what is read' : ''
  yield answer.ok
    ? answer.deep
      ? `\nNothing${ofRead} is missing; every file was read again and compared.\n`
      : `\nNothing${ofRead} is missing by the size, time and identity of each file. What was read before was not compared: ${screen.suggest.again({ flags: ['--deep'] })}\n`
    : `\n${
        bad.length > 0
          ? 'Something is missing: see the lines with ✗.'
          : 'Something may be missing: some folders could not be read.'
      }${answer.deep ? ` To rebuild the store: ${screen.suggest('index', '--rebuild')}` : ''}\n`
}

type Counts = readonly (readonly [name: string, count: number])[]

/** The sums of counts by type, the largest first. */
function sums(all: readonly (Record<string, number> | undefined)[]): Counts {
  const found = new Map<string, number>()
  for (const counts of all)
    for (const [type, count] of Object.entries(counts ?? {})) found.set(type, (found.get(type) ?? 0) + count)
  return [...found].sort((a, b) => b[1] - a[1])
}

const listed = (types: Counts): string =>
  types.map(([type, count]) => `${shortName(type)} ${grouped(count)}`).join(', ')

/** How many types of a family are named. `--json` names all. */
const NAMED = 6

/** The first types, and how many more there are. */
const shortened = (types: Counts): string =>
  types.length <= NAMED
    ? listed(types)
    : `${listed(types.slice(0, NAMED - 1))} and ${types.length - NAMED + 1} more types`

/** The types of skipped records. Those with a common first word, such as `attachment:date`, share a line. */
function* skippedTypes(types: Counts): Generator<string> {
  if (types.length <= NAMED) {
    if (types.length > 0) yield `  Skipped on purpose: ${listed(types)}\n`
    return
  }
  const familyOf = (type: string): string => /^[^:]+(?=:)/.exec(type)?.[0] ?? ''
  const families = Map.groupBy(types, ([type]) => familyOf(type))
  const isAlone = ([type]: Counts[number]): boolean => (families.get(familyOf(type))?.length ?? 0) < 2
  yield '  Skipped on purpose:\n'
  const alone = types.filter((each) => familyOf(each[0]) === '' || isAlone(each))
  if (alone.length > 0) yield `    ${shortened(alone)}\n`
  for (const [family, own] of families) {
    if (family === '' || own.length < 2) continue
    const names = own.map(([type, count]) => [type.slice(family.length + 1), count] as const)
    yield `    ${family} ${grouped(own.reduce((sum, [, count]) => sum + count, 0))}: ${shortened(names)}\n`
  }
}

/** From this many files of a folder with the same reason, only their number is printed. */
const MANY = 4

/** Files that were not opened or not read, many of one folder on one line. */
function* byFolder(
  files: readonly { path: string; reason: string; bytes: number }[],
  home: string,
): Generator<string> {
  const groups = [...Map.groupBy(files, ({ path, reason }) => `${dirname(path)}\n${reason}`).values()]
  const rows = groups.flatMap((group) => (group.length < MANY ? group.map((each) => [each]) : [group]))
  for (const row of rows.slice(0, SHOWN)) {
    const { path, reason } = row[0]!
    const bytes = row.reduce((sum, each) => sum + each.bytes, 0)
    const name = row.length > 1 ? `${dirname(path)}: ${counted(row.length, 'file')}` : path
    yield `  ${homely(name, home)} (${bytes > 0 ? `${readableBytes(bytes)}: ` : ''}${reason})\n`
  }
  const left = rows.slice(SHOWN).flat().length
  if (left > 0) yield `  … and ${counted(left, 'file')} more; --json names them all\n`
}
