import { type PricedUsage, termsIn } from '../model/usage.ts'
import { createPriceList, modelNamed } from './rates.ts'

const lists = new Map<string, ReturnType<typeof createPriceList> | undefined>()

/**
 * The list price of all requests of one length (see `lengthOf`) on a day, in US dollars. Undefined for a
 * model without a price. The prices are those of the installed package; nothing is fetched.
 */
export function priceOf(model: string, usage: PricedUsage, length: number, at: Date): number | undefined {
  if (!lists.has(model)) lists.set(model, listOf(model))
  const price = lists.get(model)?.(usage, length, at)
  return price === undefined ? undefined : price * fastFactor(model)
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
    if (term === 'priority') return ['priority tier']
    return /^[a-z]{2}$/.test(term) ? [`data residency in ${term} (1.1 × the price)`] : []
  })
  return terms.length === 0 ? undefined : terms.join(', ')
}

/** Sonnet 4 costs what 4.5 costs. The package has the price of long requests only for 4.5. */
const SONNET_4 = /(?:sonnet-4|4-sonnet)(?:-0|-latest|[-@]\d{8})?$/

function listOf(model: string) {
  for (const each of namesOf(model)) {
    const name = each.replace(SONNET_4, 'sonnet-4-5')
    const found = modelNamed(name)
    if (found) return createPriceList(name, found)
  }
  return undefined
}

/** The model's name, with and without its vendor or its hosting platform. */
export const namesOf = (model: string): string[] => {
  const plain = model.replace(/\[[^\]]*\]$/, '')
  const last = plain.split('/').at(-1)!
  const bare = last
    .replace(/^(?:(?:us-gov|[a-z]{2,6})\.)?anthropic\./, '')
    .replace(/(?:-v\d+)?(?::\d+)?$/, '')
    .replace(/@/, '-')
  return [...new Set([plain, last, bare])]
}
