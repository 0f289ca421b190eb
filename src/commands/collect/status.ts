import * as z from 'zod/mini'
import type { Machine, ReadingContext, Reports } from '../../context/context.ts'
import { duration, isoTime } from '../../context/time.ts'
import { countBacklog, planDelivery } from '../../deliver/delivery/backlog.ts'
import { inventory, skipOf, skippedIn } from '../../deliver/delivery/inventory.ts'
import { type DeliveryState, type DestinationRow, storedAddress } from '../../deliver/delivery/state.ts'
import { ScrollbackError } from '../../errors.ts'
import { contentsOf } from '../../io/archive/contents.ts'
import { faultOf, stateOf } from '../../io/archive/directory.ts'
import { platforms } from '../../platforms/index.ts'
import { type Column, counted, grouped, homely, readableBytes, table } from '../../render/table.ts'
import type { Screen } from '../../render/terminal.ts'
import { dated } from '../../render/text.ts'
import { knownArchive } from '../../sinks/file.ts'
import { knownOf } from './run.ts'
import { type CollectSettings, recordSettings } from './settings.ts'

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
      /** What a space gets, and the files that it has and has refused. Its backlog counts files. */
      space: z.optional(
        z.object({
          device: z.string(),
          person: z.string(),
          projects: z.array(z.string()),
          files: z.number(),
          refused: z.number(),
        }),
      ),
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
export async function statusOf(
  settings: CollectSettings,
  state: DeliveryState,
  maxLagMs: number | undefined,
  context: ReadingContext,
): Promise<Status[]> {
  const found = inventory(context.environment)
  const rows = state.destinations()
  const waiting = rows.some(({ space }) => space !== null)
    ? (await import('./space.ts')).waitingForSpaces(rows, context)
    : undefined
  return rows.map((row) => {
    const ofSpace = waiting?.get(row.id)
    if (ofSpace) return statusOfSpace(row, ofSpace, { state, maxLagMs, context })
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
      ...historyOf(row, state, context.now),
      backlog: { records: backlog.records, bytes: backlog.bytes, oldestAt: isoTime(backlog.oldestMs) },
      archive,
      lagMs,
      behind,
      quarantine: state
        .quarantined(row.id)
        .map(({ id, path, line, reason, atMs }) => ({ id, path, line, reason, at: isoTime(atMs) })),
    }
  })
}

/** What waits for a space has waited since the last delivery at most. */
function statusOfSpace(
  row: DestinationRow,
  { files, ...space }: NonNullable<Status['space']> & { files: number; waiting: number },
  {
    state,
    maxLagMs,
    context,
  }: { state: DeliveryState; maxLagMs: number | undefined; context: ReadingContext },
): Status {
  const { waiting, ...settings } = space
  const lagMs = waiting === 0 ? 0 : Math.max(0, context.now - (row.lastSuccessMs ?? row.createdMs))
  const behind = maxLagMs !== undefined && lagMs > maxLagMs
  if (behind) context.partly?.()
  return {
    ...historyOf(row, state, context.now),
    backlog: { records: waiting, bytes: 0, oldestAt: null },
    archive: null,
    space: { ...settings, files },
    lagMs,
    behind,
    quarantine: [],
  }
}

/** What was delivered to a destination so far. */
const historyOf = (row: DestinationRow, state: DeliveryState, now: number) => ({
  url: row.url,
  history: row.history,
  since: isoTime(row.createdMs),
  records: row.records,
  bytes: row.bytes,
  stubs: row.stubs,
  retries: row.retries,
  rate: state.rate(row.id, now),
  lastSuccessAt: isoTime(row.lastSuccessMs),
  lastError: row.lastError,
  lastErrorAt: isoTime(row.lastErrorMs),
})

const QUARANTINE_SHOWN = 5

