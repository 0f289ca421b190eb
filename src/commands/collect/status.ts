import * as z from 'zod/mini'
import { countBacklog } from '../../collect/delivery/backlog.ts'
import { inventory } from '../../collect/delivery/inventory.ts'
import type { DeliveryState } from '../../collect/delivery/state/state.ts'
import { storedAddress } from '../../collect/delivery/state/stored-address.ts'
import { planDelivery } from '../../collect/delivery/todo.ts'
import { ScrollbackError } from '../../errors.ts'
import { counted, grouped, homely, readableBytes } from '../../render/table.ts'
import type { Screen } from '../../render/terminal.ts'
import { dated } from '../../render/text.ts'
import type { Machine, Reports } from '../kit/context.ts'
import { duration } from '../kit/time.ts'
import { type CollectSettings, recordSettings } from './settings.ts'
import { archiveOf, archiveShape } from './standing.ts'

const time = () => z.nullable(z.string())

export const statusShape = () =>
  z.array(
    z.object({
      url: z.string(),
      history: z.string(),
      since: time(),
      records: z.number(),
      bytes: z.number(),
      stubs: z.number(),
      retries: z.number(),
      rate: z.number(),
      lastSuccessAt: time(),
      lastError: z.nullable(z.string()),
      lastErrorAt: time(),
      backlog: z.object({ records: z.number(), bytes: z.number(), oldestAt: time() }),
      archive: z.nullable(archiveShape()),
      lagMs: z.number(),
      behind: z.boolean(),
      quarantine: z.array(
        z.object({
          id: z.string(),
          path: z.string(),
          line: z.number(),
          reason: z.string(),
          at: time(),
        }),
      ),
    }),
  )

type Status = z.output<ReturnType<typeof statusShape>>[number]

const UNITS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses `90s`, `15m`, `2h` or `1d` to ms. */
export function parseLag(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([smhd])$/.exec(text.trim().toLowerCase())
  if (match) return Number(match[1]) * UNITS[match[2]!]!
  throw new ScrollbackError('bad-option', `--max-lag: invalid span "${text}"`, 'Use 90s, 15m, 2h or 1d.')
}

/** The progress and the backlog of every destination. Delivers nothing. */
export function statusOf(
  settings: CollectSettings,
  state: DeliveryState,
  maxLagMs: number | undefined,
  context: Machine & Reports,
): Status[] {
  const found = inventory(context.environment)
  const iso = (ms: number | null | undefined): string | null =>
    ms === null || ms === undefined ? null : new Date(ms).toISOString()
  return state.destinations().map((row) => {
    const { todo } = planDelivery(found, state.checkpoints(row.id))
    const destination =
      settings.destinations.find(({ url }) => storedAddress(url) === row.url) ?? settings.destinations[0]!
    const { historyFromMs } = row
    const wanted =
      historyFromMs === null ? todo : todo.filter(({ source }) => source.modifiedMs >= historyFromMs)
    const records = recordSettings(settings, destination, { historyFromMs, recordLimit: undefined }, context)
    const backlog = countBacklog(wanted, records)
    const lagMs =
      backlog.oldestMs === undefined
        ? 0
        : Math.max(0, context.now - Math.max(backlog.oldestMs, historyFromMs ?? 0))
    const archive = archiveOf(row)
    if (archive?.problem) context.partly?.()
    const behind = maxLagMs !== undefined && lagMs > maxLagMs
    if (behind) context.partly?.()
    return {
      ...{ url: row.url, history: row.history, since: iso(row.createdMs) },
      ...{ records: row.records, bytes: row.bytes, stubs: row.stubs, retries: row.retries },
      rate: state.rate(row.id, context.now),
      lastSuccessAt: iso(row.lastSuccessMs),
      lastError: row.lastError,
      lastErrorAt: iso(row.lastErrorMs),
      backlog: { records: backlog.records, bytes: backlog.bytes, oldestAt: iso(backlog.oldestMs) },
      ...{ archive, lagMs, behind },
      quarantine: state
        .quarantined(row.id)
        .map(({ id, path, line, reason, atMs }) => ({ id, path, line, reason, at: iso(atMs) })),
    }
  })
}

const QUARANTINE_SHOWN = 5

export function* statusText(all: readonly Status[], screen: Screen): Generator<string> {
  if (all.length === 0) {
    yield `Nothing was delivered yet. Begin with: ${screen.suggest('collect', '--history', 'all')}\n`
    return
  }
  for (const each of all) {
    const address = each.url.startsWith('file:') ? `file:${homely(each.url.slice(5), screen.home)}` : each.url
    yield `${address}${each.behind ? '  BEHIND' : ''}\n`
    yield `  delivered  ${counted(each.records, 'record')}, ${readableBytes(each.bytes)} since ${moment(each.since)}${each.rate > 0 ? `, ${each.rate.toFixed(1)} a second now` : ''}\n`
    yield each.backlog.records === 0
      ? '  waiting    nothing\n'
      : `  waiting    ${counted(each.backlog.records, 'record')}, ${readableBytes(each.backlog.bytes)}; the oldest for ${duration(each.lagMs)}\n`
    if (each.archive?.problem) yield `  archive    ${each.archive.problem}\n`
    yield `  success    ${moment(each.lastSuccessAt)}\n`
    if (each.lastError) yield `  error      ${moment(each.lastErrorAt)}: ${each.lastError}\n`
    if (each.retries > 0) yield `  retries    ${grouped(each.retries)}\n`
    if (each.stubs > 0) yield `  stubs      ${counted(each.stubs, 'record')} too large\n`
    if (each.quarantine.length > 0) {
      yield `  refused    ${counted(each.quarantine.length, 'record')}:\n`
      for (const { path, line, reason } of each.quarantine.slice(0, QUARANTINE_SHOWN))
        yield `             ${path}:${line} ${reason}\n`
    }
  }
}

const moment = (iso: string | null): string => (iso === null ? 'never' : dated(Date.parse(iso)))
