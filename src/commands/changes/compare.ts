import { structuredPatch } from 'diff'
import type { NetChange } from '../../collect/read/net-changes.ts'
import type { ChangedFile, Hunk } from './answer.ts'

const CONTEXT = 3
/** Comparing takes longer with the square of the changes. Larger ones are only listed. */
const MOST_CHANGES = 20_000

/** The net change of a file as hunks. Texts pass through `clean` before they are compared. */
export function compare(
  { path, edits, sessions, whole, pieces, deleted }: NetChange,
  clean: (text: string) => string,
): ChangedFile {
  const hunks = whole
    ? hunksOf(clean(whole.first ?? ''), clean(whole.last ?? ''), CONTEXT)
    : together(pieces.map(({ before, after }) => hunksOfPart(clean(before), clean(after))))
  const found = hunks ?? []
  const count = (sign: string): number =>
    found.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0)
  return {
    path: clean(path),
    status: deleted
      ? 'deleted'
      : whole?.first === null
        ? 'created'
        : hunks && hunks.length === 0
          ? 'unchanged'
          : 'changed',
    ...{ edits, sessions, added: count('+'), removed: count('-') },
    ...{ complete: whole !== undefined, hunks: found },
    ...(hunks ? {} : { tooLarge: true }),
  }
}

/** A part of a file need not end with a line, and its last line is a line like any other. */
function hunksOfPart(before: string, after: string): Hunk[] | undefined {
  const [one, other] = [ended(before), ended(after)]
  return one === other ? hunksOf(before, after, CONTEXT) : hunksOf(one, other, CONTEXT)
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

function hunksOf(before: string, after: string, context: number): Hunk[] | undefined {
  const patch = structuredPatch('', '', before, after, '', '', { context, maxEditLength: MOST_CHANGES })
  return patch?.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    // Of an empty range, diffs name the line before it.
    ...{ oldStart: oldLines === 0 ? oldStart - 1 : oldStart, oldLines },
    ...{ newStart: newLines === 0 ? newStart - 1 : newStart, newLines },
    // A missing newline at the end is no line of the file.
    lines: lines.filter((line) => !line.startsWith('\\')),
  }))
}

function together(all: readonly (Hunk[] | undefined)[]): Hunk[] | undefined {
  return all.some((hunks) => hunks === undefined) ? undefined : all.flatMap((hunks) => hunks ?? [])
}
