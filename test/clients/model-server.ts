import type { ServerResponse } from 'node:http'
import { type ScriptedServer, scriptedServer } from '../scripted-server.ts'
import { callFor, RUNNER, SUMMARY } from './script.ts'

/**
 * The requests of the sessions and their subagents. Requests for titles and the like are answered and not
 * counted. `calls`: what Scrollback shows of each.
 */
export interface Served {
  words: string[]
  calls: string[]
  tokens: { input: number; output: number; cacheRead: number; cacheWrite: number }
}

export interface ModelServer extends ScriptedServer {
  served: Served
  /** The bodies of all requests. */
  bodies: string[]
}

const USAGE = {
  input_tokens: 11,
  output_tokens: 7,
  cache_read_input_tokens: 20_000,
  cache_creation_input_tokens: 5,
}

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: object }

interface Asked {
  stream?: boolean
  model?: string
  tools?: { name: string }[]
  messages?: { role: string; content: string | { type: string; text?: string }[] }[]
}

/** What a request of the Responses API contains. */
interface Responded {
  tools?: { type?: string; name?: string; tools?: { name: string }[] }[]
  input?: { type?: string; role?: string; content?: { type: string; text?: string }[]; output?: unknown }[]
}

/** What a request of the Gemini API contains. */
interface Generated {
  tools?: { functionDeclarations?: { name: string }[] }[]
  contents?: { role?: string; parts?: { text?: string; functionResponse?: unknown }[] }[]
}

/**
 * A model on loopback that follows a script: some prompts make it call a tool, anything else gets a text
 * reply. It speaks the Messages API and the Gemini API, with and without streaming, and the Responses API
 * with it.
 */
export async function modelServer(): Promise<ModelServer> {
  const served: Served = {
    words: [],
    calls: [],
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  }
  let count = 0
  const bodies: string[] = []
  const server = await scriptedServer(({ path, body }, response) => {
    bodies.push(body.toString())
    if (path.includes('/responses')) {
      count++
      const asked = asMessages(JSON.parse(body.toString()) as Responded)
      const { block, target, isOfConversation } = replyTo(asked, count)
      const usage = { ...USAGE, cache_creation_input_tokens: 0 }
      if (isOfConversation) counted(served, block, target, usage)
      else if ('text' in block && block.text === SUMMARY) countTokens(served, usage)
      return streamResponse(response, block, count)
    }
    if (/:(?:streamG|g)enerateContent/.test(path)) {
      count++
      const { block, target, isOfConversation } = replyTo(
        asConversation(JSON.parse(body.toString()) as Generated),
        count,
      )
      if (isOfConversation) counted(served, block, target, { ...USAGE, cache_creation_input_tokens: 0 })
      return generate(response, block, path.includes(':stream'))
    }
    if (!path.includes('/messages')) return json(response, {})
    if (path.includes('count_tokens')) return json(response, { input_tokens: 10 })
    const asked = JSON.parse(body.toString()) as Asked
    count++
    const { block, target, isOfConversation } = replyTo(asked, count)
    if (isOfConversation) counted(served, block, target)
    else if ('text' in block && block.text === SUMMARY) countTokens(served, USAGE)
    const message = {
      id: `msg_script_${count}`,
      type: 'message',
      role: 'assistant',
      model: asked.model ?? 'claude-script-1',
      content: [] as Block[],
      stop_reason: null as string | null,
      stop_sequence: null,
      usage: USAGE,
    }
    const stop = block.type === 'tool_use' ? 'tool_use' : 'end_turn'
    if (asked.stream) stream(response, message, block, stop)
    else json(response, { ...message, content: [block], stop_reason: stop })
  })
  return { ...server, served, bodies }
}

function counted(served: Served, block: Block, target = '', usage = USAGE): void {
  if (block.type === 'text') served.words.push(block.text)
  else served.calls.push(target)
  countTokens(served, usage)
}

function countTokens(served: Served, usage: typeof USAGE): void {
  served.tokens.input += usage.input_tokens
  served.tokens.output += usage.output_tokens
  served.tokens.cacheRead += usage.cache_read_input_tokens
  served.tokens.cacheWrite += usage.cache_creation_input_tokens
}

