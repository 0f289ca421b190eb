/**
 * What a tool does to its target, as far as its name tells. Agents name their tools differently, and so does
 * every MCP server: `Edit`, `write_to_file` and `mcp__files__edit_file` all edit a file.
 */

const CHANGES =
  '(?:multi|notebook|over|re)?(?:(?<!in_)edit|write|create|replace|insert|patch|append|save|update|modify|(?:re)?format_|appl(?:y|ied)_diff|propose_code|rename_symbol|delete_lines)'
const EDITS = /* @__PURE__ */ (() => new RegExp(`(?:^|_)${CHANGES}`))()
const READS =
  /(?:^|_)(?:(?:notebook)?(?:read|view(?!_diff))|get_(?:\w+_)?file_(?:text|content)|get_text_file|get_symbols|open_(?:entire_)?file(?!_in)|cat(?:_file)?$)/
/** Words of the names of tools that write or read something else. */
const NO_FILES =
  /(?:^|_)(?:todo|task|cron|goal|plan|stdin|thread|session|agent|memory|rule|bash|(?:power)?shell|terminal|process|console|folder|(?:sub)?directory|repo|branch|issue|pull_request|git(?:hub|lab)_(?:create|update|push|edit)|wiki|channel|url|web|browser|lint|query|mcp_resource)/
const WRITES_WHOLE =
  /(?:^|_)(?:(?:over|re)?write|create|save)(?:_(?:to|new|text|entire|whole)){0,2}(?:_file)?(?:_(?:with_(?:text|block)|if_empty|tool|call|code)){0,2}$|(?:^|_)(?:new_file_created$|replace_(?:current_)?file_text)/
/** A shell, what runs a command line, or both, as the name ends. */
const RUNS =
  /^(?:terminal|execute)$|(?:^|_)(?:(?:power)?shell|pwsh|bash|zsh|exec|cmd)(?:_(?:exec|execute|run|commands?|code_execution))?(?:_(?:tool|call|session)){0,2}$|(?:^|_)(?:terminal|ssh)_(?:exec|execute|run|commands?)$|(?:^|_)(?:exec|execute|run|start|launch)_(?:[a-z]+_){0,2}(?:commands?|cmd|shell|bash|pwsh|terminal|process)(?:_(?:tool|call|session|code)){0,2}$/
/** Words of the names of tools that only ask for an output, end a process, or run another kind of command. */
const NO_COMMAND = /(?:^|_)(?:read|write|stop|kill|list|get|wait|(?:run|execute)_(?:slash|vscode|editor))_/

/**
 * Whether a tool changes the file it is used on.
 *
 * @example
 * isEditing('apply_patch') // => true
 * isEditing('TodoWrite') // => false
 */
export const isEditing = (tool: string): boolean => {
  const name = plainName(tool)
  return EDITS.test(name) && !NO_FILES.test(name)
}

/** A text in quotes that may be the name of a tool that edits. A record without one calls none. */
export const EDITING_NAME = /* @__PURE__ */ (() =>
  new RegExp(`"[\\w./:@-]{0,100}${CHANGES.replaceAll('_', '_?')}`, 'i'))()

/** Whether a tool shows the content of the file it is used on: `Read`, `view`, `read_many_files`. */
export const isReading = (tool: string): boolean => {
  const name = plainName(tool)
  return READS.test(name) && !NO_FILES.test(name)
}

/** Whether a tool writes the file from its first to its last line: `Write`, `create`, `write_to_file`. */
export const isWritingWhole = (tool: string): boolean => isEditing(tool) && WRITES_WHOLE.test(plainName(tool))

/** Whether the target of a tool is a command line that it runs: `Bash`, `run_shell_command`. */
export const isRunning = (tool: string): boolean => {
  const name = plainName(tool)
  return RUNS.test(name) && !NO_COMMAND.test(name)
}

/** No tool has a longer name. */
const LONGEST = 200

/** The words of a name in lower case, with `_` between them. */
const plainName = (tool: string): string =>
  (tool.length > LONGEST ? '' : tool)
    .replace(/([a-z])(?=[A-Z])/g, '$1_')
    .replace(/[^a-z]+/gi, '_')
    .toLowerCase()
