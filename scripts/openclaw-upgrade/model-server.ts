import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A model with scripted replies, on loopback only. */
export interface ScriptedModel {
  /** The base URL of an OpenAI-compatible API. */
  address: string
  /** The number of requested replies. */
  asked(): number
  close(): void
}

interface Asked {
  messages?: { role: string; content?: unknown }[]
}

/** Replies to each prompt according to the word in it. Calls `tool` first for the word that belongs to it. */
export async function startModel(
  replies: ReadonlyMap<string, string>,
  tool: { word: string; name: string; input: object },
): Promise<ScriptedModel> {
  let asked = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      asked++
      reply(JSON.parse(body === '' ? '{}' : body) as Asked, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/v1`,
    asked: () => asked,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }

  function wordIn(prompt: string): string | undefined {
    return [...replies.keys()].find((each) => prompt.includes(each))
  }

  function reply({ messages = [] }: Asked, response: ServerResponse): void {
    // A release may add a message with its own context after the prompt.
    const words = messages.map(({ role, content }) =>
      role === 'user' ? wordIn(JSON.stringify(content ?? '')) : undefined,
    )
    const last = words.findLastIndex((each) => each !== undefined)
    const word = words[last]
    const calls = word === tool.word && !messages.slice(last).some(({ role }) => role === 'tool')
    const call = {
      index: 0,
      id: `call_${asked}`,
      type: 'function',
      function: { name: tool.name, arguments: JSON.stringify(tool.input) },
    }
    const delta = calls
      ? { role: 'assistant', content: null, tool_calls: [call] }
      : { role: 'assistant', content: word === undefined ? 'Nothing to do.' : replies.get(word) }
    const part = { id: `reply-${asked}`, object: 'chat.completion.chunk', created: 1, model: 'scripted' }
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    const parts = [
      { ...part, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...part, choices: [{ index: 0, delta: {}, finish_reason: calls ? 'tool_calls' : 'stop' }], usage },
    ]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${parts.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`)
  }
}
