import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname } from 'node:path'

// What the scripts of this folder share: a model on loopback, and clients that talk to it in a home of their own, the
// folder that the script runs in.

/** Tokens of a reply of the Messages API. */
const USAGE = {
  input_tokens: 10,
  output_tokens: 5,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

/** Tokens of a reply of the Responses API, where the input includes what came from the cache. */
const RESPONSE_USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 60 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 107,
}

/**
 * `replyTo` gets the body of each request and its number, from 1, and may be slow. For the Messages API it returns
 * `{ blocks, stop, usage, usages, breaks }`, for the Responses API `{ items, end, response }`. `usages`: what the beginning
 * and the end of the stream state, as it is. `breaks`: after the blocks, the stream ends with an error. The `json` of a call
 * is sent in place of its input.
 */
export async function modelOnLoopback(replyTo) {
  let requests = 0
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    const isMessages = /\/messages(?:\?|$)/.test(request.url)
    if (!isMessages && !request.url.endsWith('/responses')) return response.end('{}')
    const reply = await replyTo(JSON.parse(body), ++requests)
    const send = (type, data) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (isMessages) sendMessage(send, reply, `msg_${requests}`)
    else sendResponse(send, reply, `resp_${requests}`)
    response.end()
  })
  await new Promise((settle) => server.listen(0, '127.0.0.1', settle))
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    requests: () => requests,
    close: () => server.close(),
  }
}

function sendMessage(send, { blocks, stop = 'end_turn', usage: own, usages, breaks = false }, id) {
  const message = { id, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [] }
  const all = { ...USAGE, ...own }
  const [first, last] = usages ?? [{ ...all, output_tokens: 1 }, all]
  send('message_start', { message: { ...message, stop_reason: null, usage: first } })
  for (const [index, block] of blocks.entries()) {
    const isText = block.type === 'text'
    const { json = JSON.stringify(block.input), ...call } = block
    send('content_block_start', {
      index,
      content_block: isText ? { type: 'text', text: '' } : { ...call, input: {} },
    })
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: json }
    send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
  }
  if (breaks) return send('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })
  send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: last })
  send('message_stop', {})
}

function sendResponse(send, { items, end = 'completed', response = {} }, id) {
  send('response.created', { response: { id } })
  for (const item of items) send('response.output_item.done', { item })
  send(`response.${end}`, { response: { id, usage: RESPONSE_USAGE, ...response } })
}

export const text = (words) => ({ type: 'text', text: words })

/** A call of the client's shell. */
export const shellCall = ({ tools }, command) => ({
  type: 'tool_use',
  id: 'toolu_1',
  name: shellIn(tools),
  input: { command, description: 'Counts hives' },
})

const shellIn = (tools) => tools?.find(({ name }) => /^bash$/i.test(name))?.name

/** Whether a request is of the conversation, and not for a title. */
export const hasTools = ({ tools }) => shellIn(tools) !== undefined

/** A message of the Responses API with these parts. */
export const responseMessage = (...content) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content,
})

/** Runs a program that npm has linked. What it prints, and its exit code. */
export const run = (program, words, variables = {}) =>
  new Promise((settle) => {
    const env = { HOME: process.cwd(), PATH: process.env.PATH, TZ: 'UTC', ...variables }
    const path = `${process.cwd()}/node_modules/.bin/${program}`
    execFile(path, words, { env, timeout: 90_000 }, (error, printed) =>
      settle({ printed, code: error?.code ?? 0 }),
    ).stdin.end()
  })

/** Writes a file of settings. */
export function settle(path, settings) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(settings))
}

/** The records of the first transcript below a folder. */
export function recordsIn(folder) {
  const name = readdirSync(folder, { recursive: true }).find((each) => each.endsWith('.jsonl'))
  const lines = readFileSync(`${folder}/${name}`, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

export const claude = (address, ...words) =>
  run('claude', words, {
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_API_KEY: 'no-key-at-all',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    ENABLE_TOOL_SEARCH: 'false',
  })

export const copilot = (address, prompt) =>
  run('copilot', ['--allow-all-tools', '--no-auto-update', '--disable-builtin-mcps', '-p', prompt], {
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: address,
    COPILOT_PROVIDER_TYPE: 'anthropic',
    COPILOT_PROVIDER_API_KEY: 'no-key-at-all',
    COPILOT_MODEL: 'claude-sonnet-4.5',
  })

/** `codex exec --json`, or with a first word such as `resume`. */
export function codex(address, ...words) {
  const provider = `{ name = "bees", base_url = "${address}/v1", wire_api = "responses" }`
  const settings = [
    'model_provider="bees"',
    `model_providers.bees=${provider}`,
    'model="gpt-5.5"',
    // It would ask whether to use the newer model.
    'notice.model_migrations={ "gpt-5.5" = "gpt-6-sol" }',
  ]
  const options = ['--json', '--skip-git-repo-check', ...settings.flatMap((each) => ['-c', each])]
  const [first, ...others] = words
  return run(
    'codex',
    others.length > 0 ? ['exec', first, ...options, ...others] : ['exec', ...options, first],
  )
}

const OPENCODE = { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }

/** `mcp`: its servers. */
export function settleOpencode(address, mcp = {}) {
  const models = { bee: { tool_call: true, limit: { context: 200_000, output: 8000 } } }
  const options = { baseURL: `${address}/v1`, apiKey: 'no-key-at-all' }
  const provider = { bees: { npm: '@ai-sdk/anthropic', options, models } }
  const [model, small_model] = ['bees/bee', 'bees/bee']
  const settings = { autoupdate: false, share: 'disabled', model, small_model, provider, mcp }
  settle('.config/opencode/opencode.json', settings)
}

export const opencode = (...words) => run('opencode', words, OPENCODE)

export function settlePi(address) {
  const cost = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 }
  const bee = { id: 'bee', name: 'Bee', input: ['text'], contextWindow: 200_000, maxTokens: 8192, cost }
  const bees = { baseUrl: address, apiKey: 'no-key-at-all', api: 'anthropic-messages', models: [bee] }
  settle('.pi/agent/models.json', { providers: { bees } })
}

export function pi(address, prompt) {
  settlePi(address)
  return run('pi', ['--provider', 'bees', '--model', 'bee', '-p', prompt], {
    PI_OFFLINE: '1',
    PI_TELEMETRY: '0',
  })
}
