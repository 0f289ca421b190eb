import { asArray, asObject, asText, type JsonObject } from '../../model/json.ts'

/** A change of a file, as a tool call states it. */
export interface StatedEdit {
  path: string
  /** What is replaced. Undefined if the whole file is written. */
  before?: string
  after: string
}

const textIn = (input: JsonObject, ...names: string[]): string | undefined =>
  names.map((name) => input[name]).find((value): value is string => typeof value === 'string')

/** The changes that the input of a tool call states: replaced texts, or the whole content of a file. */
export function editsIn(input: unknown): StatedEdit[] {
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
  return before === undefined || after === undefined ? undefined : { path, before, after }
}
