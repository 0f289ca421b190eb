import * as z from 'zod/mini'
import { ScrollbackError } from '../errors.ts'
import { DIMENSIONS, isTimed } from '../stats/order.ts'
import { summarize } from '../stats/summarize.ts'
import { localOffset, type OffsetAt, offsetIn, zoneSpans } from '../stats/zone.ts'
import { chooseNamed } from './choose-sessions.ts'
import { type Context, defineCommand, PLATFORM_IDS } from './command.ts'
import { field } from './fields.ts'
import { freshStore } from './fresh-store.ts'
import { loadSessions } from './load.ts'
import { filters, spanOf } from './options.ts'
import { noticesOf, scannedOf } from './scanned.ts'
import { type StatsAnswer, statsShape } from './stats-figures.ts'
import { ownersOf, prices } from './stats-owners.ts'
import { blockRowsOf, inMillionths, rowsOf } from './stats-rows.ts'
import { statsText } from './stats-text.ts'

export const stats = defineCommand({
  name: 'stats',
  summary: 'how much was said, done, used and paid: by day, model, project, session, tool or agent',
  details:
    'A block is five hours from the full hour of a first reply on, as limits of use count them; of the one that runs, the pace and where ' +
    'it leads are told. What subagents used counts for the session that started them. Each reply counts once, however many files hold it. Costs are list prices of the models, worked out here; what agents recorded ' +
    'themselves stands beside. A model without a price is named, never counted as free.',
  examples: [
    { command: 'scrollback stats', tells: 'everything, by day' },
    { command: 'scrollback stats eastore --since 30d', tells: 'of one project, last month' },
    { command: 'scrollback stats --by model', tells: 'which model costs how much' },
    { command: 'scrollback stats --by session --limit 10', tells: 'the ten sessions that cost most' },
    {
      command: 'scrollback stats --by project-day --breakdown',
      tells: 'by project and day, with the models',
    },
    {
      command: 'scrollback stats --by block --since 2d',
      tells: 'blocks of five hours, and the pace of this one',
    },
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
    limit: field.count({
      description: 'at most n rows: the newest times, otherwise what cost most; 0 = no limit',
      placeholder: 'n',
    }),
    order: field.choice(['asc', 'desc'], {
      description:
        'asc or desc: by time where rows are times, otherwise by cost; asc for times, desc for others unless given',
      placeholder: 'way',
    }),
    breakdown: field.flag({ description: 'each row by model, too' }),
    timezone: field.text({
      description: 'days, and times of --since and --until, as in this zone: UTC, Europe/Berlin',
      placeholder: 'zone',
    }),
  }),
  output: statsShape,
  async run(input, context): Promise<StatsAnswer> {
    if (input.breakdown && (input.by === 'model' || input.by === 'tool'))
      throw new ScrollbackError(
        'bad-option',
        `--breakdown: rows by ${input.by} have no models to tell apart.`,
        'Leave it away, or choose another --by.',
      )
    const offsetAt = offsetOf(input.timezone)
    const { since, until } = spanOf(input, context, offsetAt)
    // Sums hold no secrets, and the store has none.
    const own: Context = { ...context, redact: true, storePath: context.storePath ?? ':memory:' }
    const { store } = freshStore(own)!
    const loaded = loadSessions({ platform: input.platform, agent: input.agent }, own)
    const { sessions, nameOf } = await chooseNamed(
      loaded,
      { ...input, name: input.project, all: input.all || input.project === undefined },
      own,
    )
    const first = loaded.sessions.reduce((low, { startedMs }) => Math.min(low, startedMs ?? low), context.now)
    const sums = store.figures({
      zone: zoneSpans(first, context.now, offsetAt),
      fromMs: Number.isFinite(since) ? since : undefined,
      untilMs: Number.isFinite(until) ? until : undefined,
    })
    const ownerOfFile = ownersOf(store, sessions, nameOf)
    const needed = sums.some(({ usage }) =>
      usage.some(([artifact, model]) => model !== null && ownerOfFile(artifact)),
    )
    const priceOf = await prices(needed)
    const summary = summarize(sums, ownerOfFile, input.by, priceOf)
    const { tools, files, hours, activeDays } = summary
    const made =
      input.by === 'block'
        ? blockRowsOf(store, ownerOfFile, priceOf, { now: context.now, since, until, offsetAt })
        : summary
    const named =
      input.project === undefined ? undefined : sessions.map(nameOf).find((name) => name !== undefined)
    const asked = {
      ...{ by: input.by, limit: input.limit ?? 0, breakdown: input.breakdown },
      order: input.order ?? (isTimed(input.by) ? 'asc' : 'desc'),
    }
    return {
      version: 1,
      scanned: scannedOf(loaded),
      notices: noticesOf(loaded),
      project: named ?? null,
      totals: inMillionths(summary.totals),
      ...(input.since === undefined && input.until === undefined
        ? { silent: sessions.length - summary.totals.sessions }
        : {}),
      ...rowsOf(made, asked, loaded.sessions),
      ...{ tools, files, hours, activeDays },
    }
  },
  render: statsText,
})

/** Of the zone that was named; of the machine's otherwise. */
function offsetOf(zone: string | undefined): OffsetAt {
  if (zone === undefined) return localOffset
  const offsetAt = offsetIn(zone)
  if (offsetAt) return offsetAt
  throw new ScrollbackError(
    'bad-option',
    `--timezone ${zone}: there is no time zone of that name.`,
    'Write UTC, or a region and a city: Europe/Berlin, America/New_York, Asia/Shanghai.',
  )
}
