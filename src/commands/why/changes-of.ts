import { posix, win32 } from 'node:path'
import type { FreshStore } from '../../context/context.ts'
import { type Context, inTurns } from '../../context/context.ts'
import { faultOf } from '../../context/read-files.ts'
import { filesWritten } from '../../model/fold/tool-arguments.ts'
import type { Who } from '../../model/session.ts'
import { EDITING, noFilters } from '../../search/query.ts'
import type { SearchHit } from '../../store/search.ts'
import type { StoredMessage } from '../../store/stored.ts'
import type { DiffLines } from '../../sync/read/diff-lines.ts'
import { absolutePath, type FileEdit, fileEdits } from '../../sync/read/file-edits.ts'
import { afterEdit } from '../../sync/read/net-changes.ts'

/** A message that explains a change. */
export interface Statement {
  who: Who
  at?: number
  text: string
  line: number
}

/** A change of a file, and what led to it. */
export interface ExplainedChange extends FileChange {
  /** The person's sentence before it. For a subagent, its task. */
  asked: Statement | undefined
  /** What the agent said last before it. */
  reason: Statement | undefined
  /** The subject of the commit that the session made next, if it did. */
  committed: string | undefined
}

/** A change of a file that a tool call states. */
export interface FileChange {
  hit: SearchHit
  /** The path of the file in the call, whole if it is known which folder the agent was in. */
  file: string
}

