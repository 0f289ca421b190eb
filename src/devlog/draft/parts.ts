import { counted, grouped } from '../../render/counted.ts'
import type { Citation, Evidence, PullRequestEvidence } from '../evidence/evidence.ts'
import { type Block, type Inline, linkTo } from './document.ts'

export const heading = (text: string, depth: 2 | 3 = 2): Block => ({ type: 'heading', depth, text: [text] })

export const paragraph = (...content: Inline[]): Block => ({ type: 'paragraph', content })

export const weighted = (weight: number, block: Block): Block => ({ ...block, weight })

/** A list, or nothing if it has no items. */
export const list = (weight: number, items: Inline[][]): Block[] =>
  items.length > 0 ? [{ type: 'list', items, weight }] : []

/** Items one by one, so that a budget can leave out the later ones. */
export const longList = (weight: number, items: Inline[][]): Block[] =>
  items.map((item, index) => ({ type: 'list', items: [item], weight: weight - Math.min(index, 40) * 0.2 }))

export const day = (at: string | null): string => at?.slice(0, 10) ?? 'no date'

/** `2026-09-01 to 2026-09-03`, or one day. */
export const days = (from: string | null, to: string | null): string =>
  day(from) === day(to) ? day(from) : `${day(from)} to ${day(to)}`

/** `timespan · sessions · turns · coverage`. */
export function facts({ span, sessions, totals, coverage }: Evidence): string {
  const main = sessions.filter((session) => session.main).length
  const { sessions: of, items, duplicates } = coverage
  return [
    span === null ? 'no recorded time' : days(span.from, span.to),
    counted(main, 'session') +
      (sessions.length > main ? ` and ${grouped(sessions.length - main)} that ran meanwhile` : ''),
    counted(totals.turns, 'turn'),
    `coverage: ${grouped(of.used)} of ${counted(of.fitting, 'fitting session')} used, ${grouped(items.read)} of ${counted(items.there, 'item')} read`,
    ...(duplicates > 0 ? [`${counted(duplicates, 'duplicate')} counted once`] : []),
  ].join(' · ')
}

/** The last two parts of a path. */
export const shortPath = (path: string): string => /[^/\\]+[/\\][^/\\]+$/.exec(path)?.[0] ?? path

/** Citations without those that come again. */
export function distinct(citations: readonly Citation[]): Citation[] {
  return [...new Map(citations.map((each) => [`${each.path}:${each.line}`, each])).values()]
}

/** One of each session first, so that one long session does not fill the list. */
export function spread<Row>(rows: readonly Row[], sessionOf: (row: Row) => string, most: number): Row[] {
  const seen = new Map<string, number>()
  return rows
    .map((row, index) => {
      const rank = seen.get(sessionOf(row)) ?? 0
      seen.set(sessionOf(row), rank + 1)
      return { row, rank, index }
    })
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .slice(0, most)
    .sort((a, b) => a.index - b.index)
    .map(({ row }) => row)
}

/** A pull request by its address, its title, or the command that opened it. */
export const pullRequestName = ({ url, title, mention }: PullRequestEvidence): Inline =>
  url !== null ? linkTo(url) : title !== null ? { strong: title } : { code: mention.quote }
