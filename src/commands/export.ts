import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { nothingOmitted } from '../condense/budget.ts'
import { createGate, type Gate } from '../condense/gate.ts'
import { dated } from '../condense/render-text.ts'
import { voiceOf } from '../condense/voice.ts'
import { ScrollbackError } from '../errors.ts'
import { type Context, defineCommand } from './command.ts'
import { jsonOf, sizeOf, type Told, textOf, toFile, toFramedFile, type Written } from './export-file.ts'
import { fileName, toFolder } from './export-folder.ts'
import { pageFrame } from './export-page.ts'
import { field } from './fields.ts'
import { filters, identities, spanOf } from './options.ts'
import type { ReadFormat, ReadSettings, ReadTask } from './read-job.ts'
import { inSlices, type LeftOut, type Piece, streamedPieces } from './read-pieces.ts'
import { resolveTargets } from './read-targets.ts'
import { shortId } from './sessions.ts'
import { counted, homely, readableBytes } from './table.ts'

const FORMATS = ['html', 'md', 'json', 'jsonl'] as const

const input = z.object({
  target: field.texts({ description: 'session id or its beginning, file, or project', positional: true }),
  format: field.choiceOr(FORMATS, 'html', { description: 'html, md, json or jsonl', placeholder: 'format' }),
  out: field.text({
    description: 'file, folder for several sessions as Markdown, or - for standard output',
    placeholder: 'path',
  }),
  force: field.flag({ description: 'replace what stands there' }),
  ...filters,
  voice: field.textOr('default', {
    description: 'how the two are called: default, devlog, or "me,it"',
    placeholder: 'names',
  }),
  fold: field.flag({ description: 'one line for a run of calls of the same tool' }),
  full: field.flag({ description: 'with thinking, tool inputs and outputs' }),
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
  summary: 'a session or project as one HTML page, Markdown or JSON, to keep or to hand on',
  details:
    'Secrets are taken out and people shortened, as everywhere. The page is one file that loads nothing and runs nothing. Several sessions as ' +
    'Markdown become a folder with a file each and a list of them; sessions in which nothing was said are left out.',
  examples: [
    { command: 'scrollback export 640ab4c7', tells: 'one session as a page' },
    {
      command: 'scrollback export eastore --format md --out notes/',
      tells: 'a project as a folder of Markdown',
    },
    { command: 'scrollback export 640ab4c7 --format md --out - | less', tells: 'to standard output' },
    { command: 'scrollback export eastore --since 30d --fold', tells: 'last month, tool calls folded' },
  ],
  input,
  output,
  run: (given: Input, context: Context) => exported(given, context),
  *render({ files, sessions }, screen) {
    // It went to standard output.
    if (files.length === 0 && sessions > 0) return
    if (sessions === 0) yield 'Nothing to export.\n'
    else if (files.length > 2)
      yield `Exported ${counted(sessions, 'session')} to ${counted(files.length, 'file')}; the list is ${homely(files[0]!.path, screen.home)}\n`
    else
      for (const { path, bytes } of files)
        yield `Exported ${counted(sessions, 'session')} to ${homely(path, screen.home)} (${readableBytes(bytes)})\n`
  },
})

