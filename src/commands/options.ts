import type * as z from 'zod/mini'
import type { SessionKind } from '../model/event.ts'
import type { Session } from '../model/session.ts'
import { SURFACES } from '../model/session-entry.ts'
import type { OffsetAt } from '../stats/zone.ts'
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
/** What other sessions tell of one: an agent in another prompted it, or a script did, probably. */
const TOLD = ['prompted', 'script'] as const
/** Finer than a kind. */
const PLACES = SURFACES.filter((surface) => !(KINDS as readonly string[]).includes(surface))

/** The choices every listing takes. */
export const filters = {
  platform: field.choice(PLATFORM_IDS, { description: 'only this agent program', placeholder: 'id' }),
  agent: field.text({
    description: 'only this agent, of every project unless one is named: main, openclaw:main',
    placeholder: 'id',
  }),
  branch: field.text({
    description: 'only sessions on a git branch whose name holds this',
    placeholder: 'name',
  }),
  title: field.text({ description: 'only sessions whose title holds this', placeholder: 'words' }),
  model: field.text({
    description: 'only sessions whose model, the last one used, is called so: opus, sonnet-4',
    placeholder: 'name',
  }),
  all: field.flag({ description: 'every project' }),
  limit: field.count({ description: 'at most n rows; 0 = no limit', placeholder: 'n' }),
  since: field.text({ description: 'active since: 7d, 2026-01-31, yesterday', placeholder: 'time' }),
  until: field.text({ description: 'begun before the end of: 2026-01-31, today', placeholder: 'time' }),
  kind: field.checked(
    (text) => kindsOf(text) !== undefined,
    `choose among ${[...KINDS, ...TOLD].join(', ')}, all, or places of OpenClaw: ${PLACES.join(', ')}; several are separated by commas`,
    {
      description: `only these kinds of session: ${[...KINDS, ...TOLD].join(', ')}, or all`,
      placeholder: 'kinds',
    },
  ),
}

/** For answers that name whom an agent talked to. */
export const identities = {
  identities: field.flag({ description: 'numbers and addresses of people whole' }),
}

/** Whether a session is of one of the kinds that were asked for. */
export const isOfKinds = (
  { kind, entry, promptedBy, script }: Pick<Session, 'kind' | 'entry' | 'promptedBy' | 'script'>,
  kinds: ReadonlySet<string> | 'all',
): boolean =>
  kinds === 'all' ||
  kinds.has(kind ?? '') ||
  kinds.has(entry?.surface ?? '') ||
  (promptedBy !== undefined && kinds.has('prompted')) ||
  (script !== undefined && kinds.has('script'))

/** What narrows sessions beside their time and kind, and only the index of each tells. */
export type Narrowing = Partial<Pick<Filters, 'agent' | 'branch' | 'title' | 'model'>>

export const narrows = ({ agent, branch, title, model }: Narrowing): boolean =>
  [agent, branch, title, model].some((each) => each !== undefined)

const holds = (text: string | undefined, wanted: string | undefined): boolean =>
  wanted === undefined || text?.toLowerCase().includes(wanted.toLowerCase()) === true

export const isTitled = ({ title, subagent }: Session, wanted: string | undefined): boolean =>
  holds(title ?? subagent?.description, wanted)

export const isOfModel = ({ model }: Session, wanted: string | undefined): boolean => holds(model, wanted)

/** Whether a session worked on a branch whose name holds the text. */
export const isOnBranch = ({ branches }: Pick<Session, 'branches'>, wanted: string | undefined): boolean =>
  wanted === undefined || branches?.some((name) => name.toLowerCase().includes(wanted.toLowerCase())) === true

export type Filters = z.output<z.ZodMiniObject<typeof filters>>

/** The kinds and places a `--kind` names; `all` names every one. Undefined when one of them does not exist. */
export function kindsOf(text: string): ReadonlySet<string> | 'all' | undefined {
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('all')) return 'all'
  const existing: readonly string[] = [...KINDS, ...TOLD, ...PLACES]
  return names.every((name) => existing.includes(name)) ? new Set(names) : undefined
}

/** The span of time that was asked for, in milliseconds; open where nothing was said. */
export function spanOf(
  input: Pick<Filters, 'since' | 'until'>,
  { now }: Pick<Context, 'now'>,
  offsetAt?: OffsetAt,
): { since: number; until: number } {
  const { since, until } = input
  return {
    since: since === undefined ? Number.NEGATIVE_INFINITY : parseTime(since, 'since', now, offsetAt),
    until: until === undefined ? Number.POSITIVE_INFINITY : parseTime(until, 'until', now, offsetAt),
  }
}
