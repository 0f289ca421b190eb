import type { Part } from '../../../model/event.ts'
import { asObject, asText, type JsonObject } from '../../../model/json.ts'
import { runStatus, type Spawn } from '../../../model/subagent-run.ts'
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

/** A line without any of these starts no subagent and ends none. */
export const SPAWN_WORDS = ['"tool.call"', 'agent_id: ', '"isError":true'] as const

/** The first lines of a subagent's report. */
const REPORT = /^agent_id: .+\n(?:[a-z_]+: .*\n)*?status: (\w+)/

/** Calls that start a subagent, and results that say how it ended. */
export function spawns(value: unknown): Spawn[] {
  const event = asObject(asObject(value)?.event)
  const callId = asText(event?.toolCallId)
  if (event?.type === 'tool.call' && event.name === 'Agent')
    return [{ callId, prompt: asText(asObject(event.args)?.prompt) }]
  if (event?.type !== 'tool.result') return []
  const { output, isError } = asObject(event.result) ?? {}
  const status = isError === true ? 'error' : REPORT.exec(textOf(output))?.[1]
  return status === undefined ? [] : [{ callId, status: runStatus(status) }]
}
