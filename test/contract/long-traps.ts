/** A line, so long that it can be told from its beginning and its end. */
export const MOSS = 'moss '.repeat(1000)
const json = JSON.stringify

interface Trap {
  what: string
  line: string
  /** Whether a part of the record is left out. */
  shortened: boolean
}
type Fields = Record<string, unknown>

const whole = (what: string, line: unknown): Trap => ({
  what,
  line: typeof line === 'string' ? line : json(line),
  shortened: false,
})
const short = (what: string, line: unknown): Trap => ({ ...whole(what, line), shortened: true })

export const claudeResult = (block: Fields, recorded?: unknown): object => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', ...block }] },
  toolUseResult: recorded,
})
export const claudeCall = (name: string, input: Fields): object => ({
  type: 'assistant',
  message: { role: 'assistant', id: 'm1', content: [{ type: 'tool_use', id: 't', name, input }] },
})
const codexItem = (payload: Fields): object => ({ type: 'response_item', payload })
const codexOutput = (output: unknown): object =>
  codexItem({ type: 'function_call_output', call_id: 'c', output })
const codexEvent = (payload: Fields): object => ({ type: 'event_msg', payload })
const copilotResult = (data: Fields): object => ({ type: 'tool.execution_complete', data })
const geminiCall = (call: Fields, output: string): object => ({
  type: 'gemini',
  id: 'm1',
  toolCalls: [{ id: 'c', name: 'shell', result: [{ functionResponse: { response: { output } } }], ...call }],
})
const qwenResult = (name: string, response: Fields, status = 'success'): object => ({
  type: 'tool_result',
  message: { role: 'user', parts: [{ functionResponse: { id: 'c', name, response } }] },
  toolCallResult: { callId: 'c', status },
})
const kimiResult = (output: unknown, isError = false): object => ({
  type: 'context.append_loop_event',
  event: { type: 'tool.result', toolCallId: 'c', result: { output, isError } },
})
const clineResult = (content: unknown): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'c', name: 'run_commands', content }],
})
const continueCall = (status: string): object => ({
  message: { role: 'assistant', content: '' },
  toolCallStates: [
    { toolCallId: 'c', status, toolCall: { function: { name: 'Bash' } }, output: [{ content: MOSS }] },
  ],
})
const opencodePart = (tool: string, state: Fields): object => ({
  type: 'message',
  message: { role: 'assistant', content: [{ type: 'tool', callID: 'c', tool, state }] },
})
const piMessage = (message: Fields): object => ({ type: 'message', id: 'a', message })
const piResult = (toolName: string, text: string, more: Fields = {}): object =>
  piMessage({ role: 'toolResult', toolCallId: 'c', toolName, content: [{ type: 'text', text }], ...more })

const piTraps: readonly Trap[] = [
  short('a result without the words of an error', piResult('bash', MOSS)),
  whole('a result with such a word at its end', piResult('bash', `${MOSS}\nTypeError: no moss`)),
  whole(
    'a word with an escape',
    json(piResult('bash', `${MOSS}\nError: it broke`)).replace('Error', '\\u0045rror'),
  ),
  short('what was read, with such a word at its end', piResult('read', `${MOSS}\nTypeError: no moss`)),
  whole('what was read, with such a word at its beginning', piResult('read', `Error: it broke\n${MOSS}`)),
  whole(
    'what was read, with so many escapes that little is left',
    json(piResult('read', `${'é'.repeat(250)}\nError: it broke\n${MOSS}`)).replaceAll('é', '\\u00e9'),
  ),
  whole(
    'a result whose tool is stated twice',
    json(piResult('read', `${MOSS}\nError: it broke`)).replace('"content"', '"toolName":"bash","content"'),
  ),
  whole(
    'a message whose role is stated twice',
    json(piResult('read', MOSS)).replace('"content"', '"role":"user","content"'),
  ),
  whole('a failure', piResult('bash', MOSS, { isError: true })),
  whole('a failure that only the details state', piResult('bash', MOSS, { details: { exitCode: 1 } })),
  short('details', piResult('bash', 'moss', { details: { diff: MOSS } })),
  whole('the reason in the details', piResult('bash', '', { isError: true, details: { error: MOSS } })),
  short(
    'a command of a person',
    piMessage({ role: 'bashExecution', command: 'ls', output: MOSS, exitCode: 0 }),
  ),
  whole(
    'such a command that failed',
    piMessage({ role: 'bashExecution', command: 'ls', output: MOSS, exitCode: 1 }),
  ),
  whole(
    'files of a summary',
    piMessage({ role: 'branchSummary', summary: 'x', details: { readFiles: [MOSS] } }),
  ),
  short(
    'what is written to a file',
    piMessage({
      role: 'assistant',
      content: [{ type: 'toolCall', name: 'write', arguments: { path: 'a', content: MOSS } }],
    }),
  ),
  whole(
    'what is sent to an agent',
    piMessage({
      role: 'assistant',
      content: [{ type: 'toolCall', name: 'sessions_send', arguments: { content: MOSS } }],
    }),
  ),
]

