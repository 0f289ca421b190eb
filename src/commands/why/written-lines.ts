import { diffArrays } from 'diff'
import { largest } from '../../model/iteration.ts'
import type { LineChange } from '../../platforms/platform.ts'
import type { FileEdit } from '../../sync/read/file-edits.ts'
import { afterEdit } from '../../sync/read/net-changes.ts'

/** A line that an edit wrote. Lines are compared without their indentation. */
interface WrittenLine {
  text: string
  /** Lines of the new content around it, the nearest first. */
  above: string[]
  below: string[]
  /** The edit may have written only this part of a line. */
  isPart: boolean
  /** Its index in the whole content, if that is known. */
  at?: number
}

/** An edit, and what it wrote. */
export interface WritingEdit extends FileEdit {
  written(): Written
}

interface Written {
  lines: WrittenLine[]
  /** The whole content after the edit, if it is known. */
  content: string[] | undefined
  /** The whole file was written, perhaps over another content that had these lines, too. */
  isOver: boolean
}

/** A file as it is now. */
export interface FileNow {
  lines: readonly string[]
  /** Whether a line, by its index, may be of an edit at that time. */
  isPossible(index: number, at: number | undefined): boolean
}

/** Which lines of the file an edit wrote, by their index. */
export interface Located {
  sure: ReadonlySet<number>
  /** Of those, lines that had others around them after the edit, of which none is around them now. */
  apart: ReadonlySet<number>
  /** It may have written one of them. */
  unclear: ReadonlySet<number>
}

/** A part of a line with fewer characters is in many lines, even if one line has nothing else. */
const LEAST_LINE = 8
/** A part with fewer characters is not looked for within lines. */
const LEAST_PART = 3
/** Lines around a line that tell it from an equal one. */
const AROUND = 8
/** Comparing takes longer with the square of the changes. */
const MOST_CHANGES = 5000

/** Follows what files contain from edit to edit, as far as the transcript has it. */
export function followed(edits: readonly FileEdit[]): WritingEdit[] {
  const contents = new Map<string, string | null | undefined>()
  /** What the file of a call contained before its first edit. */
  let original: string | null | undefined
  return edits.map((edit, index) => {
    const known = contents.get(edit.from ?? edit.path)
    const before = edit.original === undefined ? known : edit.original
    const after = afterEdit(before, edit)
    contents.set(edit.path, after)
    const [previous, next] = [edits[index - 1], edits[index + 1]]
    if (!isOfSameCall(edit, previous) || edit.original !== undefined) original = before
    // Where the content is known, the last edit of a call stands for all: one may undo another.
    const isFollowed = isOfSameCall(edit, next) && typeof original === 'string' && typeof after === 'string'
    const from = original
    let written: Written | undefined
    return { ...edit, written: () => (written ??= isFollowed ? NOTHING : writtenBy(edit, from, after)) }
  })
}

const isOfSameCall = ({ line, path, from }: FileEdit, other: FileEdit | undefined): boolean =>
  from === undefined && other?.line === line && other.path === path && other.from === undefined

const NOTHING: Written = { lines: [], content: undefined, isOver: false }

export const trimmedLines = (text: string): string[] => text.split('\n').map((line) => line.trim())

/** What an edit wrote, by the content before the first edit of its call and the content after it. */
function writtenBy(
  edit: FileEdit,
  before: string | null | undefined,
  after: string | null | undefined,
): Written {
  const isWhole = typeof after === 'string' && (before !== undefined || edit.before === undefined)
  // What the client recorded is more certain than what was followed: others may have changed the file.
  if (isWhole && (edit.original !== undefined || !edit.hunks)) {
    const content = trimmedLines(after)
    const lines = added([{ before: trimmedLines(before ?? ''), after: content }], 'whole')
    return { lines, content, isOver: before === undefined && edit.created !== true }
  }
  if (edit.hunks) return { lines: added(edit.hunks.map(trimmed), 'lines'), content: undefined, isOver: false }
  const piece = { before: trimmedLines(edit.before ?? ''), after: trimmedLines(edit.after) }
  return { lines: added([piece], 'part'), content: undefined, isOver: false }
}

const trimmed = ({ before, after }: LineChange): LineChange => ({
  before: before.map((line) => line.trim()),
  after: after.map((line) => line.trim()),
})

/** The lines that are new in pieces of a file. What was only moved or indented is not. */
function added(pieces: readonly LineChange[], kind: 'whole' | 'lines' | 'part'): WrittenLine[] {
  const lines: WrittenLine[] = []
  const surplus = new Map<string, number>()
  const count = (line: string, by: number): unknown => surplus.set(line, (surplus.get(line) ?? 0) + by)
  for (const { before, after } of pieces)
    for (const part of differences(before, after)) {
      if (part.kind === 'removed') count(before[part.index]!, -1)
      if (part.kind !== 'added') continue
      const { index } = part
      count(after[index]!, 1)
      lines.push({
        text: after[index]!,
        above: after.slice(Math.max(0, index - AROUND), index).reverse(),
        below: after.slice(index + 1, index + 1 + AROUND),
        isPart: kind === 'part' && (index === 0 || index === after.length - 1),
        ...(kind === 'whole' && { at: index }),
      })
    }
  return lines.filter(({ text }) => surplus.get(text)! > 0)
}

