import type { Part } from '../../../model/event.ts'
import { asArray, asNumber, asObject, asText, type JsonObject } from '../../../model/json.ts'
import type { Spawn } from '../../../model/subagent-run.ts'

/** The tool that runs a command. Other tools may print anything. */
const SHELL = 'run_shell_command'

/** How a command ended is in its output, where an older version calls every call a success. */
export const EXIT = 'Exit Code:'
const EXITS = /^Exit Code: (-?\d+)$/gm

const failsByText = (name: unknown, text: string): boolean =>
  name === SHELL && !['0', undefined].includes([...text.matchAll(EXITS)].at(-1)?.[1])

/** A result. `state`: what the record says of the call. */
export function resultOf({ id, name, response }: JsonObject, state: JsonObject): Part {
  const answer = asObject(response)
  const failure = asText(answer?.error)
  const body = failure ?? asText(answer?.output) ?? ''
  const denied = state.status === 'cancelled'
  const code = asNumber(asObject(state.resultDisplay)?.exitCode) ?? 0
  const failed =
    !denied && (state.status === 'error' || failure !== undefined || code !== 0 || failsByText(name, body))
  return {
    type: 'tool-result',
    callId: asText(id),
    toolName: asText(name),
    body,
    ...(failed && { error: 'sure' as const, errorLine: errorLineIn(body) }),
    ...(denied && { denied: true }),
  }
}

/** What a command printed is between these lines. */
const OUTPUT = /^Output: ([\s\S]*?)^Error: /m

/** The first line that a command printed, or how it ended. */
function errorLineIn(body: string): string | undefined {
  const printed = OUTPUT.exec(body)?.[1]
  const lines = (text: string): string | undefined =>
    text
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '' && line !== '(empty)')
  return printed === undefined ? lines(body) : (lines(printed) ?? body.match(EXITS)?.at(-1)?.toLowerCase())
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
