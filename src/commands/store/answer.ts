import * as z from 'zod/mini'
import { field } from '../kit/fields.ts'
import { copyInput, copyShape } from './copy/answer.ts'

/** The names of the actions. Each has a line in `actions.ts`. */
export const ACTIONS = ['schema', 'grant', 'copy'] as const

export type ActionName = (typeof ACTIONS)[number]

export const input = z.object({
  action: field.choice(ACTIONS, { description: `what to do: ${ACTIONS.join(', ')}`, positional: true }),
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
    description: 'grant: whose sessions the readers see besides their own, separated by commas',
    placeholder: 'names',
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
  ...copyInput,
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
    copy: z.optional(copyShape()),
  })

export type StoreAnswer = z.output<ReturnType<typeof output>>
