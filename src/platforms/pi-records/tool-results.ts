import type { Part, Payload } from '../../model/event.ts'
import { wordSet } from '../../model/iteration.ts'
import {
  asArray,
  asNumber,
  asObject,
  asText,
  firstOf,
  type JsonObject,
  parsedJson,
} from '../../model/json.ts'
import { blocksOf, callIdOf, plain, textOf } from './entry.ts'

/** Parses a tool result, from a record of its own or a block in another. Only failures matter. */
export function toolResult(result: JsonObject): Part & { type: 'tool-result' } {
  const toolName = firstOf(asText, result, 'toolName', 'tool_name', 'name')
  const callId = callIdOf(result)
  const body = result.content ?? result.output ?? result.result
  return {
    type: 'tool-result',
    ...(callId ? { callId } : {}),
    ...(toolName ? { toolName } : {}),
    ...toolError(result, toolName, textOf(body)),
    body,
  }
}

export function toolPayload(result: JsonObject): Payload {
  const part = toolResult(result)
  const pictures = blocksOf(part.body).flatMap((block) =>
    block.kind === 'other' && block.part.type !== 'thinking' ? [block.part] : [],
  )
  return { type: 'message', role: 'tool', speaker: 'program', parts: [part, ...pictures] }
}

/** The calls that a script of the agent made, which are recorded with the result of the script. */
export function nestedPayloads({ nestedCalls }: JsonObject): Payload[] {
  const calls: Part[] = []
  const results: Part[] = []
  for (const value of asArray(asObject(nestedCalls)?.calls) ?? []) {
    const call = asObject(value)
    const name = asText(call?.name)
    if (!call || name === undefined) continue
    const callId = asText(call.id)
    calls.push({ type: 'tool-call', callId, name, input: call.arguments })
    const status = asText(call.status)
    if (status === 'ok') results.push({ type: 'tool-result', callId, toolName: name })
    if (status === 'error')
      results.push({
        type: 'tool-result',
        callId,
        toolName: name,
        error: 'sure',
        errorLine: firstLine(asText(call.error) ?? ''),
      })
  }
  if (calls.length === 0) return []
  const called: Payload = { type: 'message', role: 'assistant', speaker: 'agent', parts: calls }
  return results.length === 0
    ? [called]
    : [called, { type: 'message', role: 'tool', speaker: 'program', parts: results }]
}

type ToolError = Pick<Part & { type: 'tool-result' }, 'error' | 'errorLine'>

const BAD_STATUS = wordSet(
  `error failed failure timeout timedout killed aborted denied blocked forbidden unauthorized
  rejected`,
)

/** Tools that return what they read or found. An error in their output counts only at its very beginning. */
const READERS =
  /^(?:read|grep|rg|ls|find|glob|web_?fetch|web_?search|memory_(?:get|search)|sessions_(?:history|list)|session_status|agents_list|subagents|read_file|list_files|search)$/i
/** How much of their output is looked at. */
export const READER_REACH = 300

/** Whether a tool returns what it read or found. */
export const isReader = (toolName: string | undefined): boolean =>
  toolName !== undefined && READERS.test(toolName)

const LINE_LIMIT = 300

/**
 * Whether a tool failed. `sure` if the record says so, `possible` if only the output reads like it, with the
 * relevant line.
 */
export function toolError(message: JsonObject, toolName: string | undefined, text: string): ToolError {
  const details = asObject(message.details)
  if (statesError(message, details))
    return { error: 'sure', errorLine: sureLine(text, details) ?? bareReason(details) }
  const line = suspiciousLine(isReader(toolName) ? text.slice(0, READER_REACH) : text)
  if (line === undefined) return {}
  return { error: 'possible', errorLine: firstLine(errorField(text) ?? line) }
}

function statesError(message: JsonObject, details: JsonObject | undefined): boolean {
  if (message.isError === true || message.is_error === true) return true
  if (!details) return false
  if (details.isError === true || details.is_error === true || details.timedOut === true) return true
  const exitCode = asNumber(details.exitCode) ?? asNumber(details.exit_code)
  if (exitCode !== undefined && exitCode !== 0) return true
  const status = asText(details.status)
  // `isError` is false even for a failed command.
  if (status !== undefined) return BAD_STATUS.has(plain(status))
  return asText(details.error) !== undefined
}

const EXIT = /^\(?(?:Command|Process) exited with (?:code|signal) \S+\)?$/i

/** Lines before the actual error: an empty output, the echo of a script, a debugger. */
const NOISE = /^(?:\(no output\)|> |Debugger attached|Waiting for the debugger|\$ )/

function sureLine(text: string, details: JsonObject | undefined): string | undefined {
  const reason = errorField(text) ?? errorText(details?.error)
  if (reason) return firstLine(reason)
  const suspicious = suspiciousLine(text)
  if (suspicious) return suspicious
  const lines = text.slice(0, 20_000).split('\n')
  const meaningful = lines.map((line) => line.trim()).filter((line) => line !== '')
  return cut(
    meaningful.find((line) => !EXIT.test(line) && !NOISE.test(line)) ??
      meaningful.find((line) => EXIT.test(line)) ??
      meaningful[0],
  )
}

/** The reason of a failure without output. */
function bareReason(details: JsonObject | undefined): string | undefined {
  const exitCode = asNumber(details?.exitCode) ?? asNumber(details?.exit_code)
  return exitCode === undefined ? asText(details?.status) : `exit code ${exitCode}`
}

