import { hash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { nothingOmitted } from '../condense/budget.ts'
import { createGate, type Gate } from '../condense/gate.ts'
import { sessionJson } from '../condense/item-json.ts'
import { printable, printableJson } from '../condense/printable.ts'
import { escapeHtml, PAGE_STYLE } from '../condense/render-html.ts'
import { dated } from '../condense/render-text.ts'
import { voiceOf } from '../condense/voice.ts'
import { ScrollbackError } from '../errors.ts'
import { createOutputFile, type OutputFile } from '../io/output-file.ts'
import type { Session } from '../model/session.ts'
import { type Context, defineCommand } from './command.ts'
import { field } from './fields.ts'
import { filters, identities, spanOf } from './options.ts'
import { anchorOf, type ReadFormat, type ReadSettings } from './read-job.ts'
import { inSlices, type LeftOut, type Piece, streamedPieces } from './read-pieces.ts'
import { resolveTargets } from './read-targets.ts'
import { shortId } from './sessions.ts'
import { counted, homely, readableBytes } from './table.ts'

const FORMATS = ['html', 'md', 'json', 'jsonl'] as const

const input = z.object({
  target: field.texts({ description: 'session id or its beginning, file, or project', positional: true }),
  format: field.choiceOr(FORMATS, 'html', { description: 'html, md, json or jsonl', placeholder: 'format' }),
  out: field.text({ description: 'file, or folder for several sessions as Markdown', placeholder: 'path' }),
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
    'Markdown become a folder with a file each and a list of them.',
  examples: [
    { command: 'scrollback export 640ab4c7', tells: 'one session as a page' },
    {
      command: 'scrollback export eastore --format md --out notes/',
      tells: 'a project as a folder of Markdown',
    },
    { command: 'scrollback export eastore --since 30d --fold', tells: 'last month, tool calls folded' },
  ],
  input,
  output,
  run: (given: Input, context: Context) => exported(given, context),
  *render({ files, sessions }, screen) {
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
  }
  const left: LeftOut = { ...nothingOmitted(), repeated: 0, subagents }
  const pieces = given.full
    ? inSlices(tasks, settings, context)
    : streamedPieces(tasks, settings, left, context)
  const name =
    tasks.length === 1 ? shortId(tasks[0]!.artifact.sessionId) : given.target.join('-') || 'sessions'
  const folder = given.format === 'md' && tasks.length > 1
  const gate = createGate({ redact: context.redact, colours: false })
  const path = resolve(
    context.here,
    given.out ?? `${safe(gate.text(name))}${folder ? '' : `.${given.format}`}`,
  )
  const base = { version: 1, format: given.format } as const
  if (tasks.length === 0) return { ...base, files: [], sessions: 0 }
  refuseToReplace(path, folder, given.force)
  try {
    if (folder) return { ...base, ...toFolder(path, pieces, gate) }
    return { ...base, ...toFile(path, pieces, given.format, titleFor(given, context), gate) }
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

const UNWRITABLE = /^(?:ENOTDIR|ENOENT|EEXIST|EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EISDIR|ENAMETOOLONG)$/

const safe = (text: string): string => text.replace(/[^\w.-]+/g, '_').replace(/^[._]+/, '') || 'export'

const titleFor = ({ target }: Input, { now }: Context): string =>
  `${target.join(', ') || 'Sessions'}, as of ${dated(now)}`

function refuseToReplace(path: string, folder: boolean, force: boolean): void {
  if (!existsSync(path) || force) return
  if (statSync(path).isDirectory() && folder) {
    if (!existsSync(join(path, 'index.md'))) return
  }
  throw new ScrollbackError(
    'bad-option',
    `${path} is there already`,
    'Name another place with --out, or replace it with --force.',
  )
}

/** Whatever goes into a file that is handed on passes the gate. */
function createGatedFile(path: string, gate: Gate): OutputFile {
  const file = createOutputFile(path)
  return {
    ...file,
    write: (piece) =>
      file.write(gate.output(typeof piece === 'string' ? piece : Buffer.from(piece).toString())),
  }
}

/** One file with everything. What fails in its midst leaves nothing behind. */
function toFile(
  path: string,
  pieces: Iterable<Piece>,
  format: Input['format'],
  title: string,
  gate: Gate,
): Pick<Exported, 'files' | 'sessions'> {
  const told: { session: Session; project?: string }[] = []
  const file = createGatedFile(path, gate)
  try {
    if (format === 'html') file.write(pageHead(title))
    if (format === 'json') file.write('{"version":1,"items":[\n')
    let any = false
    for (const { session, project, text, last } of pieces) {
      if (format === 'json' && text.length > 0 && any) file.write(',\n')
      if (text.length > 0) {
        any = true
        file.write(text)
      }
      if (last) told.push({ session, project })
    }
    if (format === 'json') {
      const rows = told.map(({ session, project }) =>
        printableJson(JSON.stringify(sessionJson(session, project))),
      )
      file.write(`\n],"sessions":[\n${rows.join(',\n')}\n]}\n`)
    }
    if (format === 'html') file.write(pageFoot(told.map(({ session }) => session)))
    file.done()
  } catch (error) {
    file.drop()
    throw error
  }
  return { files: [{ path, bytes: statSync(path).size }], sessions: told.length }
}

/** Its policy lets nothing in but its own style, even where a reader would run or load something. */
const pageHead = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash('sha256', PAGE_STYLE, 'base64')}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1>${escapeHtml(title)}</h1>
<p>Exported by scrollback. Secrets were taken out.</p></header>
<main>
`

/** The list stands at the end: what it holds is known only then. */
const pageFoot = (sessions: readonly Session[]): string => `</main>
${
  sessions.length > 1
    ? `<nav><h2>Sessions</h2><ol>\n${sessions
        .map(
          (session) =>
            `<li><a href="#${escapeHtml(anchorOf(session))}">${escapeHtml((session.title ?? session.id).slice(0, 120))}</a></li>`,
        )
        .join('\n')}\n</ol></nav>\n`
    : ''
}</body>
</html>
`

/** A file for each session, and a list of them. */
function toFolder(folder: string, pieces: Iterable<Piece>, gate: Gate): Pick<Exported, 'files' | 'sessions'> {
  const files: Exported['files'] = []
  const rows: string[] = []
  const names = new Set<string>()
  let file: OutputFile | undefined
  let path = ''
  try {
    for (const { session, text, last } of pieces) {
      if (!file) {
        path = join(folder, nameFor(session, names, gate))
        file = createGatedFile(path, gate)
      }
      file.write(text)
      if (!last) continue
      file.done()
      file = undefined
      files.push({ path, bytes: statSync(path).size })
      rows.push(rowFor(session, path.slice(folder.length + 1)))
    }
  } catch (error) {
    file?.drop()
    throw error
  }
  const index = join(folder, 'index.md')
  const list = createGatedFile(index, gate)
  list.write(`# Sessions\n\n| when | session | yours | theirs |\n|---|---|---|---|\n${rows.join('')}`)
  list.done()
  return { files: [{ path: index, bytes: statSync(index).size }, ...files], sessions: files.length }
}

function nameFor({ id, startedMs, modifiedMs }: Session, names: Set<string>, gate: Gate): string {
  const stem = `${dated(startedMs ?? modifiedMs).slice(0, 10)}-${safe(gate.text(shortId(id)))}`
  let name = `${stem}.md`
  for (let number = 2; names.has(name); number++) name = `${stem}-${number}.md`
  names.add(name)
  return name
}

function rowFor(session: Session, name: string): string {
  const title = printable(session.title ?? '(no words)')
    .replace(/\s+/g, ' ')
    .replace(/[|[\]<>\\`*_]/g, '\\$&')
    .slice(0, 120)
  return `| ${dated(session.startedMs ?? session.modifiedMs)} | [${title}](${encodeURI(name)}) | ${session.human} | ${session.agentMessages} |\n`
}
