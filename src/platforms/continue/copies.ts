import { asCount, asObject, type JsonObject } from '../../model/json.ts'

/** Tokens as the total of a session counts them. */
interface Counts {
  prompt: number
  completion: number
  cached: number
  written: number
}

const sumOf = (counts: readonly Counts[]): Counts =>
  counts.reduce(
    (sum, each) => ({
      prompt: sum.prompt + each.prompt,
      completion: sum.completion + each.completion,
      cached: sum.cached + each.cached,
      written: sum.written + each.written,
    }),
    { prompt: 0, completion: 0, cached: 0, written: 0 },
  )

const count = (counts: JsonObject | undefined, name: string): number => asCount(counts?.[name]) ?? 0

/** What the total of a session has of a reply: of the cache only what was stated apart. */
function countedOf(entry: unknown): Counts {
  const usage = asObject(asObject(asObject(entry)?.message)?.usage)
  const details = asObject(usage?.prompt_tokens_details)
  return {
    prompt: count(usage, 'prompt_tokens'),
    completion: count(usage, 'completion_tokens'),
    cached: count(details, 'cache_read_tokens'),
    written: count(details, 'cache_write_tokens'),
  }
}

/**
 * How many entries of a history are copies, and the usage of requests that have no reply in it: of a
 * compaction, and of what one removed. `total` is that of the session, which a fork begins anew, so that what
 * exceeds it was used before. Without a total, nothing is known.
 */
export function ownUsage(
  history: readonly unknown[],
  total: JsonObject | undefined,
): { copied: number; further?: JsonObject } {
  const details = asObject(total?.promptTokensDetails)
  const stated = {
    prompt: count(total, 'promptTokens'),
    completion: count(total, 'completionTokens'),
    cached: count(details, 'cachedTokens'),
    written: count(details, 'cacheWriteTokens'),
  }
  if (!total || stated.prompt + stated.completion === 0) return { copied: 0 }
  const counted = history.map(countedOf)
  let copied = 0
  let own = sumOf(counted)
  while (copied < history.length && (own.prompt > stated.prompt || own.completion > stated.completion))
    own = sumOf(counted.slice(++copied))
  const further = {
    prompt_tokens: stated.prompt - own.prompt,
    completion_tokens: stated.completion - own.completion,
    prompt_tokens_details: {
      cache_read_tokens: Math.max(0, stated.cached - own.cached),
      cache_write_tokens: Math.max(0, stated.written - own.written),
    },
  }
  const isNothing = further.prompt_tokens + further.completion_tokens === 0
  return { copied, ...(!isNothing && { further }) }
}
