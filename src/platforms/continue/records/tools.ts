import type { Part } from '../../../model/event.ts'
import { asArray, asObject, asText, type JsonObject } from '../../../model/json.ts'

const objectsIn = (value: unknown): JsonObject[] => (asArray(value) ?? []).map((each) => asObject(each) ?? {})

/** The calls of a reply, as their states have them, or as the model made them. */
export function callsIn({ toolCallStates }: JsonObject, { toolCalls }: JsonObject): Part[] {
  const states = objectsIn(toolCallStates)
  const calls =
    states.length > 0 ? states.map(({ toolCall }) => asObject(toolCall) ?? {}) : objectsIn(toolCalls)
  return calls.map((call, index) => {
    const made = asObject(call.function)
    return {
      type: 'tool-call',
      callId: asText(states[index]?.toolCallId) ?? asText(call.id),
      name: asText(made?.name) ?? 'unknown',
      input: states[index]?.parsedArgs ?? made?.arguments,
    }
  })
}

/** What the client says before the failure of a tool. */
const LEAD = /^Error executing tool \S+: /

/** The results of the calls of a reply, which the client keeps with them. */
export const resultsIn = ({ toolCallStates }: JsonObject): Part[] =>
  objectsIn(toolCallStates).flatMap((state) => {
    const { status, toolCallId, toolCall, output } = state
    if (!ENDED.has(String(status))) return []
    const body = objectsIn(output)
      .flatMap(({ content }) => asText(content) ?? [])
      .join('\n')
    const failed = isRead(state) && (status === 'errored' || BLOCKED.test(body))
    const lines = body
      .replace(LEAD, '')
      .split('\n')
      .map((line) => line.trim())
    return [
      {
        type: 'tool-result',
        callId: asText(toolCallId),
        toolName: asText(asObject(asObject(toolCall)?.function)?.name),
        body,
        ...(failed && { error: 'sure' as const, errorLine: lines.find((line) => line !== '') }),
        ...(status === 'canceled' && !failed && { denied: true }),
      },
    ]
  })

/** A person did not see such a call. */
const BLOCKED = /^Command blocked by/

const ENDED: ReadonlySet<string> = new Set(['done', 'errored', 'canceled'])

/** Whether the words of a result are read. */
export const isRead = ({ status }: JsonObject): boolean => status === 'errored' || status === 'canceled'
