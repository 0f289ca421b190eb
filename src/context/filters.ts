import type * as z from 'zod/mini'
import { ScrollbackError } from '../errors.ts'
import { SURFACES } from '../model/artifact.ts'
import type { SessionKind } from '../model/event.ts'
import type { SessionFilter } from '../model/session-filter.ts'
import { agentExamples, platformIds } from '../platforms/identities.ts'
import { type Voice, voiceOf } from '../render/text.ts'
import type { OffsetAt } from '../stats/zone.ts'
import type { Context } from './context.ts'
import { field } from './flags.ts'
import { parseTime } from './time.ts'

const KINDS = [
  'human',
  'cron',
  'subagent',
  'heartbeat',
  'hook',
  'program',
] as const satisfies readonly SessionKind[]
/** Facts about a session from other sessions: which agent prompted it, or that a script probably did. */
const LINK_KINDS = ['prompted', 'script'] as const
/** Narrower than a kind. */
const SURFACE_KINDS = SURFACES.filter((surface) => !(KINDS as readonly string[]).includes(surface))

/** The filters of every listing. */
export const filters = {
  platform: field.choice(platformIds(), {
    description: 'only this platform',
    placeholder: 'id',
  }),
  agent: field.name({
    description: `only this agent (${agentExamples()}), in every project unless you name a project`,
    placeholder: 'id',
  }),
  branch: field.name({
    description: 'only sessions on a Git branch whose name contains this',
    placeholder: 'name',
  }),
  title: field.name({ description: 'only sessions whose title contains this', placeholder: 'words' }),
  model: field.name({
    description: 'only sessions whose last model is this, or else contains it: opus, sonnet-4',
    placeholder: 'name',
  }),
  tag: field.name({ description: 'only sessions that you gave this tag', placeholder: 'tag' }),
  starred: field.flag({ description: 'only sessions that you gave a star' }),
  all: field.flag({ description: 'every project' }),
  limit: field.count({ description: 'at most n sessions; 0 = no limit', placeholder: 'n' }),
  since: field.time('since', { description: 'active since: 7d, 2026-01-31, yesterday' }),
  until: field.time('until', { description: 'started before the end of: 2026-01-31, today' }),
  kind: field.checked(
    (text) => kindsOf(text) !== undefined,
    `choose from ${[...KINDS, ...LINK_KINDS].join(', ')}, all, or a surface: ${SURFACE_KINDS.join(', ')}; separate several with commas`,
    {
      description: `only these kinds of session: ${[...KINDS, ...LINK_KINDS].join(', ')}, or all`,
      placeholder: 'kinds',
    },
  ),
}

/** For answers that show whom an agent talked to. */
export const identities = {
  identities: field.flag({ description: 'show numbers and addresses of people in full' }),
}

export type Filters = z.output<z.ZodMiniObject<typeof filters>>

/** The filters that choose sessions. */
export type SessionFlags = Partial<
  Pick<Filters, 'agent' | 'branch' | 'title' | 'model' | 'tag' | 'starred' | 'kind' | 'since' | 'until'>
>

/** Whether they choose by anything but time and kind. */
export const narrows = ({ agent, branch, title, model, tag, starred }: SessionFlags): boolean =>
  [agent, branch, title, model, tag].some((each) => each !== undefined) || starred === true

/** What the flags choose, except for the agent: see `ofAgent`. */
export function sessionFilterOf(input: SessionFlags, context: Pick<Context, 'now'>): SessionFilter {
  const { branch, tag, starred, title, model, kind } = input
  return {
    ...(branch === undefined ? {} : { branch: [branch] }),
    ...(tag === undefined ? {} : { tag: [tag] }),
    ...(starred === undefined ? {} : { starred }),
    title,
    ...(model === undefined ? {} : { model: [model] }),
    kinds: kind === undefined ? 'all' : kindsOf(kind)!,
    ...spanOf(input, context),
  }
}

/**
 * Parses the kinds and surfaces of `--kind`. `all` means every one. Undefined if one of them does not exist.
 */
export function kindsOf(text: string): ReadonlySet<string> | 'all' | undefined {
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('all')) return 'all'
  const existing: readonly string[] = [...KINDS, ...LINK_KINDS, ...SURFACE_KINDS]
  return names.every((name) => existing.includes(name)) ? new Set(names) : undefined
}

/** The requested time span in ms, open if not given. Fails if it ends before it begins. */
export function spanOf(
  input: Pick<SessionFlags, 'since' | 'until'>,
  { now }: Pick<Context, 'now'>,
  offsetAt?: OffsetAt,
): { since: number; until: number } {
  const { since, until } = input
  const span = {
    since: since === undefined ? Number.NEGATIVE_INFINITY : parseTime(since, 'since', now, offsetAt),
    until: until === undefined ? Number.POSITIVE_INFINITY : parseTime(until, 'until', now, offsetAt),
  }
  if (span.since > span.until)
    throw new ScrollbackError(
      'bad-time',
      `--since: "${since}" begins after the end of --until "${until}"`,
      'Give the earlier time to --since and the later one to --until.',
    )
  return span
}

/** The voice that `--voice` names. */
export function voiceIn(names: string): Voice {
  const voice = voiceOf(names)
  if (voice) return voice
  throw new ScrollbackError(
    'bad-option',
    `--voice: unknown voice "${names}"`,
    'Choose default, devlog, or two names: --voice "Ann,Bot".',
  )
}
