import type { Part, Payload } from '../../../model/event.ts'
import { asArray, asNumber, asObject, asText, type JsonObject, parsedJson } from '../../../model/json.ts'
import type { Spawn } from '../../../model/subagent-run.ts'

/** The tool call in a response item. Undefined if it is none. */
export function callIn(item: JsonObject): (Part & { type: 'tool-call' }) | undefined {
  const callId = asText(item.call_id) ?? asText(item.id)
  const call = (name: string, input: unknown): Part & { type: 'tool-call' } => ({
    type: 'tool-call',
    callId,
    name,
    input,
  })
  switch (item.type) {
    case 'function_call': {
      const input = asObject(parsedJson(item.arguments))
      return call(nameOf(item), input ? withCommand(input) : item.arguments)
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
      return call('shell', withCommand(asObject(item.action) ?? {}))
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
  /^(?:aborted by user\b|exec command rejected by user|patch rejected by user|rejected by user\b)/
const FAILED =
  /^(?:unsupported (?:custom tool )?call:|failed to parse function arguments|tool call error:|err: |apply_patch verification failed|patch rejected: |(?:exec_command|write_stdin|collab \w+) failed|execution error:|unable to \w{1,50} image|Script failed$)/m

/** The client writes this for a call whose result never came. */
const NO_RESULT = 'aborted'

/** What a result says: its failure, and the words with which the person answered a question. */
export function resultIn(item: JsonObject): Payload[] {
  const callId = asText(item.call_id)
  const body = item.output
  const text = textOf(body)
  const answers = answersIn(text)
  const denied = REFUSED.test(text)
  const error = !denied && hasFailed(body, text) ? ('sure' as const) : undefined
  const result: Payload = {
    type: 'message',
    role: 'tool',
    speaker: 'program',
    parts: [
      {
        type: 'tool-result',
        callId,
        body,
        ...(error && { error, errorLine: firstLine(text) }),
        ...(denied && { denied: true }),
      },
    ],
  }
  if (answers === '') return [result]
  return [
    result,
    {
      type: 'message',
      role: 'user',
      speaker: 'human',
      parts: [{ type: 'text', text: answers }],
      label: 'answer',
    },
  ]
}

/** Whether the client says so, or the result is one of a failure. */
export function hasFailed(body: unknown, text: string): boolean {
  const output = asObject(body) ?? asObject(parsedJson(text))
  if (output?.success === false || output?.is_error === true) return true
  const { head, printed } = partsOf(text)
  const code = asNumber(asObject(output?.metadata)?.exit_code) ?? Number(EXIT.exec(head)?.[1] ?? 0)
  return code !== 0 || text === NO_RESULT || FAILED.test(firstOf(head)) || /^err: /.test(printed)
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
 * The failure of a call that only an event tells: an MCP server that calls its result an error, and in code
 * mode what a script called, whose ids no other record has.
 */
export function failureIn(call: JsonObject): Payload | undefined {
  const result = asObject(call.result)
  const isInScript = asText(call.id)?.startsWith('exec-') === true
  const isError = (asObject(result?.Ok) ?? result)?.isError === true
  if (!isError && !(isInScript && call.status === 'failed')) return undefined
  const { content } = asObject(result?.Ok) ?? result ?? {}
  const text = asText(call.aggregated_output) ?? asText(call.stderr) ?? textOf(content)
  const own = call.changes === undefined ? 'exec_command' : 'apply_patch'
  const name = call.tool === undefined ? own : `mcp__${call.server}__${call.tool}`
  return {
    type: 'message',
    role: 'tool',
    speaker: 'program',
    parts: [
      {
        type: 'tool-result',
        ...(isInScript ? { toolName: name } : { callId: asText(call.call_id) ?? asText(call.id) }),
        error: 'sure',
        errorLine: firstLine(text) || 'failed',
      },
    ],
  }
}

/** The text of an output: a string, a list of parts, or an object with either. */
export function textOf(output: unknown): string {
  const text = asText(output)
  if (text !== undefined) return text
  const parts = asArray(output)
  if (parts) return parts.flatMap((part) => asText(asObject(part)?.text) ?? []).join('\n')
  const content = asObject(output)?.content
  return content === undefined ? '' : textOf(content)
}

/** The first line of what a command printed, or of the result. */
function firstLine(text: string): string | undefined {
  const output = asText(asObject(parsedJson(text))?.output) ?? text
  const lines = partsOf(output).printed.split('\n')
  const words = lines.map((line) => line.trim()).filter((line) => line !== '' && line !== 'Script error:')
  return words[0] ?? firstOf(output).trim()
}

/** `{ answers: { <question>: { answers: [text] } } }`, the result of `request_user_input`. */
function answersIn(text: string): string {
  if (!text.startsWith('{"answers"')) return ''
  const answers = asObject(asObject(parsedJson(text))?.answers) ?? {}
  return Object.values(answers)
    .flatMap((each) => asArray(asObject(each)?.answers) ?? [])
    .flatMap((each) => asText(each) ?? [])
    .join('\n')
}

/** A line without any of these starts no subagent. */
export const SPAWN_WORDS = ['spawn_agent', '"SubAgentActivity"', '"sub_agent_activity"', '"agent_id'] as const

/** Calls that start a subagent, and the records that name its thread. */
export function spawns(value: unknown): Spawn[] {
  const payload = asObject(asObject(value)?.payload)
  if (!payload) return []
  const callId = asText(payload.call_id)
  if (payload.type === 'function_call' && payload.name === 'spawn_agent')
    return [{ callId, prompt: asText(asObject(parsedJson(payload.arguments))?.message) }]
  if (payload.type === 'function_call_output') {
    const child = asText(asObject(parsedJson(payload.output))?.agent_id)
    return child === undefined ? [] : [{ callId, child }]
  }
  const item = payload.type === 'sub_agent_activity' ? payload : asObject(payload.item)
  const child = asText(item?.agent_thread_id) ?? asText(asArray(item?.receiver_thread_ids)?.[0])
  const isStart = item?.kind === 'started' || item?.tool === 'spawn_agent'
  return isStart && child !== undefined ? [{ callId: asText(item.id) ?? asText(item.event_id), child }] : []
}
