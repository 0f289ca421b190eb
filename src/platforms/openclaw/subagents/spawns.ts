import { asObject, asText } from '../../../model/json.ts'
import type { Spawn } from '../../../model/subagent-run.ts'
import { blocksOf, callIdOf } from '../records/entry.ts'

/** The tool that starts a subagent. */
const SPAWN = 'sessions_spawn'
/** A line without any of these cannot mention a subagent. */
export const SPAWN_WORDS = [SPAWN, 'childSessionKey'] as const

/** Tool calls that start a subagent, and results that contain the key of the started one. */
export function spawns(value: unknown): Spawn[] {
  const message = asObject(asObject(value)?.message) ?? asObject(value)
  if (!message) return []
  const found: Spawn[] = []
  const child = asText(asObject(message.details)?.childSessionKey)
  if (child !== undefined) found.push({ callId: callIdOf(message), child })
  for (const block of blocksOf(message.content))
    if (block.kind === 'call' && block.part.name === SPAWN) {
      const input = asObject(block.part.input)
      const prompt = asText(input?.task) ?? asText(input?.message)
      found.push({ callId: block.part.callId, prompt })
    }
  return found
}
