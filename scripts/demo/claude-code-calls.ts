import type { Call, Reply } from './story.ts'

/**
 * Calls of Claude Code's tools, with their results in the two forms a transcript keeps.
 * The structured form leaves out what would repeat whole files: the data set travels with every installation.
 */

export function bash(command: string, output: string, description?: string): Call {
  return {
    tool: 'Bash',
    input: { command, ...(description ? { description } : {}) },
    output,
    details: { stdout: output, stderr: '' },
  }
}

export function bashFails(command: string, output: string, exitCode = 1): Call {
  const text = `Exit code ${exitCode}\n${output}`
  return { tool: 'Bash', input: { command }, output: text, failed: true, details: `Error: ${text}` }
}

export function read(path: string, content: string): Call {
  const lines = content.split('\n')
  return {
    tool: 'Read',
    input: { file_path: path },
    output: lines.map((line, index) => `${index + 1}\t${line}`).join('\n'),
    details: {
      type: 'text',
      file: { filePath: path, numLines: lines.length, startLine: 1, totalLines: lines.length },
    },
  }
}

export function write(path: string, content: string): Call {
  return {
    tool: 'Write',
    input: { file_path: path, content },
    output: `File created successfully at: ${path}`,
    details: { type: 'create', filePath: path },
  }
}

export function edit(path: string, before: string, after: string): Call {
  return {
    tool: 'Edit',
    input: { file_path: path, old_string: before, new_string: after },
    output: `The file ${path} has been updated successfully.`,
    details: { filePath: path },
  }
}

export function editUnread(path: string, before: string, after: string): Call {
  const text = 'File has not been read yet. Read it first before writing to it.'
  return {
    tool: 'Edit',
    input: { file_path: path, old_string: before, new_string: after },
    output: `<tool_use_error>${text}</tool_use_error>`,
    failed: true,
    details: `Error: ${text}`,
  }
}

export function grep(pattern: string, path: string, output: string): Call {
  const lines = output.split('\n')
  return {
    tool: 'Grep',
    input: { pattern, path, output_mode: 'content' },
    output,
    details: { mode: 'content', numLines: lines.length },
  }
}

export function delegate(agentType: string, description: string, task: string, ...replies: Reply[]): Call {
  return {
    tool: 'Agent',
    input: { description, prompt: task, subagent_type: agentType },
    output: replies.at(-1)?.text ?? '',
    delegated: { agentType, description, task, replies },
  }
}