export function* statusText(all: readonly Status[], screen: Screen): Generator<string> {
  if (all.length === 0) {
    yield `Nothing was delivered yet. Begin with: ${screen.suggest('collect', '--history=all')}\n`
    return
  }
  for (const each of all) {
    const address = each.url.startsWith('file:') ? `file:${homely(each.url.slice(5), screen.home)}` : each.url
    yield `${address}${each.behind ? '  BEHIND' : ''}\n`
    const { space } = each
    if (space) {
      yield `  projects   ${space.projects.join(', ')}\n`
      yield `  as         ${space.person} on ${space.device}\n`
      yield `  has        ${counted(space.files, 'file')}${space.refused > 0 ? `; it refused ${grouped(space.refused)}` : ''}\n`
    }
    const [what, waits] = space ? ['message', 'file'] : ['record', 'record']
    yield `  delivered  ${counted(each.records, what!)}, ${readableBytes(each.bytes)} since ${moment(each.since)}${each.rate > 0 ? `, ${each.rate.toFixed(1)} a second now` : ''}\n`
    yield each.backlog.records === 0
      ? '  waiting    nothing\n'
      : space
        ? `  waiting    ${counted(each.backlog.records, waits!)}; the last delivery was ${duration(each.lagMs)} ago\n`
        : `  waiting    ${counted(each.backlog.records, waits!)}, ${readableBytes(each.backlog.bytes)}; the oldest for ${duration(each.lagMs)}\n`
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

const archiveShape = () => z.object({ id: z.nullable(z.string()), problem: z.nullable(z.string()) })

/**
 * Whether a directory is still the archive that was delivered to. Null for destinations that are not
 * archives. Writes nothing.
 */
function archiveOf(row: DestinationRow): z.output<ReturnType<typeof archiveShape>> | null {
  if (!row.url.startsWith('file:')) return null
  return { id: row.archive, problem: problemOf(row.url.slice('file:'.length), row) }
}

function problemOf(folder: string, row: DestinationRow): string | null {
  const known = knownOf(row)
  try {
    const state = stateOf(folder)
    const fault = known && faultOf(folder, state, knownArchive(known))
    if (fault) return `${fault.message} ${fault.wayOut}`
    if (state.type !== 'archive') return null
    const { faults, manifest } = contentsOf(folder)
    const damaged = faults.length > 0 || manifest?.segments.some((segment) => segment.damaged)
    return damaged ? `${folder} is damaged. collect verify shows where.` : null
  } catch (error) {
    return `${folder} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`
  }
}

export const listShape = () =>
  z.object({
    rows: z.array(
      z.object({
        platform: z.string(),
        priority: z.string(),
        kind: z.string(),
        pattern: z.string(),
        mode: z.string(),
        content: z.string(),
        sources: z.number(),
        bytes: z.number(),
      }),
    ),
    skipped: z.array(
      z.object({
        platform: z.string(),
        pattern: z.string(),
        reason: z.string(),
        found: z.number(),
        bytes: z.number(),
      }),
    ),
  })

type Listing = z.output<ReturnType<typeof listShape>>

/** The collection tables of all platforms, with the artifacts on this machine that match each row. */
export function listing({ environment, note }: Machine & Reports): Listing {
  const found = inventory(environment)
  for (const { path, message } of found.notices) note(`${path}: ${message}`, 'partly')
  // Platforms with the same records share the rows of their tables.
  const sources = Map.groupBy(found.sources, ({ platform }) => platform)
  const skips = Map.groupBy(skippedIn(environment), ({ platform, row }) => `${platform} ${row.pattern}`)
  return {
    rows: platforms.flatMap(({ id, delivery: { table: rows } }) =>
      rows.flatMap((row) => {
        if ('skip' in row || skipOf(row, environment) !== undefined) return []
        const { priority, kind, pattern, mode, content } = row
        const own = sources.get(id)?.filter((source) => source.row === row) ?? []
        const bytes = own.reduce((sum, source) => sum + source.bytes, 0)
        return { platform: id, priority, kind, pattern, mode, content, sources: own.length, bytes }
      }),
    ),
    skipped: platforms.flatMap(({ id, delivery: { table: rows } }) =>
      rows.flatMap((row) => {
        const reason = skipOf(row, environment)
        if (reason === undefined) return []
        const own = skips.get(`${id} ${row.pattern}`) ?? []
        const bytes = own.reduce((sum, skip) => sum + skip.bytes, 0)
        return { platform: id, pattern: row.pattern, reason, found: own.length, bytes }
      }),
    ),
  }
}

type Row = Listing['rows'][number]
type Skip = Listing['skipped'][number]

const amount = (count: number, bytes: number): string =>
  count === 0 ? '-' : `${counted(count, 'item')}, ${readableBytes(bytes)}`

const ROWS: Column<Row>[] = [
  { title: 'PRIORITY', value: ({ priority }) => priority },
  { title: 'KIND', value: ({ kind }) => kind },
  { title: 'READ', value: ({ mode, content }) => (content === 'rows' ? 'rows' : mode), from: 90 },
  { title: 'HERE', value: ({ sources, bytes }) => amount(sources, bytes), align: 'right' },
  { title: 'PATTERN', value: ({ pattern }) => pattern, rest: true, wraps: true },
]
const SKIPS: Column<Skip>[] = [
  { title: 'SKIPPED', value: ({ pattern }) => pattern, most: 44 },
  { title: 'HERE', value: ({ found, bytes }) => amount(found, bytes), align: 'right' },
  { title: 'WHY', value: ({ reason }) => reason, rest: true, wraps: true },
]

export function* listText({ rows, skipped }: Listing, screen: Screen): Generator<string> {
  for (const { id, identity } of platforms) {
    yield `${identity.name}\n\n`
    yield* table(
      rows.filter(({ platform }) => platform === id).sort((a, b) => (a.priority < b.priority ? -1 : 1)),
      ROWS,
      screen,
    )
    yield '\n'
    yield* table(
      skipped.filter(({ platform }) => platform === id),
      SKIPS,
      screen,
    )
    yield '\n'
  }
}
