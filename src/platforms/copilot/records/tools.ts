import type { Part, Payload } from '../../../model/event.ts'
import { asArray, asNumber, asObject, asText, type JsonObject } from '../../../model/json.ts'
import { explainingLine } from '../../error-lines.ts'
import { returned } from '../../messages.ts'
import type { RecordedChange } from '../../platform.ts'

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
  const denied = isRejection(failure)
  const isError = hasFailed(data) && !denied
  return returned([
    {
      type: 'tool-result',
      callId: asText(data.toolCallId),
      body: result?.content ?? failure?.message,
      ...(isError && {
        error: 'sure',
        errorLine: explainingLine(asText(failure?.message) ?? text) ?? `exit code ${codeOf(data)}`,
      }),
      ...(denied && { denied }),
    },
  ])
}

const FEEDBACK = /^The user rejected this tool call\.\s+User feedback: (.+)/s

/** The words with which a person refused a call, as its result has them. */
export const feedbackIn = ({ error }: JsonObject): string | undefined =>
  FEEDBACK.exec(asText(asObject(error)?.message) ?? '')?.[1]

/** What rules deny has the same code as what a person denies, and other words. */
const isRejection = (failure: JsonObject | undefined): boolean =>
  failure?.code === 'rejected' ||
  (failure?.code === 'denied' && asText(failure.message)?.startsWith('The user rejected') === true)

/** Whether a call failed, or a person rejected it. */
export const hasFailed = (data: JsonObject): boolean =>
  data.success === false || asObject(data.error) !== undefined || codeOf(data) !== 0

const codeOf = ({ shellExecution }: JsonObject): number => asNumber(asObject(shellExecution)?.exitCode) ?? 0

/** Whether a call made the file that it wrote, which the result says, and a diff for the terminal. */
export function recordedChanges(entry: unknown): RecordedChange[] {
  const data = asObject(asObject(entry)?.data)
  const callId = asText(data?.toolCallId)
  const edits = asArray(data?.fileEdits) ?? []
  const diff = asText(asObject(data?.result)?.detailedContent)
  const isNew =
    edits.length === 1
      ? asObject(edits[0])?.kind === 'create'
      : edits.length === 0 && diff !== undefined && NEW.test(diff)
  return isNew && callId !== undefined ? [{ callId, original: null }] : []
}

/** A diff of one file that did not exist. */
const NEW = /^\s*diff --git [^\n]*\ncreate file mode (?![\s\S]*\ndiff --git )/