interface Difference {
  kind: 'added' | 'removed' | 'kept'
  /** In the old lines if it was removed, otherwise in the new ones. */
  index: number
  /** Of a line that was kept, in the old lines. */
  from?: number
}

/** Which lines differ. If there are too many, all between the equal beginning and the equal end do. */
function differences(before: readonly string[], after: readonly string[]): Difference[] {
  const all: Difference[] = []
  let start = 0
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const keep = (index: number, from: number): unknown => all.push({ kind: 'kept', index, from })
  for (let index = 0; index < start; index++) keep(index, index)
  let [old, now] = [start, start]
  const [one, other] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  const parts = diffArrays(one, other, { maxEditLength: MOST_CHANGES }) ?? [
    { count: one.length, removed: true, added: false },
    { count: other.length, added: true, removed: false },
  ]
  for (const part of parts)
    for (let each = 0; each < part.count; each++)
      if (part.removed) all.push({ kind: 'removed', index: old++ })
      else if (part.added) all.push({ kind: 'added', index: now++ })
      else keep(now++, old++)
  for (let each = 0; each < end; each++) keep(now++, old++)
  return all
}

/** Finds what an edit wrote in the file as it is now, as far as one of these lines is concerned. */
export function located(
  edit: WritingEdit,
  { lines, isPossible }: FileNow,
  wanted: ReadonlySet<number>,
): Located {
  const [sure, unclear, fitting] = [new Set<number>(), new Set<number>(), new Set<number>()]
  const { lines: written, content } = edit.written()
  const concerned = written.filter((line) => [...wanted].some((index) => isIn(line, lines[index]!)))
  const groups = new Map<string, { indexes: number[]; count: number }>()
  let mapped: ReadonlyMap<number, number> | undefined
  for (const line of concerned) {
    const exact = possible((each) => each === line.text)
    const isLine = !line.isPart || (exact.length > 0 && line.text.length >= LEAST_LINE)
    const all = isLine ? exact : possible((each) => each.includes(line.text))
    let best = all
    if (all.length > 1 && content && line.at !== undefined) {
      mapped ??= new Map(
        differences(content, lines).flatMap(({ kind, index, from }) =>
          kind === 'kept' ? [[from!, index] as const] : [],
        ),
      )
      const now = mapped.get(line.at)
      best = now === undefined ? nearest(line, all) : all.filter((index) => index === now)
    } else if (all.length > 1) best = nearest(line, all)
    const key = best.join(' ')
    const group = groups.get(key) ?? { indexes: best, count: 0 }
    group.count++
    groups.set(key, group)
    const isKnown = [...line.above, ...line.below].some(hasWord)
    for (const index of best) if (!isKnown || around(line, index) > 0) fitting.add(index)
  }
  // Of equal lines, all are of the edit if it wrote that many.
  for (const { indexes: found, count } of groups.values())
    for (const index of found) (found.length <= count ? sure : unclear).add(index)
  for (const index of sure) unclear.delete(index)
  return { sure, unclear, apart: sure.difference(fitting) }

  function possible(isWanted: (line: string) => boolean): number[] {
    return lines.flatMap((line, index) => (isWanted(line) && isPossible(index, edit.at) ? index : []))
  }

  /** Those of the lines with the most lines around them as they were after the edit. */
  function nearest(line: WrittenLine, all: readonly number[]): number[] {
    const scores = all.map((index) => ({ index, score: around(line, index) }))
    const most = largest(scores.map(({ score }) => score))
    return scores.flatMap(({ index, score }) => (score === most ? index : []))
  }

  function around({ above, below }: WrittenLine, index: number): number {
    return alike(above, (each) => lines[index - 1 - each]) + alike(below, (each) => lines[index + 1 + each])
  }
}

const hasWord = (line: string): boolean => /\w/.test(line)

/** How many lines of words are equal, up to the first that differs. */
function alike(expected: readonly string[], at: (each: number) => string | undefined): number {
  const end = expected.findIndex((line, each) => line !== at(each))
  return expected.slice(0, end < 0 ? undefined : end).filter(hasWord).length
}

const isIn = ({ text, isPart }: WrittenLine, line: string): boolean =>
  text === line || (isPart && text.length >= LEAST_PART && line.includes(text))

/** Whether a text may be one that has what an edit wrote, by its lines without indentation. */
export const isIncluded = (edit: WritingEdit, lines: ReadonlySet<string>): boolean =>
  edit
    .written()
    .lines.every(
      ({ text, isPart }) => lines.has(text) || (isPart && lines.values().some((line) => line.includes(text))),
    )

/** Whether an edit wrote a line with this text, wherever. */
export const hasWritten = (edit: WritingEdit, line: string): boolean =>
  edit.written().lines.some(({ text }) => text === line)
