import type { Part, Payload } from '../../../model/event.ts'
import { asText, type JsonObject } from '../../../model/json.ts'
import { blocksOf, callIdOf, textOf } from './entry.ts'
import { toolError } from './tool-errors.ts'

/** Parses a tool result, from a record of its own or a block in another. Only failures matter. */
export function toolResult(result: JsonObject): Part & { type: 'tool-result' } {
  const toolName = asText(result.toolName) ?? asText(result.tool_name) ?? asText(result.name)
  const callId = callIdOf(result)
  const body = result.content ?? result.output ?? result.result
  return {
    type: 'tool-result',
    ...(callId ? { callId } : {}),
    ...(toolName ? { toolName } : {}),
    ...toolError(result, toolName, textOf(body)),
    body,
  }
}

export function toolPayload(result: JsonObject): Payload {
  const part = toolResult(result)
  const pictures = blocksOf(part.body).flatMap((block) =>
    block.kind === 'other' && block.part.type !== 'thinking' ? [block.part] : [],
  )
  return { type: 'message', role: 'tool', speaker: 'program', parts: [part, ...pictures] }
}
