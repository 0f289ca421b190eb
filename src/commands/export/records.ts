import { basename, join, resolve } from 'node:path'
import {
  type Contents,
  createSteps,
  type Step,
  type SubagentRef,
  trajectoryEnd,
  trajectoryHead,
} from '../../condense/atif.ts'
import type { Context } from '../../context/context.ts'
import { faultOf } from '../../context/read-files.ts'
import { type NativeCounts, nativeLines } from '../../deliver/delivery/native-lines.ts'
import { ScrollbackError } from '../../errors.ts'
import { isFolder } from '../../io/directories.ts'
import { createOutputFile } from '../../io/own-files.ts'
import type { Artifact } from '../../model/artifact.ts'
import { shownName } from '../../model/hidden.ts'
import type { Steps } from '../../model/iteration.ts'
import { asObject, parsedJson } from '../../model/json.ts'
import { type Item, isEmptySession, type Session } from '../../model/session.ts'
import { identityOf } from '../../platforms/identities.ts'
import { platformOf } from '../../platforms/index.ts'
import { createRedactor, type Redactor } from '../../redact/redactor.ts'
import { createGate } from '../../render/gate.ts'
import { counted } from '../../render/table.ts'
import { printableJson } from '../../render/terminal.ts'
import { finishSession } from '../../render/text.ts'
import { LARGE } from '../../selection/pieces.ts'
import { createStoredSlices, isOutside, isWanted, type ReadTask } from '../../selection/read-messages.ts'
import { shortId } from '../../selection/session-names.ts'
import { createDetails } from '../../sync/read/read-detail.ts'
import { readSession, readSlices } from '../../sync/read/read-session.ts'
import {
  createGatedFile,
  noteInterrupted,
  refuseToReplace,
  sizeOf,
  toFile,
  untilInterrupted,
  unwritable,
  type Written,
} from './output-file.ts'

/** Formats for other programs: one file per session. */
export type RecordFormat = 'native' | 'atif'

export const isPerSession = (format: string): format is RecordFormat =>
  format === 'native' || format === 'atif'

interface RecordInput {
  target: readonly string[]
  format: RecordFormat
  out?: string | undefined
  force: boolean
  identities: boolean
}

interface Span {
  since: number
  until: number
}

/** A session and the file that it is written to. */
interface Target extends ReadTask {
  path: string
}

/** Writes each session to a file of its own, or the only one to standard output. */
export async function exportRecords(
  tasks: readonly ReadTask[],
  given: RecordInput,
  span: Span,
  context: Context,
): Promise<Written> {
  if (tasks.length === 0) return { files: [], sessions: 0 }
  const linesOf = given.format === 'native' ? nativeText : trajectoryText
  if (given.out === '-') return toOutput(tasks, linesOf, given, span, context)
  const targets = targetsOf(tasks, given, context)
  const files: Written['files'] = []
  let empty = 0
  function* written(): Steps<true> {
    for (const target of targets) {
      const subagents = subagentsOf(target, targets)
      const lines = linesOf(target, subagents, given, span, context)
      // A session without records becomes no file.
      const first = readable(lines, target, context)
      if (first === EMPTY) empty++
      if (first === undefined || first === EMPTY) continue
      try {
        yield* toRecordFile(target.path, withFirst(first, lines), given, context)
      } catch (error) {
        const { syscall } = error as NodeJS.ErrnoException
        throw syscall === undefined ? error : unwritable(target.path, error)
      }
      files.push(sizeOf(target.path))
    }
    return true
  }
  if (!(await untilInterrupted(written(), context))) noteInterrupted(files.length, tasks.length, context)
  if (empty > 0)
    context.note(
      `${counted(empty, 'session')} ${empty === 1 ? 'is empty and was' : 'are empty and were'} skipped.`,
    )
  return { files, sessions: files.length }
}

type Lines = Generator<string | Uint8Array>
type LinesOf = (
  task: ReadTask,
  subagents: ReadonlyMap<string, SubagentRef[]>,
  given: RecordInput,
  span: Span,
  context: Context,
) => Lines

