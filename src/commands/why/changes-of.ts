import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import type { FreshStore } from '../../context/context.ts'
import { type Context, inTurns } from '../../context/context.ts'
import { absolutePath } from '../../model/agent-paths.ts'
import { append } from '../../model/iteration.ts'
import type { Session } from '../../model/session.ts'
import { filesWritten } from '../../model/written-files.ts'
import { worktreeOf } from '../../project/group.ts'
import { noFilters } from '../../search/query.ts'
import type { SearchHit } from '../../store/search.ts'
import { inRepository, isInTree, type RepositoryLocation } from './repository.ts'
import { endsWith, inSlashes, isOf, type TranscriptEdits } from './transcript-edits.ts'
import { type FileNow, hasWritten, located, trimmedLines } from './written-lines.ts'

/** A change of a file that a tool call states. */
export interface FileChange {
  hit: SearchHit
  /** The path of the file in the call, whole if it is known which folder the agent was in. */
  file: string
}

/** More changes of files with this name are not looked at. */
const MOST = 10_000
/** A file is followed to the name that it had before this many moves. */
const MOST_MOVES = 20

/** The file that is asked for, and where it is looked for. */
export interface Wanted {
  path: string
  typed: string
  isHere: boolean
  /** Where it is in a repository. */
  location: RepositoryLocation | undefined
}

/**
 * The changes that tools made to a file, the newest first, in any work tree of its repository, and under the
 * names that it had before calls moved it. If there are none, those of a project that was moved, or is on
 * another machine. If there is no such file here, at last those of files whose path ends with what was typed.
 */
export async function changesOf(
  wanted: Wanted,
  edits: TranscriptEdits,
  fresh: FreshStore,
  context: Context,
): Promise<FileChange[]> {
  const all = await statedChanges(wanted.path, wanted.typed, fresh, context)
  const path = inSlashes(wanted.path)
  const own = all.filter((change) => change.file === path || isInWorkTree(change, wanted.location))
  if (own.length > 0) return withFormer(oncePerCall(own), edits, fresh, context)
  const moved = all.filter((change) => isMoved(change, path, wanted.location))
  if (moved.length > 0 || wanted.isHere) return withFormer(oncePerCall(moved), edits, fresh, context)
  const ending = inSlashes(wanted.typed).replace(/^(?:\.{0,2}\/)+/, '')
  return oncePerCall(all.filter(({ file }) => endsWith(file, ending)))
}

/** A change that a call states, with the session that made it. */
interface StatedChange extends FileChange {
  session: Session | undefined
}

/** The changes of files with the name of this one, as they are in each folder that the session was in. */
async function statedChanges(
  path: string,
  typed: string,
  { store, found }: FreshStore,
  context: Context,
): Promise<StatedChange[]> {
  const request = {
    query: {
      text: '',
      filters: { ...noFilters(), edited: [posix.basename(inSlashes(path)) || typed] },
      remarks: [],
    },
    roots: found.roots.map((root) => root.path),
    limit: MOST,
    now: context.now,
    sort: 'newest' as const,
  }
  const answer = await inTurns(store.searchInSteps(request), context)
  const hits = [...answer.hits]
  const rows = store.sessions(undefined, [...new Set(hits.map((hit) => hit.path))])
  const sessions = new Map(rows.map(({ session }) => [session.path, session]))
  return hits.flatMap((hit) => {
    const { name = '', target = '' } = hit.tool ?? {}
    const session = sessions.get(hit.path)
    const folders = session?.cwds.map(([folder]) => folder) ?? []
    return filesWritten({ name, target }).flatMap((file) =>
      (folders.length > 0 ? folders : [undefined]).map((folder) => ({
        hit,
        file: inSlashes(absolutePath(file, folder)),
        session,
      })),
    )
  })
}

/** A call may state a file once for each folder. */
const oncePerCall = (changes: readonly FileChange[]): FileChange[] => [
  ...new Map(
    changes.map(({ hit, file }) => [`${hit.path} ${hit.message}`, { hit, file } satisfies FileChange]),
  ).values(),
]

/**
 * Whether it is the same file in a work tree of the repository. Of one that is gone, its name or the session
 * tells the repository.
 */
function isInWorkTree({ file, session }: StatedChange, location: RepositoryLocation | undefined): boolean {
  if (!location) return false
  if (isInTree(file, location)) return true
  const tree = worktreeOf(file)
  if (tree === undefined || file !== `${inSlashes(tree)}/${location.below}`) return false
  return location.trees.some(
    (each) => inSlashes(tree).startsWith(`${each}/`) || session?.origins.includes(each) === true,
  )
}

/** Whether a file has the same location in a project that is no longer where it was. */
function isMoved(
  { file, hit: { project } }: StatedChange,
  path: string,
  location: RepositoryLocation | undefined,
): boolean {
  const at = project ? file.indexOf(`/${project}/`) : -1
  const end = location ? inRepository(location) : at < 0 ? undefined : file.slice(at)
  if (end === undefined || !file.endsWith(end) || !(location || path.endsWith(end))) return false
  const folder = file.slice(0, file.length - end.length) + end.slice(0, end.indexOf('/', 1))
  // A path of the network may make the system ask another machine.
  return !folder.startsWith('//') && !existsSync(folder)
}

