import type { Part, Payload } from '../../../model/event.ts'
import { asArray, asNumber, asObject, asText, type JsonObject } from '../../../model/json.ts'

type Call = Part & { type: 'tool-call' }

/** The calls in a reply: `{ toolCallId, name, arguments }`. */
export const callsIn = (requests: unknown): Call[] =>
  (asArray(requests) ?? []).flatMap((each) => {
    const request = asObject(each)
    return request ? callIn({ ...request, toolName: request.name }) : []
  })

/** A call of its own: `{ toolCallId, toolName, arguments }`. Custom tools take a text. */
export function callIn({ toolCallId, toolName, arguments: given }: JsonObject): Call {
  const input = typeof given === 'string' ? { input: given } : given
  return { type: 'tool-call', callId: asText(toolCallId), name: asText(toolName) ?? 'unknown', input }
}

/** What the client adds to the output of a command. */
const ENDING = /\n?<(?:shellId: \S+ )?(?:command )?completed with exit code -?\d+>\s*$/

/** The result of a call. A command that ends with another code than 0 has `success: true`. */
export function resultIn(data: JsonObject): Payload {
  const result = asObject(data.result)
  const failure = asObject(data.error)
  const text = (asText(result?.content) ?? '').replace(ENDING, '')
  const code = asNumber(asObject(data.shellExecution)?.exitCode) ?? 0
  const hasFailed = data.success === false || failure !== undefined || code !== 0
  // `permission.completed` says what a person rejected.
  const isError = hasFailed && failure?.code !== 'rejected'
  return {
    type: 'message',
    role: 'tool',
    speaker: 'program',
    parts: [
      {
        type: 'tool-result',
        callId: asText(data.toolCallId),
        body: result?.content ?? failure?.message,
        ...(isError && {
          error: 'sure',
          errorLine: asText(failure?.message) ?? firstLine(text) ?? `exit code ${code}`,
        }),
      },
    ],
  }
}

const firstLine = (text: string): string | undefined =>
  text
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '')
