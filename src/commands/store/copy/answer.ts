import * as z from 'zod/mini'
import { field } from '../../kit/flags.ts'

export const copyInput = {
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
      ...{ files: z.number(), messages: z.number(), tokens: z.number(), bytes: z.number() },
    }),
  )

export const copyShape = () =>
  z.object({
    ...{ from: z.string(), to: z.string(), dryRun: z.boolean() },
    ...{ copied: z.number(), same: z.number(), newer: z.number(), forgotten: z.number() },
    /** Copied files that name no person. */
    withoutPerson: z.number(),
    /** What both have of the files of the source, by machine. Nothing of the target in a dry run. */
    ...{ source: counts(), target: counts() },
  })

export type CopyAnswer = z.output<ReturnType<typeof copyShape>>
