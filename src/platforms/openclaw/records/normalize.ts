import type { Artifact } from '../../../model/artifact.ts'
import type { Draft, Payload } from '../../../model/event.ts'
import { wordSet } from '../../../model/iteration.ts'
import { asObject, asText, type JsonObject, valueAt } from '../../../model/json.ts'
import type { Dialect } from '../../pi-records/dialect.ts'
import { normalizeRecord, parentOf } from '../../pi-records/normalize.ts'
import type { KnownFields } from '../../platform.ts'
import { agentWords } from '../words/agent-words.ts'
import { userMessage, userPayloads } from './prompts.ts'

/** OpenClaw wraps prompts, marks what a channel does not get, and repeats replies for channels. */
const dialect: Dialect = {
  form: 4,
  header: (entry) => ({ type: 'session', sessionId: asText(entry.id), parentSession: parentOf(entry) }),
  prompts: userPayloads,
  typed: (command, _, artifact) =>
    userMessage({ speaker: 'human', text: `! ${command}`, media: [] }, artifact),
  wordsOf: agentWords,
  isMirror,
}

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

/** Normalizes one record of OpenClaw. */
export function normalize(value: unknown, artifact: Artifact): Draft[] {
  const drafts = normalizeRecord(value, artifact, dialect)
  // A prompt in a database that was accepted but not sent yet.
  if (asObject(value)?.pendingInput === true)
    for (const { payload } of drafts) if (payload.type === 'message') payload.label ??= 'waiting'
  return isAborted(value) ? [...drafts, { ...drafts[0], payload: INTERRUPTED }] : drafts
}

const INTERRUPTED: Payload = { type: 'marker', marker: 'interruption' }

/** Whether a person stopped a reply, of which the gateway stores the words so far as a finished one. */
const isAborted = (value: unknown): boolean =>
  asObject(valueAt(value, 'message.openclawAbort'))?.aborted === true

/** The known fields and types of OpenClaw's records up to 2026.9.6. `doctor --drift` reports any others. */
export const knownFields = (): KnownFields => ({
  record: wordSet(
    `__openclaw agentId appendMode appendParentId branchedFrom content customType cwd data details display event
    firstKeptEntryId firstKeptEntryIndex fromHook fromId id label message model modelId name parent parentId
    parentSession provider reason role runId sessionKey source summary targetId thinkingLevel timestamp title
    titleSource tokensAfter tokensBefore ts type updatedAt v version`,
  ),
  message: wordSet(
    `__openclaw api cancelled command content customType details diagnostics display errorBody errorCode errorMessage
    excludeFromContext exitCode fromId fullOutputPath idempotencyKey isError label MediaPath MediaPaths model
    openclawAbort openclawDisplayContent output provenance provider responseId responseModel role stopReason summary targetId
    timestamp tokensBefore toolCallId toolName truncated usage`,
  ),
  part: wordSet(
    `audio file image input_text output_text redacted_thinking text thinking tool_result tool_use toolCall toolResult`,
  ),
})
