import type { Call } from './story.ts'

/** Calls of OpenClaw's tools. A failing command is no tool error there: only `details` and the text tell. */

export function exec(command: string, printed: string, workdir?: string): Call {
  const output = printed || '(no output)'
  return {
    tool: 'exec',
    input: { command, ...(workdir ? { workdir } : {}) },
    output,
    details: { status: 'completed', exitCode: 0, durationMs: 40 + output.length },
  }
}

export function execFails(command: string, message: string, exitCode = 1, workdir?: string): Call {
  const output = `${message}\n\n(Command exited with code ${exitCode})`
  return {
    tool: 'exec',
    input: { command, ...(workdir ? { workdir } : {}) },
    output,
    details: { status: 'completed', exitCode, durationMs: 900 + message.length },
  }
}

export function read(path: string, content: string): Call {
  return { tool: 'read', input: { path }, output: content }
}

export function readMissing(path: string): Call {
  const error = `ENOENT: no such file or directory, access '${path}'`
  const details = { status: 'error', tool: 'read', error }
  return { tool: 'read', input: { path }, output: JSON.stringify(details, null, 2), details }
}

export function write(path: string, content: string): Call {
  return {
    tool: 'write',
    input: { path, content },
    output: `Successfully wrote ${content.length} bytes to ${path}`,
  }
}

export function edit(path: string, before: string, after: string): Call {
  return {
    tool: 'edit',
    input: { path, oldText: before, newText: after },
    output: `Successfully replaced text in ${path}.`,
    details: { diff: `-1 ${before}\n+1 ${after}`, firstChangedLine: 1 },
  }
}

export function spawn(task: string, label: string, childSessionKey: string, runId: string): Call {
  const accepted = { status: 'accepted', childSessionKey, runId, mode: 'run' }
  return {
    tool: 'sessions_spawn',
    input: { task, label },
    output: JSON.stringify(accepted, null, 2),
    details: accepted,
  }
}
