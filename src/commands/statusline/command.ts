import * as z from 'zod/mini'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { toMillionths } from '../../model/usage.ts'
import { statusLinePlatform } from '../../platforms/identities.ts'
import { ownersOf, prices } from '../../selection/costs.ts'
import { loadSessions } from '../../selection/load-sessions.ts'
import { vanishing } from '../../selection/vanishing.ts'
import { runningBlock } from '../../stats/blocks.ts'
import { summarize, tokensOf } from '../../stats/summarize.ts'
import { dayName, localOffset, zoneSpans } from '../../stats/zone.ts'
import {
  clientState,
  inTurn,
  isForbidden,
  readFigures,
  type StatusFigures,
  scopeOf,
  statusFolder,
  statusLine,
  writeFigures,
} from './line.ts'

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
    /** How many sessions the client deletes within a week that are in no archive. */
    vanishing: z.number(),
    line: z.string(),
  })

const client = statusLinePlatform()

type Status = z.output<ReturnType<typeof output>>

/**
 * Without `--refresh` and `--json`, a small program of its own answers: `surfaces/cli/statusline.ts`.
 */
export const statusline = defineCommand({
  name: 'statusline',
  summary: `print a status line for ${client.name}: costs of the session, the day and the five-hour block`,
  details:
    `Reads the JSON that ${client.name} writes to a status line, and answers immediately from cached figures. If they are older than 15 seconds, ` +
    'it starts a process that updates them, and does not wait for it. Only one such process runs at a time. ' +
    `In ~/${client.folder}/${client.statusLine}: "statusLine": {"type": "command", "command": "scrollback statusline"}`,
  examples: [
    { command: 'scrollback statusline', description: 'print the line' },
    { command: 'scrollback statusline --refresh', description: 'update the figures first' },
    {
      command: 'scrollback statusline --json',
      description: 'print the figures, for a status line of your own',
    },
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
            endsAt: new Date(block.untilMs).toISOString(),
            cost: block.cost,
            tokens: block.tokens,
            costPerHour: block.costPerHour,
            projectedCost: block.projectedCost,
          }
        : null,
      sessions: figures?.sessions ?? {},
      vanishing: figures?.vanishing ?? 0,
      line: statusLine(clientState((await context.standardInput?.()) ?? ''), figures, {
        now,
        today: dayAt(now),
        forbidden: !figures && isForbidden(folder),
      }),
    }
  },
  *render({ line }) {
    yield `${line}\n`
  },
})

const DAY_MS = 86_400_000
/** Sessions without activity for this long have no status line. */
const RECENT_MS = 2 * DAY_MS
const MOST_SESSIONS = 1000

/** The local day of a moment, as `2026-01-31`. */
const dayAt = (ms: number): string => dayName(Math.floor((ms + localOffset(ms)) / DAY_MS))

/** Updates the store, and computes the figures of the status line. */
async function statusFigures(context: Context): Promise<StatusFigures> {
  const { store } = freshStore(context)
  const { sessions } = loadSessions({ platform: statusLinePlatform().id }, context)
  const ownerOf = ownersOf(store, sessions, () => undefined)
  const { now } = context
  const first = sessions.reduce((low, { startedMs }) => Math.min(low, startedMs ?? low), now)
  const sums = [...store.figures({ zone: zoneSpans(first, now) })]
  const { priceOf } = await prices(sums.some(({ usage }) => usage.length > 0))
  const day = dayAt(now)
  const today = summarize(
    sums.filter((each) => each.day !== null && dayName(each.day) === day),
    ownerOf,
    'day',
    priceOf,
  ).totals
  const recent = new Set(
    sessions
      .filter(({ lastActivityMs, modifiedMs }) => now - (lastActivityMs ?? modifiedMs) < RECENT_MS)
      .map(({ id }) => id),
  )
  const { rows } = summarize(sums, ownerOf, 'session', priceOf)
  const costs = rows
    .flatMap(({ key, cost }): [string, number][] =>
      cost !== null && recent.has(key) ? [[key, toMillionths(cost)!]] : [],
    )
    .slice(0, MOST_SESSIONS)
  const block = runningBlock((fromMs) => store.minutes(fromMs), ownerOf, priceOf, now)
  return {
    version: 1,
    at: now,
    today: { day, cost: toMillionths(today.cost), tokens: tokensOf(today) },
    block: block?.pace
      ? {
          untilMs: block.untilMs,
          cost: toMillionths(block.cost),
          tokens: tokensOf(block),
          costPerHour: toMillionths(block.pace.costPerHour),
          projectedCost: toMillionths(block.pace.projectedCost),
        }
      : null,
    sessions: Object.fromEntries(costs),
    vanishing: vanishing(sessions, context).soon.filter(({ archive }) => archive === undefined).length,
  }
}
