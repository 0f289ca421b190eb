import type { FilterLists } from './query.ts'

/** The tools that have one of the names, or, where none has it, those whose names contain it. */
export const toolsNamed = (wanted: readonly string[], tools: readonly string[]): string[] =>
  wanted.flatMap((each) => {
    const name = each.toLowerCase()
    const exact = tools.filter((tool) => tool.toLowerCase() === name)
    return exact.length > 0 ? exact : tools.filter((tool) => tool.toLowerCase().includes(name))
  })

/** Words of the names of tools that change a file, as in `write_to_file`, and of those that read one. */
const EDITS =
  /(?:^|_)(?:multi|notebook|over)?(?:(?<!in_)edit|write|create|replace|insert|patch|append|save|update|modify|(?:re)?format_|appl(?:y|ied)_diff|propose_code|rename_symbol|delete_lines)/
const READS =
  /(?:^|_)(?:(?:notebook)?(?:read|view(?!_diff))|get_(?:\w+_)?file_(?:text|content)|get_text_file|get_symbols|open_(?:entire_)?file(?!_in)|cat(?:_file)?$)/
/** Words of the names of tools that write or read something else. */
const OTHERS =
  /(?:^|_)(?:todo|task|cron|goal|plan|stdin|thread|session|agent|memory|rule|bash|shell|terminal|process|console|folder|(?:sub)?directory|repo|branch|issue|pull_request|wiki|channel|url|web|browser|lint|mcp_resource)/

/** Whether the names of tools tell that they change the file they are used on: `Edit`, `apply_patch`. */
export const isEditing = (tool: string): boolean => isNamedAs(EDITS, tool)

function isNamedAs(words: RegExp, tool: string): boolean {
  const name = tool
    .replace(/([a-z])(?=[A-Z])/g, '$1_')
    .replace(/[^a-z]+/gi, '_')
    .toLowerCase()
  return words.test(name) && !OTHERS.test(name)
}

/** A call of a tool of one kind on one of the files. */
export interface FileCall {
  isTool(name: string): boolean
  files: string[]
}

/** What `edited:` and `read:` ask for. */
export const fileCalls = ({ edited, read }: Pick<FilterLists, 'edited' | 'read'>): FileCall[] =>
  [
    { isTool: isEditing, files: edited },
    { isTool: (name: string) => isNamedAs(READS, name), files: read },
  ].filter(({ files }) => files.length > 0)
