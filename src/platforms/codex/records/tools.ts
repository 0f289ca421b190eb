import type { Part, Payload } from '../../../model/event.ts'
import { asArray, asNumber, asObject, asText, type JsonObject, parsedJson } from '../../../model/json.ts'
import { runStatus, type Spawn } from '../../../model/subagent-run.ts'
import { explainingLine } from '../../error-lines.ts'
import { answered, returned } from '../../messages.ts'
import { textOf } from '../../result-text.ts'
import { patchInCommand } from './patches.ts'

/** The tool call in a response item. Undefined if it is none. */
export function callIn(item: JsonObject): (Part & { type: 'tool-call' }) | undefined {
  const callId = asText(item.call_id) ?? asText(item.id)
  const call = (name: string, input: unknown): Part & { type: 'tool-call' } => ({
    type: 'tool-call',
    callId,
    name,
    input,
  })
  const command = (name: string, given: JsonObject): Part & { type: 'tool-call' } => {
    const input = withCommand(given)
    const patch = patchInCommand(input)
    return patch === undefined ? call(name, input) : call('apply_patch', { input: patch, ...input })
  }
  switch (item.type) {
    case 'function_call': {
      const given = asObject(parsedJson(item.arguments))
      return given ? command(nameOf(item), given) : call(nameOf(item), item.arguments)
    }
    case 'custom_tool_call': {
      const name = asText(item.name) ?? 'unknown'
      if (name !== 'exec') return call(name, { input: item.input })
      const script = asText(item.input) ?? ''
      const patch = patchIn(script)
      return patch === undefined
        ? call(name, scripted(script))
        : call('apply_patch', { input: patch, script })
    }
    case 'local_shell_call':
      return command('shell', asObject(item.action) ?? {})
    case 'web_search_call':
      return call('web_search', asObject(item.action) ?? {})
    case 'tool_search_call':
      return call('tool_search', asObject(item.arguments) ?? {})
    case 'image_generation_call':
      return call('image_generation', { prompt: item.revised_prompt })
    default:
      return undefined
  }
}

/** The tools of an MCP server have its name as their namespace: `mcp__scrollback` and `search`. */
function nameOf({ name, namespace }: JsonObject): string {
  const server = /^(mcp__.*?)_*$/s.exec(asText(namespace) ?? '')?.[1]
  const own = asText(name) ?? 'unknown'
  return server === undefined ? own : `${server}__${own}`
}

/** Early versions give a command as a list of words, mostly as one that a shell receives. */
function withCommand(input: JsonObject): JsonObject {
  const words = asArray(input.command)?.flatMap((word) => asText(word) ?? [])
  if (!words || words.length === 0) return input
  const isShell = words.length === 3 && /^-l?c$/.test(words[1]!)
  return { ...input, command: isShell ? words[2]! : words.join(' ') }
}

