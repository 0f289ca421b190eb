import type { Part, Payload } from '../../../model/event.ts'
import { asNumber, asObject, asText, type JsonObject } from '../../../model/json.ts'

const REJECTED = /^The user rejected permission to use this specific tool call\b/
/** What a person said when they rejected a call. */
const FEEDBACK = /\bwith the following feedback: ([\s\S]+)$/

/** A tool call with its result, and what a person said when they rejected it. */
export function toolParts(part: JsonObject): { parts: Part[]; words?: string } {
  const callId = asText(part.callID)
  const name = asText(part.tool) ?? 'unknown'
  const state = asObject(part.state) ?? {}
  const call: Part = { type: 'tool-call', callId, name, input: state.input }
  if (state.status !== 'completed' && state.status !== 'error') return { parts: [call] }
  const failure = asText(state.error)
  const body = failure ?? state.output
  const denied = failure !== undefined && REJECTED.test(failure)
  const exit = asNumber(asObject(state.metadata)?.exit) ?? 0
  const failed = !denied && (state.status === 'error' || exit !== 0)
  const line = firstLine(asText(body) ?? '') ?? (exit === 0 ? undefined : `exit code ${exit}`)
  const result: Part = {
    type: 'tool-result',
    callId,
    toolName: name,
    body,
    ...(failed && { error: 'sure' as const, errorLine: line }),
    ...(denied && { denied: true }),
  }
  const words = denied ? FEEDBACK.exec(failure)?.[1]?.trim() : undefined
  return { parts: [call, result], ...(words && { words }) }
}

const firstLine = (text: string): string | undefined =>
  text
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '')

/** A comment of a person in the middle of a turn. */
export const comment = (text: string): Payload => ({
  type: 'message',
  role: 'user',
  speaker: 'human',
  parts: [{ type: 'text', text }],
  label: 'answer',
})
