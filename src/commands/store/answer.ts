import * as z from 'zod/mini'
import { field } from '../../context/flags.ts'

const copyInput = {
  to: field.text({ description: 'copy: the store or file that is written to', positional: true }),
  person: field.text({
    description: 'copy: owner of files that name no person',
    placeholder: 'name',
  }),
}

const counts = () =>
  z.array(
    z.object({
      device: z.string(),
      files: z.number(),
      messages: z.number(),
      tokens: z.number(),
      bytes: z.number(),
    }),
  )

const copyShape = () =>
  z.object({
    from: z.string(),
    to: z.string(),
    dryRun: z.boolean(),
    copied: z.number(),
    same: z.number(),
    newer: z.number(),
    forgotten: z.number(),
    /** Files whose rows in the source are malformed. They are not copied. */
    unreadable: z.number(),
    /** Copied files that name no person. */
    withoutPerson: z.number(),
    /** What both have of the files of the source, by machine. Nothing of the target in a dry run. */
    source: counts(),
    target: counts(),
  })

export type CopyAnswer = z.output<ReturnType<typeof copyShape>>

/** The names of the actions. Each has a line in `actions` of `command.ts`. */
export const ACTIONS = ['schema', 'grant', 'share', 'unshare', 'retain', 'copy'] as const

export type ActionName = (typeof ACTIONS)[number]

export const input = z.object({
  action: field.choice(ACTIONS, { description: `what to do: ${ACTIONS.join(', ')}`, positional: true }),
  target: field.text({
    description:
      'share, unshare: the beginning of the id of a session; retain: a span (365d); copy: the store or archive that is read',
    positional: true,
  }),
  ...copyInput,
  cluster: field.text({
    description: 'schema, grant: for the servers of this cluster',
    placeholder: 'name',
  }),
  database: field.text({
    description: 'grant: the database with the tables; by default that of --store',
    placeholder: 'name',
  }),
  device: field.texts({
    description:
      'grant: a user for this machine, who only adds its sessions; can be repeated. copy: the machine of files that name none',
    placeholder: 'name',
  }),
  reader: field.texts({
    description: 'grant: a user who sees the sessions of the person of this name; can be repeated',
    placeholder: 'name',
  }),
  persons: field.text({
    description:
      'grant: with --device, whose sessions the machines write; with --team, who is in the team; otherwise whose sessions the readers see besides their own. Separated by commas',
    placeholder: 'names',
  }),
  team: field.text({
    description: 'grant: a team whose sessions the readers see, also when its members change',
    placeholder: 'name',
  }),
  admin: field.texts({
    description: 'grant: a user who may do everything with the database; can be repeated',
    placeholder: 'name',
  }),
  passwords: field.text({
    description: 'grant: read the passwords from files in this folder, and generate those that are missing',
    placeholder: 'dir',
    path: 'dir',
  }),
  with: field.text({
    description: 'share, unshare: the user who may read the session; by default everyone',
    placeholder: 'user',
  }),
  list: field.flag({ description: 'share: list what you share, and what is shared with you' }),
  dryRun: field.flag({ description: 'retain, copy: show what would be done, and change nothing' }),
  yes: field.flag({ description: 'retain: do not ask' }),
})

export type Input = z.output<typeof input>

export const output = () =>
  z.object({
    version: z.literal(1),
    action: z.enum(ACTIONS),
    /** Statements to review and run. */
    sql: z.optional(z.string()),
    /** The files with the passwords of users. */
    passwords: z.optional(z.array(z.object({ user: z.string(), file: z.string() }))),
    /** What was shared or is no longer shared, subagents included, and with whom. Null: with everyone. */
    sessions: z.optional(z.array(z.object({ platform: z.string(), id: z.string() }))),
    reader: z.optional(z.nullable(z.string())),
    shares: z.optional(
      z.array(
        z.object({
          platform: z.string(),
          id: z.string(),
          owner: z.string(),
          reader: z.nullable(z.string()),
          at: z.string(),
        }),
      ),
    ),
    /** Sessions that ended earlier are removed, and left out from now on. */
    cutoff: z.optional(z.string()),
    /** Whether it was done, and not only shown. */
    done: z.optional(z.boolean()),
    devices: z.optional(
      z.array(
        z.object({
          device: z.string(),
          sessions: z.number(),
          messages: z.number(),
          bytes: z.number(),
          oldestAt: z.string(),
          newestAt: z.string(),
        }),
      ),
    ),
    copy: z.optional(copyShape()),
  })

export type StoreAnswer = z.output<ReturnType<typeof output>>
