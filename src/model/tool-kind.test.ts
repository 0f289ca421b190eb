import { expect, it } from 'vitest'
import { EDITING_NAME, isEditing, isReading, isRunning, isWritingWhole } from './tool-kind.ts'

it.each([
  ...['Edit', 'MultiEdit', 'multiedit', 'Write', 'NotebookEdit', 'notebook_edit', 'create', 'replace'],
  ...['write_file', 'write_to_file', 'replace_in_file', 'editor', 'apply_patch', 'StrReplaceFile'],
  ...['str_replace_editor', 'mcp__files__edit_file', 'insert-line', 'create_new_file', 'fsAppend'],
  ...['save_file', 'appliedDiff', 'overwrite_file', 'update_file', 'reformat_file', 'rename_symbol'],
])('%s edits a file', (name) => {
  expect(isEditing(name)).toBe(true)
})

it.each([
  ...['Read', 'Bash', 'TodoWrite', 'TaskCreate', 'CronCreate', 'write_stdin', 'credit', 'CreateGoal', ''],
  ...['create_directory', 'write_bash', 'open_file_in_editor', 'create_branch', 'update_plan', 'view_diff'],
  ...['write_powershell', 'mcp__db__write_query', 'mcp__github__create_or_update_file'],
])('%j edits no file', (name) => {
  expect(isEditing(name)).toBe(false)
})

it.each([
  ['Read', true],
  ['read_files', true],
  ['ReadFile', true],
  ['view', true],
  ['NotebookRead', true],
  ['mcp__files__read_text_file', true],
  ['Edit', false],
  ['spread', false],
  ['review', false],
  ['read_thread', false],
  ['get_file_contents', true],
  ['get_open_in_editor_file_text', true],
  ['cat', true],
  ['concat', false],
  ['read_terminal', false],
  ['view_diff', false],
  ['read_mcp_resource', false],
])('%s reads a file: %s', (name, reads) => {
  expect(isReading(name)).toBe(reads)
})

it.each([
  ...['Bash', 'bash', 'exec', 'exec_command', 'shell_command', 'run_shell_command', 'run_commands', 'Shell'],
  ...['execute_command', 'run_in_terminal', 'PowerShell', 'local_shell', 'run_terminal_cmd', 'terminal'],
  ...['mcp__desk__start_process', 'execute_bash', 'terminal_execute', 'runTerminalCommand'],
  ...[
    'executePwsh',
    'shellToolCall',
    'run_in_bash_session',
    'mcp__ssh__ssh_exec',
    'launch-process',
    'Execute',
  ],
])('%s runs a command line', (name) => {
  expect(isRunning(name)).toBe(true)
})

it.each([
  ...['Read', 'BashOutput', 'KillShell', 'read_bash', 'write_stdin', 'stop_bash', 'list_processes', 'Task'],
  ...['run_tests', 'execute_sql', 'command', 'slash_command', 'kill_process', 'preprocess', ''],
  ...['process', 'run_slash_command', 'execute_vscode_command', 'interact_with_process', 'execute_query'],
])('%j runs no command line', (name) => {
  expect(isRunning(name)).toBe(false)
})

it.each([
  'Write',
  'create',
  'write_file',
  'write_to_file',
  'mcp__files__write_file',
  'create_new_file',
  'WriteFile',
])('%s writes a file as a whole', (name) => {
  expect(isWritingWhole(name)).toBe(true)
})

it.each(['Edit', 'apply_patch', 'TodoWrite', 'create_directory', 'replace', 'write_lines', 'Read'])(
  '%s does not write a file as a whole',
  (name) => {
    expect(isWritingWhole(name)).toBe(false)
  },
)

it('a record that calls a tool that edits has a text that may be its name', () => {
  for (const name of [
    'Edit',
    'appliedDiff',
    'mcp__files__edit_file',
    'reformatFile',
    'functions.apply_patch',
  ])
    expect(EDITING_NAME.test(`{"type":"call","name":"${name}"}`)).toBe(true)
  expect(EDITING_NAME.test('{"name":"Read","file":"We edit it"}')).toBe(false)
})

it('a name that is as long as a text is of no kind, and is not searched', () => {
  expect(isEditing(`edit_${'a_'.repeat(100_000)}`)).toBe(false)
})
