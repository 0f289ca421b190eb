import { expect, it } from 'vitest'
import { fileCalls, isEditing, toolsNamed } from './tool-filter.ts'

it('a name chooses the tools of exactly that name, and others that contain it only where there is none', () => {
  expect(toolsNamed(['READ'], ['Read', 'read', 'read_files', 'Bash'])).toEqual(['Read', 'read'])
  expect(toolsNamed(['file', 'bash'], ['read_files', 'Bash', 'BashOutput'])).toEqual(['read_files', 'Bash'])
})

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
  const [call] = fileCalls({ edited: [], read: ['a.ts'] })
  expect(call).toMatchObject({ files: ['a.ts'] })
  expect(call!.isTool(name)).toBe(reads)
})
