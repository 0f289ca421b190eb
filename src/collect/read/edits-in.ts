import { asArray, asObject, asText, type JsonObject } from '../../model/json.ts'
import { editsInPatch } from './edits-in-patch.ts'
import type { StatedEdit } from './stated-edit.ts'

const textIn = (input: JsonObject, ...names: string[]): string | undefined =>
  names.map((name) => input[name]).find((value): value is string => typeof value === 'string')

/** The changes that the input of a tool call states: replaced texts, or the whole content of a file. */
export function editsIn(input: unknown): StatedEdit[] {
  const patch = typeof input === 'string' ? input : patchIn(asObject(input))
  if (patch !== undefined) return editsInPatch(patch)
  const fields = asObject(input)
  const path = fields && textIn(fields, 'file_path', 'filePath', 'path', 'notebook_path')
  if (!fields || path === undefined) return []
  const several = asArray(fields.edits)
  if (several) return several.flatMap((each) => editIn(path, asObject(each)) ?? [])
  const edit = editIn(path, fields)
  if (edit) return [edit]
  const content = asText(fields.content)
  return content === undefined ? [] : [{ path, after: content }]
}

function editIn(path: string, fields: JsonObject | undefined): StatedEdit | undefined {
  if (!fields) return undefined
  const before = textIn(fields, 'old_string', 'oldText', 'old_text')
  const after = textIn(fields, 'new_string', 'newText', 'new_text')
  if (before === undefined || after === undefined) return undefined
  return { path, before, after, ...(fields.replace_all === true ? { everywhere: true } : {}) }
}

const patchIn = (fields: JsonObject | undefined): string | undefined => {
  const text = fields && textIn(fields, 'input', 'patch')
  return text?.includes('*** Begin Patch') ? text : undefined
}
