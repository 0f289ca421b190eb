import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { nothingOmitted } from '../../condense/condense.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { filters, identities, spanOf, voiceIn } from '../../context/filters.ts'
import { field } from '../../context/flags.ts'
import { ScrollbackError } from '../../errors.ts'
import { isFolder } from '../../io/directories.ts'
import type { Steps } from '../../model/iteration.ts'
import type { Session } from '../../model/session.ts'
import { createGate, type Gate, type Printed } from '../../render/gate.ts'
import { oneLine, plainMarkdown } from '../../render/markdown.ts'
import { counted, homely, readableBytes } from '../../render/table.ts'
import { printable } from '../../render/terminal.ts'
import { dated } from '../../render/text.ts'
import { inSlices, type LeftOut, type Piece, streamedPieces } from '../../selection/pieces.ts'
import { isJson, type ReadFormat, type ReadSettings, type ReadTask } from '../../selection/read-messages.ts'
import { resolveTargets } from '../../selection/read-targets.ts'
import { shortId } from '../../selection/session-names.ts'
import {
  createGatedFile,
  type ExportedSession,
  freeName,
  type GatedFile,
  jsonOf,
  noteInterrupted,
  pageFrame,
  refuseToReplace,
  sizeOf,
  textOf,
  toFile,
  toFramedFile,
  untilInterrupted,
  unwritable,
  type Written,
} from './output-file.ts'
import { exportRecords, fileName, isPerSession } from './records.ts'

const FORMATS = ['html', 'md', 'json', 'jsonl', 'native', 'atif'] as const

const input = z.object({
  target: field.texts({
    description: 'session id or the beginning of one, file, or project',
    positional: true,
  }),
  format: field.choiceOr(FORMATS, 'html', {
    description: 'html, md, json, jsonl, native or atif',
    placeholder: 'format',
  }),
  out: field.text({
    description: 'file, or folder to put it in; - for standard output',
    placeholder: 'path',
  }),
  force: field.flag({ description: 'overwrite an existing file' }),
  ...filters,
  voice: field.textOr('default', {
    description: 'names of the speakers: default, devlog, or "me,it"',
    placeholder: 'names',
  }),
  fold: field.flag({ description: 'fold consecutive calls of the same tool into one line' }),
  full: field.flag({ description: 'include thinking, tool input and tool output' }),
  ...identities,
})

type Input = z.output<typeof input>

const output = () =>
  z.object({
    version: z.literal(1),
    format: z.enum(FORMATS),
    files: z.array(z.object({ path: z.string(), bytes: z.number() })),
    sessions: z.number(),
  })

type Exported = z.output<ReturnType<typeof output>>

export const exportSessions = defineCommand({
  name: 'export',
  summary: 'save a session or project as one HTML page, Markdown or JSON',
  details:
    'As everywhere, secrets are redacted, and phone numbers and addresses of people are shortened. The page is one file that loads nothing and runs no script. Several sessions ' +
    'as Markdown become a folder with a file each and an index; empty sessions are skipped.\n\n' +
    'native: the records of the client itself, in which only secrets are replaced, as one file per session. atif: a trajectory in the Agent ' +
    'Trajectory Interchange Format 1.7, with tool calls, results, thinking and tokens, also one file per session.',
  examples: [
    { command: 'scrollback export 640ab4c7', description: 'save a session as a page' },
    {
      command: 'scrollback export eastore --format md --out notes/',
      description: 'save a project as a folder of Markdown',
    },
    {
      command: 'scrollback export 640ab4c7 --format md --out - | less',
      description: 'write to standard output',
    },
    {
      command: 'scrollback export eastore --format native --out traces/',
      description: 'save the records of the clients, without secrets',
    },
    {
      command: 'scrollback export 640ab4c7 --format atif --out -',
      description: 'print a trajectory',
    },
    {
      command: 'scrollback export eastore --since 30d --fold',
      description: 'save the last 30 days, with tool calls folded',
    },
  ],
  input,
  output,
  check: (given) => {
    voiceIn(given.voice)
    if (isPerSession(given.format)) refuseDrawing(given)
  },
  needs: 'messages',
  isWhole: true,
  run: (given: Input, context: Context) => exported(given, context),
  isNothing: ({ sessions }) => sessions === 0,
  json: (found) => (wasPrinted(found) ? [] : undefined),
  *render(found, screen) {
    const { files, sessions, format } = found
    if (wasPrinted(found)) return
    if (sessions === 0) yield 'Nothing to export.\n'
    else if (files.length > 2 && isPerSession(format))
      yield `Exported ${counted(sessions, 'session')} to ${counted(files.length, 'file')} in ${homely(dirname(files[0]!.path), screen.home)}\n`
    else if (files.length > 2)
      yield `Exported ${counted(sessions, 'session')} to ${counted(files.length, 'file')}; the list is ${homely(files[0]!.path, screen.home)}\n`
    else if (files.length > 1 && isPerSession(format))
      for (const { path, bytes } of files)
        yield `Exported ${homely(path, screen.home)} (${readableBytes(bytes)})\n`
    else
      for (const { path, bytes } of files)
        yield `Exported ${counted(sessions, 'session')} to ${homely(path, screen.home)} (${readableBytes(bytes)})\n`
  },
})

