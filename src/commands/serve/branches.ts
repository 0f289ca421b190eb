import * as z from 'zod/mini'
import { type ParentLink, readParents } from '../../collect/read/read-parents.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { OutlineColumns } from '../../store/outline.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { findSession, sessionField } from './find-session.ts'
import { LETTERS } from './outline.ts'
import { defineQuestion } from './question.ts'

/** The lines of a longer part of a file are not read, in bytes. */
const LONGEST = 256 * 1024 * 1024

const output = () =>
  z.object({
    version: z.literal(1),
    /** The first item of each branch, and the item that it goes on from: -1 for a first message. */
    branches: z.array(z.object({ index: z.number(), after: z.number() })),
  })

type Answer = z.output<ReturnType<typeof output>>

/**
 * Where the abandoned branches of a session part, read from its file: the store only knows which messages
 * were abandoned. Empty if there is no file here.
 */
export const branches = defineQuestion({
  name: 'branches',
  summary: 'where the abandoned branches of a session begin, and where they part from the others',
  input: z.object({ session: sessionField }),
  output,
  run(input, context): Answer {
    const { store, ...fresh } = freshStore(context)!
    const { artifact, goneMs, session } = findSession(input.session, { store, ...fresh })
    const outline = store.outline(session.path, { letters: LETTERS, cut: 0 })
    const isHere = artifact && goneMs === undefined && session.device === undefined && !session.cut
    if (!isHere || outline.off.length === 0 || session.bytes > LONGEST) return { version: 1, branches: [] }
    return { version: 1, branches: startsIn(outline, linksOf(artifact, lastLine(outline))) }
  },
})

/** Nothing, if the file is gone meanwhile. */
function linksOf(artifact: Artifact, lines: number): ParentLink[] {
  try {
    return readParents(artifact, lines)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const lastLine = ({ off, line }: OutlineColumns): number => line[off.at(-1)!.to - 1] ?? 0

/** The first item of a branch, and the item that it goes on from: -1 for the first message of a session. */
interface BranchStart {
  index: number
  after: number
}

/**
 * Where the human went back: prompts on abandoned branches that do not follow what was said before them, and
 * the first of each stretch. Prompts whose parents are not in the file are left out.
 */
function startsIn(
  { who, line, off }: Pick<OutlineColumns, 'who' | 'line' | 'off'>,
  links: readonly ParentLink[],
): BranchStart[] {
  const records = new Map(links.map((link) => [link.id, link]))
  const byLine = Map.groupBy(links, (link) => link.line)
  const lastItem = new Map(line.map((each, index) => [each, index]))
  return off.flatMap(({ from, to }) => {
    const starts: BranchStart[] = []
    for (let index = from; index < to; index++) {
      if (who[index] !== 'h') continue
      const after = itemBefore(index)
      if (after === undefined || (index > from && !hasMessage(after + 1, index))) continue
      starts.push({ index, after })
    }
    return starts
  })

  /** The item that one follows, over records that are no items. */
  function itemBefore(index: number): number | undefined {
    let record = byLine.get(line[index]!)?.at(-1)
    if (!record) return undefined
    for (let steps = 0; record.parent !== undefined && steps <= links.length; steps++) {
      record = records.get(record.parent)
      if (!record) return undefined
      const item = lastItem.get(record.line)
      if (item !== undefined && item < index) return item
    }
    return record.parent === undefined ? -1 : undefined
  }

  /** Whether anybody speaks in these items. */
  function hasMessage(from: number, to: number): boolean {
    return /[ha]/.test(who.slice(from, to))
  }
}
