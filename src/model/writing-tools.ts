/** Tools that change the file they are used on, by the names that agents use. */
export const WRITING_TOOLS: readonly string[] = [
  ...['Edit', 'MultiEdit', 'Write', 'NotebookEdit'],
  ...['edit', 'write', 'apply_patch'],
]
