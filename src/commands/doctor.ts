import { accessSync, constants, statSync } from 'node:fs'
import * as z from 'zod/mini'
import { withLinks } from '../collect/link-sessions.ts'
import { ScrollbackError } from '../errors.ts'
import { bytesBelow } from '../io/directories.ts'
import type { Artifact } from '../model/artifact.ts'
import { append } from '../model/lists.ts'
import type { Session } from '../model/session.ts'
import { platforms } from '../platforms/index.ts'
import type { Known } from '../store/store.ts'
import { type Context, defineCommand } from './command.ts'
import { compareWithFile } from './doctor-deep.ts'
import { driftOf, driftShape, driftText } from './drift.ts'
import { field } from './fields.ts'
import { type FreshStore, freshStore } from './fresh-store.ts'
import { retentionWarning, vanishing } from './retention.ts'
import { counted, grouped, homely, readableBytes } from './table.ts'
import { unreadLines, unreadOf, unreadShape } from './unread.ts'

const output = () => {
  const count = z.number()
  return z.object({
    version: z.literal(1),
    ok: z.boolean(),
    deep: z.boolean(),
    sources: z.array(
      z.object({ platform: z.string(), path: z.string(), reason: z.string(), found: z.boolean() }),
    ),
    store: z.object({ path: z.string(), bytes: count, messages: count, occurrences: count }),
    artifacts: z.array(
      z.object({
        path: z.string(),
        kind: z.string(),
        state: z.string(),
        bytes: count,
        lines: count,
        accounting: z.nullable(
          z.object({
            events: count,
            skipped: z.record(z.string(), count),
            unknown: z.record(z.string(), count),
            malformed: count,
            malformedAt: z.optional(z.array(count)),
          }),
        ),
        stored: z.nullable(
          z.object({
            messages: count,
            offset: count,
            line: count,
            generation: count,
            goneSince: z.nullable(z.string()),
          }),
        ),
        problems: z.array(z.string()),
      }),
    ),
    refused: z.array(
      z.object({ path: z.string(), reason: z.string(), bytes: z.number(), spare: z.optional(z.boolean()) }),
    ),
    unread: unreadShape(),
    warnings: z.array(z.string()),
    drift: z.optional(driftShape()),
  })
}

type Diagnosis = z.output<ReturnType<typeof output>>
type Row = Diagnosis['artifacts'][number]

