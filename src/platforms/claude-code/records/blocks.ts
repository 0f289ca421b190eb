import type { Part } from '../../../model/event.ts'
import { asArray, asObject, asText, type JsonObject } from '../../../model/json.ts'
import type { Spawn } from '../../../model/subagent-run.ts'
import type { RecordedChange } from '../../platform.ts'

/** The blocks of a message. A text may be the content, or one of its blocks. */
export const blocksOf = (message: unknown): JsonObject[] => {
  const content = asObject(message)?.content
  return (typeof content === 'string' ? [content] : (asArray(content) ?? [])).map((block) =>
    typeof block === 'string' ? { type: 'text', text: block } : (asObject(block) ?? {}),
  )
}

/** The text of a tool result: a string, or the text blocks of an array. */
export const resultText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (asArray(content) ?? [])
        .map((block) => asObject(block)?.text)
        .filter((text) => typeof text === 'string')
        .join('\n')

/** The most informative line of an error: the first, or the one after a bare exit code. */
function errorLine(text: string): string | undefined {
  const lines = text
    .replace(/<\/?(?:tool_use_error|error)>/g, '')
    .slice(0, 4000)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const [first, second] = lines
  if (first && second && /^Exit code \d+$/.test(first)) return `${first}: ${second}`
  return first
}

/** One block of a reply. Thinking is kept for `--full`; images only by name. */
export function replyPart(block: JsonObject): Part | undefined {
  const type = asText(block.type)
  switch (type) {
    case 'text': {
      const text = asText(block.text)
      return text === undefined || text.trim() === '' || text === '(no content)'
        ? undefined
        : { type: 'text', text }
    }
    case 'thinking':
      return { type: 'thinking', text: asText(block.thinking) ?? '' }
    case 'redacted_thinking':
      return { type: 'thinking', text: '' }
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return {
        type: 'tool-call',
        callId: asText(block.id),
        name: asText(block.name) ?? 'unknown',
        // Arguments that are no JSON are kept as they were written.
        input: asText(asObject(asObject(block.input)?.__unparsedToolInput)?.raw) ?? block.input,
      }
    case 'image':
    case 'document':
    case 'container_upload':
      return { type: 'media', name: type }
    case 'web_search_tool_result':
    case 'web_fetch_tool_result':
    case 'code_execution_tool_result':
    case 'bash_code_execution_tool_result':
    case 'text_editor_code_execution_tool_result':
    case 'tool_search_tool_result':
    case 'mcp_tool_result':
    case 'search_result':
    case 'tool_reference':
      return toolResult({ ...block, is_error: false })
    case 'tool_result':
      return toolResult(block)
    // Another model took over, which the entry next to it reports.
    case 'fallback':
      return undefined
    default:
      return { type: 'opaque', name: type ?? 'untyped' }
  }
}

export const toolResult = (block: JsonObject): Extract<Part, { type: 'tool-result' }> => ({
  type: 'tool-result',
  callId: asText(block.tool_use_id),
  body: block.content,
  ...(block.is_error === true && { error: 'sure', errorLine: errorLine(resultText(block.content)) }),
})

/**
 * The content before an edit, and the edit itself if the person changed it before they agreed: then the call
 * has what was proposed. The client leaves the content out for large files, as `null` in a record of an
 * update. A file that did not exist has none, and many versions do not state that.
 */
export function recordedChanges(entry: unknown): RecordedChange[] {
  const record = asObject(entry)
  const result = asObject(record?.toolUseResult)
  if (!result) return []
  const text = result.type === 'create' ? (result.originalFile ?? null) : result.originalFile
  const isKnown = typeof text === 'string' || (text === null && result.type === 'create')
  if (!isKnown && result.userModified !== true) return []
  return blocksOf(record?.message).flatMap((block) => {
    const callId = asText(block.tool_use_id)
    if (callId === undefined) return []
    return {
      callId,
      ...(isKnown && { original: text }),
      ...(result.userModified === true && { input: result }),
    }
  })
}

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
  if (entry.type === 'progress') {
    const child = asText(asObject(entry.data)?.agentId)
    return child === undefined ? [] : [{ callId: asText(entry.parentToolUseID), child }]
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