/** More changes of files with this name are not looked at. */
const MOST = 10_000
/** Messages before a change, and then all that follow the last prompt of a person; and messages after it. */
const BEFORE = [30, 400]
const AFTER = 200
const COMMIT = /\bgit\b[^\n|;&]{0,200}?\bcommit\b(?:[^\n]*?(?:-m|--message)[= ]?(["'])(?<subject>[^\n]*?)\1)?/

/**
 * The changes that tools made to a file, the newest first. If there are none, those of a project that was
 * moved, or is on another machine: the path is the same from the name of the project on. If there is no such
 * file here, at last those of files whose path ends with what was typed.
 */
export async function changesOf(
  { path, typed, isHere }: { path: string; typed: string; isHere: boolean },
  { store, found }: FreshStore,
  context: Context,
): Promise<FileChange[]> {
  const request = {
    query: {
      text: '',
      filters: { ...noFilters(), tool: [...EDITING], file: [posix.basename(inSlashes(path)) || typed] },
      remarks: [],
    },
    roots: found.roots.map((root) => root.path),
    limit: MOST,
    now: context.now,
    sort: 'newest' as const,
  }
  const answer = await inTurns(store.searchInSteps(request), context)
  const hits = [...answer.hits]
  const folders = foldersOf(hits, store)
  const wanted = inSlashes(path)
  const all = hits.flatMap((hit) => statedChanges(hit, folders.get(hit.path) ?? []))
  const own = all.filter(({ file }) => inSlashes(file) === wanted)
  if (own.length > 0) return oncePerCall(own)
  const moved = all.filter(({ hit, file }) => isMoved(inSlashes(file), hit.project, wanted))
  if (moved.length > 0 || isHere) return oncePerCall(moved)
  const ending = inSlashes(typed).replace(/^(?:\.{0,2}\/)+/, '')
  return oncePerCall(all.filter(({ file }) => endsWith(inSlashes(file), ending)))
}

/** The files of a call, as they are in each folder that the session was in. */
function statedChanges(hit: SearchHit, folders: readonly string[]): FileChange[] {
  const { name = '', target = '' } = hit.tool ?? {}
  return filesWritten({ name, target }).flatMap((file) =>
    (folders.length > 0 ? folders : [undefined]).map((folder) => ({ hit, file: absolutePath(file, folder) })),
  )
}

/** A call may state a file once for each folder. */
const oncePerCall = (changes: readonly FileChange[]): FileChange[] => [
  ...new Map(changes.map((change) => [`${change.hit.path} ${change.hit.message}`, change])).values(),
]

/** Whether a file has the same place in a project of the same name. */
function isMoved(file: string, project: string | null | undefined, wanted: string): boolean {
  const at = project ? file.indexOf(`/${project}/`) : -1
  return at >= 0 && wanted.endsWith(file.slice(at))
}

/** Whether a path ends with another one. */
const endsWith = (whole: string, end: string): boolean => whole === end || whole.endsWith(`/${end}`)

/** The folders that sessions were in, by their paths. */
function foldersOf(
  hits: readonly SearchHit[],
  store: FreshStore['store'],
): ReadonlyMap<string, readonly string[]> {
  const rows = store.sessions(undefined, [...new Set(hits.map((hit) => hit.path))])
  return new Map(rows.map(({ session }) => [session.path, session.cwds.map(([folder]) => folder)]))
}

const inSlashes = (path: string): string => path.replaceAll(win32.sep, posix.sep)

/** What led to a change. Undefined if the call failed, or a person declined it. */
export function explain(
  { hit, file }: FileChange,
  edits: TranscriptEdits,
  { store }: FreshStore,
): ExplainedChange | undefined {
  const later = around(hit, store, { before: 0, count: AFTER })
  const made = edits.of(hit.path)?.get(hit.line)
  if (made ? !made.some((edit) => isOf(edit, file)) : hasFailed(hit, later)) return undefined
  let before: StoredMessage[] = []
  for (const count of BEFORE) {
    before = around(hit, store, { before: count, count: hit.order + 1 })
    if (before.some(({ who }) => who === 'human')) break
  }
  const at = before.findIndex(({ message }) => message === hit.message)
  const earlier = at < 0 ? before : before.slice(0, at)
  const prompt =
    earlier.findLast(({ who, text }) => who === 'human' && text) ??
    earlier.find(({ who, text }) => who === 'program' && text)
  const since = prompt ? earlier.slice(earlier.indexOf(prompt) + 1) : earlier
  const reason = since.findLast(({ who, text }) => who === 'agent' && text)
  const commit = later.map(({ tool }) => COMMIT.exec(tool?.target ?? '')).find((match) => match !== null)
  return {
    hit,
    file,
    asked: prompt && statementOf(prompt),
    reason: reason && statementOf(reason),
    committed: commit && (commit.groups?.subject ?? commit[0]),
  }
}

/** Whether an error follows a call, or that a person declined it, before the next call on the same file. */
function hasFailed({ message, tool }: SearchHit, later: readonly StoredMessage[]): boolean {
  const isOfSame = (each: StoredMessage): boolean =>
    (each.marker === 'denial' && each.text === tool?.name) ||
    (each.tool?.name === tool?.name && (each.tool?.target ?? tool?.target) === tool?.target)
  const next = later.slice(later.findIndex((each) => each.message === message) + 1).find(isOfSame)
  return next?.who === 'error' || next?.marker === 'denial'
}

const around = (
  { path, line }: SearchHit,
  store: FreshStore['store'],
  { before, count }: { before: number; count: number },
): StoredMessage[] => store.messages(path, { line, count, before }, { usage: false })

const statementOf = ({ who, at, text = '', line }: StoredMessage): Statement => ({
  who,
  line,
  text,
  ...(at === undefined ? {} : { at }),
})

/** The edits of transcripts, by line. */
export interface TranscriptEdits {
  /** Undefined if the transcript is gone or cannot be read. */
  of(path: string): ReadonlyMap<number, readonly WrittenLines[]> | undefined
}

/** An edit, and the lines that it wrote, without their indentation. */
interface WrittenLines extends FileEdit {
  wrote(line: string): boolean
}

const isOf = ({ path, cwd }: FileEdit, file: string): boolean =>
  endsWith(inSlashes(file), inSlashes(absolutePath(path, cwd)).replace(/^\.\//, ''))

/** Reads transcripts when they are first needed, because the store has no contents of files. */
export function createTranscriptEdits({ store }: FreshStore, context: Context): TranscriptEdits {
  const read = new Map<string, ReadonlyMap<number, WrittenLines[]> | undefined>()
  return {
    of(path) {
      if (!read.has(path)) read.set(path, editsIn(path))
      return read.get(path)
    },
  }

  function editsIn(path: string): ReadonlyMap<number, WrittenLines[]> | undefined {
    const file = store.knownFile({ path })
    if (!file || file.goneMs !== undefined) return undefined
    try {
      return Map.groupBy(withLines(fileEdits(file.artifact)), ({ line }) => line)
    } catch (error) {
      context.note(`${path} ${faultOf(error)}`, 'partly')
      return undefined
    }
  }
}

/** Follows what files contain from edit to edit, as far as the transcript has it. */
function withLines(edits: readonly FileEdit[]): WrittenLines[] {
  const contents = new Map<string, string | null | undefined>()
  return edits.map((edit) => {
    const before = edit.original === undefined ? contents.get(edit.path) : edit.original
    contents.set(edit.path, afterEdit(before, edit))
    let wrote: WrittenLines['wrote'] | undefined
    return {
      ...edit,
      wrote(line) {
        wrote ??= lineTest(edit, before ?? undefined)
        return wrote(line)
      },
    }
  })
}

/** A part of a line with fewer characters is in many lines. */
const LEAST_PART = 8

function lineTest(edit: FileEdit, text: string | undefined): WrittenLines['wrote'] {
  const whole = wholeLines(edit, text)
  const { added, removed } = whole ?? {
    added: edit.after.split('\n'),
    removed: (edit.before ?? '').split('\n'),
  }
  const [written, earlier] = [new Set(added.map(trim)), new Set(removed.map(trim))]
  // An edit may begin and end within a line.
  const ends = whole ? [] : [added[0], added.at(-1)].map((line = '') => line.trim())
  const parts = ends.filter((part) => part.length >= LEAST_PART && !earlier.has(part))
  return (line) => (written.has(line) && !earlier.has(line)) || parts.some((part) => line.includes(part))
}

/** The lines that an edit wrote, and those that they replace. Undefined if only parts of lines are known. */
function wholeLines(edit: FileEdit, text: string | undefined): DiffLines | undefined {
  const { before, after, everywhere, diff } = edit
  if (diff) return diff
  if (before === undefined) return { added: after.split('\n'), removed: (text ?? '').split('\n') }
  if (before === '' || !text?.includes(before)) return undefined
  if (everywhere)
    return { added: text.replaceAll(before, () => after).split('\n'), removed: text.split('\n') }
  const at = text.indexOf(before)
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = `${text}\n`.indexOf('\n', at + before.length)
  return {
    added: (text.slice(start, at) + after + text.slice(at + before.length, end)).split('\n'),
    removed: text.slice(start, end).split('\n'),
  }
}

const trim = (line: string): string => line.trim()

/** A change that wrote lines of a text. */
export interface WritingChange extends FileChange {
  /** Which lines of the text, from 1. */
  wrote: number[]
}

/** Transcripts that are read for one line. */
const MOST_FILES = 50

/** Those of the changes, newest first, that wrote a line of a text, whatever its indentation. */
export function changesWriting(
  text: string,
  changes: readonly FileChange[],
  edits: TranscriptEdits,
  { note }: Pick<Context, 'note'>,
): WritingChange[] {
  const wanted = [...text.split('\n').map(trim).entries()].filter(
    ([, line], _, all) => line !== '' || all.length === 1,
  )
  const all = [...new Set(changes.map(({ hit }) => hit.path))]
  const files = new Set(all.slice(0, MOST_FILES))
  if (all.length > files.size)
    note(
      `${all.length} sessions changed this file. The line was looked for in the newest ${files.size}.`,
      'partly',
    )
  return changes.flatMap((change) => {
    const { hit, file } = change
    if (!files.has(hit.path)) return []
    // One call may make several edits.
    const made = (edits.of(hit.path)?.get(hit.line) ?? []).filter((edit) => isOf(edit, file))
    const wrote = wanted.flatMap(([index, line]) => (made.some((edit) => edit.wrote(line)) ? index + 1 : []))
    return wrote.length > 0 ? { ...change, wrote } : []
  })
}