function replyTo(
  { tools = [], messages = [] }: Asked,
  number: number,
): { block: Block; target?: string; isOfConversation: boolean } {
  const names = tools.map(({ name }) => name)
  // The client's own text may precede or follow the prompt.
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  const parts = since.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  )
  const text = parts.map((part) => ('text' in part ? (part.text ?? '') : '')).join('\n')
  const isResult = parts.some(({ type }) => type === 'tool_result')
  // Some offer their tools for it and ask to call none.
  if (ASKS_SUMMARY.test(text)) return { block: { type: 'text', text: SUMMARY }, isOfConversation: false }
  if (!names.some((name) => RUNNER.test(name)))
    return { block: { type: 'text', text: 'Tea' }, isOfConversation: false }
  const call = isResult ? undefined : callFor(text, names)
  if (call) {
    const { name, input, target } = call
    return {
      block: { type: 'tool_use', id: `toolu_script_${number}`, name, input },
      target,
      isOfConversation: true,
    }
  }
  const words = isResult ? `The command is done, reply ${number}.` : `Understood, reply ${number}.`
  return { block: { type: 'text', text: words }, isOfConversation: true }
}

/** How clients ask for the summary of a compaction. */
const ASKS_SUMMARY =
  /\banchored summary\b|\bconcise checkpoint of\b|\bonly with the summary text\b|\bcheckpoint compaction\b/i

const json = (response: ServerResponse, body: object): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

function stream(response: ServerResponse, message: object, block: Block, stop: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, data: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  send('message_start', { message })
  const { delta, start } =
    block.type === 'text'
      ? { start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: block.text } }
      : {
          start: { ...block, input: {} },
          delta: { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
        }
  send('content_block_start', { index: 0, content_block: start })
  send('content_block_delta', { index: 0, delta })
  send('content_block_stop', { index: 0 })
  send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: USAGE })
  send('message_stop', {})
  response.end()
}

/** The items of the Responses API as messages of the other one. */
const asMessages = ({ tools = [], input = [] }: Responded): Asked => ({
  tools: tools.flatMap(({ type, name, tools: own = [] }) => {
    // Those of MCP servers are called by their names before they were searched.
    if (type === 'tool_search') return [{ name: 'mcp__scrollback__search' }]
    if (type === 'namespace') return own.map((tool) => ({ name: `${name}__${tool.name}` }))
    return name === undefined ? [] : [{ name }]
  }),
  messages: input.flatMap(({ type = 'message', role, content }) => {
    if (type === 'function_call_output') return [{ role: 'user', content: [{ type: 'tool_result' }] }]
    if (type === 'function_call') return [{ role: 'assistant', content: [] }]
    return type === 'message' && role !== 'developer'
      ? [{ role: role ?? 'user', content: content ?? [] }]
      : []
  }),
})

/** The contents of the Gemini API as messages of the other one. */
const asConversation = ({ tools = [], contents = [] }: Generated): Asked => ({
  tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations),
  messages: contents.map(({ role, parts = [] }) => ({
    role: role === 'model' ? 'assistant' : 'user',
    content: parts.map(({ text, functionResponse }) =>
      functionResponse === undefined ? { type: 'text', text } : { type: 'tool_result' },
    ),
  })),
})

function generate(response: ServerResponse, block: Block, isStreamed: boolean): void {
  const part =
    block.type === 'text' ? { text: block.text } : { functionCall: { name: block.name, args: block.input } }
  const { input_tokens, output_tokens, cache_read_input_tokens } = USAGE
  const promptTokenCount = input_tokens + cache_read_input_tokens
  const answer = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount,
      candidatesTokenCount: output_tokens,
      cachedContentTokenCount: cache_read_input_tokens,
      totalTokenCount: promptTokenCount + output_tokens,
    },
    modelVersion: 'gemini-script-1',
  }
  if (isStreamed) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`data: ${JSON.stringify(answer)}\n\n`)
  } else json(response, answer)
}

/** A tool of an MCP server, as the Responses API names it. */
function namesOf(tool: string): { name: string; namespace?: string } {
  const [, namespace, name] = /^(mcp__\w+?)__(.+)$/.exec(tool) ?? []
  return namespace === undefined ? { name: tool } : { namespace, name: name! }
}

function streamResponse(response: ServerResponse, block: Block, number: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, data: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const id = `resp_script_${number}`
  const item =
    block.type === 'text'
      ? {
          type: 'message',
          id: `msg_script_${number}`,
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: block.text, annotations: [] }],
        }
      : {
          type: 'function_call',
          id: `fc_script_${number}`,
          status: 'completed',
          call_id: block.id,
          ...namesOf(block.name),
          arguments: JSON.stringify(block.input),
        }
  const { input_tokens, output_tokens, cache_read_input_tokens } = USAGE
  const all = input_tokens + cache_read_input_tokens
  send('response.created', { response: { id } })
  send('response.output_item.done', { item })
  send('response.completed', {
    response: {
      id,
      usage: {
        input_tokens: all,
        input_tokens_details: { cached_tokens: cache_read_input_tokens },
        output_tokens,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: all + output_tokens,
      },
    },
  })
  response.end()
}
