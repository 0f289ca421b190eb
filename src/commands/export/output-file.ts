import { hash } from 'node:crypto'
import { existsSync, rmSync, statSync } from 'node:fs'
import { join, parse } from 'node:path'
import { sessionJson } from '../../condense/item-json.ts'
import type { Context } from '../../context/context.ts'
import { ScrollbackError } from '../../errors.ts'
import { createOutputFile, draftOf, type OutputFile, partsOfFile } from '../../io/own-files.ts'
import { finish, type Steps } from '../../model/iteration.ts'
import type { Session } from '../../model/session.ts'
import type { Gate, Printed } from '../../render/gate.ts'
import { anchorOf, escapeHtml, PAGE_STYLE } from '../../render/html.ts'
import { counted } from '../../render/table.ts'
import { printableJson } from '../../render/terminal.ts'
import { dated } from '../../render/text.ts'
import type { Piece } from '../../selection/pieces.ts'

export interface Written {
  files: { path: string; bytes: number }[]
  sessions: number
}

/** A written session with the name of its project. */
export interface ExportedSession {
  session: Session
  project?: string
}

/** The start and the end of a page, once its sessions are known. */
interface Frame {
  head(exported: readonly ExportedSession[]): string
  foot: string
}

/** A file whose content passes a gate. */
export interface GatedFile extends Omit<OutputFile, 'write'> {
  write(piece: Printed): void
}

/** Creates a file whose content passes the gate, because files are handed on. */
export function createGatedFile(path: string, gate: Gate): GatedFile {
  const file = createOutputFile(path)
  return {
    ...file,
    write: (piece) => file.write(gate.bytes(piece)),
  }
}

/** Writes one file, in steps. If writing fails or ends before, no file remains. */
export function* toFile<Part>(
  file: Pick<OutputFile, 'done' | 'drop'> & { write(part: Part): void },
  parts: Iterable<Part>,
): Steps<void> {
  let isDone = false
  try {
    for (const part of parts) {
      file.write(part)
      yield
    }
    file.done()
    isDone = true
  } finally {
    if (!isDone) file.drop()
  }
}

/**
 * Runs the steps of writing until Ctrl-C. Undefined then: what was not finished is removed. Steps return
 * something else.
 */
export async function untilInterrupted<Result>(
  steps: Steps<Result>,
  { untilInterrupted: until }: Pick<Context, 'untilInterrupted'>,
): Promise<Result | undefined> {
  return until ? until(steps) : finish(steps)
}

/** Says how much was exported before Ctrl-C. Throws if it was nothing. */
export function noteInterrupted(done: number, all: number, { note }: Pick<Context, 'note'>): void {
  if (done === 0)
    throw new ScrollbackError('interrupted', 'Interrupted: nothing was exported.', 'Run the command again.')
  note(`Interrupted: ${done.toLocaleString('en')} of ${counted(all, 'session')} were exported.`, 'partly')
}

/** The same with a frame that lists the sessions, so they are written to a temporary file first. */
export function* toFramedFile(
  path: string,
  pieces: Iterable<Piece>,
  frame: Frame,
  gate: Gate,
): Steps<ExportedSession[]> {
  const exported: ExportedSession[] = []
  const body = draftOf(path)
  function* framed(): Generator<string | Uint8Array> {
    yield gate.output(frame.head(exported))
    yield* partsOfFile(body)
    yield frame.foot
  }
  try {
    yield* toFile(createGatedFile(body, gate), textOf(pieces, exported))
    yield* toFile(createOutputFile(path), framed())
  } finally {
    rmSync(body, { force: true })
  }
  return exported
}

/** Yields the text of the pieces. Afterwards, `exported` holds their sessions. */
export function* textOf(pieces: Iterable<Piece>, exported: ExportedSession[]): Generator<Printed> {
  for (const { session, project, text, last } of pieces) {
    if (text.length > 0) yield text
    if (last) exported.push({ session, project })
  }
}

