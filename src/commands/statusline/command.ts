import * as z from 'zod/mini'
import { statusLinePlatform } from '../../platforms/identities.ts'
import { defineCommand } from '../kit/command.ts'
import { field } from '../kit/flags.ts'
import { readFigures, scopeOf, statusFolder, writeFigures } from './figures.ts'
import { statusLine } from './line.ts'
import { dayAt, statusFigures } from './refresh.ts'
import { inTurn } from './turn.ts'

const output = () =>
  z.object({
    version: z.literal(1),
    /** When the figures were computed. `null` if there are none yet. */
    at: z.nullable(z.string()),
    today: z.nullable(z.object({ day: z.string(), cost: z.nullable(z.number()), tokens: z.number() })),
    block: z.nullable(
      z.object({
        endsAt: z.string(),
        cost: z.nullable(z.number()),
        tokens: z.number(),
        costPerHour: z.nullable(z.number()),
        projectedCost: z.nullable(z.number()),
      }),
    ),
    sessions: z.record(z.string(), z.number()),
    line: z.string(),
  })

const client = statusLinePlatform()

type Status = z.output<ReturnType<typeof output>>

/**
 * Without `--refresh` and `--json`, a small program of its own answers and also reads the client's input:
 * `surfaces/cli/statusline.ts`.
 */
export const statusline = defineCommand({
  name: 'statusline',
  summary: `print a status line for ${client.name}: costs of the session, the day and the five-hour block`,
  details:
    `Reads the JSON that ${client.name} writes to a status line, and answers immediately from cached figures. If they are older than 15 seconds, ` +
    'it starts a process that updates them, and does not wait for it; however many status lines ask, only one such process ' +
    `runs. In ~/${client.folder}/${client.statusLine}: "statusLine": {"type": "command", "command": "scrollback statusline"}`,
  examples: [
    { command: 'scrollback statusline', tells: 'print the line' },
    { command: 'scrollback statusline --refresh', tells: 'update the figures first' },
    { command: 'scrollback statusline --json', tells: 'print the figures, for a status line of your own' },
  ],
  input: z.object({
    refresh: field.flag({
      description: 'update the store and the figures first, unless another process does',
    }),
  }),
  output,
  async run(input, context): Promise<Status> {
    const { now } = context
    const folder = statusFolder(context.dataFolder)
    const scope = scopeOf(context.environment)
    // Nothing is stored for demo data.
    const cached = context.storePath !== ':memory:'
    if (cached && input.refresh)
      await inTurn(folder, async () => writeFigures(folder, scope, await statusFigures(context)))
    const figures = cached ? readFigures(folder, scope) : await statusFigures(context)
    const { block } = figures ?? {}
    return {
      version: 1,
      at: figures ? new Date(figures.at).toISOString() : null,
      today: figures?.today ?? null,
      block: block
        ? {
            ...{ endsAt: new Date(block.untilMs).toISOString(), cost: block.cost, tokens: block.tokens },
            ...{ costPerHour: block.costPerHour, projectedCost: block.projectedCost },
          }
        : null,
      sessions: figures?.sessions ?? {},
      line: statusLine({}, figures, { now, today: dayAt(now) }),
    }
  },
  *render({ line }) {
    yield `${line}\n`
  },
})
