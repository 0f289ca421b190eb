import * as z from 'zod/mini'
import { field } from '../kit/fields.ts'
import { copyInput, copyShape } from './copy/answer.ts'

/** The names of the actions. Each has a line in `actions.ts`. */
export const ACTIONS = ['schema', 'copy'] as const

export type ActionName = (typeof ACTIONS)[number]

export const input = z.object({
  action: field.choice(ACTIONS, { description: `what to do: ${ACTIONS.join(', ')}`, positional: true }),
  cluster: field.text({
    description: 'schema: for the servers of this cluster, replicated and sharded',
    placeholder: 'name',
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
    copy: z.optional(copyShape()),
  })

export type StoreAnswer = z.output<ReturnType<typeof output>>
