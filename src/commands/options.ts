import type * as z from 'zod/mini'
import type { SessionKind } from '../model/event.ts'
import { type Context, PLATFORM_IDS } from './command.ts'
import { field } from './fields.ts'
import { parseTime } from './time.ts'

const KINDS = [
  'human',
  'cron',
  'subagent',
  'heartbeat',
  'hook',
  'program',
] as const satisfies readonly SessionKind[]

/** The choices every listing takes. */
export const filters = {
  platform: field.choice(PLATFORM_IDS, { description: 'only this agent program', placeholder: 'id' }),
  all: field.flag({ description: 'every project' }),
  limit: field.count({ description: 'at most n rows; 0 = no limit', placeholder: 'n' }),
  since: field.text({ description: 'active since: 7d, 2026-01-31, yesterday', placeholder: 'time' }),
  until: field.text({ description: 'begun before the end of: 2026-01-31, today', placeholder: 'time' }),
  kind: field.checked(
    (text) => kindsOf(text) !== undefined,
    `choose among ${KINDS.join(', ')}, all; several are separated by commas`,
    {
      description: `only these kinds of session: ${KINDS.join(', ')}, or all`,
      placeholder: 'kinds',
    },
  ),
}

export type Filters = z.output<z.ZodMiniObject<typeof filters>>

/** The kinds a `--kind` names; `all` names every one. Undefined when one of them does not exist. */
export function kindsOf(text: string): ReadonlySet<SessionKind> | 'all' | undefined {
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('all')) return 'all'
  return names.every((name): name is SessionKind => (KINDS as readonly string[]).includes(name))
    ? new Set(names)
    : undefined
}

/** The span of time that was asked for, in milliseconds; open where nothing was said. */
export function spanOf(
  input: Pick<Filters, 'since' | 'until'>,
  context: Context,
): { since: number; until: number } {
  return {
    since:
      input.since === undefined ? Number.NEGATIVE_INFINITY : parseTime(input.since, 'since', context.now),
    until:
      input.until === undefined ? Number.POSITIVE_INFINITY : parseTime(input.until, 'until', context.now),
  }
}
