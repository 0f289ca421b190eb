import type { ReplyUsage, Usage } from './event.ts'
import { idNumber } from './hash.ts'

/** The tokens of one or more requests. `input` excludes tokens read from or written to a cache. */
export interface PricedUsage {
  input: number
  output: number
  cacheRead: number
  /** Excludes writes that last an hour. */
  cacheWrite: number
  cacheWriteHour: number
}

/**
 * Numbers of input tokens above which some model has other prices for the whole request, from all price
 * lists.
 */
export const LENGTH_STEPS = [128_000, 199_999, 200_000, 271_999, 272_000, 512_000] as const

/**
 * The number of length steps that a request exceeds. Requests of one model and time with the same number cost
 * the same per token.
 */
export const lengthOf = (inputTokens: number): number =>
  LENGTH_STEPS.filter((step) => inputTokens > step).length

/** The model under which web searches are counted, one request each. They have no tokens. */
export const WEB_SEARCH = 'web search'

/**
 * The name of a model with the terms of a request that change its price: `claude-opus-4-6[fast]`.
 */
export const withTerms = (model: string, terms: readonly string[]): string =>
  terms.length === 0 ? model : `${model.replace(/\[[^[\]]*\]$/, '')}[${terms.join(' ')}]`

/** The terms in the name of a model. */
export const termsIn = (model: string): string[] => /\[([a-z ]+)\]$/.exec(model)?.[1]?.split(' ') ?? []

/** Usage of one reply, with the time and model of its first record. */
export interface CountedUsage extends ReplyUsage {
  at?: number
}

export function addUsage(total: Usage, usage: Usage): void {
  total.input += usage.input
  total.output += usage.output
  total.cacheRead += usage.cacheRead
  total.cacheWrite += usage.cacheWrite
  for (const name of PARTS) if (usage[name]) total[name] = (total[name] ?? 0) + usage[name]
  if (usage.cost !== undefined) total.cost = (total.cost ?? 0) + usage.cost
}

/** Usage by reply. Every line of a reply repeats it; the last line has the largest figures. */
export function createUsageCount(
  session: string,
  /** The parent's total when this session was forked, by model. */
  inherited: readonly ReplyUsage[] = [],
) {
  /** By the number of the reply. The client's own totals have negative numbers. */
  const usages = new Map<number, CountedUsage>()
  /** Replies whose usage changed since the last call of `drainChanged`. */
  let changed = new Set<number>()
  /** The last running total of each session for each model. */
  const latest = new Map<string, Usage>()
  const statements: Statement[] = []
  const inheritedOf = (used: Usage, model: string | undefined): Usage | undefined =>
    inherited.find((each) => each.model === model && !exceeds(each, used))

  return {
    usages,
    stated: {
      /**
       * Counts the client's running total. It counts by its increase over the previous one; a smaller total
       * began at zero. The same total in a copy of the file has the same key, which is negative.
       */
      state(
        of: string,
        { model, ...used }: ReplyUsage,
        { line, sum, at }: { line: number; sum?: number; at?: number },
      ): void {
        const scope = `${JSON.stringify(of)} ${JSON.stringify(model)}`
        const known = latest.get(scope)
        if (of === session && sum !== undefined)
          statements.push({ line, sum, ...(model ? { model } : {}), used })
        if (known && FIGURES.every((name) => (known[name] ?? 0) === (used[name] ?? 0))) return
        const key = -idNumber(`${scope} ${FIGURES.map((name) => used[name] ?? 0).join(' ')}`)
        const since = known ?? (of === session ? inheritedOf(used, model) : undefined)
        latest.set(scope, used)
        if (usages.has(key)) return
        changed.add(key)
        usages.set(key, { ...(since && !exceeds(since, used) ? rise(since, used) : used), at, model })
      },
      /** Takes the running totals since the last call. */
      drain: (): Statement[] => statements.splice(0),
    },
    add(reply: number, usage: Usage, facts: Pick<CountedUsage, 'at' | 'model'> = {}): void {
      const known = usages.get(reply)
      if (known && (usage.output < known.output || isSame(known, usage))) return
      changed.add(reply)
      usages.set(
        reply,
        known
          ? { ...known, cacheWriteHour: undefined, reasoning: undefined, ...usage }
          : { ...usage, ...facts },
      )
    },
    /** The usage of a reply, as far as known. */
    of(reply: number): ReplyUsage | undefined {
      const known = usages.get(reply)
      if (!known) return undefined
      const { at: _, ...usage } = known
      return usage
    },
    /** What everything used together, of whose totals only the cost counts. Undefined without any usage. */
    total: (): Usage | undefined =>
      usages.size === 0
        ? undefined
        : sumOf(
            [...usages].map(([reply, usage]) => (reply > 0 ? usage : { ...NO_TOKENS, cost: usage.cost })),
          ),
    /** The client's own total. Undefined if it recorded none. */
    recorded(): Usage | undefined {
      const totals = [...usages].flatMap(([reply, usage]) => (reply < 0 ? [usage] : []))
      return totals.length === 0 ? undefined : sumOf(totals)
    },
    /** Takes the numbers of the replies whose usage changed since the last call. */
    drainChanged(): Set<number> {
      const taken = changed
      changed = new Set()
      return taken
    },
  }
}

