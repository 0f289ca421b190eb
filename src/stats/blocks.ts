import type { MinuteFigure } from '../store/figures.ts'
import {
  costOf,
  createRows,
  type Owner,
  type PriceOf,
  type StatsRow,
  type Summed,
  tokensOf,
} from './summarize.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const BLOCK_MS = 5 * HOUR_MS

/** How fast the current block is being used, and the projection to its end. */
interface BlockPace {
  minutesLeft: number
  /** Since the first reply of the block. */
  tokensPerMinute: number
  costPerHour: number | null
  projectedTokens: number
  projectedCost: number | null
}

/** Five hours that count toward one usage limit. */
export interface Block extends StatsRow {
  fromMs: number
  untilMs: number
  /** The minutes of the first and the last reply. */
  firstMs: number
  lastMs: number
  /** Only set for the current block. */
  pace?: BlockPace
}

interface Span {
  key: string
  fromMs: number
  untilMs: number
  firstMs: number
  lastMs: number
}

/**
 * Groups replies, given in chronological order, into blocks. A block begins with the full hour of its first
 * reply and ends five hours later. The next reply after that begins another one. Each minute counts toward
 * the block that contains it. Only blocks within the requested span are returned, but pass all replies,
 * because the earlier ones determine where blocks begin.
 */
export function blocksOf(
  minutes: Iterable<MinuteFigure>,
  ownerOf: (artifact: number) => Owner | undefined,
  priceOf: PriceOf,
  { now, since, until }: { now: number; since: number; until: number },
): { blocks: Block[]; rowTotal: Summed } {
  const rows = createRows()
  const spans = new Map<string, Span>()
  let span: Span | undefined
  for (const { atMs, figure } of minutes) {
    const owner = ownerOf(figure.artifact)
    if (!owner) continue
    if (!span || atMs >= span.untilMs) {
      const fromMs = Math.floor(atMs / HOUR_MS) * HOUR_MS
      const key = new Date(fromMs).toISOString()
      span = { key, fromMs, untilMs: fromMs + BLOCK_MS, firstMs: atMs, lastMs: atMs }
      spans.set(key, span)
    }
    span.lastMs = atMs
    if (span.untilMs <= since || span.fromMs > until) continue
    rows.usage(span.key, owner, figure, costOf(figure, new Date(atMs), priceOf), true)
  }
  const { rows: made, rowTotal } = rows.done()
  const blocks = made.map((row) => {
    const { key: _, ...times } = spans.get(row.key)!
    const block: Block = { ...row, ...times }
    return now >= block.fromMs && now < block.untilMs ? { ...block, pace: paceOf(block, now) } : block
  })
  return { blocks, rowTotal }
}

function paceOf(block: Block, now: number): BlockPace {
  const used = Math.max(now - block.firstMs, MINUTE_MS)
  const left = block.untilMs - now
  const grown = (sum: number): number => sum + (sum / used) * left
  const { cost } = block
  return {
    minutesLeft: Math.ceil(left / MINUTE_MS),
    tokensPerMinute: Math.round((tokensOf(block) / used) * MINUTE_MS),
    costPerHour: cost === null ? null : (cost / used) * HOUR_MS,
    projectedTokens: Math.round(grown(tokensOf(block))),
    projectedCost: cost === null ? null : grown(cost),
  }
}

const DAY_MS = 24 * HOUR_MS
/** Most people pause for five hours within this span. If not, all replies are read. */
const RECENT_MS = 3 * DAY_MS

/** The current block. Reads few replies if a recent pause shows where it begins. */
export function runningBlock(
  minutesFrom: (fromMs: number) => Iterable<MinuteFigure>,
  ownerOf: (artifact: number) => Owner | undefined,
  priceOf: PriceOf,
  now: number,
): Block | undefined {
  const span = { now, since: Number.NEGATIVE_INFINITY, until: now }
  const recent = blocksOf(minutesFrom(now - RECENT_MS), ownerOf, priceOf, span).blocks
  let last = now - RECENT_MS
  for (const block of recent) {
    if (block.firstMs - last >= BLOCK_MS) return recent.find(({ pace }) => pace)
    last = block.lastMs
  }
  if (recent.length === 0) return undefined
  return blocksOf(minutesFrom(0), ownerOf, priceOf, { ...span, since: now }).blocks.find(({ pace }) => pace)
}
