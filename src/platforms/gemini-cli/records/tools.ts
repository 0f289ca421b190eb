import type { Part, Payload } from '../../../model/event.ts'
import { asArray, asObject, asText, type JsonObject, parsedJson } from '../../../model/json.ts'
import type { Spawn } from '../../../model/subagent-run.ts'
import { answered, returned, skipped, spoken } from '../../messages.ts'
import type { RecordedChange } from '../../platform.ts'
import { failureLine, wasStopped } from '../../result-text.ts'

/** The tool with which the agent asks a person. */
export const ASKS = 'ask_user'

/** Each call and each result is a draft of its own, because a later record of the same reply adds some. */
export function toolDrafts({ toolCalls }: JsonObject, messageId: string | undefined): Payload[] {
  return (asArray(toolCalls) ?? []).flatMap((each): Payload[] => {
    const call = asObject(each)
    const name = asText(call?.name) ?? 'unknown'
    const callId = asText(call?.id)
    const made: Part = { type: 'tool-call', callId, name, input: call?.args }
    return [
      spoken([made], { messageId }),
      returned([resultOf(call ?? {}, name, callId)]),
      ...(name === ASKS ? answersIn(call ?? {}) : []),
    ]
  })
}

/** What a person answered. Without an answer, a skipped event keeps the numbers of those behind it. */
function answersIn(call: JsonObject): Payload[] {
  const answers = answered(asObject(parsedJson(answerOf(call)))?.answers)
  return answers.length > 0 ? answers : [skipped(ASKS)]
}

/** How a command ended is in its output. */
const EXIT = /^Exit Code: (-?\d+)$/m

/** What a call returned. */
export function answerOf({ result }: JsonObject): string {
  const response = asObject(asObject(asObject(asArray(result)?.[0])?.functionResponse)?.response)
  return asText(response?.error) ?? asText(response?.output) ?? ''
}

/** How a subagent ended is in what its call returned. */
export const ENDED = 'Termination Reason:'
const ENDING = /^Subagent [^\n]*\s+Termination Reason: (\w+)\s*(?:Result:\s*)?([\s\S]*)$/

/** Why a subagent ended, and its last words. Its call is a success in any case. */
export function endingOf(call: JsonObject): { reason: string; words: string } | undefined {
  const [, reason, words = ''] = (call.agentId !== undefined && ENDING.exec(answerOf(call))) || []
  return reason === undefined ? undefined : { reason, words: words.trim() }
}

function resultOf(call: JsonObject, name: string, callId: string | undefined): Part {
  const { status } = call
  const body = answerOf(call)
  const denied = status === 'cancelled'
  const failed =
    !denied && (status === 'error' || (EXIT.exec(body)?.[1] ?? '0') !== '0' || wasStopped(name, body))
  return {
    type: 'tool-result',
    callId,
    toolName: name,
    body,
    ...(failed && { error: 'sure' as const, errorLine: failureLine(body) }),
    ...(denied && { denied: true }),
  }
}

/** How a result says that its file is new. */
const CREATED = /^(?:Successfully created|Created new file)\b/

/** The content of a file before and after a call wrote it. The client shows a difference, or a text. */
export function recordedChanges(entry: unknown): RecordedChange[] {
  return (asArray(asObject(entry)?.toolCalls) ?? []).flatMap((each) => {
    const call = asObject(each)
    if (!call) return []
    const [callId, shown] = [asText(call.id), asObject(call.resultDisplay)]
    const isNew = shown?.isNewFile ?? CREATED.test(answerOf(call))
    const original = isNew === true ? null : shown?.originalContent
    if (callId === undefined || (original !== null && typeof original !== 'string')) return []
    const result = asText(shown?.newContent)
    return [{ callId, original, ...(result !== undefined && { result }) }]
  })
}

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
