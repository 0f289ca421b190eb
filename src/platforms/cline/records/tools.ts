import type { Part } from '../../../model/event.ts'
import { asArray, asObject, asText, type JsonObject } from '../../../model/json.ts'
import type { Spawn } from '../../../model/subagent-run.ts'

/** How a command ended, on a line before its output. */
const EXITED = /^\[Command exited with code -?\d+\]$/
/** What the client tells the agent when a person rejects a call. */
const REJECTED =
  /\b(?:denied|rejected|declined) by (?:the )?user\b|\buser (?:has )?(?:denied|rejected|declined)\b/i

/** What one of the commands, or one of the files, of a call led to. */
const outcomesOf = (content: unknown): JsonObject[] =>
  (asArray(content) ?? []).map((each) => asObject(each) ?? {})

/** A call may run several commands. Nothing but their outcomes says that it failed. */
export function resultOf({ tool_use_id: callId, name, content, is_error: isError }: JsonObject): Part {
  const outcomes = outcomesOf(content)
  const failures = outcomes.filter(hasFailed)
  const texts = outcomes.map(
    ({ result, text, error }) => asText(result) ?? asText(text) ?? asText(error) ?? '',
  )
  const body = asText(content) ?? texts.join('\n')
  const [first] = failures
  const message = first ? asText(first.error) : isError === true ? body : undefined
  const denied = message !== undefined && REJECTED.test(message)
  const failed = !denied && (failures.length > 0 || isError === true)
  return {
    type: 'tool-result',
    callId: asText(callId),
    toolName: asText(name),
    body,
    ...(failed && { error: 'sure' as const, errorLine: errorLineIn(asText(first?.result), message) }),
    ...(denied && { denied: true }),
  }
}

const hasFailed = ({ success }: JsonObject): boolean => success === false

/** The first line that was printed, or what the client says. */
const errorLineIn = (printed: string | undefined, message: string | undefined): string | undefined =>
  [printed, message]
    .flatMap((text) => text?.split('\n') ?? [])
    .map((line) => line.trim())
    .find((line) => line !== '' && !EXITED.test(line))

/** Whether the words of a result are read. */
export const isRead = ({ content, is_error: isError }: JsonObject): boolean =>
  isError === true || outcomesOf(content).some(hasFailed)

/** A line without this starts no subagent. */
export const SPAWN_WORDS = ['"spawn_agent"'] as const

/** Calls that start a subagent. */
export function spawns(value: unknown): Spawn[] {
  return (asArray(asObject(value)?.content) ?? []).flatMap((each) => {
    const call = asObject(each)
    if (call?.type !== 'tool_use' || call.name !== 'spawn_agent') return []
    return [{ callId: asText(call.id), prompt: asText(asObject(call.input)?.task) }]
  })
}
