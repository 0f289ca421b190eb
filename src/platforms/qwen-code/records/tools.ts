import type { Part, Payload } from '../../../model/event.ts'
import { asArray, asNumber, asObject, asText, type JsonObject } from '../../../model/json.ts'
import type { Spawn } from '../../../model/subagent-run.ts'
import { answered } from '../../messages.ts'
import type { RecordedChange } from '../../platform.ts'
import { failureLine, SHELL, wasStopped } from '../../result-text.ts'

/** How a command ended is in its output, where an older version calls every call a success. */
const EXITS = /^Exit Code: (-?\d+)$/gm

const failsByText = (name: unknown, text: string): boolean =>
  wasStopped(name, text) ||
  (name === SHELL && !['0', undefined].includes([...text.matchAll(EXITS)].at(-1)?.[1]))

/** A result. `state`: what the record says of the call. */
export function resultOf({ id, name, response }: JsonObject, state: JsonObject): Part {
  const answer = asObject(response)
  const failure = asText(answer?.error)
  const body = failure ?? asText(answer?.output) ?? ''
  const isCancelled = state.status === 'cancelled'
  const denied = isCancelled && !isInterrupted(state, body)
  const code = asNumber(asObject(state.resultDisplay)?.exitCode) ?? 0
  const failed =
    !isCancelled &&
    (state.status === 'error' || failure !== undefined || code !== 0 || failsByText(name, body))
  return {
    type: 'tool-result',
    callId: asText(id),
    toolName: asText(name),
    body,
    ...(failed && { error: 'sure' as const, errorLine: failureLine(body) }),
    ...(denied && { denied: true }),
  }
}

/** What a person answered to questions of the agent. */
export const answersIn = ({ resultDisplay }: JsonObject): Payload[] =>
  answered((asArray(asObject(resultDisplay)?.answers) ?? []).map((each) => asObject(each)?.answer))

/** What the client says of a call that was stopped or never begun because the turn ended. */
const STOPPED = /\[Operation Cancelled\] Reason: (?:Tool call cancelled|The tool had already)/

/** Whether a call that did not end was interrupted: nobody refused it. */
export const isInterrupted = ({ status, executionStatus }: JsonObject, body: string): boolean =>
  status === 'cancelled' && (executionStatus === 'cancelled' || STOPPED.test(body))

/** The bridge to tools that are not in the list of the model, which names the real one. */
const BRIDGE = 'tool_call'

/** A call, by the name of the tool that it reaches. */
export function callOf({ id, name, args }: JsonObject): Part {
  const given = asObject(args)
  const reached = name === BRIDGE ? asText(given?.name) : undefined
  return {
    type: 'tool-call',
    callId: asText(id),
    name: reached ?? asText(name) ?? 'unknown',
    input: reached === undefined ? args : given?.arguments,
  }
}

/** How a result says that its file is new. */
const CREATED = /^(?:Successfully created|Created new file)\b/

/** What a file contained before and after a call. */
export function recordedChanges(entry: unknown): RecordedChange[] {
  const record = asObject(entry)
  const display = asObject(asObject(record?.toolCallResult)?.resultDisplay)
  const result = asText(display?.newContent)
  return (asArray(asObject(record?.message)?.parts) ?? []).flatMap((part) => {
    const answer = asObject(asObject(part)?.functionResponse)
    const callId = asText(answer?.id)
    const isNew = CREATED.test(asText(asObject(answer?.response)?.output) ?? '')
    const original = isNew ? null : display?.originalContent
    if (callId === undefined || (original !== null && typeof original !== 'string')) return []
    return [{ callId, original, ...(result !== undefined && { result }) }]
  })
}

/** A line without this starts no subagent. */
export const SPAWN_WORDS = ['"name":"agent"', '"name":"task"'] as const

/** Calls that start a subagent. Its file names the call. */
export function spawns(value: unknown): Spawn[] {
  return (asArray(asObject(asObject(value)?.message)?.parts) ?? []).flatMap((part) => {
    const call = asObject(asObject(part)?.functionCall)
    if (call?.name !== 'agent' && call?.name !== 'task') return []
    return [{ callId: asText(call.id), prompt: asText(asObject(call.args)?.prompt) }]
  })
}