/** Yields one JSON document. */
export function* jsonOf(pieces: Iterable<Piece>, exported: ExportedSession[]): Generator<Printed> {
  yield '{"version":1,"items":[\n'
  let any = false
  for (const text of textOf(pieces, exported)) {
    if (any) yield ',\n'
    any = true
    yield text
  }
  const rows = exported.map(({ session, project }) =>
    printableJson(JSON.stringify(sessionJson(session, project))),
  )
  yield `\n],"sessions":[\n${rows.join(',\n')}\n]}\n`
}

export const sizeOf = (path: string): { path: string; bytes: number } => ({
  path,
  bytes: statSync(path).size,
})

/** The path, or the first that is free of `name-2`, `name-3` and so on. */
export function freeName(path: string): string {
  const { dir, name, ext } = parse(path)
  for (let number = 1; ; number++) {
    const free = number === 1 ? path : join(dir, `${name}-${number}${ext}`)
    if (!existsSync(free)) return free
  }
}

/** Fails if a path is taken, unless `force` allows to overwrite a plain file. */
export function refuseToReplace(path: string, folder: boolean, force: boolean): void {
  if (!existsSync(path)) return
  const there = statSync(path)
  // A file is renamed to its final name. That would destroy a device or a pipe.
  if (!there.isFile() && !there.isDirectory())
    throw new ScrollbackError(
      'bad-option',
      `${path} is not a regular file`,
      'Choose another path with --out, or write to standard output with --out -.',
    )
  if (force) return
  if (there.isDirectory() && folder) {
    if (!existsSync(join(path, 'index.md'))) return
  }
  throw new ScrollbackError(
    'bad-option',
    `${path} already exists`,
    'Choose another path with --out, or overwrite it with --force.',
  )
}

const UNWRITABLE = /^(?:ENOTDIR|ENOENT|EEXIST|EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EISDIR|ENAMETOOLONG)$/

/** The error for a file that cannot be written. Other errors stay as they are. */
export function unwritable(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (!UNWRITABLE.test(code ?? '')) return error
  return new ScrollbackError(
    code === 'ENOSPC' ? 'store-full' : 'unreadable',
    `${path} cannot be written (${code}).`,
    'Choose another path with --out.',
    error,
  )
}

const TITLE = 200

/** The page around the sessions: title and contents. `asked` is the title of a page with several sessions. */
export const pageFrame = (asked: string, now: number): Frame => ({
  head: (sessions) => {
    const [only] = sessions
    const title = sessions.length === 1 && only ? titleOf(only) : asked
    return `${pageHead(title, sessions.length !== 1, now)}${contents(sessions)}<main>\n`
  },
  foot: '</main>\n</body>\n</html>\n',
})

const titleOf = ({ session }: ExportedSession): string =>
  (session.title ?? session.subagent?.description ?? session.id).replace(/\s+/g, ' ').slice(0, TITLE)

/**
 * The head of a page. A page with one session has the heading of that session. The content policy allows only
 * the page's own style, even in viewers that would run scripts or load resources.
 */
export const pageHead = (title: string, headed: boolean, now: number): string => `<!doctype html>
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
<header>${headed ? `<h1>${escapeHtml(title)}</h1>\n` : ''}<p>Exported by scrollback on ${dated(now)}. Secrets are redacted.</p></header>
`

function contents(sessions: readonly ExportedSession[]): string {
  if (sessions.length < 2) return ''
  const rows = sessions.map(({ session, project }) => {
    const when = session.startedMs === undefined ? `~${dated(session.modifiedMs)}` : dated(session.startedMs)
    const named = project === undefined ? '' : ` · ${escapeHtml(project)}`
    return `<li><a href="#${escapeHtml(anchorOf(session))}">${escapeHtml(titleOf({ session }))}</a> <time>${when}${named}</time></li>\n`
  })
  return `<nav><ol>\n${rows.join('')}</ol></nav>\n`
}
