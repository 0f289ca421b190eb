import * as z from 'zod/mini'
import { inventory, skippedIn } from '../../collect/delivery/inventory.ts'
import type { CollectedRow } from '../../model/delivery.ts'
import { platforms } from '../../platforms/index.ts'
import { type Column, counted, readableBytes, table } from '../../render/table.ts'
import type { Screen } from '../../render/terminal.ts'
import type { Machine, Reports } from '../kit/context.ts'

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
  const sources = Map.groupBy(found.sources, ({ row }) => row)
  const skips = Map.groupBy(skippedIn(environment), ({ platform, row }) => `${platform} ${row.pattern}`)
  const isWanted = (row: CollectedRow): boolean => row.deleted === undefined || environment.deleted === true
  return {
    rows: platforms.flatMap(({ id, delivery: { table: rows } }) =>
      rows.flatMap((row) => {
        if ('skip' in row || !isWanted(row)) return []
        const { priority, kind, pattern, mode, content } = row
        const own = sources.get(row) ?? []
        const bytes = own.reduce((sum, source) => sum + source.bytes, 0)
        return { platform: id, priority, kind, pattern, mode, content, sources: own.length, bytes }
      }),
    ),
    skipped: platforms.flatMap(({ id, delivery: { table: rows } }) =>
      rows.flatMap((row) => {
        const reason = 'skip' in row ? row.skip : isWanted(row) ? undefined : row.deleted
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
  { title: 'PATTERN', value: ({ pattern }) => pattern, rest: true },
]
const SKIPS: Column<Skip>[] = [
  { title: 'SKIPPED', value: ({ pattern }) => pattern, most: 44 },
  { title: 'HERE', value: ({ found, bytes }) => amount(found, bytes), align: 'right' },
  { title: 'WHY', value: ({ reason }) => reason, rest: true },
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
