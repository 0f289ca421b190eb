import * as z from 'zod/mini'

const hunkShape = () =>
  z.object({
    oldStart: z.number(),
    oldLines: z.number(),
    newStart: z.number(),
    newLines: z.number(),
    /** Each begins with a space, `+` or `-`. */
    lines: z.array(z.string()),
  })

const fileShape = () =>
  z.object({
    path: z.string(),
    status: z.enum(['created', 'changed', 'deleted', 'unchanged']),
    edits: z.number(),
    sessions: z.array(z.string()),
    added: z.number(),
    removed: z.number(),
    /**
     * Whether the first and the last state are known. If not, hunks show single edits and count lines from 1.
     */
    complete: z.boolean(),
    hunks: z.array(hunkShape()),
    /** The file is too large to be compared. `added` and `removed` are 0. */
    tooLarge: z.optional(z.boolean()),
  })

/** The answer of `changes`. */
export const output = () =>
  z.object({
    version: z.literal(1),
    session: z.string(),
    /** Ids of subagents whose changes are included. */
    subagents: z.array(z.string()),
    added: z.number(),
    removed: z.number(),
    files: z.array(fileShape()),
  })

export type ChangesAnswer = z.output<ReturnType<typeof output>>
export type ChangedFile = ChangesAnswer['files'][number]
export type Hunk = ChangedFile['hunks'][number]
