import * as z from 'zod/mini'
import { ScrollbackError } from '../../errors.ts'
import { counted, grouped, homely, readableBytes } from '../../render/table.ts'
import type { Screen } from '../../render/terminal.ts'
import { defineCommand } from '../kit/command.ts'
import { field } from '../kit/flags.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { unreadLines } from '../kit/scanned.ts'
import { type Diagnosis, diagnose, type FileDiagnosis, output, total } from './diagnose.ts'
import { driftOf, driftText } from './drift.ts'

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
    drift: field.flag({
      description: 'only list unknown types and fields in your files, with counts',
    }),
  }),
  output,
  run(input, context): Diagnosis {
    const fresh = freshStore(context)
    if (!fresh)
      throw new ScrollbackError(
        'bad-option',
        '--no-redact: not available, because the store contains no secrets',
        'Run the command without --no-redact.',
      )
    const found = diagnose(fresh, input.deep, context)
    if (!input.drift) return found
    const rows = new Map(fresh.store.sessions().map(({ session }) => [session.path, session]))
    return { ...found, drift: driftOf(fresh.found.artifacts, rows, context) }
  },
  render: doctorText,
})

/** At most this many files are listed. */
const SHOWN = 40

function* doctorText(answer: Diagnosis, screen: Screen): Generator<string> {
  if (answer.drift) {
    yield* driftText(answer.drift)
    return
  }
  const sum = (of: (row: FileDiagnosis) => number): number =>
    answer.artifacts.reduce((all, row) => all + of(row), 0)
  for (const { path, reason, found } of answer.sources)
    yield `${found ? '✓' : '·'} ${homely(path, screen.home)} (${reason})${found ? '' : ' is missing'}\n`
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
  yield* types(
    'Skipped on purpose',
    answer.artifacts.map((row) => row.accounting?.skipped),
  )
  yield* types(
    'Unknown',
    answer.artifacts.map((row) => row.accounting?.unknown),
  )
  for (const { path, accounting } of answer.artifacts)
    if (accounting?.malformed)
      yield `  damaged lines in ${homely(path, screen.home)} at byte ${(accounting.malformedAt ?? []).slice(0, 5).join(', ')}\n`
  yield `The store contains ${counted(answer.store.messages, 'message')} with ${counted(answer.store.occurrences, 'occurrence')} in ${readableBytes(answer.store.bytes)}: ${homely(answer.store.path, screen.home)}\n`
  for (const { path, problems } of bad.slice(0, SHOWN))
    for (const problem of problems) yield `✗ ${homely(path, screen.home)}: ${problem}\n`
  if (bad.length > SHOWN) yield `  … and ${counted(bad.length - SHOWN, 'file')} more; --json names them all\n`
  if (answer.refused.length > 0) yield '\nNever opened:\n'
  for (const { path, reason, bytes } of answer.refused)
    yield `  ${homely(path, screen.home)} (${bytes > 0 ? `${readableBytes(bytes)}: ` : ''}${reason})\n`
  const spare = answer.refused.filter((each) => each.spare)
  if (spare.length > 0)
    yield `${counted(spare.length, 'file')} of these, copies and deleted sessions, ${spare.length === 1 ? 'takes' : 'take'} ${readableBytes(spare.reduce((all, each) => all + each.bytes, 0))} that could be reclaimed; nothing here deletes them.\n`
  if (answer.unread.length > 0)
    yield `\nFiles next to sessions that were not read (${counted(answer.unread.length, 'file')}, ${readableBytes(answer.unread.reduce((all, each) => all + each.bytes, 0))}):\n`
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
      : `\nNothing${ofRead} is missing by the size, time and identity of each file. What was read before was not compared: ${screen.suggest.again({ flags: ['--deep'] })}\n`
    : `\n${
        bad.length > 0
          ? 'Something is missing: see the lines with ✗.'
          : 'Something may be missing: some folders could not be read.'
      }${answer.deep ? ` To rebuild the store: ${screen.suggest('index', '--rebuild')}` : ''}\n`
}

function* types(title: string, all: (Record<string, number> | undefined)[]): Generator<string> {
  const sums = new Map<string, number>()
  for (const counts of all)
    for (const [type, count] of Object.entries(counts ?? {})) sums.set(type, (sums.get(type) ?? 0) + count)
  if (sums.size === 0) return
  const ranked = [...sums].sort((a, b) => b[1] - a[1])
  yield `  ${title}: ${ranked.map(([type, count]) => `${type} ${grouped(count)}`).join(', ')}\n`
}
