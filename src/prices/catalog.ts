import { type ConditionalPrice, calcPrice, findProvider, type ModelInfo } from '@pydantic/genai-prices'
import { LENGTH_STEPS, type PricedUsage, termsIn } from '../model/usage.ts'

const lists = new Map<string, ReturnType<typeof createPriceList> | undefined>()

/**
 * The list price of all requests of one length (see `lengthOf`) on a day, in US dollars. Undefined for a
 * model without a price. The prices are those of the installed package; nothing is fetched.
 */
export function priceOf(model: string, usage: PricedUsage, length: number, at: Date): number | undefined {
  if (!lists.has(model)) lists.set(model, listOf(model))
  const price = lists.get(model)?.(usage, length, at)
  return price === undefined ? undefined : price * fastFactor(model) * regionFactor(model)
}

/** What fast replies cost, as a multiple of the list price, which the package does not contain. */
const FAST: readonly [model: RegExp, factor: number][] = [
  [/opus-4[.-]6(?!\d)/, 6],
  [/opus-(?:4[.-]8|5)(?!\d)/, 2],
]

const fastFactor = (model: string): number =>
  termsIn(model).includes('fast') ? (FAST.find(([name]) => name.test(model))?.[1] ?? 1) : 1

/**
 * What changes the price of requests to a model and is not in their cost, in words. Undefined if there is
 * nothing.
 */
export function notPriced(model: string): string | undefined {
  const terms = termsIn(model).flatMap((term) => {
    if (term === 'fast') return FAST.some(([name]) => name.test(model)) ? [] : ['fast mode']
    if (term === 'batch') return ['batch (half the price)']
    if (term === 'priority')
      return [/(?:^|\/)gpt-/.test(model) ? 'priority tier (2 to 2.5 × the price)' : 'priority tier']
    if (term === 'flex') return ['flex tier (half the price)']
    return /^[a-z]{2}$/.test(term) ? [`data residency in ${term} (1.1 × the price)`] : []
  })
  return terms.length === 0 ? undefined : terms.join(', ')
}

/** The provider whose names have a region in front, such as `us.anthropic.…`. */
const BEDROCK = 'aws'
const BEDROCK_ID = /(?:^|\/)(?:([a-z-]+)\.)?(anthropic\.[^/]+)$/
const SAMPLE: PricedUsage = { input: 1000, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0 }
const factors = new Map<string, number>()

/**
 * What a model costs at a regional endpoint of Bedrock, as a multiple of its price without a region. That
 * price is not taken from the list of Bedrock itself, which lacks the prices of long requests.
 */
function regionFactor(model: string): number {
  let factor = factors.get(model)
  if (factor === undefined) {
    const [, region, name] = BEDROCK_ID.exec(withoutTerms(model)) ?? []
    const priceIn = (area: string) =>
      calculated({ name: `${area}.${name}`, provider: BEDROCK }, SAMPLE, new Date())
    const here = name === undefined ? undefined : priceIn(region ?? 'us')?.total_price
    const anywhere = here && priceIn('global')?.total_price
    factor = here && anywhere ? here / anywhere : 1
    factors.set(model, factor)
  }
  return factor
}

/** Models whose prices are in the package under the name of another one that costs the same. */
const SAME_PRICES: readonly [name: RegExp, other: string][] = [
  // The package has the price of long requests only for 4.5.
  [/(?:sonnet-4|4-sonnet)(?:-0|-latest|[-@]\d{8})?$/, 'sonnet-4-5'],
  [/gpt-5-codex-mini$/, 'gpt-5.1-codex-mini'],
]

/** Providers of models of several vendors, which are asked if no vendor's own list has a model. */
const HOSTS = [
  BEDROCK,
  'openrouter',
  'fireworks',
  'together',
  'groq',
  'cerebras',
  'novita',
  'baseten',
] as const

function listOf(model: string) {
  const names = namesOf(model).map((each) =>
    SAME_PRICES.reduce((name, [pattern, other]) => name.replace(pattern, other), each),
  )
  const hosted = [...new Set([...names, withoutTerms(model).split('/').slice(-2).join('/')])]
  const candidates: Listed[] = [
    ...names.map((name) => ({ name })),
    ...HOSTS.flatMap((provider) => hosted.map((name) => ({ name, provider }))),
    ...names.flatMap(withVendor),
  ]
  for (const listed of candidates) {
    const found = modelNamed(listed)
    if (found) return createPriceList(listed, found)
  }
  return undefined
}

/**
 * A model's name with its vendor, as the list of OpenRouter has it. Empty if vendors have different prices.
 */
