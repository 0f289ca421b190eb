import { expect, it } from 'vitest'
import { codexThread, type ThreadRecord } from '../../../../test/codex-threads.ts'

/** A call of the tool `steep` of a server. The client writes how it ended, and what it tells the model. */
function called(id: string, ending: object, ...texts: string[]): ThreadRecord[] {
  const output = ['Wall time: 0.0030 seconds\nOutput:', ...texts].map((text) => ({
    type: 'input_text',
    text,
  }))
  const call = {
    type: 'function_call',
    name: 'steep',
    namespace: 'mcp__tea_house',
    arguments: '{}',
    call_id: id,
  }
  return [
    ['response_item', call],
    [
      'event_msg',
      { type: 'item_completed', item: { type: 'McpToolCall', id, server: 'tea.house', ...ending } },
    ],
    ['response_item', { type: 'function_call_output', call_id: id, output }],
  ]
}

const failure = (message: string): object => ({ status: 'failed', error: { message } })
const toolError = (cause: string): string =>
  `tool call error: tool call failed for \`tea.house/steep\`\n\nCaused by:\n    ${cause}`

it('a call is an error if its server answers with one, or not at all, or the client does not allow it', () => {
  const refused = toolError('Mcp error: -32602: No such leaf')
  const closed = toolError('Transport closed')
  const blocked = 'MCP tool call blocked by app configuration'
  const { told, session } = codexThread(
    { source: 'cli' },
    ...called('c1', { status: 'completed', result: { content: [] } }, 'tool call errors are rare'),
    ...called('c2', failure(refused), refused),
    ...called('c3', failure(closed), closed),
    ...called('c4', failure(blocked), blocked),
    ...called('c5', { status: 'failed', result: { content: [], isError: true } }, 'The pot is empty'),
  )
  expect(told.filter((line) => line.startsWith('error'))).toEqual([
    'error: (mcp__tea_house__steep) Mcp error: -32602: No such leaf',
    'error: (mcp__tea_house__steep) Transport closed',
    'error: (mcp__tea_house__steep) MCP tool call blocked by app configuration',
    'error: (mcp__tea_house__steep) failed',
  ])
  expect(session.errors).toBe(4)
})

it('a call is an error once in rollouts that tell only its output, and in those with the older event', () => {
  const closed = toolError('Transport closed')
  const [call, , output] = called('c1', {}, closed)
  const older: ThreadRecord = [
    'event_msg',
    { type: 'mcp_tool_call_end', call_id: 'c2', result: { Err: closed } },
  ]
  const [second, , other] = called('c2', {}, closed)
  const { session } = codexThread({ source: 'cli' }, call!, output!, second!, older, other!)
  expect(session.errors).toBe(2)
})

it('a call that the person did not allow is a denial', () => {
  const words = 'user rejected MCP tool call'
  const { told, session } = codexThread({ source: 'cli' }, ...called('c1', failure(words), words))
  expect(told.filter((line) => line.startsWith('marker'))).toEqual([
    'marker: · denial (mcp__tea_house__steep)',
  ])
  expect(session.errors).toBe(0)
})

it('what a command printed is no failure of a server', () => {
  const output = `Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n${toolError('Rain')}`
  const { session } = codexThread(
    { source: 'cli' },
    [
      'response_item',
      { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"cat log"}', call_id: 'c1' },
    ],
    ['response_item', { type: 'function_call_output', call_id: 'c1', output }],
  )
  expect(session.errors).toBe(0)
})
