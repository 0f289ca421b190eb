import { posix, win32 } from 'node:path'
import type { FreshStore } from '../../context/context.ts'
import { type Context, inTurns } from '../../context/context.ts'
import { faultOf } from '../../context/read-files.ts'
import type { Who } from '../../model/session.ts'
import { EDITING, noFilters } from '../../search/query.ts'
import type { SearchHit } from '../../store/search.ts'
import type { StoredMessage } from '../../store/stored.ts'
import { fileEdits } from '../../sync/read/file-edits.ts'

/** A message that explains a change. */
export interface Statement {
  who: Who
  at?: number
  text: string
  line: number
}

/** A change of a file, and what led to it. */
export interface ExplainedChange {
  hit: SearchHit
  /** The person's sentence before it. For a subagent, its task. */
  asked: Statement | undefined
  /** What the agent said last before it. */
  reason: Statement | undefined
  /** The subject of the commit that the session made next, if it did. */
  committed: string | undefined
}

/** More changes of one file are not looked at. */
const MOST = 2000
/** Messages before a change, and then all that follow the last prompt of a person; and messages after it. */
const BEFORE = [30, 400]
const AFTER = 200
const COMMIT = /\bgit\b[^\n|;&]{0,200}?\bcommit\b(?:[^\n]*?(?:-m|--message)[= ]?(["'])(?<subject>[^\n]*?)\1)?/

/**
 * The changes that tools made to a file, the newest first. If there are none, those of files whose path ends
 * in the same way: calls may state paths of another machine, or of a folder that was moved since.
 */
export async function changesOf(
  path: string,
  typed: string,
  { store, found }: FreshStore,
  context: Context,
): Promise<SearchHit[]> {
  const request = {
    query: {
      text: '',
      filters: { ...noFilters(), tool: [...EDITING], file: [typed] },
      remarks: [],
    },
    roots: found.roots.map((root) => root.path),
    limit: MOST,
    now: context.now,
    sort: 'newest' as const,
  }
  const answer = await inTurns(store.searchInSteps(request), context)
  const alike = [...answer.hits].filter(({ tool }) => isAlike(tool?.target ?? '', path, typed))
  const folders = foldersOf(alike, store)
  const own = alike.filter((hit) => {
    const target = inSlashes(hit.tool?.target ?? '')
    const folder = inSlashes(folders.get(hit.path) ?? '')
    return target === inSlashes(path) || posix.join(folder, target) === inSlashes(path)
  })
  return own.length > 0 ? own : alike
}

/** The folders that sessions ran in, by their paths. */
function foldersOf(hits: readonly SearchHit[], store: FreshStore['store']): Map<string, string | undefined> {
  const rows = store.sessions(undefined, [...new Set(hits.map((hit) => hit.path))])
  return new Map(rows.map(({ session }) => [session.path, session.cwds[0]?.[0]]))
}

/**
 * Whether a call's target may be the file: `src/cart.ts` and `/home/ann/shop/src/cart.ts` may,
 * `old-src/cart.ts` is not.
 */
function isAlike(target: string, path: string, typed: string): boolean {
  const one = inSlashes(target)
  const ends = (whole: string, end: string): boolean => whole === end || whole.endsWith(`/${end}`)
  return (
    ends(inSlashes(path), one.replace(/^\.\//, '')) ||
    ends(one, inSlashes(typed).replace(/^(?:\.{0,2}\/)+/, ''))
  )
}

const inSlashes = (path: string): string => path.replaceAll(win32.sep, posix.sep)

/** What led to a change. Undefined if the call failed. */
export function explain(hit: SearchHit, { store }: FreshStore): ExplainedChange | undefined {
  const later = around(hit, store, { before: 0, count: AFTER })
  if (hasFailed(hit, later)) return undefined
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
    asked: prompt && statementOf(prompt),
    reason: reason && statementOf(reason),
    committed: commit && (commit.groups?.subject ?? commit[0]),
  }
}

/** Whether the error of a call follows it, before the next call on the same file. */
function hasFailed({ message, tool }: SearchHit, later: readonly StoredMessage[]): boolean {
  const isOfSame = (each: StoredMessage): boolean =>
    each.tool?.name === tool?.name && (each.tool?.target ?? tool?.target) === tool?.target
  const next = later.slice(later.findIndex((each) => each.message === message) + 1).find(isOfSame)
  return next?.who === 'error'
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

/** Transcripts that are read for one line. */
const MOST_FILES = 50

/** A change that wrote lines of a text. */
export interface WritingChange {
  hit: SearchHit
  /** Which lines of the text, from 1. */
  wrote: number[]
}

/**
 * Those of the changes, newest first, that wrote a line of a text, whatever its indentation. Reads their
 * transcripts, because the store has no contents of files.
 */
export function changesWriting(
  text: string,
  changes: readonly SearchHit[],
  { store }: FreshStore,
  context: Context,
): WritingChange[] {
  const wanted = [...trimmedLines(text).entries()].filter(
    ([, line], _, all) => line !== '' || all.length === 1,
  )
  const known = store.known()
  const written = new Map<string, Map<number, Set<number>>>()
  for (const path of [...new Set(changes.map((hit) => hit.path))].slice(0, MOST_FILES)) {
    const artifact = known.get(path)?.artifact
    const byLine = new Map<number, Set<number>>()
    written.set(path, byLine)
    try {
      for (const edit of artifact ? fileEdits(artifact) : []) {
        // One call may make several edits.
        const own = byLine.get(edit.line) ?? new Set()
        byLine.set(edit.line, own)
        const after = new Set(trimmedLines(edit.after))
        const before = new Set(edit.before === undefined ? [] : trimmedLines(edit.before))
        for (const [index, line] of wanted) if (after.has(line) && !before.has(line)) own.add(index + 1)
      }
    } catch (error) {
      context.note(`${path} ${faultOf(error)}`, 'partly')
    }
  }
  return changes
    .map((hit) => ({ hit, wrote: [...(written.get(hit.path)?.get(hit.line) ?? [])].sort((a, b) => a - b) }))
    .filter(({ wrote }) => wrote.length > 0)
}

const trimmedLines = (text: string): string[] => text.split('\n').map((line) => line.trim())
