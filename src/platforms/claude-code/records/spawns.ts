import { asObject, asText } from '../../../model/json.ts'
import { runStatus, type Spawn } from '../../../model/subagent-run.ts'
import { textOf } from '../../result-text.ts'
import { blocksOf } from './blocks.ts'
import { taskEndIn } from './notices.ts'

/** A line without any of these cannot mention a subagent. */
export const SPAWN_WORDS = [
  '"agentId"',
  '"subagent_type"',
  '"Task"',
  '"Agent"',
  '<task-notification>',
  '"totalToolUseCount"',
  '"is_error":true',
] as const
/** The tool that starts a subagent, before 2.1.63 and since. */
const STARTS = /^(?:Task|Agent)$/
/** How a report begins in the transcript of another subagent, where nothing else says that it has ended. */
const HAND_BACK = /^\[Subagent hand-back\]/

/**
 * Tool calls that start a subagent, and lines that contain the id of the started one: the tool result and,
 * until 2.1.32, progress records. How it ended is in the result, or in the queue if it ran in the background,
 * even if its agent was never told.
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
    const result = blocksOf(entry.message).find(({ type }) => type === 'tool_result')
    const callId = asText(result?.tool_use_id)
    if (result?.is_error === true) return [{ callId, status: 'error' }]
    const report = asObject(entry.toolUseResult)
    const child = asText(report?.agentId)
    const ended = report
      ? report.status === 'completed' || report.totalToolUseCount !== undefined
      : HAND_BACK.test(textOf(result?.content))
    return [...(child === undefined ? [] : [{ callId, child }]), ...(ended ? [{ callId, status: 'ok' }] : [])]
  }
  if (entry.type !== 'assistant') return []
  return blocksOf(entry.message).flatMap(({ type, id, name, input: given }) => {
    const input = asObject(given)
    if (type !== 'tool_use' || !(STARTS.test(String(name)) || input?.subagent_type)) return []
    return [{ callId: asText(id), prompt: asText(input?.prompt) }]
  })
}
