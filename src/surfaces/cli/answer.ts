import { commands } from '../../commands/index.ts'
import type { Command } from '../../commands/kit/command.ts'
import { type GlobalFlags, noteOf } from '../../commands/kit/flags.ts'
import { prepareStore } from '../../commands/kit/fresh-store.ts'
import { incompleteLine, incompleteOf } from '../../commands/kit/scanned.ts'
import { parseTime } from '../../commands/kit/time.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Printed } from '../../render/gate.ts'
import { wrapTalk } from '../../render/wrap.ts'
import { timeOf } from '../environment.ts'
import { teamStore } from '../team-store.ts'
import { createSession, type Session } from './context.ts'
import { report } from './faults.ts'
import { parseInput } from './flags.ts'
import { page } from './pager.ts'
import { startedByNpm } from './processes.ts'

/** The exit code of an answer without a result, and of errors. */
const NOTHING_FOUND = 1

interface Question {
  command: Command
  /** Unchecked values by field. */
  given: Record<string, unknown>
  flags: GlobalFlags
  version: string
}

/** Runs a command and prints its answer. Returns the exit code. */
export async function answer({ command, given, flags, version }: Question): Promise<number> {
  const input = parseInput(command.name, command.input, given)
  checkTimes(command, input, timeOf(flags))
  const remote = flags.store === undefined ? undefined : await teamStore(command.name, flags)
  const session = createSession(command, given, flags, version, remote)
  try {
    command.check?.(input, session.context)
    const needs = typeof command.needs === 'function' ? command.needs(input, session.context) : command.needs
    if (needs) await prepareStore(session.context, needs === 'words' ? {} : { needs })
    const found = await command.run(input, session.context)
    const isDemoWanted = command.name === 'overview' && startedByNpm() && !flags.json && !flags.demo
    if (isDemoWanted && isEmpty(found)) {
      session.output.printPieces(command.render(found, session.screen))
      return await showDemo(session, flags, version)
    }
    await print(command, found, session, flags)
    if (session.isPartly()) return 3
    return command.isNothing?.(found) ? NOTHING_FOUND : 0
  } catch (error) {
    // What was not found may be in what could not be read.
    if (!session.isPartly() || !(error instanceof ScrollbackError) || !error.isMissing) throw error
    const incomplete = incompleteOf(session.context)
    if (incomplete) session.output.say(incompleteLine(incomplete))
    report(error, session.output)
    return 3
  } finally {
    session.end()
  }
}

async function print(command: Command, found: unknown, session: Session, flags: GlobalFlags): Promise<void> {
  const { context, screen, gate, output } = session
  const incomplete = command.needs ? incompleteOf(context) : undefined
  if (flags.json) {
    const answer = incomplete && isRecord(found) ? { ...found, incomplete } : found
    output.printPieces(command.json?.(found) ?? [gate.json(answer)])
    return
  }
  const { columns, terminal } = screen
  const answered = command.render(found, screen)
  const rendered =
    incomplete && !command.isVerbatim?.(found) ? after(incompleteLine(incomplete), answered) : answered
  const pieces = command.isVerbatim?.(found) ? rendered : inWidth(rendered, columns)
  const isPaged = terminal && flags.pager !== false && !command.stays
  if (isPaged) await page(pieces, { output, gate, rows: process.stdout.rows || 24, columns })
  else output.printPieces(pieces)
  const more = terminal && context.choose && (await command.follow?.(found, screen, context.choose))
  if (more) output.printPieces(more)
}

/** Refuses an invalid time before anything is read. */
function checkTimes({ input: { shape } }: Command, input: Record<string, unknown>, now: number): void {
  for (const [name, schema] of Object.entries(shape)) {
    const edge = noteOf(schema)?.time
    const text = input[name]
    if (edge !== undefined && typeof text === 'string') parseTime(text, edge, now)
  }
}

/** Wraps lines that are still too wide. */
function* inWidth(pieces: Iterable<Printed>, columns: number): Generator<Printed> {
  for (const piece of pieces) yield typeof piece === 'string' ? wrapTalk(piece, columns) : piece
}

function* after(first: Printed, rest: Iterable<Printed>): Generator<Printed> {
  yield first
  yield* rest
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (found: unknown): boolean => (found as { platforms: unknown[] }).platforms.length === 0

/** Shows a user without transcripts what reading one looks like. */
async function showDemo({ output }: Session, flags: GlobalFlags, version: string): Promise<number> {
  output.print('\nThis is one of them:\n\n')
  const given = { target: ['640ab4c7'], fold: true }
  return answer({ command: await commands.read!(), given, flags: { ...flags, demo: true }, version })
}