/** Adds what was done to files before calls moved them here. */
async function withFormer(
  changes: readonly FileChange[],
  edits: TranscriptEdits,
  fresh: FreshStore,
  context: Context,
  moves = MOST_MOVES,
): Promise<FileChange[]> {
  const former = changes.flatMap(({ hit, file }) => {
    const { name = '', target = '' } = hit.tool ?? {}
    if (moves === 0 || filesWritten({ name, target }).length < 2) return []
    const made = edits.of(hit.path)?.get(hit.line) ?? []
    const move = made.find(({ path, from }) => from !== undefined && inSlashes(path) === file)
    return move ? [{ path: move.from!, before: hit }] : []
  })
  const earlier: FileChange[] = []
  for (const { path, before } of former) {
    const all = await statedChanges(path, path, fresh, context)
    const own = oncePerCall(
      all.filter(
        ({ hit, file }) =>
          file === inSlashes(path) &&
          (hit.at ?? 0) <= (before.at ?? Infinity) &&
          hit !== before &&
          hit.message !== before.message,
      ),
    )
    append(earlier, await withFormer(own, edits, fresh, context, moves - 1))
  }
  if (earlier.length === 0) return [...changes]
  const known = new Map(
    [...changes, ...earlier].map((change) => [`${change.hit.path} ${change.hit.message}`, change]),
  )
  return [...known.values()].sort((one, other) => (other.hit.at ?? 0) - (one.hit.at ?? 0))
}

/** A change that wrote lines of a text. */
export interface WritingChange extends FileChange {
  /** Which lines of the text, from 1. */
  wrote: number[]
  /** The whole file was written, and whether it had these lines before is not known. */
  isOver: boolean
  /** The line that was looked for had others around it, of which none is there. */
  isApart: boolean
}

/** The changes that wrote a text, and how many of the others may have written it. */
interface WritingChanges {
  changes: WritingChange[]
  unclear: number
}

/** What is looked for: a text of one or more lines, or a line of the file by its index. */
export interface WantedLines {
  text: string
  index: number | undefined
  file: FileNow | undefined
}

/** Transcripts that are read for one line. */
const MOST_FILES = 50

/** Those of the changes, newest first, that wrote a line of a text, whatever its indentation. */
export function changesWriting(
  { text, index, file: now }: WantedLines,
  changes: readonly FileChange[],
  edits: TranscriptEdits,
  { note }: Pick<Context, 'note'>,
): WritingChanges {
  const wanted = [...trimmedLines(text).entries()].filter(
    ([, line], _, all) => line !== '' || all.length === 1,
  )
  const all = [...new Set(changes.map(({ hit }) => hit.path))]
  const files = new Set(all.slice(0, MOST_FILES))
  if (all.length > files.size)
    note(
      `${all.length} sessions changed this file. The line was looked for in the newest ${files.size}.`,
      'partly',
    )
  let unclear = 0
  const writing = changes.flatMap((change) => {
    const { hit, file } = change
    if (!files.has(hit.path)) return []
    // One call may make several edits.
    const made = (edits.of(hit.path)?.get(hit.line) ?? []).filter((edit) => isOf(edit, file))
    let [isUnclear, isApart] = [false, false]
    const wrote = wanted.flatMap(([number, line]) => {
      const indexes = new Set(
        index === undefined ? (now?.lines.flatMap((other, at) => (other === line ? at : [])) ?? []) : [index],
      )
      const found = now ? made.map((edit) => located(edit, now, indexes)) : []
      const isSure =
        found.some(({ sure }) => !sure.isDisjointFrom(indexes)) ||
        (index === undefined && made.some((edit) => hasWritten(edit, line)))
      if (index !== undefined)
        isApart = found.every(({ sure, apart }) => !sure.has(index) || apart.has(index))
      isUnclear ||= !isSure && found.some((each) => !each.unclear.isDisjointFrom(indexes))
      return isSure ? number + 1 : []
    })
    const isOver = made.every((edit) => edit.written().isOver)
    if (wrote.length > 0) return { ...change, wrote, isOver, isApart }
    if (isUnclear) unclear++
    return []
  })
  // Of those that wrote such a line, the lines around it decide. What wrote the whole file has all of them.
  const isNear = writing.some(({ isApart, isOver }) => !isApart && !isOver)
  return { changes: withoutRepeated(writing.filter(({ isApart }) => !isApart || !isNear)), unclear }
}

/**
 * A change that wrote the whole file may only have kept a line that another change, or an earlier one, wrote.
 */
function withoutRepeated(changes: readonly WritingChange[]): WritingChange[] {
  const certain = changes.filter(({ isOver }) => !isOver)
  return changes.flatMap((change, at) => {
    if (!change.isOver) return [change]
    const others = new Set([...certain, ...changes.slice(at + 1)].flatMap(({ wrote }) => wrote))
    const wrote = change.wrote.filter((line) => !others.has(line))
    return wrote.length > 0 ? [{ ...change, wrote }] : []
  })
}
