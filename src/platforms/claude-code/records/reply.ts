import { type Payload, type ReplyUsage, stopReasonOf, type Usage } from '../../../model/event.ts'
import { asArray, asCount, asObject, asText, type JsonObject } from '../../../model/json.ts'
import { lengthOf, NO_TOKENS, WEB_SEARCH, withTerms } from '../../../model/usage.ts'
import { failed, skipped, spoken } from '../../messages.ts'
import { blocksOf, replyPart } from './blocks.ts'

const SYNTHETIC = '<synthetic>'
/** Placeholder texts that the client writes for an empty reply. */
const CANNED = /^(?:No response requested\.|\(no content\))$/
/** Texts that the client writes for a failed reply. Early versions did not mark the line. */
const FAILED =
  /^(?:API Error\b|Prompt is too long$|Invalid API key\b|Credit balance is too low|Claude AI usage limit reached|Request timed out$|OAuth token has expired|Please run \/login\b)/
const INTERRUPTED = /^\[Request interrupted by user[^\]\n]{0,200}\]$/

/** Some proxies give all replies the same message id, a word. */
const isUnique = (id: string): boolean => /\d/.test(id)

/** The payloads of an `assistant` line, which usually contains one block of a reply. */
export function assistantPayloads(entry: JsonObject): Payload[] {
  const message = asObject(entry.message)
  if (!message) return [{ type: 'unknown', name: 'assistant' }]
  const parts = blocksOf(message).flatMap((block) => replyPart(block) ?? [])
  const synthetic = message.model === SYNTHETIC
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const matches = (pattern: RegExp): boolean =>
    synthetic && texts.length === parts.length && texts.every((text) => pattern.test(text.trim()))
  if (entry.isApiErrorMessage === true) return [failed(texts.join('\n') || undefined)]
  if (matches(CANNED)) return [skipped('assistant:synthetic')]
  if (matches(FAILED)) return [failed(texts.join('\n'))]
  if (matches(INTERRUPTED)) return [{ type: 'marker', marker: 'interruption', byHuman: true }]
  const requestId = asText(entry.requestId)
  const messageId = asText(message.id) ?? requestId
  const model = synthetic ? undefined : asText(message.model)
  const { usage, others } = synthetic
    ? { others: [] }
    : billed(message.usage, { model, cost: entry.costUSD, reply: messageId && `${messageId} ${requestId}` })
  return [
    spoken(parts, {
      messageId,
      requestId,
      ...(messageId !== undefined && !isUnique(messageId) ? { isReused: true } : {}),
      // The beginning of an interrupted reply is stored under a synthetic model name.
      model,
      usage,
      stopReason: stopReasonOf(message.stop_reason),
      label: entry.isSidechain === true ? 'subagent' : undefined,
    }),
    ...others,
  ]
}

interface Facts {
  model: string | undefined
  /** In US dollars, as early versions recorded it. */
  cost: unknown
  /** Identifies the reply among those of all sessions. */
  reply: string | undefined
}

/**
 * What one line of a reply was billed for: its own usage, and records for what other models, further requests
 * and web searches add to it. Every line of the reply repeats them.
 */
export function billed(value: unknown, facts: Facts): { usage?: ReplyUsage; others: Payload[] } {
  const usage = asObject(value)
  if (!usage) return { others: [] }
  const { model } = facts
  const terms = termsOf(usage)
  const whole = tokensOf(usage)
  const cost = asCount(facts.cost) ?? 0
  const requests = (asArray(usage.iterations) ?? []).flatMap((each): JsonObject[] => {
    const request = asObject(each)
    return request ? [request] : []
  })
  const foreign = requests.filter((each) => (asText(each.model) ?? model) !== model)
  const own = ownRequests(whole, requests, foreign)
  const others: ReplyUsage[] = foreign.map((each) => ({
    ...tokensOf(each),
    model: withTerms(asText(each.model)!, terms),
  }))
  const [first = whole, ...further] = own
  const named = model === undefined ? undefined : withTerms(model, terms)
  for (const each of further) others.push({ ...each, ...(named === undefined ? {} : { model: named }) })
  const searches = asCount(asObject(usage.server_tool_use)?.web_search_requests) ?? 0
  const used: ReplyUsage = {
    ...first,
    // Subscriptions are recorded with a cost of 0.
    ...(cost > 0 ? { cost } : {}),
    ...(named === model ? {} : { model: named }),
  }
  return {
    usage: used,
    others: facts.reply === undefined ? [] : records(facts.reply, others, searches),
  }
}

