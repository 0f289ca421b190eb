import type { Part } from '../../../model/event.ts'
import { asArray, asObject, asText, type JsonObject } from '../../../model/json.ts'
import { explainingLine } from '../../error-lines.ts'
import type { RecordedChange } from '../../platform.ts'
import { textOf } from '../../result-text.ts'

/** The blocks of a message. A text may be the content, or one of its blocks. */
export const blocksOf = (message: unknown): JsonObject[] => {
  const content = asObject(message)?.content
  return (typeof content === 'string' ? [content] : (asArray(content) ?? [])).map((block) =>
    typeof block === 'string' ? { type: 'text', text: block } : (asObject(block) ?? {}),
  )
}

const errorLine = (text: string): string | undefined =>
  explainingLine(text.replace(/<\/?(?:tool_use_error|error)>/g, ''))

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
  ...(block.is_error === true && { error: 'sure', errorLine: errorLine(textOf(block.content)) }),
})

/**
 * The content before an edit, of a notebook also that after it, and the edit itself if the person changed it
 * before they agreed: then the call has what was proposed. The client leaves the content out for large
 * files, as `null` in a record of an update. A file that did not exist has none, and many versions do not
 * state that.
 */
export function recordedChanges(entry: unknown): RecordedChange[] {
  const record = asObject(entry)
  const result = asObject(record?.toolUseResult)
  if (!result) return []
  const before = result.originalFile ?? result.originalFileContents ?? result.original_file
  const text = result.type === 'create' ? (before ?? null) : before
  const written = asText(result.updated_file)
  const isKnown = typeof text === 'string' || (text === null && result.type === 'create')
  if (!isKnown && result.userModified !== true) return []
  return blocksOf(record?.message).flatMap((block) => {
    const callId = asText(block.tool_use_id)
    if (callId === undefined) return []
    return {
      callId,
      ...(isKnown && { original: text }),
      ...(written !== undefined && { result: written }),
      ...(result.userModified === true && { input: result }),
    }
  })
}
