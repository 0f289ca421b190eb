import type { Envelope } from '../model/delivery.ts'
import { asArray, asNumber, asObject, asText, type JsonObject } from '../model/json.ts'
import { identityOf } from '../platforms/identities.ts'

export type Attributes = Record<string, string | number | boolean | string[]>

/** Providers that OpenClaw and the conventions name differently. */
const PROVIDERS: Record<string, string> = {
  google: 'gcp.gemini',
  'google-gemini-cli': 'gcp.gemini',
  'google-vertex': 'gcp.vertex_ai',
  'amazon-bedrock': 'aws.bedrock',
  'azure-openai-responses': 'azure.ai.openai',
  'openai-codex': 'openai',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  xai: 'x_ai',
}
/** Models that do not exist: messages that the client itself wrote. */
const NO_MODEL = new Set(['<synthetic>', 'delivery-mirror', 'gateway-injected'])
const CALL = /^(?:tool_use|tooluse|tool_call|toolcall)$/i
const RESULT = /^(?:tool_result|toolresult)$/i

/**
 * The attributes of the conventions for generative AI that the record itself contains. Nothing is guessed
 * from its neighbors.
 */
export function generativeAttributes({ platform, kind, session, agent, raw }: Envelope): Attributes {
  const attributes: Attributes = { 'gen_ai.agent.name': agent }
  if (session !== null) attributes['gen_ai.conversation.id'] = session
  const entry = kind === 'transcript' ? asObject(raw) : undefined
  const message = asObject(entry?.message)
  if (!entry || !message) return attributes
  const role = asText(message.role) ?? asText(entry.type)
  const blocks = (asArray(message.content) ?? []).map(asObject).filter((block) => block !== undefined)
  if (role === 'assistant') Object.assign(attributes, replyAttributes(message, platform))
  Object.assign(attributes, toolAttributes(role, message, blocks))
  return attributes
}

function replyAttributes(message: JsonObject, platform: Envelope['platform']): Attributes {
  const model = asText(message.model)
  if (model === undefined || NO_MODEL.has(model)) return {}
  const provider = asText(message.provider)
  const found: Record<string, string | number | string[] | undefined> = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.response.id': asText(message.responseId) ?? asText(message.id),
    ...usageAttributes(asObject(message.usage)),
  }
  const only = identityOf(platform).provider
  if (only !== undefined) {
    found['gen_ai.provider.name'] = only
    found['gen_ai.response.model'] = model
  } else {
    found['gen_ai.provider.name'] = provider && (PROVIDERS[provider] ?? provider)
    found['gen_ai.request.model'] = model
    found['gen_ai.response.model'] = asText(message.responseModel)
  }
  // The attribute's name until version 1.36 of the conventions.
  found['gen_ai.system'] = found['gen_ai.provider.name']
  const reason = asText(message.stop_reason) ?? asText(message.stopReason)
  if (reason !== undefined) found['gen_ai.response.finish_reasons'] = [reason]
  return defined(found)
}

/** Input tokens include cached ones. The platforms count those separately. */
function usageAttributes(usage: JsonObject | undefined): Record<string, number | undefined> {
  const tokens = (...names: string[]): number | undefined =>
    names.map((name) => asNumber(usage?.[name])).find((count) => Number.isSafeInteger(count) && count! >= 0)
  const input = tokens('input_tokens', 'input', 'inputTokens')
  const read = tokens('cache_read_input_tokens', 'cacheRead', 'cacheReadInputTokens')
  const created = tokens('cache_creation_input_tokens', 'cacheWrite', 'cacheCreationInputTokens')
  return {
    'gen_ai.usage.input_tokens': input === undefined ? undefined : input + (read ?? 0) + (created ?? 0),
    'gen_ai.usage.output_tokens': tokens('output_tokens', 'output', 'outputTokens'),
    'gen_ai.usage.cache_read.input_tokens': read,
    'gen_ai.usage.cache_creation.input_tokens': created,
  }
}

/** Attributes of a tool call. None if the record contains calls of several tools. */
function toolAttributes(
  role: string | undefined,
  message: JsonObject,
  blocks: readonly JsonObject[],
): Attributes {
  const calls = blocks.filter(({ type }) => CALL.test(String(type)))
  if (calls.length === 1)
    return defined({
      'gen_ai.tool.name': asText(calls[0]!.name),
      'gen_ai.tool.call.id': asText(calls[0]!.id),
    })
  const results = blocks.filter(({ type }) => RESULT.test(String(type)))
  if (role !== 'toolResult' && results.length !== 1) return {}
  return defined({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': asText(message.toolName),
    'gen_ai.tool.call.id': asText(message.toolCallId) ?? asText(results[0]?.tool_use_id),
  })
}

const defined = (found: Record<string, string | number | string[] | undefined>): Attributes =>
  Object.fromEntries(Object.entries(found).filter((pair): pair is [string, string] => pair[1] !== undefined))