/**
 * The requests to the reply's own model, as far as they have to be priced apart. The figures of the reply
 * include those of other models in some cases only.
 */
function ownRequests(whole: Usage, requests: readonly JsonObject[], foreign: readonly JsonObject[]): Usage[] {
  if (requests.length < 2) return [whole]
  const parts = requests.filter((each) => !foreign.includes(each)).map(tokensOf)
  if (parts.length === 0) return [whole]
  const own = parts.reduce(sum)
  const everything = foreign.map(tokensOf).reduce(sum, own)
  const includesForeign = whole.output >= everything.output && whole.input >= everything.input
  const mine = includesForeign && foreign.length > 0 ? own : larger(whole, own)
  const isLonger = parts.every((each) => lengthOf(inputOf(each)) < lengthOf(inputOf(mine)))
  return isLonger && mine.output === own.output ? parts : [mine]
}

/** Other models, requests and searches as records of their own. */
function records(reply: string, others: readonly ReplyUsage[], searches: number): Payload[] {
  const payloads: Payload[] = others.map(({ model, ...usage }, index) => ({
    type: 'usage',
    key: `${reply}#${index + 1}`,
    ...(model === undefined ? {} : { model }),
    usage,
  }))
  for (let search = 1; search <= Math.min(searches, MOST_SEARCHES); search++)
    payloads.push({ type: 'usage', key: `${reply}#search ${search}`, model: WEB_SEARCH, usage: NO_TOKENS })
  return payloads
}

/** A record that states more is damaged. */
const MOST_SEARCHES = 100

function tokensOf(usage: JsonObject): Usage {
  const written = asObject(usage.cache_creation)
  const hour = asCount(written?.ephemeral_1h_input_tokens)
  const minutes = asCount(written?.ephemeral_5m_input_tokens) ?? 0
  return {
    input: asCount(usage.input_tokens) ?? 0,
    output: asCount(usage.output_tokens) ?? 0,
    cacheRead: asCount(usage.cache_read_input_tokens) ?? 0,
    cacheWrite: asCount(usage.cache_creation_input_tokens) ?? minutes + (hour ?? 0),
    ...(hour ? { cacheWriteHour: hour } : {}),
  }
}

/** What changes the price of the tokens: speed, place and tier, unless they are the usual ones. */
function termsOf({ speed, inference_geo: place, service_tier: tier }: JsonObject): string[] {
  const terms: string[] = []
  if (speed === 'fast') terms.push('fast')
  const residence = asText(place)
  if (residence && !ANYWHERE.has(residence) && /^[a-z]{2,12}$/.test(residence)) terms.push(residence)
  if (tier === 'batch' || tier === 'priority') terms.push(tier)
  return terms
}

const ANYWHERE: ReadonlySet<string> = new Set(['global', 'not_available'])

const inputOf = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite

const combined =
  (join: (one: number, other: number) => number) =>
  (one: Usage, other: Usage): Usage => {
    const hour = join(one.cacheWriteHour ?? 0, other.cacheWriteHour ?? 0)
    return {
      input: join(one.input, other.input),
      output: join(one.output, other.output),
      cacheRead: join(one.cacheRead, other.cacheRead),
      cacheWrite: join(one.cacheWrite, other.cacheWrite),
      ...(hour > 0 ? { cacheWriteHour: hour } : {}),
    }
  }

const sum = combined((one, other) => one + other)
const larger = combined(Math.max)