export const TRAPS: Readonly<Record<string, readonly Trap[]>> = {
  'claude-code': [
    short('the output of a tool', claudeResult({ content: MOSS }, { stdout: MOSS })),
    short(
      'an image',
      claudeResult({ content: [{ type: 'image', source: { data: MOSS } }] }, { file: { base64: MOSS } }),
    ),
    whole('a failure', claudeResult({ content: MOSS, is_error: true })),
    whole(
      'a failure that is stated far away',
      claudeResult({ content: MOSS, a: 'x'.repeat(600), is_error: true }),
    ),
    whole('answers in a text', claudeResult({ content: `User has answered your question: "a"="${MOSS}".` })),
    whole(
      'answers in a record',
      claudeResult({ content: 'Your questions have been answered' }, { answers: { a: MOSS } }),
    ),
    whole(
      'a note in a record',
      claudeResult({ content: 'The user answered: ' }, { annotations: { a: { notes: MOSS } } }),
    ),
    whole('a queued prompt', { type: 'attachment', attachment: { type: 'queued_command', prompt: MOSS } }),
    short('an attached file', { type: 'attachment', attachment: { type: 'file', content: MOSS } }),
    short('what is written to a file', claudeCall('Write', { file_path: '/a', content: MOSS })),
    short(
      'edits',
      claudeCall('MultiEdit', { file_path: '/a', edits: [{ old_string: MOSS, new_string: MOSS }] }),
    ),
    whole('what is written to no file', claudeCall('Write', { file_path: ' ', content: MOSS })),
    whole('what is sent to an agent', claudeCall('SendMessage', { content: MOSS })),
    short('thinking', {
      type: 'assistant',
      message: { id: 'm', content: [{ type: 'thinking', thinking: MOSS, signature: MOSS }] },
    }),
    whole('a reply', { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: MOSS }] } }),
  ],
  codex: [
    short('the output of a command', codexOutput(`Exit code: 0\nOutput:\n${MOSS}`)),
    short('an output without a preface', codexOutput(`ok\n${MOSS}`)),
    whole('a failure', codexOutput(`Exit code: 1\nOutput:\n${MOSS}`)),
    whole('a preface that is long', codexOutput(`a\n${MOSS}\nProcess exited with code 2\nOutput:\nno`)),
    whole(
      'a preface of several parts',
      codexOutput([{ text: `a\n${MOSS}\nExit code: 2` }, { text: 'Output:\nno' }]),
    ),
    whole('a preface that looks like one', codexOutput(`a\\nOutput:\n${MOSS}\nExit code: 2\nOutput:\nno`)),
    whole('a first line that is long', codexOutput(`${MOSS}\nmore`)),
    whole('printed white space', codexOutput(`Output:\n${' '.repeat(3000)}err: ${MOSS}`)),
    whole('a result as JSON', codexOutput(json({ output: MOSS, metadata: { exit_code: 1 } }))),
    whole(
      'the same after white space',
      codexOutput(`\n${json({ output: MOSS, metadata: { exit_code: 1 } })}`),
    ),
    whole('answers', codexOutput(json({ answers: { a: { answers: [MOSS] } } }))),
    short(
      'a patch',
      codexItem({
        type: 'custom_tool_call',
        name: 'apply_patch',
        input: `*** Begin Patch\n*** Update File: a\n${MOSS}`,
      }),
    ),
    whole(
      'a patch with a long name',
      codexItem({
        type: 'custom_tool_call',
        name: 'apply_patch',
        input: `*** Begin Patch\n*** Update File: ${MOSS}`,
      }),
    ),
    whole(
      'a patch for another tool',
      codexItem({ type: 'custom_tool_call', name: 'exec', input: `*** Begin Patch\n${MOSS}` }),
    ),
    short(
      'instructions',
      codexItem({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: MOSS }] }),
    ),
    whole(
      'a command of a person',
      codexItem({
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: `<user_shell_command>\n<command>\n${MOSS}\n</command>` }],
      }),
    ),
    whole(
      'a reply whose role is stated twice',
      json(
        codexItem({ type: 'message', role: 'user', content: [{ type: 'output_text', text: MOSS }] }),
      ).replace('"content"', '"role":"assistant","content"'),
    ),
    short(
      'what a server returned',
      codexEvent({ type: 'mcp_tool_call_end', result: { Ok: { content: [{ text: MOSS }] } } }),
    ),
    whole(
      'a failure of a server',
      codexEvent({ type: 'mcp_tool_call_end', result: { Ok: { isError: true, content: [{ text: MOSS }] } } }),
    ),
    whole(
      'a failure in a script',
      codexEvent({
        type: 'item_completed',
        item: { id: 'exec-1', status: 'failed', aggregated_output: MOSS },
      }),
    ),
    short('what was replaced', {
      type: 'compacted',
      payload: { message: 'x', replacement_history: [{ text: MOSS }] },
    }),
    whole('a prompt', codexEvent({ type: 'user_message', message: MOSS })),
  ],
  copilot: [
    short('a result', copilotResult({ success: true, result: { content: MOSS } })),
    whole('a failure', copilotResult({ success: false, result: { content: MOSS } })),
    whole(
      'a command that failed',
      copilotResult({ result: { content: MOSS }, shellExecution: { exitCode: 1 } }),
    ),
    short('instructions', { type: 'system.message', data: { content: MOSS } }),
    whole('a prompt', { type: 'user.message', data: { content: MOSS } }),
    whole(
      'a prompt whose type is stated twice',
      json({ type: 'system.message', data: { content: MOSS } }).replace(
        '"data"',
        '"type":"user.message","data"',
      ),
    ),
    whole('what a person says', {
      type: 'permission.completed',
      data: { result: { kind: 'cancelled', feedback: MOSS } },
    }),
  ],
  cline: [
    short('a result', clineResult([{ query: 'ls', result: MOSS, success: true }])),
    whole('a failure', clineResult([{ query: 'ls', result: MOSS, success: false }])),
    short('a result that is a text', clineResult(MOSS)),
    whole('a prompt', { role: 'user', content: [{ type: 'text', text: MOSS }] }),
  ],
  continue: [
    short('a result', continueCall('done')),
    whole('a failure', continueCall('errored')),
    whole('a call that was not made', continueCall('canceled')),
    short('files beside a prompt', {
      message: { role: 'user', content: 'x' },
      contextItems: [{ content: MOSS }],
    }),
    whole('a prompt', { message: { role: 'user', content: MOSS } }),
  ],
  'kimi-code': [
    short('a result', kimiResult(MOSS)),
    whole('a failure', kimiResult(MOSS, true)),
    whole('a failure in parts', kimiResult([{ type: 'text', text: MOSS }], true)),
    short('a system prompt', { type: 'profile.bind', systemPrompt: MOSS }),
    short('a message that is written again', {
      type: 'agent.message.appended',
      message: { message: { a: MOSS } },
    }),
    whole('a prompt', {
      type: 'turn.prompt',
      input: [{ type: 'text', text: MOSS }],
      origin: { kind: 'user' },
    }),
  ],
  'qwen-code': [
    short('a result', qwenResult('run_shell_command', { output: MOSS })),
    whole('a failure', qwenResult('read_file', { error: MOSS }, 'error')),
    whole('a failure in the output', qwenResult('read_file', { output: MOSS }, 'error')),
    whole('a command that failed', qwenResult('run_shell_command', { output: `${MOSS}\nExit Code: 2` })),
    whole('a prompt', { type: 'user', message: { role: 'user', parts: [{ text: MOSS }] } }),
    short('a reply that is measured', {
      type: 'system',
      subtype: 'ui_telemetry',
      systemPayload: { uiEvent: { response_text: MOSS } },
    }),
  ],
  'gemini-cli': [
    short('a result', geminiCall({ status: 'success' }, MOSS)),
    whole('a failure', geminiCall({ status: 'error' }, MOSS)),
    whole('a command that failed', geminiCall({ status: 'success' }, `${MOSS}\nExit Code: 2`)),
    short('a history that is written again', {
      $set: { messages: [{ id: 'a', type: 'gemini', toolCalls: [{ a: MOSS }] }] },
    }),
    whole('a prompt', { type: 'user', id: 'a', content: [{ text: MOSS }] }),
  ],
  opencode: [
    short(
      'a result',
      opencodePart('bash', { status: 'completed', input: {}, output: MOSS, metadata: { output: MOSS } }),
    ),
    whole(
      'a failure',
      opencodePart('bash', { status: 'completed', input: {}, output: MOSS, metadata: { exit: 1 } }),
    ),
    whole(
      'answers',
      opencodePart('question', {
        status: 'completed',
        input: {},
        output: '',
        metadata: { answers: [[MOSS]] },
      }),
    ),
    short('what is written to a file', opencodePart('write', { input: { filePath: '/a', content: MOSS } })),
  ],
  openclaw: piTraps,
  pi: piTraps,
}
