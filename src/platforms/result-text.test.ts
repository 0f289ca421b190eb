import { describe, expect, it } from 'vitest'
import { toolDrafts } from './gemini-cli/records/tools.ts'
import { toolParts } from './opencode-records/tools.ts'
import { resultOf } from './qwen-code/records/tools.ts'
import { failureLine, ofMcpServer } from './result-text.ts'

const failed = (response: object): string =>
  `MCP tool 'hives' reported tool error for function call: {"name":"hives","args":{}} with response: ${JSON.stringify(
    [{ functionResponse: { name: 'hives', response } }],
  )}`
const said = (...texts: string[]) => ({
  content: texts.map((text) => ({ type: 'text', text })),
  isError: true,
})

describe('the answer of an MCP server to a failed call', () => {
  it('is taken out of the sentence of the client', () => {
    expect(ofMcpServer(failed(said('The bees\nare asleep.', 'Come later.')))).toBe(
      'The bees\nare asleep.\nCome later.',
    )
    expect(ofMcpServer(failed({ error: { message: 'MCP error -32602: No hive', isError: true } }))).toBe(
      'MCP error -32602: No hive',
    )
  })

  it('is found behind arguments and in front of texts that look like it', () => {
    const before = '{"q":"fly with response: [{\\"functionResponse\\":1}]"}'
    const text = 'No "hive" with response: [{"functionResponse":{}}]'
    expect(ofMcpServer(failed(said(text)).replace('{"name":"hives","args":{}}', before))).toBe(text)
  })

  it('has the text of a resource, and nothing for a picture', () => {
    const content = [
      { type: 'image', data: 'iVBO' },
      { type: 'resource', resource: { uri: 'hive://1', text: 'The hive is empty.' } },
    ]
    expect(ofMcpServer(failed({ content, isError: true }))).toBe('The hive is empty.')
  })

  it.each([failed({}), failed(said()), failed(said('It')).slice(0, -2), 'MCP tool', 'Error: dry'])(
    'is the whole text if there is none: %s',
    (text) => expect(ofMcpServer(text)).toBe(text),
  )
})

describe('a command that a client stopped because it took too long', () => {
  const SHELL = 'run_shell_command'
  const words = 'Command timed out after 5000ms before it could complete.'
  const stopped = `${words} Below is what it printed:\nwatering`
  const failureIn = (parts: readonly object[]) =>
    parts.flatMap((part) => ('errorLine' in part ? part.errorLine : []))
  const inGemini = (name: string, output: string) =>
    toolDrafts(
      { toolCalls: [{ name, status: 'success', result: [{ functionResponse: { response: { output } } }] }] },
      'm1',
    ).flatMap((payload) => (payload.type === 'message' ? failureIn(payload.parts) : []))
  const inQwen = (name: string, output: string) =>
    failureIn([resultOf({ name, response: { output } }, { status: 'success' })])

  it('is an error, although its call is a success', () => {
    const minutes = 'Command was automatically cancelled because it exceeded the timeout of 5.0 minutes.'
    expect(inGemini(SHELL, `<untrusted_context>\n${minutes}\nwatering`)).toEqual([minutes.slice(0, -1)])
    expect(inQwen(SHELL, stopped)).toEqual([words.slice(0, -1)])
    expect([inGemini('read_file', minutes), inQwen('read_file', stopped)]).toEqual([[], []])
    expect([inGemini(SHELL, `watering\n${words}`), inQwen(SHELL, `watering\n${words}`)]).toEqual([[], []])
  })

  it('is one where its exit code is null', () => {
    const reason = 'shell tool terminated command after exceeding timeout 1500 ms'
    const output = `watering\n\n<shell_metadata>\n${reason}. Retry with a larger one.\n</shell_metadata>`
    const lines = (exit: number | null) =>
      failureIn(toolParts({ tool: 'bash', state: { status: 'completed', output, metadata: { exit } } }).parts)
    expect([lines(null), lines(0), lines(1)]).toEqual([[reason], [], ['watering']])
  })
})

it('what a command printed explains its error, or else how it ended, in any form of the client', () => {
  const after = 'Error: (none)\nExit Code: 2\nSignal: (none)\nProcess Group PGID: 55'
  const lines = [
    `Command: x\nDirectory: (root)\nStdout: (empty)\nStderr: (empty)\n${after}`,
    `Command: x\nDirectory: (root)\nStdout: watering\nStderr: no fern: not found\n${after}`,
    `Command: x\nOutput: watering\nno fern: not found\n${after}`,
    'Output: (empty)\nError: spawn x ENOENT\nExit Code: 1',
    'Output: (empty)\nExit Code: 1\nProcess Group PGID: 3',
    'Output: no fern',
  ].map(failureLine)
  expect(lines).toEqual([
    'exit code: 2',
    'no fern: not found',
    'no fern: not found',
    'Error: spawn x ENOENT',
    'exit code: 1',
    'no fern',
  ])
})
