import type { Usage } from '../../../model/event.ts'
import { asCount, asText, type JsonObject } from '../../../model/json.ts'

interface Counts {
  prompt: number
  cached: number
  candidates: number
  thoughts: number
  total: number
}

/** `prompt` includes the cache. `candidates` includes the thoughts, unless the total says otherwise. */
function usageFrom({ prompt, cached, candidates, thoughts, total }: Counts): Usage | undefined {
  if (prompt + candidates + thoughts === 0) return undefined
  const isApart = thoughts > 0 && total === prompt + candidates + thoughts
  return {
    input: Math.max(0, prompt - cached),
    output: isApart ? candidates + thoughts : candidates,
    cacheRead: Math.min(prompt, cached),
    cacheWrite: 0,
    ...(thoughts > 0 && { reasoning: thoughts }),
  }
}

const countIn = (counts: JsonObject, name: string): number => asCount(counts[name]) ?? 0

/** The usage in the record of a reply. */
export const usageOf = (counts: JsonObject | undefined): Usage | undefined =>
  counts &&
  usageFrom({
    prompt: countIn(counts, 'promptTokenCount'),
    cached: countIn(counts, 'cachedContentTokenCount'),
    candidates: countIn(counts, 'candidatesTokenCount'),
    thoughts: countIn(counts, 'thoughtsTokenCount'),
    total: countIn(counts, 'totalTokenCount'),
  })

/** Agents of the client itself, which have no file of their own. */
const OWN_AGENT = /^managed-/

/** The usage of a request. Undefined for that of a subagent, whose file has it. */
export function requestOf(event: JsonObject): Usage | undefined {
  const agent = asText(event.subagent_name)
  if (agent !== undefined && !OWN_AGENT.test(agent)) return undefined
  return usageFrom({
    prompt: countIn(event, 'input_token_count'),
    cached: countIn(event, 'cached_content_token_count'),
    candidates: countIn(event, 'output_token_count'),
    thoughts: countIn(event, 'thoughts_token_count'),
    total: countIn(event, 'total_token_count'),
  })
}
