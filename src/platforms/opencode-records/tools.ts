import type { Part, Payload } from '../../model/event.ts'
import { asArray, asNumber, asObject, asText, type JsonObject } from '../../model/json.ts'
import { runStatus, type Spawn } from '../../model/subagent-run.ts'
import { explainingLine } from '../error-lines.ts'
import { answered } from '../messages.ts'
import type { RecordedChange } from '../platform.ts'

const REJECTED = /^The user (?:rejected permission to use this specific tool call|dismissed this question)\b/
/** What a person said when they rejected a call. */
const FEEDBACK = /\bwith the following feedback: ([\s\S]+)$/

/** A tool call with its result, and what a person said when they rejected it or were asked. */
export function toolParts(part: JsonObject): { parts: Part[]; words?: Payload[] } {
  const callId = asText(part.callID)
  const name = asText(part.tool) ?? 'unknown'
  const state = asObject(part.state) ?? {}
  const call: Part = { type: 'tool-call', callId, name, input: state.input }
  if (state.status !== 'completed' && state.status !== 'error') return { parts: [call] }
  const failure = asText(state.error)
  const body = failure ?? state.output
  const denied = failure !== undefined && REJECTED.test(failure)
  const failed = !denied && hasFailed(name, state)
  const exit = exitOf(state)
  const text = asText(body) ?? ''
  const stopped = exit === undefined ? STOPPED.exec(text)?.[1] : undefined
  const line = stopped ?? explainingLine(text) ?? (exit ? `exit code ${exit}` : undefined)
  const result: Part = {
    type: 'tool-result',
    callId,
    toolName: name,
    body,
    ...(failed && { error: 'sure' as const, errorLine: line }),
    ...(denied && { denied: true }),
  }
  const answers = name === 'question' ? asObject(state.metadata)?.answers : undefined
  return { parts: [call, result], words: answered(denied ? FEEDBACK.exec(failure)?.[1] : answers) }
}

/**
 * Whether a call failed, or a person rejected it. The client calls a tool `invalid` in place of one that does
 * not exist, or whose arguments are no JSON, and that is `completed`.
 */
export const hasFailed = (name: unknown, state: JsonObject): boolean =>
  state.status === 'error' || exitOf(state) !== 0 || name === 'invalid'

/** Of a command that was stopped, the code is null. */
function exitOf({ metadata }: JsonObject): number | undefined {
  const exit = asObject(metadata)?.exit
  return exit === null ? undefined : (asNumber(exit) ?? 0)
}

/** Why the client stopped a command, behind what was printed. */
const STOPPED = /<\w+_metadata>\s*([^\n.]*)/

/** A line without this starts no subagent. */
export const SPAWN_WORDS = ['"task"'] as const

/** What the client puts around a subagent's report. One in the background is still running. */
const REPORT = /<task id="(ses_\w+)"(?: state="(\w+)")?/

/** Calls that start a subagent, with its session, its task and how it ended. */
export function spawns(value: unknown): Spawn[] {
  return (asArray(asObject(asObject(value)?.message)?.content) ?? []).flatMap((each) => {
    const part = asObject(each)
    if (part?.type !== 'tool' || part.tool !== 'task') return []
    const state = asObject(part.state) ?? {}
    const report = REPORT.exec(asText(state.output) ?? '')
    const child = asText(asObject(state.metadata)?.sessionId) ?? report?.[1]
    const callId = asText(part.callID)
    const prompt = asText(asObject(state.input)?.prompt)
    const status = (state.status === 'completed' ? report?.[2] : undefined) ?? asText(state.status)
    return [
      { callId, ...(child !== undefined && { child }), prompt },
      ...(status === undefined ? [] : [{ callId, status: runStatus(status) }]),
    ]
  })
}

/** That a file which a call wrote did not exist before. */
export function recordedChanges(entry: unknown): RecordedChange[] {
  return (asArray(asObject(asObject(entry)?.message)?.content) ?? []).flatMap((each) => {
    const part = asObject(each)
    const callId = asText(part?.callID)
    const metadata = asObject(asObject(part?.state)?.metadata)
    if (callId === undefined || !metadata) return []
    return metadata.exists === false ? [{ callId, original: null }] : []
  })
}
