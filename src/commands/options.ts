import { z } from 'zod'
import type { SessionKind } from '../model/event.ts'
import { type Context, PLATFORM_IDS } from './command.ts'
import { parseTime } from './time.ts'

const KINDS = ['human', 'cron', 'subagent', 'heartbeat', 'hook', 'program'] as const satisfies readonly SessionKind[]

/** The choices every listing takes. */
export const filters = {
  platform: z.enum(PLATFORM_IDS).optional().meta({ description: 'only this agent program', placeholder: 'id' }),
  all: z.boolean().default(false).meta({ description: 'every project' }),
  limit: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .meta({ description: 'at most n rows; 0 = no limit', placeholder: 'n' }),
  since: z.string().optional().meta({ description: 'active since: 7d, 2026-01-31, yesterday', placeholder: 'time' }),
  until: z.string().optional().meta({ description: 'begun before the end of: 2026-01-31, today', placeholder: 'time' }),
  kind: z
    .string()
    .optional()
    .refine((text) => text === undefined || kindsOf(text) !== undefined, {
      message: `choose among ${KINDS.join(', ')}, all; several are separated by commas`,
    })
    .meta({ description: `only these kinds of session: ${KINDS.join(', ')}, or all`, placeholder: 'kinds' }),
}

export type Filters = z.output<z.ZodObject<typeof filters>>

/** The kinds a `--kind` names; `all` names every one. Undefined when one of them does not exist. */
export function kindsOf(text: string): ReadonlySet<SessionKind> | 'all' | undefined {
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('all')) return 'all'
  return names.every((name): name is SessionKind => (KINDS as readonly string[]).includes(name)) ? new Set(names) : undefined
}

/** The span of time that was asked for, in milliseconds; open where nothing was said. */
export function spanOf(input: Pick<Filters, 'since' | 'until'>, context: Context): { since: number; until: number } {
  return {
    since: input.since === undefined ? Number.NEGATIVE_INFINITY : parseTime(input.since, 'since', context.now),
    until: input.until === undefined ? Number.POSITIVE_INFINITY : parseTime(input.until, 'until', context.now),
  }
}