/** Whether the document went to standard output, where nothing may follow it. */
const wasPrinted = ({ files, sessions }: Exported): boolean => files.length === 0 && sessions > 0

async function exported(given: Input, context: Context): Promise<Exported> {
  const voice = voiceIn(given.voice)
  const span = spanOf(given, context)
  const { tasks, subagents } = await resolveTargets(given.target, given, context)
  if (subagents > 0)
    context.note(`${counted(subagents, 'subagent transcript')} skipped; --kind all exports them too`)
  if (isPerSession(given.format)) {
    const written = await exportRecords(tasks, { ...given, format: given.format }, span, context)
    return { version: 1, format: given.format, ...written }
  }
  const settings: ReadSettings = {
    format: given.format as ReadFormat,
    style: { voice, color: false, lines: false, markdown: given.format === 'md' },
    fold: given.fold,
    redact: context.redact,
    identities: given.identities,
    excerpt: {},
    since: Number.isFinite(span.since) ? span.since : null,
    until: Number.isFinite(span.until) ? span.until : null,
    several: tasks.length > 1,
    skipEmpty: tasks.length > 1,
    ...(given.format === 'html' ? { html: (await import('../../render/html.ts')).htmlPages } : {}),
  }
  const left: LeftOut = { ...nothingOmitted(), repeated: 0, subagents }
  // Pages are rendered on this thread, because functions cannot be sent to another.
  const own = given.format === 'html' ? { ...context, threads: 1 } : context
  const pieces = given.full
    ? inSlices(tasks, settings, left, own)
    : streamedPieces(tasks, settings, left, own)
  const gate = createGate({ redact: context.redact, colors: false, json: isJson(given.format) })
  const base = { version: 1, format: given.format } as const
  if (tasks.length === 0) return { ...base, files: [], sessions: 0 }
  const asked = `${given.target.join(', ') || 'Sessions'}, as of ${dated(context.now)}`
  const written: WrittenUntil =
    given.out === '-'
      ? await toOutput(pieces, given.format, asked, context)
      : await toFiles(
          pieces,
          outputOf(given, tasks, gate, context),
          { ...given, tasks, asked },
          gate,
          context,
        )
  const silent = written.isInterrupted ? 0 : tasks.length - written.sessions
  if (silent > 0 && tasks.length > 1)
    context.note(
      `${counted(silent, 'session')} ${silent === 1 ? 'is empty and was' : 'are empty and were'} skipped.`,
    )
  return { ...base, files: written.files, sessions: written.sessions }
}

/** Flags that change how a session is drawn. Files for other programs are not drawn. */
function refuseDrawing({ format, fold, full, voice, identities }: Input): void {
  const flag = fold
    ? '--fold'
    : full
      ? '--full'
      : voice !== 'default'
        ? '--voice'
        : identities && format === 'native'
          ? '--identities'
          : undefined
  if (flag === undefined) return
  throw new ScrollbackError(
    'bad-option',
    `${flag}: --format ${format} has everything, as it is`,
    `Leave out ${flag}, or choose html, md, json or jsonl.`,
  )
}

/** The output path, and whether it is a folder. */
interface OutputPath {
  path: string
  folder: boolean
}

function outputOf(given: Input, tasks: readonly ReadTask[], gate: Gate, context: Context): OutputPath {
  const folder = given.format === 'md' && tasks.length > 1
  const [only] = tasks
  const name = tasks.length === 1 ? shortId(only!.artifact.sessionId) : given.target.join('-') || 'sessions'
  const stem = fileName(gate.text(name))
  const file = folder ? stem : `${stem}.${given.format}`
  const out = resolve(context.here, given.out ?? file)
  const isInFolder = given.out !== undefined && !folder && (/[/\\]$/.test(given.out) || isFolder(out))
  const wanted = isInFolder ? join(out, file) : out
  const path = context.freeNames && given.out === undefined ? freeName(wanted) : wanted
  refuseToReplace(path, folder, given.force)
  return { path, folder }
}