const DAY = 86_400_000
const SHOWN = 40

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'proof that nothing is missing: every file, every line, what the store holds of it',
  details:
    'Compares every file with what is stored of it by size, time and content hash; --deep reads every file again and compares row by row. ' +
    'Ends in exit code 3 when anything is missing.',
  examples: [
    { command: 'scrollback doctor', tells: 'what is there, what is stored, what is wrong' },
    { command: 'scrollback doctor --deep', tells: 'read everything again and compare' },
    {
      command: 'scrollback doctor --drift',
      tells: 'what newer clients write that is not known here, for an issue',
    },
    {
      command: "scrollback doctor --json | jq '.artifacts[] | select(.problems != [])'",
      tells: 'for programs',
    },
  ],
  input: z.object({
    deep: field.flag({ description: 'read every file again and compare the store with it, row by row' }),
    drift: field.flag({
      description: 'only what is unknown in your files: names of types and fields, with counts',
    }),
  }),
  output,
  run(input, context): Diagnosis {
    const fresh = freshStore(context)
    if (!fresh)
      throw new ScrollbackError(
        'bad-option',
        '--no-redact: the store holds no secrets',
        'Leave --no-redact away.',
      )
    const found = diagnose(fresh, input.deep, context)
    if (!input.drift) return found
    const rows = new Map(fresh.store.sessions().map(({ session }) => [session.path, session]))
    return { ...found, drift: driftOf(fresh.found.artifacts, rows, context) }
  },
  *render(answer, screen) {
    if (answer.drift) {
      yield* driftText(answer.drift)
      return
    }
    const sum = (of: (row: Row) => number): number => answer.artifacts.reduce((all, row) => all + of(row), 0)
    for (const { path, reason, found } of answer.sources)
      yield `${found ? '✓' : '·'} ${homely(path, screen.home)} (${reason})${found ? '' : ' is not there'}\n`
    const bad = answer.artifacts.filter((row) => row.problems.length > 0)
    yield `\n${counted(answer.artifacts.length, 'file')}, ${readableBytes(sum((row) => row.bytes))}, ${counted(
      sum((row) => row.lines),
      'line',
    )}: ${[
      `${grouped(sum((row) => row.accounting?.events ?? 0))} told`,
      `${grouped(sum((row) => total(row.accounting?.skipped)))} left out on purpose`,
      `${grouped(sum((row) => total(row.accounting?.unknown)))} of unknown type`,
      `${grouped(sum((row) => row.accounting?.malformed ?? 0))} damaged`,
    ].join(', ')}.\n`
    yield* types(
      'Left out on purpose',
      answer.artifacts.map((row) => row.accounting?.skipped),
    )
    yield* types(
      'Unknown',
      answer.artifacts.map((row) => row.accounting?.unknown),
    )
    for (const { path, accounting } of answer.artifacts)
      if (accounting?.malformed)
        yield `  damaged lines in ${homely(path, screen.home)} at byte ${(accounting.malformedAt ?? []).slice(0, 5).join(', ')}\n`
    yield `The store holds ${counted(answer.store.messages, 'message')} at ${counted(answer.store.occurrences, 'place')} in ${readableBytes(answer.store.bytes)}: ${homely(answer.store.path, screen.home)}\n`
    for (const { path, problems } of bad.slice(0, SHOWN))
      for (const problem of problems) yield `✗ ${homely(path, screen.home)}: ${problem}\n`
    if (bad.length > SHOWN)
      yield `  … and ${counted(bad.length - SHOWN, 'file')} more; --json names them all\n`
    if (answer.refused.length > 0) yield '\nNever opened:\n'
    for (const { path, reason, bytes } of answer.refused)
      yield `  ${homely(path, screen.home)} (${bytes > 0 ? `${readableBytes(bytes)}: ` : ''}${reason})\n`
    const spare = answer.refused.filter((each) => each.spare)
    if (spare.length > 0)
      yield `${counted(spare.length, 'file')} of these, copies and deleted sessions, ${spare.length === 1 ? 'takes' : 'take'} ${readableBytes(spare.reduce((all, each) => all + each.bytes, 0))} that could be reclaimed; nothing here deletes them.\n`
    if (answer.unread.length > 0)
      yield `\nNot read, although ${answer.unread.length === 1 ? 'it lies' : 'they lie'} where sessions lie (${counted(answer.unread.length, 'file')}, ${readableBytes(answer.unread.reduce((all, each) => all + each.bytes, 0))}):\n`
    for (const { path, reason, bytes } of answer.unread.slice(0, SHOWN))
      yield `  ${homely(path, screen.home)} (${readableBytes(bytes)}: ${reason})\n`
    if (answer.unread.length > SHOWN)
      yield `  … and ${counted(answer.unread.length - SHOWN, 'file')} more; --json names them all\n`
    yield* unreadLines(answer.unread, screen)
    for (const warning of answer.warnings) yield `\n! ${warning}\n`
    const ofRead = answer.unread.length > 0 ? ' of what is read' : ''
    yield answer.ok
      ? answer.deep
        ? `\nNothing${ofRead} is missing; every file was read again and compared.\n`
        : `\nNothing${ofRead} is missing by the size, time and identity of each file. What was read before was not compared: ${screen.suggest('doctor', '--deep')}\n`
      : `\n${
          bad.length > 0
            ? 'Something is missing: see the lines with ✗.'
            : 'Something may be missing: not every place could be looked into.'
        }${answer.deep ? ` To read everything again: ${screen.suggest('index', '--rebuild')}` : ''}\n`
  },
})

const total = (counts: Record<string, number> | undefined): number =>
  Object.values(counts ?? {}).reduce((sum, each) => sum + each, 0)

function* types(title: string, all: (Record<string, number> | undefined)[]): Generator<string> {
  const sums = new Map<string, number>()
  for (const counts of all)
    for (const [type, count] of Object.entries(counts ?? {})) sums.set(type, (sums.get(type) ?? 0) + count)
  if (sums.size === 0) return
  const ranked = [...sums].sort((a, b) => b[1] - a[1])
  yield `  ${title}: ${ranked.map(([type, count]) => `${type} ${grouped(count)}`).join(', ')}\n`
}

