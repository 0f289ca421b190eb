import { asArray, asObject, asText } from '../../model/json.ts'
import type { Spawn } from '../../model/subagent-run.ts'

/** A line without any of these cannot mention a subagent. */
export const SPAWN_WORDS = ['"agentId"', '"subagent_type"', '"Task"', '"Agent"'] as const
/** The tool that starts a subagent, before 2.1.63 and since. */
const STARTS = /^(?:Task|Agent)$/

/**
 * Tool calls that start a subagent, and lines that contain the id of the started one: the tool result and,
 * until 2.1.32, progress records.
 */
export function spawns(value: unknown): Spawn[] {
  const entry = asObject(value)
  if (!entry) return []
  const blocks = asArray(asObject(entry.message)?.content) ?? []
  if (entry.type === 'progress') {
    const child = asText(asObject(entry.data)?.agentId)
    return child === undefined ? [] : [{ callId: asText(entry.parentToolUseID), child }]
  }
  if (entry.type === 'user') {
    const child = asText(asObject(entry.toolUseResult)?.agentId)
    const result = blocks.map(asObject).find((block) => block?.type === 'tool_result')
    return child === undefined ? [] : [{ callId: asText(result?.tool_use_id), child }]
  }
  if (entry.type !== 'assistant') return []
  return blocks.flatMap((each) => {
    const block = asObject(each)
    const input = asObject(block?.input)
    if (block?.type !== 'tool_use' || !(STARTS.test(String(block.name)) || input?.subagent_type)) return []
    return [{ callId: asText(block.id), prompt: asText(input?.prompt) }]
  })
}
