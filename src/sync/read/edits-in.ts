import { asArray, asNumber, asObject, type JsonObject } from '../../model/json.ts'

/** A change of a file, as a tool call states it. */
export interface StatedEdit {
  path: string
  /** What is replaced. Undefined if the whole file is written. */
  before?: string
  after: string
  /** `before` is replaced wherever it occurs. */
  everywhere?: true
  /** `after` is added at the end of the file. `before` is empty. */
  appended?: true
  /** The file is deleted. */
  deleted?: true
  /** The call only makes files that do not exist. */
  created?: true
  /** It is the source of a cell of a notebook. The file contains it in another form. `before` is empty. */
  isCell?: true
  /** It is inserted as whole lines, the first of which becomes this one, counted from 1. */
  insertedAt?: number
  /** The path that the file had before the call moved it. */
  from?: string
}

const textIn = (input: JsonObject, ...names: string[]): string | undefined =>
  names.map((name) => input[name]).find((value): value is string => typeof value === 'string')

/** The changes that the input of a tool call states: replaced texts, or the whole content of a file. */
export function editsIn(input: unknown): StatedEdit[] {
  const patch = typeof input === 'string' ? input : patchIn(asObject(input))
  if (patch !== undefined) return editsInPatch(patch)
  const fields = asObject(input)
  const path = fields && textIn(fields, 'file_path', 'filePath', 'filepath', 'path', 'notebook_path')
  if (!fields || path === undefined) return []
  const several = asArray(fields.edits)
  if (several) return several.flatMap((each) => editIn(path, asObject(each)) ?? [])
  const edit = editIn(path, fields)
  if (edit) return [edit]
  const content = textIn(fields, 'content', 'file_text', 'new_text')
  if (fields.notebook_path === path)
    return [{ path, before: '', after: textIn(fields, 'new_source') ?? '', isCell: true }]
  if (content === undefined) return []
  if (fields.mode === 'append') return [{ path, before: '', after: content, appended: true }]
  const insertedAt = asNumber(fields.insert_line)
  return [{ path, after: content, ...(insertedAt === undefined ? {} : { before: '', insertedAt }) }]
}

function editIn(path: string, fields: JsonObject | undefined): StatedEdit | undefined {
  if (!fields) return undefined
  const before = textIn(fields, 'old_string', 'oldString', 'oldText', 'old_text', 'old_str')
  const after = textIn(fields, 'new_string', 'newString', 'newText', 'new_text', 'new_str')
  if (before === undefined || after === undefined) return undefined
  return {
    path,
    before,
    after,
    ...(EVERYWHERE.some((name) => fields[name] === true) ? { everywhere: true } : {}),
  }
}

/** How calls state that a text is replaced wherever it occurs. */
const EVERYWHERE = ['replace_all', 'replaceAll', 'allow_multiple']

const patchIn = (fields: JsonObject | undefined): string | undefined => {
  const text = fields && textIn(fields, 'input', 'patch', 'patchText')
  return text?.includes('*** Begin Patch') ? text : undefined
}

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const MOVE = /^\*\*\* Move to: (.+)$/

/** A part of a patch for one file. */
interface Section {
  kind: string
  path: string
  /** The path that the file has afterwards. */
  moved?: string
  lines: string[]
}

/** The changes in a patch of `apply_patch`: sections for files, with hunks that `@@` separates. */
function editsInPatch(patch: string): StatedEdit[] {
  const sections: Section[] = []
  for (const line of patch.split(/\r?\n/)) {
    const [, kind, path] = FILE.exec(line) ?? []
    const moved = MOVE.exec(line)?.[1]
    if (kind !== undefined && path !== undefined) sections.push({ kind, path: path.trim(), lines: [] })
    else if (moved !== undefined && sections.length > 0) sections.at(-1)!.moved = moved.trim()
    else if (/^\*\*\* (?:Begin|End) Patch/.test(line)) continue
    else sections.at(-1)?.lines.push(line)
  }
  return sections.flatMap(editsOf)
}

function editsOf({ kind, path: former, moved, lines }: Section): StatedEdit[] {
  const path = moved ?? former
  if (kind === 'Delete') return [{ path, after: '', deleted: true }]
  if (kind === 'Add')
    return [
      {
        path,
        after: lines.flatMap((line) => (line.startsWith('+') ? [`${line.slice(1)}\n`] : [])).join(''),
        created: true,
      },
    ]
  const edits: StatedEdit[] = []
  let before: string[] = []
  let after: string[] = []
  const close = (): void => {
    if (before.length > 0 || after.length > 0)
      edits.push({ path, before: before.join('\n'), after: after.join('\n') })
    before = []
    after = []
  }
  for (const line of lines) {
    if (line.startsWith('@@')) close()
    else if (line.startsWith('***')) continue
    else if (line.startsWith('-')) before.push(line.slice(1))
    else if (line.startsWith('+')) after.push(line.slice(1))
    else {
      before.push(line.slice(1))
      after.push(line.slice(1))
    }
  }
  close()
  const changing = edits.filter((edit) => edit.before !== edit.after)
  if (moved === undefined || moved === former) return changing
  const [first = { path, before: '', after: '' }, ...others] = changing
  return [{ ...first, from: former }, ...others]
}