function diagnose({ store, found }: FreshStore, deep: boolean, context: Context): Diagnosis {
  const known = store.known()
  const rows = new Map(store.sessions().map(({ session }) => [session.path, session]))
  const faults = new Map(found.faults.map(({ path, fault }) => [path, fault]))
  const here = new Set(found.artifacts.map(({ path }) => path))
  const roots = new Set(found.roots.map(({ path }) => path))
  const gone = [...known.values()].filter(
    ({ artifact }) => roots.has(artifact.root) && !here.has(artifact.path) && rows.has(artifact.path),
  )
  if (deep)
    context.progress?.start(
      'Comparing',
      found.artifacts.reduce((sum, { bytes }) => sum + bytes, 0),
    )
  const artifacts = [...found.artifacts, ...gone.map(({ artifact }) => artifact)].map((artifact) =>
    diagnoseOne(artifact, known.get(artifact.path), rows.get(artifact.path)),
  )
  if (deep) context.progress?.stop()
  const ok = artifacts.every((row) => row.problems.length === 0) && found.notices.length === 0
  if (!ok) context.partly?.()
  const { storeBytes, messages, occurrences } = store.statistics()
  return {
    version: 1,
    ok,
    deep,
    sources: found.roots.map((root) => ({ ...root })),
    store: { path: store.place, bytes: storeBytes, messages, occurrences },
    artifacts,
    refused: [
      ...found.roots.flatMap((root) =>
        root.found ? (platforms.find(({ id }) => id === root.platform)?.refused(root) ?? []) : [],
      ),
      ...found.notices.map(({ path, message }) => ({ path, reason: message })),
    ]
      // With --deleted some of them are read.
      .filter(({ path }) => !here.has(path))
      .map((each) => ({ ...each, bytes: bytesBelow(each.path) })),
    unread: unreadOf(found).map((each) => ({ ...each, bytes: bytesBelow(each.path) })),
    warnings: warningsOf([...rows.values()]),
  }

  function diagnoseOne(artifact: Artifact, stored: Known | undefined, session: Session | undefined): Row {
    const problems: string[] = []
    const fault = faults.get(artifact.path)
    if (fault) problems.push(fault)
    else if (here.has(artifact.path) && !isReadable(artifact.database ?? artifact.path))
      problems.push(UNREADABLE)
    else if (!stored || !session) problems.push('is not stored')
    if (stored && session && here.has(artifact.path)) {
      const { checkpoint } = stored
      if (checkpoint.size !== artifact.bytes)
        problems.push(`has ${artifact.bytes} bytes, of which ${checkpoint.size} were looked at`)
      const { events, skipped, unknown, malformed } = session.accounting
      const accounted = events + total(skipped) + total(unknown) + malformed
      if (accounted !== session.lines)
        problems.push(`${session.lines - accounted} lines are not accounted for`)
      if (deep && !fault && !problems.includes(UNREADABLE))
        append(problems, compareWithFile(store, withLinks(artifact, stored.artifact.links), session))
    }
    if (deep) context.progress?.advance(here.has(artifact.path) ? artifact.bytes : 0)
    return {
      path: artifact.path,
      kind: artifact.kind,
      state: stored?.goneMs === undefined ? artifact.state : 'gone',
      // How long a session of a database is, shows when it is read.
      bytes: artifact.database ? (session?.bytes ?? 0) : artifact.bytes,
      lines: session?.lines ?? 0,
      accounting: session?.accounting ?? null,
      stored: stored
        ? {
            messages: store.countMessages(artifact.path),
            offset: stored.checkpoint.offset,
            line: stored.checkpoint.line,
            generation: stored.checkpoint.generation,
            goneSince: stored.goneMs === undefined ? null : new Date(stored.goneMs).toISOString(),
          }
        : null,
      problems,
    }
  }

  function warningsOf(sessions: readonly Session[]): string[] {
    const warnings: string[] = []
    const going = retentionWarning(
      vanishing(
        sessions.filter(({ path }) => here.has(path)),
        context,
      ),
      true,
    )
    if (going) warnings.push(going)
    const ahead = found.artifacts.filter(({ modifiedMs }) => modifiedMs > context.now + DAY)
    if (ahead.length > 0)
      warnings.push(
        `${counted(ahead.length, 'file')} changed in the future, ${ahead[0]!.path} for one: the clock of this machine, or of the one that wrote it, is wrong. What is new is found by size then.`,
      )
    const open = isOpenToOthers(store.place)
    if (open) warnings.push(`The store can be read by others on this machine: chmod 600 ${store.place}`)
    const torn = [...known.values()].filter(
      ({ artifact, checkpoint }) =>
        here.has(artifact.path) &&
        checkpoint.offset < checkpoint.size &&
        !artifact.database &&
        !artifact.path.endsWith('.zst'),
    )
    if (torn.length > 0)
      warnings.push(
        `${counted(torn.length, 'file')} end${torn.length === 1 ? 's' : ''} without a newline, ${torn[0]!.artifact.path} for one: the last line is told as it stands and read again when it is complete.`,
      )
    return warnings
  }
}

const UNREADABLE = 'may not be read by you'

/** Although all of it may be stored: what is added to it will not be. */
function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

function isOpenToOthers(path: string): boolean {
  try {
    return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
  } catch {
    return false
  }
}
