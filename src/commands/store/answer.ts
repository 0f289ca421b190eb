import * as z from 'zod/mini'
import { field } from '../../context/flags.ts'

const copyInput = {
  to: field.text({ description: 'copy: the store or file that is written to', positional: true }),
  person: field.text({
    description: 'copy: whose files those are that name no person',
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
    /** What both have of the files of the source, by machine. Nothing of the target in a dry run. */
    source: counts(),
    target: counts(),
  })

export type CopyAnswer = z.output<ReturnType<typeof copyShape>>

/** The names of the actions. Each has a line in `actions` of `command.ts`. */
export const ACTIONS = ['schema', 'upgrade', 'grant', 'status', 'retain', 'copy'] as const

export type ActionName = (typeof ACTIONS)[number]

export const input = z.object({
  action: field.choice(ACTIONS, { description: `what to do: ${ACTIONS.join(', ')}`, positional: true }),
  target: field.text({
    description: 'retain: a span (365d); copy: the store or archive that is read',
    positional: true,
  }),
  ...copyInput,
  cluster: field.text({
    description: 'schema, grant: for the servers of this cluster',
    placeholder: 'name',
  }),
  database: field.texts({
    description: 'grant: the database of the space; by default that of --store; can be repeated',
    placeholder: 'name',
  }),
  device: field.texts({
    description:
      'grant: a user for this machine, who only adds its sessions; can be repeated. copy: the machine of files that name none',
    placeholder: 'name',
  }),
  reader: field.texts({
    description: 'grant: a user who reads the space; can be repeated',
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
  ldap: field.text({
    description: 'grant: instead of passwords, this server of the LDAP servers of ClickHouse knows the users',
    placeholder: 'server',
  }),
  dryRun: field.flag({ description: 'upgrade, retain, copy: show what would be done, and change nothing' }),
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
    /** The formats before and after an upgrade, or that of the space. */
    from: z.optional(z.number()),
    to: z.optional(z.number()),
    /** The machines that deliver, the one that delivered last first. */
    machines: z.optional(
      z.array(
        z.object({
          device: z.string(),
          person: z.string(),
          program: z.string(),
          format: z.number(),
          files: z.number(),
          /** Of the last delivery. */
          messages: z.number(),
          refused: z.number(),
          deliveredAt: z.string(),
          agoMs: z.number(),
          newestAt: z.nullable(z.string()),
        }),
      ),
    ),
    /** Who forgot what. */
    forgotten: z.optional(
      z.array(z.object({ platform: z.string(), id: z.string(), by: z.string(), at: z.string() })),
    ),
    /** Sessions that ended earlier are removed, and left out from now on. */
    cutoff: z.optional(z.nullable(z.string())),
    /** Whether it was done, and not only shown. */
    done: z.optional(z.boolean()),
    /** Rows that are left of it. */
    left: z.optional(z.number()),
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
