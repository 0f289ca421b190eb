import { asObject, asText, type JsonObject } from '../../../model/json.ts'

/** Entry points of sessions that a program opened. Nothing on disk says whether their prompts were typed. */
const PROGRAM_ENTRY = /^(?:sdk-|claude-code-github-action$|mcp$)/

/** The speaker of a prompt. Explicit evidence of a human outweighs the entry point of the session. */
export function speakerOf(entry: JsonObject): { speaker: 'human' | 'program'; label?: string } {
  const origin = asText(asObject(entry.origin)?.kind)
  const source = asText(entry.promptSource)
  const turn = asText(entry.turnOrigin)
  if (entry.isSidechain === true) return { speaker: 'program', label: 'parent agent' }
  if (origin !== undefined && origin !== 'human') return { speaker: 'program', label: origin }
  if (entry.scheduledTaskId !== undefined || turn === 'scheduled')
    return { speaker: 'program', label: 'scheduled task' }
  if (source === 'sdk' || source === 'system' || turn === 'sdk')
    return { speaker: 'program', label: source ?? 'sdk' }
  if (entry.wakeupSource !== undefined) return { speaker: 'program', label: 'wakeup' }
  if (typeof entry.planContent === 'string') return { speaker: 'program', label: 'plan' }
  if (origin === 'human' || source === 'typed' || source === 'queued' || turn === 'human')
    return { speaker: 'human' }
  const entrypoint = asText(entry.entrypoint)
  if (entrypoint && PROGRAM_ENTRY.test(entrypoint)) return { speaker: 'program', label: entrypoint }
  if (asText(entry.sessionKind)?.startsWith('daemon')) return { speaker: 'program', label: 'daemon' }
  return { speaker: 'human' }
}
