import { isEditing, isReading } from '../model/tool-kind.ts'
import type { FilterLists } from './query.ts'

/** The tools that have one of the names, or, where none has it, those whose names contain it. */
export const toolsNamed = (wanted: readonly string[], tools: readonly string[]): string[] =>
  wanted.flatMap((each) => {
    const name = each.toLowerCase()
    const exact = tools.filter((tool) => tool.toLowerCase() === name)
    return exact.length > 0 ? exact : tools.filter((tool) => tool.toLowerCase().includes(name))
  })

/** A call of a tool of one kind on one of the files. */
export interface FileCall {
  isTool(name: string): boolean
  /** Parts of paths. Every path has `ANY_FILE`. */
  files: string[]
}

export const ANY_FILE = ''

/** What `edited:` and `read:` ask for. `*` is any file. */
export const fileCalls = ({ edited, read }: Pick<FilterLists, 'edited' | 'read'>): FileCall[] =>
  [
    { isTool: isEditing, files: edited },
    { isTool: isReading, files: read },
  ]
    .filter(({ files }) => files.length > 0)
    .map((call) => (call.files.includes('*') ? { ...call, files: [ANY_FILE] } : call))
