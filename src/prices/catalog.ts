import type { PricedUsage } from '../model/priced-usage.ts'
import { createPriceList, modelNamed } from './rates.ts'

const lists = new Map<string, ReturnType<typeof createPriceList> | undefined>()

/**
 * What requests of one length (see `lengthOf`) cost together at list price on a day, in US dollars; undefined for a model without a price.
 * The prices are those of the package, as of its release: nothing is fetched.
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

/** A model may be named with its vendor, or with where it ran. */
const namesOf = (model: string): string[] => {
  const plain = model.replace(/\[[^\]]*\]$/, '')
  const last = plain.split('/').at(-1)!
  const bare = last
    .replace(/^(?:[a-z]{2,6}\.)?anthropic\./, '')
    .replace(/(?:-v\d+)?(?::\d+)?$/, '')
    .replace(/@/, '-')
  return [...new Set([plain, last, bare])]
}