function withVendor(name: string): Listed[] {
  const provider = 'openrouter'
  const ending = `/${name.toLowerCase()}`
  const all =
    findProvider({ providerId: provider })?.models.filter(({ id }) => id.toLowerCase().endsWith(ending)) ?? []
  const prices = new Set(all.map((each) => JSON.stringify(each.prices)))
  return prices.size === 1 ? [{ name: all[0]!.id, provider }] : []
}

const withoutTerms = (model: string): string => model.replace(/\[[^[\]]*\]$/, '')

/** The model's name, with and without its vendor or its hosting platform. */
export const namesOf = (model: string): string[] => {
  const plain = withoutTerms(model)
  const last = plain.split('/').at(-1)!
  const bare = last
    .replace(/^(?:(?:us-gov|[a-z]{2,6})\.)?anthropic\./, '')
    .replace(/(?:-v\d+)?(?::\d+)?$/, '')
    .replace(/@/, '-')
  return [...new Set([plain, last, bare])]
}

const INPUTS = ['input', 'cacheRead', 'cacheWrite', 'cacheWriteHour'] as const
const NOTHING: PricedUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0 }
const SAMPLE_TOKENS = 1000

/** A model's name in the package. Without a provider, the package finds it by the name. */
interface Listed {
  name: string
  provider?: string
}

/** Dollars per token. Undefined if a kind of tokens has no price. */
type Rates = Record<keyof PricedUsage, number | undefined>

/**
 * The price of one request, computed by the package. Undefined for an unknown model. Throws if a kind of
 * tokens has no price.
 */
function calculated(
  { name, provider }: Listed,
  { input, output, cacheRead, cacheWrite, cacheWriteHour }: PricedUsage,
  at: Date,
) {
  const counted = {
    input_tokens: input + cacheRead + cacheWrite + cacheWriteHour,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite + cacheWriteHour,
    cache_write_1h_tokens: cacheWriteHour,
    output_tokens: output,
  }
  const options = { timestamp: at, ...(provider === undefined ? {} : { providerId: provider }) }
  return calcPrice(counted, name, options) ?? undefined
}

/** The prices of a model, with their conditions. */
const pricesOf = ({ prices }: ModelInfo): ConditionalPrice[] =>
  Array.isArray(prices) ? prices : [{ prices }]

/** The times at which the price of a model changes. */
const changesOf = (model: ModelInfo): number[] =>
  pricesOf(model).flatMap(({ constraint }) =>
    constraint?.type === 'start_date' ? [Date.parse(constraint.start_date)] : [],
  )

/** The prices of one model of the package. Each rate is cached, because the package is slow. */
export function createPriceList(listed: Listed, model: ModelInfo) {
  const changes = changesOf(model)
  const known = new Map<string, Rates>()

  function priceOf(usage: PricedUsage, at: Date): number | undefined {
    try {
      return calculated(listed, usage, at)?.total_price
    } catch {
      return undefined
    }
  }

  function ratesOf(length: number, at: Date): Rates {
    const key = `${length} ${changes.filter((from) => from <= at.getTime()).length}`
    let rates = known.get(key)
    if (!rates) {
      // A request of this length whose input tokens are all of one kind.
      const tokens = length === 0 ? SAMPLE_TOKENS : LENGTH_STEPS[length - 1]! + 1
      const priceAs = (kind: (typeof INPUTS)[number], output = 0) =>
        priceOf({ ...NOTHING, [kind]: tokens, output }, at)
      const rateOf = (more: number | undefined, less: number | undefined, of: number) =>
        more === undefined || less === undefined ? undefined : (more - less) / of
      rates = {
        ...(Object.fromEntries(INPUTS.map((kind) => [kind, rateOf(priceAs(kind), 0, tokens)])) as Rates),
        output: rateOf(priceAs('input', SAMPLE_TOKENS), priceAs('input'), SAMPLE_TOKENS),
      }
      known.set(key, rates)
    }
    return rates
  }

  /** The price of all requests of one length. Undefined if a kind of their tokens has no price. */
  return (usage: PricedUsage, length: number, at: Date): number | undefined => {
    const rates = ratesOf(length, at)
    let cost = 0
    for (const kind of [...INPUTS, 'output'] as const) {
      if (usage[kind] === 0) continue
      const rate = rates[kind]
      if (rate === undefined) return undefined
      cost += usage[kind] * rate
    }
    return cost
  }
}

/** The model that the package finds. Undefined if it is unknown. */
export function modelNamed(listed: Listed): ModelInfo | undefined {
  try {
    return calculated(listed, NOTHING, new Date())?.model
  } catch {
    return undefined
  }
}