/** What was written, and whether it is only a part. */
interface WrittenUntil extends Written {
  isInterrupted?: boolean
}

async function toFiles(
  pieces: Iterable<Piece>,
  { path, folder }: OutputPath,
  { format, tasks, asked }: Input & { tasks: readonly ReadTask[]; asked: string },
  gate: Gate,
  context: Context,
): Promise<WrittenUntil> {
  try {
    if (folder) return await toFolder(path, pieces, tasks.length, gate, context)
    const sessions = await untilInterrupted(
      toOneFile(path, pieces, { format, asked }, gate, context),
      context,
    )
    if (sessions === undefined) noteInterrupted(0, tasks.length, context)
    return { files: [sizeOf(path)], sessions: sessions! }
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** Returns the number of sessions. */
function* toOneFile(
  path: string,
  pieces: Iterable<Piece>,
  { format, asked }: { format: Input['format']; asked: string },
  gate: Gate,
  { now }: Context,
): Steps<number> {
  if (format === 'html') return (yield* toFramedFile(path, pieces, pageFrame(asked, now), gate)).length
  const exported: ExportedSession[] = []
  const text = format === 'json' ? jsonOf(pieces, exported) : textOf(pieces, exported)
  yield* toFile(createGatedFile(path, gate), text)
  return exported.length
}

/**
 * Writes one document to standard output. A page lists its sessions at the top, so they must be known first.
 */
async function toOutput(
  pieces: Iterable<Piece>,
  format: Input['format'],
  asked: string,
  context: Context,
): Promise<Written> {
  const exported: ExportedSession[] = []
  const print = (piece: Printed): Promise<void> => context.print(piece, isJson(format) ? 'json' : undefined)
  if (format === 'html') {
    const frame = pageFrame(asked, context.now)
    const body = [...textOf(pieces, exported)]
    await print(frame.head(exported))
    for (const piece of body) await print(piece)
    await print(frame.foot)
  } else
    for (const piece of format === 'json' ? jsonOf(pieces, exported) : textOf(pieces, exported))
      await print(piece)
  return { files: [], sessions: exported.length }
}

/** Writes one file per session, and a list of them. */
async function toFolder(
  folder: string,
  pieces: Iterable<Piece>,
  all: number,
  gate: Gate,
  context: Context,
): Promise<WrittenUntil> {
  const files: Written['files'] = []
  const rows: string[] = []
  const isWhole = await untilInterrupted(toSessionFiles(folder, pieces, { files, rows }, gate), context)
  if (!isWhole) noteInterrupted(files.length, all, context)
  const index = join(folder, 'index.md')
  const list = createGatedFile(index, gate)
  list.write(`# Sessions\n\n| when | session | yours | theirs |\n|---|---|---|---|\n${rows.join('')}`)
  list.done()
  const written = [{ path: index, bytes: statSync(index).size }, ...files]
  return { files: written, sessions: files.length, isInterrupted: !isWhole }
}

function* toSessionFiles(
  folder: string,
  pieces: Iterable<Piece>,
  { files, rows }: Pick<Written, 'files'> & { rows: string[] },
  gate: Gate,
): Steps<true> {
  const names = new Set<string>()
  let file: GatedFile | undefined
  let path = ''
  try {
    for (const { session, text, last } of pieces) {
      if (!file) {
        path = join(folder, nameFor(session, names, gate))
        file = createGatedFile(path, gate)
      }
      file.write(text)
      if (last) {
        file.done()
        file = undefined
        files.push({ path, bytes: statSync(path).size })
        rows.push(rowFor(session, path.slice(folder.length + 1)))
      }
      yield
    }
    return true
  } finally {
    // Only a file that is not finished is left.
    file?.drop()
  }
}

function nameFor({ id, startedMs, modifiedMs }: Session, names: Set<string>, gate: Gate): string {
  const stem = `${dated(startedMs ?? modifiedMs).slice(0, 10)}-${fileName(gate.text(shortId(id)))}`
  let name = `${stem}.md`
  for (let number = 2; names.has(name); number++) name = `${stem}-${number}.md`
  names.add(name)
  return name
}

function rowFor(session: Session, name: string): string {
  const title = plainMarkdown(
    oneLine(printable(session.title ?? '(no words)'))
      .slice(0, 120)
      .toWellFormed(),
  )
  // Without any recorded time, the file's own time is used and marked.
  const when = session.startedMs === undefined ? `~${dated(session.modifiedMs)}` : dated(session.startedMs)
  return `| ${when} | [${title}](${encodeURI(name)}) | ${session.human} | ${session.agentMessages} |\n`
}
