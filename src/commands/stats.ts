import * as z from 'zod/mini'
import type { Session } from '../model/session.ts'
import { DIMENSIONS, type Owner, type PriceOf, type Summary, summarize } from '../stats/summarize.ts'
import { zoneSpans } from '../stats/zone.ts'
import { chooseNamed } from './choose-sessions.ts'
import { type Context, defineCommand, PLATFORM_IDS } from './command.ts'
import { field } from './fields.ts'
import { freshStore } from './fresh-store.ts'
import { loadSessions } from './load.ts'
import { filters, spanOf } from './options.ts'
import { noticesOf, noticesShape, scannedOf, scannedShape } from './scanned.ts'
import { statsText } from './stats-text.ts'

const figures = () => ({
  sessions: z.number(),
  messages: z.object({ human: z.number(), agent: z.number() }),
  humanWords: z.number(),
  toolCalls: z.number(),
  errors: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheCreationTokens: z.number(),
  cost: z.nullable(z.number()),
  recordedCost: z.nullable(z.number()),
  unpricedModels: z.array(z.string()),
})

const output = () =>
  z.object({
    version: z.literal(1),
    scanned: scannedShape(),
    notices: noticesShape(),
    project: z.nullable(z.string()),
    totals: z.object(figures()),
    by: z.enum(DIMENSIONS),
    rows: z.array(z.object({ key: z.string(), ...figures() })),
    tools: z.array(z.object({ name: z.string(), calls: z.number(), errors: z.number() })),
    files: z.array(z.object({ path: z.string(), count: z.number() })),
    hours: z.array(z.number()),
    activeDays: z.number(),
  })

export type StatsAnswer = z.output<ReturnType<typeof output>>

export const stats = defineCommand({
  name: 'stats',
  summary: 'how much was said, done, used and paid: by day, model, project, tool or agent',
  details:
    'Each reply counts once, however many files hold it. Costs are list prices of the models, worked out here; what agents recorded ' +
    'themselves stands beside. A model without a price is named, never counted as free.',
  examples: [
    { command: 'scrollback stats', tells: 'everything, by day' },
    { command: 'scrollback stats eastore --since 30d', tells: 'of one project, last month' },
    { command: 'scrollback stats --by model', tells: 'which model costs how much' },
    { command: 'scrollback stats --by tool', tells: 'which tools are called, and which fail' },
    { command: "scrollback stats --json | jq '.totals.cost'", tells: 'for programs' },
  ],
  input: z.object({
    project: field.text({
      description: 'project, agent or session; part of a name or path',
      positional: true,
    }),
    by: field.choiceOr(DIMENSIONS, 'day', { description: DIMENSIONS.join(', '), placeholder: 'what' }),
    platform: field.choice(PLATFORM_IDS, { description: 'only this agent program', placeholder: 'id' }),
    agent: filters.agent,
    all: field.flag({ description: 'everything that the name fits' }),
    since: field.text({ description: 'only since: 7d, 2026-01-31, yesterday', placeholder: 'time' }),
    until: field.text({ description: 'only until the end of: 2026-01-31, today', placeholder: 'time' }),
    limit: field.count({ description: 'at most n rows; 0 = no limit', placeholder: 'n' }),
  }),
  output,
  async run(input, context): Promise<StatsAnswer> {
    // Sums hold no secrets, and the store has none.
    const own: Context = { ...context, redact: true, storePath: context.storePath ?? ':memory:' }
    const { store } = freshStore(own)!
    const loaded = loadSessions({ platform: input.platform, agent: input.agent }, own)
    const { sessions, nameOf } = await chooseNamed(
      loaded,
      { ...input, name: input.project, all: input.all || input.project === undefined },
      own,
    )
    const { since, until } = spanOf(input, own)
    const first = loaded.sessions.reduce((low, { startedMs }) => Math.min(low, startedMs ?? low), context.now)
    const sums = store.figures({
      zone: zoneSpans(first, context.now),
      fromMs: Number.isFinite(since) ? since : undefined,
      untilMs: Number.isFinite(until) ? until : undefined,
    })
    const owners = new Map(sessions.map((session) => [scopeOf(session), ownerOf(session, nameOf(session))]))
    const byArtifact = new Map<number, Owner>()
    for (const { id, artifact } of store.known().values()) {
      const owner = owners.get(scopeOf({ ...artifact, id: artifact.sessionId }))
      if (owner) byArtifact.set(id, owner)
    }
    const needed = sums.some(({ usage }) =>
      usage.some(([artifact, model]) => model !== null && byArtifact.has(artifact)),
    )
    const priceOf = await prices(needed)
    const told = rounded(summarize(sums, (artifact) => byArtifact.get(artifact), input.by, priceOf))
    const named =
      input.project === undefined ? undefined : sessions.map(nameOf).find((name) => name !== undefined)
    return {
      version: 1,
      scanned: scannedOf(loaded),
      notices: noticesOf(loaded),
      project: named ?? null,
      by: input.by,
      ...told,
      rows: told.rows.slice(input.limit ? -input.limit : 0),
    }
  },
  render: statsText,
})

/** The catalogue is large: only who needs a price loads it. */
async function prices(needed: boolean): Promise<PriceOf> {
  if (!needed) return () => undefined
  const { priceOf } = await import('../prices/catalog.ts')
  return priceOf
}

/** A session's copies are the same session. */
const scopeOf = ({ platform, agent, id }: Pick<Session, 'platform' | 'agent' | 'id'>): string =>
  `${platform} ${agent} ${id}`

const ownerOf = ({ platform, agent }: Session, project = '(none)'): Owner => ({ platform, agent, project })

/** Dollars to a millionth: what is behind that is noise of adding up. */
function rounded(summary: Summary): Summary {
  const round = (dollars: number | null): number | null =>
    dollars === null ? null : Math.round(dollars * 1e6) / 1e6
  const both = <Sum extends { cost: number | null; recordedCost: number | null }>(sum: Sum): Sum => ({
    ...sum,
    cost: round(sum.cost),
    recordedCost: round(sum.recordedCost),
  })
  return { ...summary, totals: both(summary.totals), rows: summary.rows.map(both) }
}