const PATCH = /(["'`])(\*\*\* Begin Patch(?:\\[\s\S]|(?!\1)[^\\])*)\1/

/** The patch that a script applies, if that is the first that it does. */
function patchIn(script: string): string | undefined {
  if (NESTED.exec(script)?.[1] !== 'apply_patch') return undefined
  const [, quote, text = ''] = PATCH.exec(script) ?? []
  if (quote === '`') return text.replaceAll(/\\([\\`$])/g, '$1')
  return quote === undefined ? undefined : asText(parsedJson(`"${text.replaceAll("\\'", "'")}"`))
}

const COMMAND = /\btools\.exec_command\(\s*\{[^{}]*?"?cmd"?\s*:\s*("(?:[^"\\]|\\.)*")/
const NESTED = /\btools\.([A-Za-z_]\w*)\(/

/** In code mode the model writes JavaScript, which calls the tools: the first command, or the first tool. */
function scripted(script: string): JsonObject {
  const command = asText(parsedJson(COMMAND.exec(script)?.[1]))
  if (command !== undefined) return { command, script }
  const tool = NESTED.exec(script)?.[1]
  return tool === undefined ? { script } : { action: tool, script }
}

/** Results of a tool, in the words of the versions. What a command printed follows `Output:`. */
const EXIT = /^(?:Process exited with code|Exit code:) (-?\d+)$/m
const OUTPUT = /^Output:$/m
/** Results of calls that the person refused. */
export const REFUSED =
  /^(?:aborted by user\b|exec command rejected by user|patch rejected by user|rejected by user\b|exec_command failed .*Rejected\(\\?"rejected by user\\?"\)" \}$)/s
/** What the client says of a call of an MCP server that the person refused. */
const NOT_ALLOWED = /^user (?:rejected|cancelled) MCP tool call$/
const FAILED =
  /^(?:unsupported (?:custom tool )?call:|failed to parse function arguments|tool call error:|err: |apply_patch verification failed|patch rejected: |(?:exec_command|write_stdin|collab \w+) failed|execution error:|unable to \w{1,50} image|Script failed$)/m

/** The client says so when an MCP server answered with an error, or not at all. The cause is below. */
const MCP_FAILED = /^tool call error: [^\n]*(?:\n+Caused by:\n\s*(?:0: )?([^\n]+))?/
/** What the client says of the result of an MCP server, and of no other. */
const OF_MCP = /^Wall time: [\d.]+ seconds\s*$/

/** The client writes this for a call whose result never came. */
const NO_RESULT = 'aborted'

/** What a result says: its failure, and the words with which the person answered a question. */
export function resultIn(item: JsonObject): Payload[] {
  const callId = asText(item.call_id)
  const body = item.output
  const text = outputOf(body)
  const denied = REFUSED.test(text)
  const error = !denied && hasFailed(body, text) ? ('sure' as const) : undefined
  const result: Part = {
    type: 'tool-result',
    callId,
    body,
    ...(error && { error, errorLine: firstLine(text) }),
    ...(denied && { denied: true }),
  }
  return [returned([result]), ...answersIn(text)]
}

/** Whether the client says so, or the result is one of a failure. */
export function hasFailed(body: unknown, text: string): boolean {
  const output = asObject(body) ?? asObject(parsedJson(text))
  if (output?.success === false || output?.is_error === true) return true
  const { head, printed } = partsOf(text)
  const code = asNumber(asObject(output?.metadata)?.exit_code) ?? Number(EXIT.exec(head)?.[1] ?? 0)
  if (code !== 0 || text === NO_RESULT || FAILED.test(firstOf(head))) return true
  return /^err: /.test(printed) || (OF_MCP.test(head) && MCP_FAILED.test(printed))
}

/** What the client says of a result, and what was printed. */
export function partsOf(text: string): { head: string; printed: string } {
  const start = OUTPUT.exec(text)
  return start
    ? { head: text.slice(0, start.index), printed: text.slice(start.index + start[0].length).trimStart() }
    : { head: firstOf(text), printed: text }
}

const firstOf = (text: string): string => text.split('\n', 1)[0]!

/**
 * The failure of a call that only an event tells: an MCP server that calls its result an error, a call of one
 * that the client or the person did not allow, and in code mode what a script called, whose ids no other
 * record has.
 */
export function failureIn(call: JsonObject): Payload | undefined {
  const result = asObject(call.result)
  const isInScript = asText(call.id)?.startsWith('exec-') === true
  const isError = (asObject(result?.Ok) ?? result)?.isError === true
  const message = asText(asObject(call.error)?.message) ?? asText(result?.Err)
  const isOnlyEvent = message !== undefined && !MCP_FAILED.test(message)
  if (!isError && !isOnlyEvent && !(isInScript && call.status === 'failed')) return undefined
  const { content } = asObject(result?.Ok) ?? result ?? {}
  const text = asText(call.aggregated_output) ?? asText(call.stderr) ?? message ?? textOf(content)
  const denied = NOT_ALLOWED.test(text)
  const own = call.changes === undefined ? 'exec_command' : 'apply_patch'
  const name = call.tool === undefined ? own : `mcp__${call.server}__${call.tool}`
  return returned([
    {
      type: 'tool-result',
      ...(isInScript ? { toolName: name } : { callId: asText(call.call_id) ?? asText(call.id) }),
      ...(denied ? { denied } : { error: 'sure', errorLine: firstLine(text) || 'failed' }),
    },
  ])
}

/** The text of an output: a string, a list of parts, or an object with either. */
export const outputOf = (output: unknown): string => textOf(asObject(output)?.content ?? output)

/** The first line of what a command printed, or of the result. */
function firstLine(text: string): string | undefined {
  const stated = asObject(parsedJson(text))
  const code = asNumber(asObject(stated?.metadata)?.exit_code)
  const { head, printed } = partsOf(asText(stated?.output) ?? (code === undefined ? text : ''))
  return (
    MCP_FAILED.exec(printed)?.[1]?.trimEnd() ??
    explainingLine(printed, /^Script error:$/) ??
    EXIT.exec(head)?.[0] ??
    explainingLine(head) ??
    (code ? `exit code ${code}` : undefined)
  )
}

/** What the client writes before words that were typed to an option. */
const NOTE = /^user_note: /

/** `{ answers: { <question>: { answers: [text] } } }`, the result of `request_user_input`. */
function answersIn(text: string): Payload[] {
  const answers = text.startsWith('{"answers"') ? asObject(parsedJson(text))?.answers : undefined
  return answered(
    Object.values(asObject(answers) ?? {})
      .flatMap((each) => asArray(asObject(each)?.answers) ?? [])
      .map((each) => asText(each)?.replace(NOTE, '')),
  )
}

/** A line without any of these starts no subagent and ends none. */
export const SPAWN_WORDS = [
  'spawn_agent',
  '"SubAgentActivity"',
  '"sub_agent_activity"',
  '"agent_id',
  '<subagent_notification>',
  '"status\\":{',
] as const

/** Calls that start a subagent, the records that name its thread, and those that say how it ended. */
export function spawns(value: unknown): Spawn[] {
  const payload = asObject(asObject(value)?.payload)
  if (!payload) return []
  const callId = asText(payload.call_id)
  if (payload.type === 'function_call' && payload.name === 'spawn_agent')
    return [{ callId, prompt: asText(asObject(parsedJson(payload.arguments))?.message) }]
  if (payload.type === 'function_call_output') {
    const output = asObject(parsedJson(payload.output))
    const child = asText(output?.agent_id)
    if (child !== undefined) return [{ callId, child }]
    return Object.entries(asObject(output?.status) ?? {}).flatMap(([each, end]) => endOf(each, end))
  }
  if (payload.type === 'message') {
    const notice = asObject(parsedJson(NOTICE.exec(textOf(payload.content))?.[1]))
    return endOf(asText(notice?.agent_path) ?? asText(notice?.agent_id), notice?.status)
  }
  const item = payload.type === 'sub_agent_activity' ? payload : asObject(payload.item)
  const child = asText(item?.agent_thread_id) ?? asText(asArray(item?.receiver_thread_ids)?.[0])
  if (child === undefined) return []
  if (item?.kind === 'completed') return endOf(child, item.kind)
  const isStart = item?.kind === 'started' || item?.tool === 'spawn_agent'
  return isStart ? [{ callId: asText(item.id) ?? asText(item.event_id), child }] : []
}

/** What the agent is told when a subagent ends. */
const NOTICE = /^\s*<subagent_notification>\s*(\{.*\})/s

/** A state is a word, or a member of that name with what the subagent said. */
function endOf(child: string | undefined, state: unknown): Spawn[] {
  const word = asText(state) ?? Object.keys(asObject(state) ?? {})[0]
  return child === undefined || word === undefined ? [] : [{ child, status: runStatus(word) }]
}
