import * as z from 'zod/mini'
import { defineCommand } from './command.ts'
import { field } from './fields.ts'
import { readFigures, scopeOf, statusFolder, writeFigures } from './statusline-figures.ts'
import { statusLine } from './statusline-line.ts'
import { dayAt, statusFigures } from './statusline-refresh.ts'
import { inTurn } from './statusline-turn.ts'

const output = () =>
  z.object({
    version: z.literal(1),
    /** When the figures were made; `null` where there are none yet. */
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

type Status = z.output<ReturnType<typeof output>>

/** Without `--refresh` and `--json` a small program of its own answers, which also reads what the client writes: `surfaces/cli/statusline.ts`. */
export const statusline = defineCommand({
  name: 'statusline',
  summary:
    'one line for the status line of Claude Code: what the session, the day and the block of five hours cost',
  details:
    'Reads what Claude Code writes to a status line, and answers at once from figures made before. Where those are older than 15 seconds ' +
    'it starts one process that brings the store and them up to date, and does not wait for it; however many status lines ask, ' +
    'one runs. In ~/.claude/settings.json: "statusLine": {"type": "command", "command": "scrollback statusline"}',
  examples: [
    { command: 'scrollback statusline', tells: 'the line' },
    { command: 'scrollback statusline --refresh', tells: 'bring the figures up to date first' },
    { command: 'scrollback statusline --json', tells: 'the figures, for a status line of your own' },
  ],
  input: z.object({
    refresh: field.flag({
      description: 'bring the store and the figures up to date first, unless that is being done',
    }),
  }),
  output,
  async run(input, context): Promise<Status> {
    const { now } = context
    const folder = statusFolder(context.dataFolder)
    const scope = scopeOf(context.environment)
    // Of invented data nothing is kept.
    const kept = context.storePath !== ':memory:'
    if (kept && input.refresh)
      await inTurn(folder, async () => writeFigures(folder, scope, await statusFigures(context)))
    const figures = kept ? readFigures(folder, scope) : await statusFigures(context)
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
