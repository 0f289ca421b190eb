import type { StatedEdit } from './edits-in.ts'
import type { FileEdit } from './file-edits.ts'

/** An edit of one session. */
export interface SessionEdit extends FileEdit {
  session: string
}

/** A changed part of a file. `before` is empty if the whole file was written. */
interface Piece {
  before: string
  after: string
}

/** What all edits together made of a file. */
export interface NetChange {
  path: string
  edits: number
  /** Edits of which no result is recorded. */
  unfinished?: number
  /** Ids of the sessions that changed it, in order. */
  sessions: string[]
  /** The whole content before the first and after the last edit, if known. `null` where there was no file. */
  whole?: { first: string | null; last: string | null }
  /** The changed parts. Less exact than `whole`. */
  pieces: Piece[]
  /** The first edit made the file. False if it was moved here. */
  created: boolean
  deleted: boolean
  /** A cell of a notebook was deleted, and no record has its source. */
  lacksPiece?: true
}

interface State extends Omit<NetChange, 'whole'> {
  first?: string | null
  current?: string | null
}

/** Combines edits, given in chronological order, into one change per file. */
export function netChanges(edits: Iterable<SessionEdit>): NetChange[] {
  const files = new Map<string, State>()
  for (const edit of edits) {
    const source = edit.from === undefined ? undefined : stateOf(edit.from, edit)
    const file = stateOf(edit.path, edit)
    if (source) move(source, file)
    changeWhole(edit, file)
    changePieces(edit, file)
    file.deleted = edit.deleted === true
  }
  return [...files.values()].map(({ first, current, ...file }) => ({
    ...file,
    ...(first === undefined || current === undefined ? {} : { whole: { first, last: current } }),
  }))

  /** What is known of a file, with one more edit. */
  function stateOf(path: string, { session, unfinished }: SessionEdit): State {
    let file = files.get(path)
    if (!file) {
      file = { path, edits: 0, sessions: [], pieces: [], created: false, deleted: false }
      files.set(path, file)
    }
    file.edits++
    if (unfinished) file.unfinished = (file.unfinished ?? 0) + 1
    if (!file.sessions.includes(session)) file.sessions.push(session)
    return file
  }
}

/** A file gets the content of another one, which is then gone. */
function move(source: State, file: State): void {
  if (file.edits === 1) file.first = null
  file.current = source.current
  file.pieces = [...source.pieces]
  if (source.current !== undefined) source.current = null
  source.pieces = []
  source.deleted = true
}

function changeWhole(edit: SessionEdit, file: State): void {
  const original = edit.original ?? (edit.created && file.current === undefined ? null : edit.original)
  // What the record states is what was there, whoever wrote it.
  if (original !== undefined) {
    if (file.edits === 1) file.first = original
    if (file.edits === 1 && edit.from === undefined) file.created = original === null
    file.current = original
  }
  file.current = afterEdit(file.current, edit)
}

/** What a file contains after an edit, of what it contained before. `null` if there is no file. */
export function afterEdit(
  text: string | null | undefined,
  {
    before,
    after,
    everywhere,
    appended,
    deleted,
    insertedAt,
    isCell,
    result,
  }: StatedEdit & Pick<FileEdit, 'result'>,
): string | null | undefined {
  if (result !== undefined) return result
  if (isCell) return undefined
  if (deleted) return null
  if (appended) return text === undefined ? undefined : (text ?? '') + after
  if (insertedAt !== undefined) return inserted(text ?? undefined, after, insertedAt)
  if (before === after) return text
  return before === undefined ? after : replaced(text ?? undefined, before, after, everywhere)
}

function changePieces(
  { before, after, everywhere, appended, deleted, insertedAt, isCell }: SessionEdit,
  file: State,
): void {
  if (deleted) return
  if (isCell && after === '') file.lacksPiece = true
  else if (insertedAt !== undefined) file.pieces.push({ before: '', after: `${after}\n` })
  else if (before === undefined) file.pieces = [{ before: '', after }]
  else if (appended && typeof file.current === 'string') file.pieces = [{ before: '', after: file.current }]
  else {
    // An edit of an earlier one's text joins it, so that only the net change remains.
    const earlier = before === '' ? undefined : file.pieces.find((piece) => piece.after.includes(before))
    if (earlier) earlier.after = replaced(earlier.after, before, after, everywhere)!
    else file.pieces.push({ before, after })
    file.pieces = file.pieces.filter((piece) => piece.before !== piece.after)
  }
}

/**
 * A text that ends with a newline has an empty line after that. Undefined if the text before is not known, or
 * has no such line.
 */
function inserted(text: string | undefined, added: string, at: number): string | undefined {
  const lines = text?.split(/\r?\n/)
  if (!lines || at < 1 || at > lines.length + 1) return undefined
  const lineEnd = text!.includes('\r\n') ? '\r\n' : '\n'
  return [lines.slice(0, at - 1), added.split(/\r?\n/), lines.slice(at - 1)].flat().join(lineEnd)
}

/**
 * Undefined if the text is not known, or does not contain what is replaced. An empty file contains only ''.
 */
function replaced(
  text: string | undefined,
  before: string,
  after: string,
  everywhere: true | undefined,
): string | undefined {
  if (before === '') return text === undefined || text === '' ? after : undefined
  if (!text?.includes(before)) return undefined
  return everywhere ? text.replaceAll(before, () => after) : text.replace(before, () => after)
}
