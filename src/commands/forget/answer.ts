import * as z from 'zod/mini'
import { field } from '../kit/flags.ts'

export const input = z.object({
  target: field.texts({
    description: 'a session, project:<name>, or, of an archive, device:<name>',
    positional: true,
  }),
  archive: field.texts({
    description: 'also remove them from this archive; can be repeated',
    placeholder: 'dir',
    path: 'dir',
  }),
  dryRun: field.flag({ description: 'show what would be removed, and change nothing' }),
  yes: field.flag({ description: 'do not ask' }),
  list: field.flag({ description: 'list the sessions that were forgotten on this machine' }),
  undo: field.text({
    description: 'read this session and its subagents again, if their transcripts still exist',
    placeholder: 'session',
  }),
})

export type Input = z.output<typeof input>

const sessionShape = () =>
  z.object({
    platform: z.string(),
    id: z.string(),
    /** When it was forgotten. Null in a dry run. */
    at: z.nullable(z.string()),
  })

export const output = () =>
  z.object({
    version: z.literal(1),
    /** What was done, or would be. */
    done: z.enum(['forgotten', 'dry-run', 'listed', 'undone', 'nothing']),
    /** Subagents included. */
    sessions: z.array(sessionShape()),
    /** What the store contained: messages and words that nothing else contains. Null if not counted. */
    store: z.object({ files: z.number(), messages: z.nullable(z.number()), words: z.nullable(z.number()) }),
    archives: z.array(z.object({ folder: z.string(), records: z.number(), segments: z.number() })),
    /** The agent's files that still exist, memory included. They are not ours, and are not read any more. */
    transcripts: z.array(z.string()),
    /** A command that shows that nothing is left. */
    check: z.nullable(z.string()),
  })

export type ForgetAnswer = z.output<ReturnType<typeof output>>