/** Some tools return JSON, whose first line is only a brace. */
function errorField(text: string): string | undefined {
  const start = text.trimStart()
  if (!start.startsWith('{') || start.length > 100_000) return undefined
  return errorText(asObject(parsedJson(start))?.error)
}

const errorText = (error: unknown): string | undefined => asText(error) ?? asText(asObject(error)?.message)

const firstLine = (text: string): string | undefined =>
  cut(
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim(),
  )

const cut = (line: string | undefined): string | undefined =>
  line !== undefined && line.length > LINE_LIMIT ? `${line.slice(0, LINE_LIMIT)}…` : line

const WORD = /[Ee]rrors?|ERRORS?|[Ff]ailed|FAILED/g
/** A text without any of these has no such word. */
export const ERROR_WORDS = ['rror', 'RROR', 'ailed', 'AILED'] as const
const LETTER = /[A-Za-z]/
/** Names like `TypeError` are followed back by at most this many letters. */
const LONGEST_NAME = 200
const JOINED_BEFORE = /[\w./\\#-]/
const JOINED_BEHIND = /^(?:[\w/\\]|[.-]\w)/

const DENIED_BEFORE =
  /(?:^|\W)(?:0|no|zero|none|without(?: any)?|not an?|never|any|if|on|new|extends|instanceof|class|throw|catch \(?)\s+(?:[\w-]+\s+)?$/i
const DENIED_AFTER = new RegExp(
  [
    // errors: 0, "error": null, failed=false
    `^["'\`]?\\s*[:=]\\s*(?:0\\b(?!\\.)|null\\b|false\\b|none\\b|no(?=[,.;]|$)|undefined\\b|nil\\b|""|''|\\[\\s*\\]|\\{\\s*\\})`,
    // error handling, error boundaries
    `^[ -](?:handl\\w*|boundar\\w*|recovery|checking|reporting|tracking|logging|correction|budgets?|rates?|pages?|cases?|paths?|types?|class(?:es)?|codes)\\b`,
    // code: Error(…), catch (error), (error) =>, error?: string
    '^(?:\\(|\\)|\\?:|\\s*=>|,|\\s+as\\b|\\s*\\|\\||\\s*&&|>|\\[)',
  ].join('|'),
)

/**
 * Where the word of a match begins, as in `TypeError`. Undefined if the match is part of a name or a path.
 */
function wordStart(text: string, at: number, end: number): number | undefined {
  let start = at
  if (text.startsWith('Er', at))
    while (start > 0 && at - start < LONGEST_NAME && LETTER.test(text[start - 1]!)) start--
  const joined =
    (start > 0 && JOINED_BEFORE.test(text[start - 1]!)) || JOINED_BEHIND.test(text.slice(end, end + 2))
  return joined ? undefined : start
}

function suspiciousLine(text: string): string | undefined {
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match; match = WORD.exec(text)) {
    const at = wordStart(text, match.index, WORD.lastIndex)
    if (at === undefined) continue
    const start = lineStart(text, at)
    const end = lineEnd(text, at)
    const before = text.slice(Math.max(start, at - 60), at)
    const after = text.slice(WORD.lastIndex, Math.min(end, WORD.lastIndex + 60))
    if (!DENIED_BEFORE.test(before) && !DENIED_AFTER.test(after) && !isCode(text, start, end))
      return window(text, start, end, at)
  }
  return undefined
}

/** Source code, tables and passed tests mention errors without being one. Line numbers may precede them. */
const CODE =
  /^(?:[\w./@-]+:\d+:|\s*\d+[:|\u2502\u2192\t-])?[\s\u2502]*(?:\/\/|\/?\*|<!--|\|(?! )|\| |\u2713|\u221a|ok \d|PASS\b|const |let |var |return\b|import |export |throw |raise |if ?\(|if err|\}? ?catch|\}? ?else|function |async |await |class |interface |type \w+ =|public |private |static |def |except |this\.|self\.|console\.|logger\.|log\.|it\(|test\(|expect\(|@)/
const CODE_END = /(?:[{;]|=>|\),|\},?)$/

function isCode(text: string, start: number, end: number): boolean {
  const line = text.slice(start, Math.min(end, start + 1000)).trimEnd()
  return CODE.test(line) || (CODE_END.test(line) && !/^\W*(?:\w*Error|error|ERROR|fatal|\{)/.test(line))
}

/** Some outputs are one line of megabytes. Line ends are searched only within this distance. */
const LINE_REACH = 1000

function lineStart(text: string, at: number): number {
  const from = Math.max(0, at - LINE_REACH)
  return from + text.slice(from, at).lastIndexOf('\n') + 1
}

function lineEnd(text: string, at: number): number {
  const near = text.slice(at, at + LINE_REACH).indexOf('\n')
  return near < 0 ? Math.min(text.length, at + LINE_REACH) : at + near
}

/** The line, or the part of a very long line around the word. */
function window(text: string, start: number, end: number, at: number): string {
  if (end - start <= LINE_LIMIT) return text.slice(start, end).trim()
  const from = Math.max(start, at - 80)
  return `${from > start ? '…' : ''}${text.slice(from, Math.min(end, from + LINE_LIMIT)).trim()}${from + LINE_LIMIT < end ? '…' : ''}`
}
