import type { Part } from '../../../model/event.ts'
import { asObject, asText, type JsonObject } from '../../../model/json.ts'
import type { Spawn } from '../../../model/subagent-run.ts'
import { explainingLine } from '../../error-lines.ts'
import { textOf } from '../../result-text.ts'

export const callOf = ({ toolCallId, name, args }: JsonObject): Part => ({
  type: 'tool-call',
  callId: asText(toolCallId),
  name: asText(name) ?? 'unknown',
  input: args,
})

/** What the client tells the agent when a person rejects a call. */
const REJECTED = /^Tool "[^"]*" was not run because (?:the user rejected|the approval request was cancelled)/

export function resultOf({ toolCallId, result }: JsonObject): Part {
  const { output, isError } = asObject(result) ?? {}
  const body = textOf(output)
  const denied = isError === true && REJECTED.test(body)
  const failed = isError === true && !denied
  return {
    type: 'tool-result',
    callId: asText(toolCallId),
    body,
    ...(failed && { error: 'sure' as const, errorLine: explainingLine(body) }),
    ...(denied && { denied: true }),
  }
}

/** Whether a result is read: its words are, if it is an error. */
export const isRead = (event: JsonObject | undefined): boolean => asObject(event?.result)?.isError === true

/** A line without this starts no subagent. */
export const SPAWN_WORDS = ['"tool.call"'] as const

/** Calls that start a subagent. */
export function spawns(value: unknown): Spawn[] {
  const event = asObject(asObject(value)?.event)
  if (event?.type !== 'tool.call' || event.name !== 'Agent') return []
  return [{ callId: asText(event.toolCallId), prompt: asText(asObject(event.args)?.prompt) }]
}