/** The usage of what has no tokens. */
export const NO_TOKENS: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
/** Figures that are a part of others, and absent if they are zero. */
const PARTS = ['cacheWriteHour', 'reasoning'] as const
const FIGURES = ['input', 'output', 'cacheRead', 'cacheWrite', ...PARTS, 'cost'] as const

function sumOf(usages: readonly Usage[]): Usage {
  const sum = (name: (typeof FIGURES)[number]): number => {
    const exact = new ExactSum()
    for (const usage of usages) exact.add(usage[name] ?? 0)
    return exact.value
  }
  return {
    input: sum('input'),
    output: sum('output'),
    cacheRead: sum('cacheRead'),
    cacheWrite: sum('cacheWrite'),
    ...partsOf({ cacheWriteHour: sum('cacheWriteHour'), reasoning: sum('reasoning') }),
    ...(usages.some(({ cost }) => cost !== undefined) ? { cost: sum('cost') } : {}),
  }
}

/** These parts of a usage, without those that are zero. */
export const partsOf = (parts: Pick<Usage, (typeof PARTS)[number]>): Pick<Usage, (typeof PARTS)[number]> =>
  Object.fromEntries(PARTS.flatMap((name) => (parts[name] ? [[name, parts[name]]] : [])))

/** Most lines of a reply repeat its usage. */
export const isSame = (one: Usage, other: Usage): boolean =>
  FIGURES.every((name) => one[name] === other[name])

/** The client's running total for one model up to a line. */
export interface Statement {
  line: number
  /** Identifies the running total. A fork continues that of its parent. */
  sum: number
  model?: string
  used: Usage
}

/** Whether any figure of one usage exceeds that of another. */
const exceeds = (usage: Usage, other: Usage): boolean =>
  FIGURES.some((name) => (usage[name] ?? 0) > (other[name] ?? 0))

/** What a running total rose by. Undefined if it did not. */
export const riseOf = (since: Usage, used: Usage): Usage | undefined =>
  exceeds(since, used) || !exceeds(used, since) ? undefined : rise(since, used)

function rise(since: Usage, used: Usage): Usage {
  const more = { ...NO_TOKENS }
  for (const name of FIGURES) {
    const figure = (used[name] ?? 0) - (since[name] ?? 0)
    if (used[name] !== undefined) more[name] = figure
  }
  return more
}

/** A sum of figures without rounding errors: the same whatever the order of additions. */
export class ExactSum {
  /** Numbers that do not overlap, the smallest first. Their sum is exact. */
  readonly #partials: number[] = []

  add(figure: number): void {
    if (figure === 0) return
    const partials = this.#partials
    let sum = figure
    let count = 0
    for (let partial of partials) {
      if (Math.abs(sum) < Math.abs(partial)) [sum, partial] = [partial, sum]
      const high = sum + partial
      if (!Number.isFinite(high)) {
        // No real figures are that large. The sum stays infinite.
        partials.splice(0, partials.length, Number.POSITIVE_INFINITY)
        return
      }
      const low = partial - (high - sum)
      if (low !== 0) partials[count++] = low
      sum = high
    }
    partials.length = count
    if (sum !== 0) partials.push(sum)
  }

  /** The sum, rounded once. */
  get value(): number {
    const partials = this.#partials
    let index = partials.length - 1
    let sum = partials[index] ?? 0
    let low = 0
    while (index > 0 && low === 0) {
      const before = sum
      const next = partials[--index]!
      sum = before + next
      low = next - (sum - before)
    }
    // Half way between two numbers, the rest decides.
    const rest = partials[index - 1] ?? 0
    if (index > 0 && ((low < 0 && rest < 0) || (low > 0 && rest > 0))) {
      const rounded = sum + low * 2
      if (low * 2 === rounded - sum) return rounded
    }
    return sum
  }
}

const toPart = (dollars: number | null | undefined, parts: number): number | null =>
  dollars == null ? null : Math.round(dollars * parts) / parts

/** Dollars, rounded to a millionth. The rest is rounding noise. */
export const toMillionths = (dollars: number | null | undefined): number | null => toPart(dollars, 1e6)

/** The dollars of one of many rows, whose sum is right to a millionth. */
export const toBillionths = (dollars: number | null | undefined): number | null => toPart(dollars, 1e9)
