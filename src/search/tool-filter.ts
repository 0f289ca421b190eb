import type { FilterLists } from './query.ts'

/** The tools that have one of the names, or, where none has it, those whose names contain it. */
export const toolsNamed = (wanted: readonly string[], tools: readonly string[]): string[] =>
  wanted.flatMap((each) => {
    const name = each.toLowerCase()
    const exact = tools.filter((tool) => tool.toLowerCase() === name)
    return exact.length > 0 ? exact : tools.filter((tool) => tool.toLowerCase().includes(name))
  })

/** Words of the names of tools that change a file, as in `write_to_file`, and of those that read one. */
const EDITS = /(?:^|_)(?:multi|notebook)?(?:edit|write|create|replace|insert|patch)/
const READS = /(?:^|_)(?:notebook)?(?:read|view)/
/** Words of the names of tools that write or read something else. */
const OTHERS = /(?:^|_)(?:todo|task|cron|goal|stdin|thread|session|agent|memory)/

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

/** Whether a filter is about single messages, and not about sessions or times. */
export const asksOfMessages = ({ who, tool, file, edited, read, error, question }: FilterLists): boolean =>
  [who, tool, file, edited, read].some((list) => list.length > 0) || error || question

/** Whether failed calls are asked for, which are messages of their own. */
export const asksForErrors = ({ who, error }: Pick<FilterLists, 'who' | 'error'>): boolean =>
  error || who.includes('error')
