import { wordSet } from '../../../model/iteration.ts'
import { asObject, asText, type JsonObject } from '../../../model/json.ts'

/** Names of APIs. Imported records have them in the place of the provider. */
const APIS = wordSet(
  `anthropic-messages openai-responses openai-completions google-generative-ai
  bedrock-converse-stream openclaw-transcript`,
)

/** Whether a reply is a copy for a channel. */
export function isMirror(message: JsonObject): boolean {
  const model = asText(message.model)
  const provider = asText(message.provider)
  const own = provider === 'openclaw' || provider === 'clawdbot'
  return (
    model === 'delivery-mirror' ||
    model === 'gateway-injected' ||
    asObject(message.openclawDeliveryMirror) !== undefined ||
    (own && model === undefined) ||
    (message.api === 'openclaw-transcript' && (provider === undefined || own || APIS.has(provider)))
  )
}
