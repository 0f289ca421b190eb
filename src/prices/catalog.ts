import type { PricedUsage } from '../model/priced-usage.ts'
import { createPriceList, modelNamed } from './rates.ts'

const lists = new Map<string, ReturnType<typeof createPriceList> | undefined>()

/**
 * The list price of all requests of one length (see `lengthOf`) on a day, in US dollars. Undefined for a
 * model without a price. The prices are those of the installed package; nothing is fetched.
 */
export function priceOf(model: string, usage: PricedUsage, length: number, at: Date): number | undefined {
  if (!lists.has(model)) lists.set(model, listOf(model))
  return lists.get(model)?.(usage, length, at)
}

function listOf(model: string) {
  for (const name of namesOf(model)) {
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
    .replace(/^(?:[a-z]{2,6}\.)?anthropic\./, '')
    .replace(/(?:-v\d+)?(?::\d+)?$/, '')
    .replace(/@/, '-')
  return [...new Set([plain, last, bare])]
}
