import { asObject, asText } from '../../../model/json.ts'
import { runStatus, type Spawn } from '../../../model/subagent-run.ts'
import { blocksOf } from './blocks.ts'
import { taskEndIn } from './notices.ts'

/** A line without any of these cannot mention a subagent. */
export const SPAWN_WORDS = [
  '"agentId"',
  '"subagent_type"',
  '"Task"',
  '"Agent"',
  '<task-notification>',
] as const
/** The tool that starts a subagent, before 2.1.63 and since. */
const STARTS = /^(?:Task|Agent)$/

/**
 * Tool calls that start a subagent, and lines that contain the id of the started one: the tool result and,
 * until 2.1.32, progress records. How it ended is in the queue, even if its agent was never told.
 */
export function spawns(value: unknown): Spawn[] {
  const entry = asObject(value)
  if (!entry) return []
  if (entry.type === 'progress') {
    const child = asText(asObject(entry.data)?.agentId)
    return child === undefined ? [] : [{ callId: asText(entry.parentToolUseID), child }]
  }
  if (entry.type === 'queue-operation') {
    const end = taskEndIn(asText(entry.content) ?? '')
    return end ? [{ callId: end.callId, status: runStatus(end.status) }] : []
  }
  if (entry.type === 'user') {
    const child = asText(asObject(entry.toolUseResult)?.agentId)
    const result = blocksOf(entry.message).find(({ type }) => type === 'tool_result')
    return child === undefined ? [] : [{ callId: asText(result?.tool_use_id), child }]
  }
  if (entry.type !== 'assistant') return []
  return blocksOf(entry.message).flatMap(({ type, id, name, input: given }) => {
    const input = asObject(given)
    if (type !== 'tool_use' || !(STARTS.test(String(name)) || input?.subagent_type)) return []
    return [{ callId: asText(id), prompt: asText(input?.prompt) }]
  })
}
