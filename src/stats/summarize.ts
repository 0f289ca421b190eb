import type { PricedUsage } from '../model/priced-usage.ts'
import type { DayFigures, MessageFigure, UsageFigure } from '../store/figures.ts'
import { dayName, monthName, weekName } from './calendar.ts'

export const DIMENSIONS = ['day', 'week', 'month', 'model', 'project', 'tool', 'agent', 'platform'] as const

export type Dimension = (typeof DIMENSIONS)[number]

/** The session that a file is of: the same object for each of its files. */
export interface Owner {
  platform: string
  agent: string
  project: string
}

/** What requests of one length cost together, in US dollars; undefined where the model has no price. */
export type PriceOf = (model: string, usage: PricedUsage, length: number, at: Date) => number | undefined

interface Summed {
  sessions: number
  messages: { human: number; agent: number }
  humanWords: number
  toolCalls: number
  errors: number
  inputTokens: number
  outputTokens: number
  cacheReadTokens: number
  cacheCreationTokens: number
  /** At list price; `null` where none of the models has one. */
  cost: number | null
  /** What the agent recorded; `null` where it records none. */
  recordedCost: number | null
  /** Models whose tokens are in none of the costs. */
  unpricedModels: string[]
}

export interface Summary {
  totals: Summed
  rows: (Summed & { key: string })[]
  tools: { name: string; calls: number; errors: number }[]
  files: { path: string; count: number }[]
  /** Human messages by hour of the day. */
  hours: number[]
  activeDays: number
}

const NOBODY = '(no time)'
const TIME_NAMES = { day: dayName, week: weekName, month: monthName }
const DAY_MS = 86_400_000
const FILES = 20

/** Adds up what belongs to the owners; files without one are left out. */
export function summarize(
  figures: readonly DayFigures[],
  ownerOf: (artifact: number) => Owner | undefined,
  by: Dimension,
  priceOf: PriceOf,
): Summary {
  const totals = createSum()
  const rows = new Map<string, ReturnType<typeof createSum>>()
  const rowFor = (key: string) => {
    let row = rows.get(key)
    if (!row) {
      row = createSum()
      rows.set(key, row)
    }
    return row
  }
  const tools = new Map<string, { calls: number; errors: number }>()
  const days = new Set<number>()
  const hours = Array.from({ length: 24 }, () => 0)
  const files = new Map<string, { path: string; count: number }>()
  for (const { day, usage, messages, hours: said, touched } of figures) {
    const keyOf = keysOf(by, day)
    for (const figure of usage) {
      const [artifact, model, , replies] = figure
      const owner = ownerOf(artifact)
      if (!owner) continue
      const cost = costOf(figure, day, priceOf)
      totals.usage(owner, figure, cost)
      if (by === 'tool') continue
      const row = rowFor(keyOf(owner, model ?? '(unknown)'))
      row.usage(owner, figure, cost)
      if (by === 'model') row.replies(replies)
    }
    for (const figure of messages) {
      const [artifact, who, tool, count] = figure
      const owner = ownerOf(artifact)
      if (!owner) continue
      totals.messages(owner, figure)
      if (day !== null) days.add(day)
      const name = tool ?? '(unknown)'
      const used = who === 'tool' || who === 'error'
      if (used) {
        const counts = tools.get(name) ?? { calls: 0, errors: 0 }
        counts[who === 'tool' ? 'calls' : 'errors'] += count
        tools.set(name, counts)
      }
      if (by === 'tool' ? used : by !== 'model') rowFor(keyOf(owner, name)).messages(owner, figure)
    }
    for (const [artifact, hour, count] of said) if (ownerOf(artifact)) hours[hour]! += count
    for (const [artifact, path, count] of touched) {
      if (!ownerOf(artifact)) continue
      const file = files.get(path)
      if (file) file.count += count
      else files.set(path, { path, count })
    }
  }
  return {
    totals: totals.done(),
    rows: [...rows].map(([key, row]) => ({ key, ...row.done() })).sort(inOrder(by)),
    tools: [...tools]
      .map(([name, counts]) => ({ name, ...counts }))
      .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1)),
    files: [...files.values()]
      .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
      .slice(0, FILES),
    hours,
    activeDays: days.size,
  }
}

/** What the rows of a day are told apart by. */
function keysOf(by: Dimension, day: number | null): (owner: Owner, name: string) => string {
  switch (by) {
    case 'day':
    case 'week':
    case 'month': {
      const time = day === null ? NOBODY : TIME_NAMES[by](day)
      return () => time
    }
    case 'model':
    case 'tool':
      return (_, name) => name
    case 'project':
      return ({ project }) => project
    case 'agent':
      return ({ platform, agent }) => (platform === 'claude-code' ? 'claude' : agent)
    case 'platform':
      return ({ platform }) => platform
  }
}

/** Time in its order; everything else by what it cost and used. */
const inOrder =
  (by: Dimension) =>
  (one: Summed & { key: string }, other: Summed & { key: string }): number => {
    const byTime = one.key < other.key ? -1 : 1
    if (by === 'day' || by === 'week' || by === 'month') return byTime
    return (
      (other.cost ?? 0) - (one.cost ?? 0) ||
      tokensOf(other) - tokensOf(one) ||
      other.toolCalls - one.toolCalls ||
      byTime
    )
  }

const tokensOf = (sum: Summed): number =>
  sum.inputTokens + sum.outputTokens + sum.cacheReadTokens + sum.cacheCreationTokens

function costOf(
  [, model, length, , input, output, cacheRead, cacheWrites, , , cacheWriteHour]: UsageFigure,
  day: number | null,
  priceOf: PriceOf,
): number | undefined {
  if (input + output + cacheRead + cacheWrites === 0) return 0
  if (model === null) return undefined
  const tokens = { input, output, cacheRead, cacheWrite: cacheWrites - cacheWriteHour, cacheWriteHour }
  return priceOf(model, tokens, length, day === null ? new Date() : new Date(day * DAY_MS))
}

function createSum() {
  const sum: Summed = {
    ...{ sessions: 0, messages: { human: 0, agent: 0 }, humanWords: 0, toolCalls: 0, errors: 0 },
    ...{ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 },
    ...{ cost: null, recordedCost: null, unpricedModels: [] },
  }
  const sessions = new Set<Owner>()
  const unpriced = new Set<string>()
  return {
    usage(owner: Owner, figure: UsageFigure, cost: number | undefined): void {
      const [, model, , replies, input, output, cacheRead, cacheWrite, recorded, recordedReplies] = figure
      sessions.add(owner)
      sum.inputTokens += input
      sum.outputTokens += output
      sum.cacheReadTokens += cacheRead
      sum.cacheCreationTokens += cacheWrite
      if (cost === undefined) unpriced.add(model ?? '(unknown)')
      else if (replies > 0) sum.cost = (sum.cost ?? 0) + cost
      if (recordedReplies > 0) sum.recordedCost = (sum.recordedCost ?? 0) + recorded
    },
    /** Of a model: who else spoke, it does not say. */
    replies(count: number): void {
      sum.messages.agent += count
    },
    messages(owner: Owner, [, who, , count, words]: MessageFigure): void {
      sessions.add(owner)
      if (who === 'human') {
        sum.messages.human += count
        sum.humanWords += words
      } else if (who === 'agent') sum.messages.agent += count
      else if (who === 'tool') sum.toolCalls += count
      else sum.errors += count
    },
    done: (): Summed => ({ ...sum, sessions: sessions.size, unpricedModels: [...unpriced].sort() }),
  }
}