async function toOutput(
  tasks: readonly ReadTask[],
  linesOf: LinesOf,
  given: RecordInput,
  span: Span,
  context: Context,
): Promise<Written> {
  if (tasks.length > 1)
    throw new ScrollbackError(
      'bad-option',
      `--out -: ${counted(tasks.length, 'session')} of --format ${given.format} do not fit into one stream`,
      'Name one session, or a folder: --out <folder>/',
    )
  const lines = linesOf(tasks[0]!, new Map(), given, span, context)
  const first = readable(lines, tasks[0]!, context)
  if (first === undefined || first === EMPTY) return { files: [], sessions: 0 }
  for (const line of withFirst(first, lines))
    await context.print(
      printableJson(typeof line === 'string' ? line : Buffer.from(line).toString('utf8')),
      'json',
    )
  return { files: [], sessions: 1 }
}

/** A session that is left out, with a note. */
class Reported extends Error {}

/** Instead of the first line of a session without any. */
const EMPTY = ''

/** The first line. Undefined for a session that cannot be read, which is reported. */
function readable(lines: Lines, { artifact }: ReadTask, context: Context): string | Uint8Array | undefined {
  try {
    const first = lines.next()
    return first.done ? EMPTY : first.value
  } catch (error) {
    if (error instanceof ScrollbackError) throw error
    if (error instanceof Reported) return undefined
    context.note(`${shownName(artifact.path)} ${faultOf(error)}`, 'partly')
    return undefined
  }
}

function* withFirst(first: string | Uint8Array, lines: Lines): Lines {
  yield first
  yield* lines
}

/** The gate treats a file as text. Native lines were redacted as JSON, and stay as they are. */
const toRecordFile = (
  path: string,
  lines: Lines,
  { format }: RecordInput,
  { redact }: Context,
): Steps<void> =>
  format === 'native'
    ? toFile(createOutputFile(path), lines)
    : toFile(createGatedFile(path, createGate({ redact, colors: false, json: true })), lines)

/** Several sessions become a folder. No file may be there already. */
function targetsOf(tasks: readonly ReadTask[], given: RecordInput, context: Context): Target[] {
  const gate = createGate({ redact: context.redact, colors: false })
  const names = new Set<string>()
  const several = tasks.length > 1
  const stem = fileName(gate.text(given.target.join('-') || 'sessions'))
  const out = resolve(context.here, given.out ?? (several ? stem : ''))
  const isInFolder = several || given.out === undefined || /[/\\]$/.test(given.out) || isFolder(out)
  return tasks.map((task) => {
    const name = distinct(fileName(gate.text(ownName(task.artifact, given.format))), names)
    const path = isInFolder ? join(out, name) : out
    refuseToReplace(path, false, given.force)
    return { ...task, path }
  })
}

/** Clients find a session by its id in the name of the file, so such a name of the client's stays. */
function ownName({ path, sessionId }: Artifact, format: RecordFormat): string {
  if (format === 'atif') return `${sessionId.length > LONGEST ? shortId(sessionId) : sessionId}.json`
  const [own] = /^.+?\.jsonl(?=\.|$)/.exec(basename(path)) ?? []
  return own?.includes(sessionId) ? own : `${sessionId}.jsonl`
}

/** Names of files have at most 255 bytes. */
const LONGEST = 200

function distinct(name: string, names: Set<string>): string {
  const [, stem = name, ending = ''] = /^(.*?)(\.jsonl?)$/.exec(name) ?? []
  let free = name
  for (let number = 2; names.has(free); number++) free = `${stem}-${number}${ending}`
  names.add(free)
  return free
}

/** A file name that is valid on every system. */
export const fileName = (text: string): string =>
  text.replace(/[^\w.-]+/g, '_').replace(/^[._]+/, '') || 'export'

function* nativeText(
  { artifact, line }: ReadTask,
  _: unknown,
  { format }: RecordInput,
  __: Span,
  context: Context,
): Lines {
  const name = identityOf(artifact.platform).name
  if (line !== undefined)
    throw new ScrollbackError(
      'bad-option',
      `--format ${format} has whole sessions, not those from line ${line} on`,
      'Leave out the line.',
    )
  if (createStoredSlices({ ...context, note: () => {} })(artifact, true) || artifact.state === 'purged') {
    context.note(
      `${artifact.sessionId} has no transcript any more, so there are no records of ${name}. If an archive has it: ${context.suggest('restore', [artifact.sessionId])}`,
      'partly',
    )
    throw new Reported()
  }
  if (isElsewhere(artifact))
    context.note(
      `${artifact.sessionId} is not in a file of lines. Its file has the lines that "scrollback collect" delivers, which ${name} does not read.`,
    )
  const counts: NativeCounts = { lines: 0, redactions: 0, left: 0 }
  yield* nativeLines(artifact, { redact: context.redact }, counts)
  if (counts.left > 0)
    context.note(
      `${counted(counts.left, 'line')} of ${artifact.sessionId} ${counts.left === 1 ? 'is no whole record and is' : 'are no whole records and are'} left out.`,
      'partly',
    )
}

