import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { checkedInput } from '../../context/command.ts'
import { type CollectAnswer, collectShape } from '../collect/answer.ts'
import { collect } from '../collect/command.ts'
import { defineQuestion } from './question.ts'

/** The progress of every destination that this machine delivers to. */
export const collector = defineQuestion({
  name: 'collector',
  summary: 'the destinations of the collector, and their backlog',
  input: z.object({}),
  output: collectShape,
  async run(_, context): Promise<CollectAnswer> {
    if (context.globalFlags?.demo) return demoAnswer(context.now)
    const state = join(context.dataFolder, 'collect.sqlite')
    // The command would create the file.
    if (!existsSync(state)) return { version: 1, state, status: [] }
    return collect.run(checkedInput(collect, { status: true, state }), context)
  },
})

const MINUTE = 60_000

/** Two destinations, one of which does not answer. The demo delivers nothing. */
function demoAnswer(now: number): CollectAnswer {
  const ago = (minutes: number): string => new Date(now - minutes * MINUTE).toISOString()
  const usual = {
    history: 'all',
    since: ago(60_000),
    stubs: 0,
    retries: 0,
    rate: 0,
    lastError: null,
    lastErrorAt: null,
    lagMs: 0,
    behind: false,
    archive: null,
    quarantine: [],
  }
  return {
    version: 1,
    state: 'collect.sqlite',
    status: [
      {
        ...usual,
        url: 'file:/home/dev/archive',
        records: 529,
        bytes: 268_000,
        lastSuccessAt: ago(3),
        backlog: { records: 0, bytes: 0, oldestAt: null },
      },
      {
        ...usual,
        url: 'https://collector.example.org/eastore',
        records: 498,
        bytes: 251_000,
        retries: 12,
        lastSuccessAt: ago(95),
        lastError: 'collector.example.org does not answer (ECONNREFUSED).',
        lastErrorAt: ago(2),
        backlog: { records: 31, bytes: 17_000, oldestAt: ago(94) },
        lagMs: 94 * MINUTE,
      },
    ],
  }
}
