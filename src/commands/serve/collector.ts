import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { type CollectAnswer, collectShape } from '../collect/answer.ts'
import { collect } from '../collect/command.ts'
import { checkedInput } from '../kit/command.ts'
import { defineQuestion } from './question.ts'

/** The progress of every destination that this machine delivers to. */
export const collector = defineQuestion({
  name: 'collector',
  summary: 'the destinations of the collector, and what waits for them',
  input: z.object({}),
  output: collectShape,
  async run(_, context): Promise<CollectAnswer> {
    const state = join(context.dataFolder, 'collect.sqlite')
    // The command would create the file.
    if (!existsSync(state)) return { version: 1, state, status: [] }
    return collect.run(checkedInput(collect, { status: true, state }), context)
  },
})
