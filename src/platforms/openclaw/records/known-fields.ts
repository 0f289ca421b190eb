import type { KnownFields } from '../../platform.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** The known fields and types of OpenClaw's records up to 2026.9.6. `doctor --drift` reports any others. */
export const knownFields: KnownFields = {
  record: words(
    `__openclaw agentId appendMode appendParentId branchedFrom content customType cwd data details display event
    firstKeptEntryId firstKeptEntryIndex fromHook fromId id label message model modelId name parent parentId
    parentSession provider reason role runId sessionKey source summary targetId thinkingLevel timestamp title
    titleSource tokensAfter tokensBefore ts type updatedAt v version`,
  ),
  message: words(
    `__openclaw api cancelled command content customType details diagnostics display errorBody errorCode errorMessage
    excludeFromContext exitCode fromId fullOutputPath idempotencyKey isError label MediaPath MediaPaths model
    openclawDisplayContent output provenance provider responseId responseModel role stopReason summary targetId
    timestamp tokensBefore toolCallId toolName truncated usage`,
  ),
  part: words(
    `audio file image input_text output_text redacted_thinking text thinking tool_result tool_use toolCall toolResult`,
  ),
}
