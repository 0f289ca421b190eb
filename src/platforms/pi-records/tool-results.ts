import type { Part, Payload } from '../../model/event.ts'
import { wordSet } from '../../model/iteration.ts'
import { asArray, asNumber, asObject, asText, firstOf, type JsonObject } from '../../model/json.ts'
import { explainingLine, reasonIn } from '../error-lines.ts'
import { suspiciousLine } from '../error-words.ts'
import { returned, spoken } from '../messages.ts'
import { blocksOf, callIdOf, plain, textOf } from './entry.ts'

/** Parses a tool result, from a record of its own or a block in another. Only failures matter. */
export function toolResult(result: JsonObject): Part & { type: 'tool-result' } {
  const toolName = firstOf(asText, result, 'toolName', 'tool_name', 'name')
  const callId = callIdOf(result)
  const body = result.content ?? result.output ?? result.result
  return {
    type: 'tool-result',
    ...(callId ? { callId } : {}),
    ...(toolName ? { toolName } : {}),
    ...toolError(result, toolName, textOf(body)),
    body,
  }
}

export function toolPayload(result: JsonObject): Payload {
  const part = toolResult(result)
  const pictures = blocksOf(part.body).flatMap((block) =>
    block.kind === 'other' && block.part.type !== 'thinking' ? [block.part] : [],
  )
  return returned([part, ...pictures])
}

/** The calls that a script of the agent made, which are recorded with the result of the script. */
export function nestedPayloads({ nestedCalls }: JsonObject): Payload[] {
  const calls: Part[] = []
  const results: Part[] = []
  for (const value of asArray(asObject(nestedCalls)?.calls) ?? []) {
    const call = asObject(value)
    const name = asText(call?.name)
    if (!call || name === undefined) continue
    const callId = asText(call.id)
    calls.push({ type: 'tool-call', callId, name, input: call.arguments })
    const status = asText(call.status)
    if (status === 'ok') results.push({ type: 'tool-result', callId, toolName: name })
    if (status === 'error')
      results.push({
        type: 'tool-result',
        callId,
        toolName: name,
        error: 'sure',
        errorLine: firstLine(asText(call.error) ?? ''),
      })
  }
  if (calls.length === 0) return []
  const called = spoken(calls)
  return results.length === 0 ? [called] : [called, returned(results)]
}

type ToolError = Pick<Part & { type: 'tool-result' }, 'error' | 'errorLine'>

const BAD_STATUS = wordSet(
  `error failed failure timeout timedout killed aborted denied blocked forbidden unauthorized
  rejected`,
)

/** Tools that return what they read or found. An error in their output counts only at its very beginning. */
const READERS =
  /^(?:read|grep|rg|ls|find|glob|web_?fetch|web_?search|memory_(?:get|search)|sessions_(?:history|list)|session_status|agents_list|subagents|read_file|list_files|search)$/i
/** How much of their output is looked at. */
export const READER_REACH = 300

/** Whether a tool returns what it read or found. */
export const isReader = (toolName: string | undefined): boolean =>
  toolName !== undefined && READERS.test(toolName)

const LINE_LIMIT = 300

/**
 * Whether a tool failed. `sure` if the record says so, `possible` if only the output reads like it, with the
 * relevant line.
 */
export function toolError(message: JsonObject, toolName: string | undefined, text: string): ToolError {
  const details = asObject(message.details)
  if (statesError(message, details))
    return { error: 'sure', errorLine: sureLine(text, details) ?? bareReason(details) }
  const line = suspiciousLine(isReader(toolName) ? text.slice(0, READER_REACH) : text)
  if (line === undefined) return {}
  return { error: 'possible', errorLine: firstLine(reasonIn(text) ?? line) }
}

function statesError(message: JsonObject, details: JsonObject | undefined): boolean {
  if (message.isError === true || message.is_error === true) return true
  if (!details) return false
  if (details.isError === true || details.is_error === true || details.timedOut === true) return true
  const exitCode = asNumber(details.exitCode) ?? asNumber(details.exit_code)
  if (exitCode !== undefined && exitCode !== 0) return true
  const status = asText(details.status)
  // `isError` is false even for a failed command.
  if (status !== undefined) return BAD_STATUS.has(plain(status))
  return asText(details.error) !== undefined
}

function sureLine(text: string, details: JsonObject | undefined): string | undefined {
  return firstLine(reasonIn(text) ?? reasonOf(details?.error) ?? text)
}

/** The reason of a failure without output. */
function bareReason(details: JsonObject | undefined): string | undefined {
  const exitCode = asNumber(details?.exitCode) ?? asNumber(details?.exit_code)
  return exitCode === undefined ? asText(details?.status) : `exit code ${exitCode}`
}

const reasonOf = (error: unknown): string | undefined => asText(error) ?? asText(asObject(error)?.message)

const firstLine = (text: string): string | undefined => cut(explainingLine(text))

const cut = (line: string | undefined): string | undefined =>
  line !== undefined && line.length > LINE_LIMIT ? `${line.slice(0, LINE_LIMIT)}…` : line
