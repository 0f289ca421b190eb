import { asArray, asObject, asText } from '../../../model/json.ts'

/**
 * The content before an edit. The client leaves it out for large files, as `null` in a record of an update.
 */
export function originals(entry: unknown): { callId: string; text: string | null }[] {
  const record = asObject(entry)
  const result = asObject(record?.toolUseResult)
  if (!result || !('originalFile' in result)) return []
  const text = result.originalFile
  if (typeof text !== 'string' && !(text === null && isNew(result))) return []
  const blocks = asArray(asObject(record?.message)?.content) ?? []
  return blocks.flatMap((block) => {
    const callId = asText(asObject(block)?.tool_use_id)
    return callId === undefined ? [] : [{ callId, text }]
  })
}

const isNew = ({ type }: Record<string, unknown>): boolean => type === 'create'
