import type { Part } from '../../../model/event.ts'
import { asArray, asObject, asText, type JsonObject, parsedJson } from '../../../model/json.ts'
import { runStatus, type Spawn } from '../../../model/subagent-run.ts'
import { explainingLine } from '../../error-lines.ts'
import type { RecordedChange } from '../../platform.ts'
import { textOf } from '../../result-text.ts'

/** A line that only says how a command ended, or that its errors follow. */
const EXITED = /^\[(?:Command exited with code -?\d+|stderr)\]$/
/** What a command printed as errors follows, behind the rest. */
const ERRORS = /^\[stderr\]$/m

/** What the client tells the agent when a person rejects a call. */
const REJECTED =
  /\b(?:denied|rejected|declined) by (?:the )?user\b|\buser (?:has )?(?:denied|rejected|declined)\b/i

/**
 * What each command or file of a call led to: a list, or one of them as the text of its JSON. That of an MCP
 * server says itself that it is an error.
 */
function outcomesOf(content: unknown): JsonObject[] {
  const only = typeof content === 'string' ? asObject(parsedJson(content)) : undefined
  if (only?.isError === true) return [{ ...only, success: false, result: only.content }]
  if (only) return 'success' in only || typeof only.error === 'string' ? [only] : []
  return (asArray(content) ?? []).map((each) => asObject(each) ?? {})
}

/** What a call returned: a text, or blocks of text and pictures. */
const outputOf = (result: unknown): string =>
  asText(result) ??
  (asArray(result) ?? [])
    .map((each) => asText(asObject(each)?.text) ?? `[${asText(asObject(each)?.type) ?? 'untyped'}]`)
    .join('\n')

/** A call may run several commands. Nothing but their outcomes says that it failed. */
export function resultOf({ tool_use_id: callId, name, content, is_error: isError }: JsonObject): Part {
  const outcomes = outcomesOf(content)
  const failures = outcomes.filter(hasFailed)
  const texts = outcomes.map(
    ({ result, text, error }) => outputOf(result) || asText(text) || asText(error) || '',
  )
  const body = outcomes.length > 0 ? texts.join('\n') : (asText(content) ?? '')
  const first = failures[0] ?? (isError === true ? outcomes[0] : undefined)
  const message = first ? asText(first.error) : isError === true ? body : undefined
  const denied = message !== undefined && REJECTED.test(message)
  const failed = !denied && (failures.length > 0 || isError === true)
  return {
    type: 'tool-result',
    callId: asText(callId),
    toolName: asText(name),
    body,
    ...(failed && {
      error: 'sure' as const,
      errorLine: errorLineIn(textOf(first?.result) || outputOf(first?.result), message),
    }),
    ...(denied && { denied: true }),
  }
}

const hasFailed = ({ success }: JsonObject): boolean => success === false

/** The first line that was printed as an error, or else printed, or what the client says. */
function errorLineIn(printed = '', message = ''): string | undefined {
  for (const text of [printed.split(ERRORS)[1] ?? '', printed, message]) {
    const line = explainingLine(text, EXITED)
    if (line !== undefined) return line
  }
  return undefined
}

/** Whether a result has what a person answered to a question of the agent. */
export const isAnswer = ({ type, name, is_error: isError }: JsonObject): boolean =>
  type === 'tool_result' && name === 'ask_question' && isError !== true

/** Whether the words of a result are read. */
export const isRead = (result: JsonObject): boolean =>
  result.is_error === true || isAnswer(result) || outcomesOf(result.content).some(hasFailed)

const CREATED = /^File created successfully at\b/

/** That a file which a call wrote did not exist before. */
export function recordedChanges(entry: unknown): RecordedChange[] {
  return (asArray(asObject(entry)?.content) ?? []).flatMap((each) => {
    const block = asObject(each)
    const callId = asText(block?.tool_use_id)
    const isCreated = outcomesOf(block?.content).some(({ result }) => CREATED.test(asText(result) ?? ''))
    return isCreated && callId !== undefined ? [{ callId, original: null }] : []
  })
}

/** A line without this starts no subagent. */
export const SPAWN_WORDS = ['"spawn_agent"', '"team_run_task"'] as const

/** Calls that start a subagent, or give a task to a teammate, and results that say how it ended. */
export function spawns(value: unknown): Spawn[] {
  return (asArray(asObject(value)?.content) ?? []).flatMap((each): Spawn[] => {
    const block = asObject(each)
    if (block?.name !== 'spawn_agent' && block?.name !== 'team_run_task') return []
    if (block.type === 'tool_use')
      return [{ callId: asText(block.id), prompt: asText(asObject(block.input)?.task) }]
    const { finishReason } = asObject(parsedJson(block.content)) ?? {}
    const reason = 'error' in resultOf(block) ? 'error' : asText(finishReason)
    return reason === undefined ? [] : [{ callId: asText(block.tool_use_id), status: runStatus(reason) }]
  })
}