async function exported(given: Input, context: Context): Promise<Exported> {
  const voice = voiceOf(given.voice)
  if (!voice)
    throw new ScrollbackError(
      'bad-option',
      `--voice ${given.voice}: unknown`,
      'Choose default, devlog, or two names: --voice "Ann,Bot".',
    )
  const span = spanOf(given, context)
  const { tasks, subagents } = await resolveTargets(given.target, given, context)
  if (subagents > 0)
    context.note(`${counted(subagents, 'subagent transcript')} left aside; --kind all exports them too`)
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
    ...(given.format === 'html' ? { html: (await import('../condense/render-html.ts')).htmlPages } : {}),
  }
  const left: LeftOut = { ...nothingOmitted(), repeated: 0, subagents }
  // A page is laid out on this thread alone: functions go to no other.
  const own = given.format === 'html' ? { ...context, threads: 1 } : context
  const pieces = given.full ? inSlices(tasks, settings, own) : streamedPieces(tasks, settings, left, own)
  const gate = createGate({ redact: context.redact, colours: false })
  const base = { version: 1, format: given.format } as const
  if (tasks.length === 0) return { ...base, files: [], sessions: 0 }
  const asked = `${given.target.join(', ') || 'Sessions'}, as of ${dated(context.now)}`
  const written =
    given.out === '-'
      ? await toOutput(pieces, given.format, asked, context)
      : toPlace(pieces, placeOf(given, tasks, gate, context), given, asked, gate, context)
  const silent = tasks.length - written.sessions
  if (silent > 0 && tasks.length > 1)
    context.note(
      `${counted(silent, 'session')} in which nothing was said ${silent === 1 ? 'is' : 'are'} left out.`,
    )
  return { ...base, ...written }
}

/** Where it is written, and whether that is a folder. */
interface Place {
  path: string
  folder: boolean
}

function placeOf(given: Input, tasks: readonly ReadTask[], gate: Gate, { here }: Context): Place {
  const folder = given.format === 'md' && tasks.length > 1
  const [only] = tasks
  const name = tasks.length === 1 ? shortId(only!.artifact.sessionId) : given.target.join('-') || 'sessions'
  const stem = fileName(gate.text(name))
  const path = resolve(here, given.out ?? (folder ? stem : `${stem}.${given.format}`))
  refuseToReplace(path, folder, given.force)
  return { path, folder }
}

function toPlace(
  pieces: Iterable<Piece>,
  { path, folder }: Place,
  { format }: Input,
  asked: string,
  gate: Gate,
  { now }: Context,
): Written {
  try {
    if (folder) return toFolder(path, pieces, gate)
    if (format === 'html') {
      const told = toFramedFile(path, pieces, pageFrame(asked, now), gate)
      return { files: [sizeOf(path)], sessions: told.length }
    }
    const told: Told[] = []
    toFile(path, format === 'json' ? jsonOf(pieces, told) : textOf(pieces, told), gate)
    return { files: [sizeOf(path)], sessions: told.length }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!UNWRITABLE.test(code ?? '')) throw error
    throw new ScrollbackError(
      code === 'ENOSPC' ? 'store-full' : 'unreadable',
      `${path} cannot be written (${code}).`,
      'Name another place with --out.',
      error,
    )
  }
}

/** To standard output, as one document; of a page the sessions have to be known before it begins. */
async function toOutput(
  pieces: Iterable<Piece>,
  format: Input['format'],
  asked: string,
  context: Context,
): Promise<Written> {
  const told: Told[] = []
  const print = async (piece: string | Uint8Array): Promise<void> =>
    context.print(typeof piece === 'string' ? piece : Buffer.from(piece).toString())
  if (format === 'html') {
    const frame = pageFrame(asked, context.now)
    const body = [...textOf(pieces, told)]
    await print(frame.head(told))
    for (const piece of body) await print(piece)
    await print(frame.foot)
  } else
    for (const piece of format === 'json' ? jsonOf(pieces, told) : textOf(pieces, told)) await print(piece)
  return { files: [], sessions: told.length }
}

const UNWRITABLE = /^(?:ENOTDIR|ENOENT|EEXIST|EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EISDIR|ENAMETOOLONG)$/

function refuseToReplace(path: string, folder: boolean, force: boolean): void {
  if (!existsSync(path)) return
  const there = statSync(path)
  // A file is put in its place under its name: of a device or a pipe nothing would be left.
  if (!there.isFile() && !there.isDirectory())
    throw new ScrollbackError(
      'bad-option',
      `${path} is no plain file`,
      'Name another place with --out; --out - writes to standard output.',
    )
  if (force) return
  if (there.isDirectory() && folder) {
    if (!existsSync(join(path, 'index.md'))) return
  }
  throw new ScrollbackError(
    'bad-option',
    `${path} is there already`,
    'Name another place with --out, or replace it with --force.',
  )
}
