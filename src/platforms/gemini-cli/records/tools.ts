import type { Part, Payload } from '../../../model/event.ts'
import { asArray, asObject, asText, type JsonObject } from '../../../model/json.ts'
import type { Spawn } from '../../../model/subagent-run.ts'

/** Each call and each result is a draft of its own, because a later record of the same reply adds some. */
export function toolDrafts({ toolCalls }: JsonObject, messageId: string | undefined): Payload[] {
  return (asArray(toolCalls) ?? []).flatMap((each): Payload[] => {
    const call = asObject(each)
    const name = asText(call?.name) ?? 'unknown'
    const callId = asText(call?.id)
    const made: Part = { type: 'tool-call', callId, name, input: call?.args }
    return [
      { type: 'message', role: 'assistant', speaker: 'agent', parts: [made], messageId },
      { type: 'message', role: 'tool', speaker: 'program', parts: [resultOf(call ?? {}, name, callId)] },
    ]
  })
}

/** How a command ended is in its output. */
const EXIT = /^Exit Code: (-?\d+)$/m

function resultOf({ status, result }: JsonObject, name: string, callId: string | undefined): Part {
  const response = asObject(asObject(asObject(asArray(result)?.[0])?.functionResponse)?.response)
  const body = asText(response?.error) ?? asText(response?.output) ?? ''
  const denied = status === 'cancelled'
  const failed = !denied && (status === 'error' || (EXIT.exec(body)?.[1] ?? '0') !== '0')
  return {
    type: 'tool-result',
    callId,
    toolName: name,
    body,
    ...(failed && { error: 'sure' as const, errorLine: firstLine(body) }),
    ...(denied && { denied: true }),
  }
}

/** The first line of what a command printed, without the tag around it. */
const firstLine = (text: string): string | undefined =>
  text
    .replace(/^<untrusted_context>\nOutput: /, '')
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '')

/** A line without this starts no subagent. */
export const SPAWN_WORDS = ['"agentId"'] as const

/** Calls that started a subagent, with the id of its session. */
export function spawns(value: unknown): Spawn[] {
  return (asArray(asObject(value)?.toolCalls) ?? []).flatMap((each) => {
    const call = asObject(each)
    const child = asText(call?.agentId)
    if (child === undefined) return []
    return [{ callId: asText(call?.id), child, prompt: asText(asObject(call?.args)?.prompt) }]
  })
}
