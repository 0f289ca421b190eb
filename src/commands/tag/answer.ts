import * as z from 'zod/mini'

/** A session with what the user noted about it. */
const annotatedShape = () =>
  z.object({
    id: z.string(),
    title: z.nullable(z.string()),
    lastActivityAt: z.nullable(z.string()),
    star: z.optional(z.boolean()),
    name: z.optional(z.string()),
    tags: z.optional(z.array(z.string())),
  })

/** The answer of `tag`. */
export const output = () =>
  z.object({
    version: z.literal(1),
    /** The session that was named. */
    session: z.nullable(annotatedShape()),
    tags: z.array(z.object({ tag: z.string(), sessions: z.number(), queries: z.array(z.string()) })),
    /** Every session with a star, a name or a tag, the most recent first. */
    sessions: z.array(annotatedShape()),
  })

export type TagAnswer = z.output<ReturnType<typeof output>>
