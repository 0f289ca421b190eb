import type { Part, Payload } from '../../../model/event.ts'
import { asArray, asObject, asText, type JsonObject, parsedJson } from '../../../model/json.ts'
import { explainingLine } from '../../error-lines.ts'
import { answered } from '../../messages.ts'
import type { RecordedChange } from '../../platform.ts'

const objectsIn = (value: unknown): JsonObject[] => (asArray(value) ?? []).map((each) => asObject(each) ?? {})

const nameOf = (call: unknown): string | undefined => asText(asObject(asObject(call)?.function)?.name)

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

/** The id that the client gives to a command that a person typed. */
const TYPED = /^shell-\d{10,}-[a-z\d]+$/

/** What a person typed after `!`, which the client writes as if it were a call of the agent. */
export function shellCommand([call, ...others]: readonly Part[]): string | undefined {
  if (call?.type !== 'tool-call' || others.length > 0 || !TYPED.test(call.callId ?? '')) return undefined
  return asText((asObject(call.input) ?? asObject(parsedJson(call.input)))?.command)
}

/** What the client says before the failure of a tool. */
const LEAD = /^(?:Error executing tool \S+|Bash command failed): /

/** The results of the calls of a reply, which the client keeps with them. */
export const resultsIn = ({ toolCallStates }: JsonObject): Part[] =>
  objectsIn(toolCallStates).flatMap((state) => {
    const { status, toolCallId, toolCall, output } = state
    if (!ENDED.has(String(status))) return []
    const body = objectsIn(output)
      .flatMap(({ content }) => asText(content) ?? [])
      .join('\n')
    const failed = isRead(state) && (status === 'errored' || BLOCKED.test(body))
    return [
      {
        type: 'tool-result',
        callId: asText(toolCallId),
        toolName: nameOf(toolCall),
        body,
        ...(failed && { error: 'sure' as const, errorLine: explainingLine(body.replace(LEAD, '')) }),
        ...(status === 'canceled' && !failed && { denied: true }),
      },
    ]
  })

/** The tool with which the agent asks a person. */
const ASKS = 'AskQuestion'
const ANSWERED = /^User (?:answered|selected option \d+|provided custom answer): "([\s\S]*)"$/

/** What a person answered to the questions of a reply. */
export const answersIn = ({ toolCallStates }: JsonObject): Payload[] =>
  objectsIn(toolCallStates).flatMap(({ toolCall, output }) =>
    nameOf(toolCall) === ASKS
      ? objectsIn(output).flatMap(({ content }) => answered(ANSWERED.exec(asText(content) ?? '')?.[1]))
      : [],
  )

const CREATED = /^Successfully created file\b/

/** That a file which a call wrote did not exist before. */
export const recordedChanges = (entry: unknown): RecordedChange[] =>
  objectsIn(asObject(entry)?.toolCallStates).flatMap(({ toolCallId, output }) => {
    const callId = asText(toolCallId)
    const isCreated = objectsIn(output).some(({ content }) => CREATED.test(asText(content) ?? ''))
    return isCreated && callId !== undefined ? [{ callId, original: null }] : []
  })

/** A person did not see such a call. */
const BLOCKED = /^Command blocked by/

const ENDED: ReadonlySet<string> = new Set(['done', 'errored', 'canceled'])

/** Whether the words of a result are read. */
export const isRead = ({ status, toolCall }: JsonObject): boolean =>
  status === 'errored' || status === 'canceled' || nameOf(toolCall) === ASKS