/** Whether the client keeps the session in a database or in one JSON document. */
function isElsewhere(artifact: Artifact): boolean {
  if (artifact.database !== undefined) return true
  const opened = platformOf(artifact.platform).files.open?.(artifact)
  opened?.close()
  return opened !== undefined
}

/** Subagents whose trajectories are written too, by the call that started them. */
function subagentsOf({ artifact: parent }: Target, targets: readonly Target[]): Map<string, SubagentRef[]> {
  const found = new Map<string, SubagentRef[]>()
  for (const { artifact, path } of targets) {
    const { platform, root, parentSessionId, parentCallId, sessionId } = artifact
    const isChild =
      platform === parent.platform && root === parent.root && parentSessionId === parent.sessionId
    if (!isChild || parentCallId === undefined) continue
    const ref = { trajectory_id: sessionId, trajectory_path: basename(path), session_id: sessionId }
    found.set(parentCallId, [...(found.get(parentCallId) ?? []), ref])
  }
  return found
}

/** A trajectory as one JSON document, with a line per step. */
function* trajectoryText(
  task: ReadTask,
  subagents: ReadonlyMap<string, SubagentRef[]>,
  { identities }: RecordInput,
  { since, until }: Span,
  context: Context,
): Lines {
  const { artifact } = task
  const { redact } = context
  const redactor = createRedactor({ level: redact ? 'standard' : 'off' })
  const text = (value: unknown): string => printableJson(redactor.redactJsonLine(JSON.stringify(value)).text)
  const part = { since: finite(since), until: finite(until) }
  const stored = createStoredSlices(context)(artifact, true)
  const slices =
    stored ??
    (artifact.bytes > LARGE
      ? readSlices(artifact, { keep: 'full', redact })
      : [readSession(artifact, { keep: 'full', redact })])
  const details = createDetails(artifact)
  let steps: ReturnType<typeof createSteps> | undefined
  let session: Session | undefined
  let before = ''
  let isWhole = true
  function* written(all: readonly Step[]): Generator<string> {
    for (const step of all) {
      yield `${before}${text(step)}`
      before = ',\n'
    }
  }
  try {
    for (const { session: whole, items } of slices) {
      if (isEmptySession(whole) || isOutside(whole, part)) return
      session = whole
      steps ??= createSteps(whole.model, subagents)
      before ||= `${text(trajectoryHead(whole)).slice(0, -1)},"steps":[\n`
      for (const item of items) {
        if (!isWanted(item, part) || item.line < (task.line ?? 0)) isWhole = false
        else yield* written(steps.add(item, contentsOf(item, stored ? undefined : details, redactor)))
      }
    }
    if (!session || !steps) return
    yield* written(steps.end())
  } finally {
    details.close()
  }
  // A trajectory has at least one step.
  const counts = steps.count()
  if (counts.steps === 0) return
  const finished = finishSession(session, identities)
  const end = text(trajectoryEnd(finished, counts, { isWhole, redacted: redact }))
  yield `\n],${end.slice(1)}\n`
}

const finite = (ms: number): number | null => (Number.isFinite(ms) ? ms : null)

/** What the record of an item has besides, without secrets. */
function contentsOf(
  item: Item,
  details: ReturnType<typeof createDetails> | undefined,
  { redact, redactJsonLine }: Redactor,
): Contents {
  const detail = details?.of(item)
  if (detail === undefined) return {}
  if (item.holds !== 'input') return { detail: redact(detail) }
  const value = asObject(parsedJson(detail))
  if (!value) return { arguments: { input: redact(detail) } }
  return { arguments: asObject(parsedJson(redactJsonLine(JSON.stringify(value)).text)) ?? {} }
}
