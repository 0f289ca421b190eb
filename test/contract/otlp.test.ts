import { describe, expect, it } from 'vitest'
import { createOtlpSink } from '../../src/sinks/otlp.ts'
import { type Batch, SinkError } from '../../src/sinks/sink.ts'
import { batchOf, batchOfNumbers, envelope } from '../envelopes.ts'
import { type ReadLog, readLogs } from '../otlp-reader.ts'
import { type Script, scriptedServer } from '../scripted-server.ts'

async function sent(batch: Batch, script: Script = (_, response) => response.end()) {
  await using server = await scriptedServer(script)
  const sink = createOtlpSink({ address: server.address, variables: {}, nowMs: () => 1_793_527_260_000 })
  const refused: [number, string][] = []
  try {
    await sink.write(batch, undefined, (index, reason) => refused.push([index, reason]))
    return { server, refused, logs: server.seen.flatMap(({ body }) => readLogs(body)) }
  } catch (error) {
    if (!(error instanceof SinkError)) throw error
    return { server, refused, fault: error.fault, message: error.message, logs: [] as ReadLog[] }
  } finally {
    await sink.close?.()
  }
}

const openclaw = (message: object): string =>
  envelope(0, JSON.stringify({ type: 'message', id: 'a1', message })).replace('"claude-code"', '"openclaw"')
const claude = (type: string, message: object): string => envelope(0, JSON.stringify({ type, message }))

/** The attributes of a record that are named by the conventions. */
async function generative(line: string): Promise<Record<string, unknown>> {
  const { logs } = await sent(batchOf([line]))
  return Object.fromEntries(
    Object.entries(logs[0]!.attributes).filter(
      ([name]) => name.startsWith('gen_ai.') && !/agent\.name|conversation\.id/.test(name),
    ),
  )
}

describe('an OTLP log record', () => {
  it('contains its origin, in protobuf that the published definitions can read', async () => {
    const line = envelope(4, '{"type":"user"}', ',"state":"reset","part":0,"malformed":true').replace(
      '"redactions":0}',
      '"redactions":2,"normalized":{"n":[1]}}',
    )
    const { logs, server } = await sent(batchOf([line]))
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      path: '/v1/logs',
      headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' },
    })
    const { id } = JSON.parse(line) as { id: string }
    expect(logs).toEqual([
      {
        resource: { 'service.name': 'scrollback', 'host.name': 'laptop' },
        scope: 'scrollback',
        timeMs: Date.parse('2026-11-20T10:00:00.000Z'),
        event: 'scrollback.transcript',
        body: '{"type":"user"}',
        attributes: {
          'event.name': 'scrollback.transcript',
          'log.record.uid': id,
          'session.id': '5f0c',
          'gen_ai.agent.name': 'claude',
          'gen_ai.conversation.id': '5f0c',
          'scrollback.id': id,
          'scrollback.platform': 'claude-code',
          'scrollback.kind': 'transcript',
          'scrollback.agent': 'claude',
          'scrollback.project': '~/shop',
          'scrollback.path': '~/.claude/projects/-shop/5f0c.jsonl',
          'scrollback.line': 5,
          'scrollback.offset': 400,
          'scrollback.generation': 1,
          'scrollback.state': 'reset',
          'scrollback.part': 0,
          'scrollback.malformed': true,
          'scrollback.redactions': 2,
          'scrollback.normalized': '{"n":[1]}',
        },
      },
    ])
  })

  it('describes a reply of Claude Code: model, tokens with those of caches, stop reason, the only tool', async () => {
    const usage = {
      input_tokens: 3,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 1000,
      output_tokens: 7,
    }
    const content = [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} }]
    const message = {
      id: 'msg_1',
      role: 'assistant',
      model: 'claude-opus-4-5',
      content,
      stop_reason: 'tool_use',
      usage,
    }
    expect(await generative(claude('assistant', message))).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.system': 'anthropic',
      'gen_ai.response.model': 'claude-opus-4-5',
      'gen_ai.response.id': 'msg_1',
      'gen_ai.response.finish_reasons': ['tool_use'],
      'gen_ai.usage.input_tokens': 1103,
      'gen_ai.usage.output_tokens': 7,
      'gen_ai.usage.cache_read.input_tokens': 1000,
      'gen_ai.usage.cache_creation.input_tokens': 100,
      'gen_ai.tool.name': 'Bash',
      'gen_ai.tool.call.id': 'toolu_1',
    })
  })

  it('describes a reply of OpenClaw, with the conventional name of its provider', async () => {
    const usage = { input: 10, output: 20, cacheRead: 5, cacheWrite: 0, cost: { total: 0.1 } }
    const message = {
      role: 'assistant',
      provider: 'google',
      model: 'gemini-3',
      content: [],
      usage,
      stopReason: 'stop',
    }
    expect(await generative(openclaw(message))).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.system': 'gcp.gemini',
      'gen_ai.request.model': 'gemini-3',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 15,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 5,
      'gen_ai.usage.cache_creation.input_tokens': 0,
    })
  })

  it('describes a tool result', async () => {
    const block = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }
    expect(await generative(claude('user', { role: 'user', content: [block] }))).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.call.id': 'toolu_1',
    })
    expect(
      await generative(openclaw({ role: 'toolResult', toolCallId: 't', toolName: 'exec', content: [] })),
    ).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.call.id': 't',
      'gen_ai.tool.name': 'exec',
    })
  })

  it('contains no guesses about humans, several tools, synthetic replies and odd values', async () => {
    const call = { type: 'toolCall', id: 't', name: 'read' }
    expect(await generative(claude('user', { role: 'user', content: 'hello' }))).toEqual({})
    expect(
      await generative(claude('assistant', { role: 'assistant', model: '<synthetic>', content: [] })),
    ).toEqual({})
    expect(await generative(openclaw({ role: 'assistant', content: [call, call] }))).toEqual({})
    const usage = { input_tokens: 1e300, output_tokens: -1, cache_read_input_tokens: '7' }
    const odd = { role: 'assistant', model: 'm', id: 7, content: [null, 'x', 7], usage, stop_reason: {} }
    expect(await generative(claude('assistant', odd))).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.system': 'anthropic',
      'gen_ai.response.model': 'm',
    })
  })

  it('marks stubs, and replaces halves of surrogate pairs', async () => {
    const stub = envelope(0, 'null', ',"stub":{"bytes":9,"sha256":"ab","reason":"large"}')
    const { logs } = await sent(batchOf([stub.replace('"~/shop"', '"half \\ud800"').replace('2026', '1969')]))
    expect(logs[0]).toMatchObject({ body: undefined, timeMs: 0 })
    expect(logs[0]!.attributes).toMatchObject({
      'scrollback.stub.bytes': 9,
      'scrollback.stub.sha256': 'ab',
      'scrollback.stub.reason': 'large',
      'scrollback.project': 'half \ufffd',
    })
  })
})

describe('the rejection of records by a collector', () => {
  const inProtobuf = (count: number, message: string): Script => {
    const text = Buffer.from(message)
    const partial = Buffer.from([0x08, count, 0x12, text.length, ...text])
    return (_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/x-protobuf' })
        .end(Buffer.from([0x0a, partial.length, ...partial]))
  }
  const inJson =
    (answer: unknown): Script =>
    (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))

  it('causes smaller batches if it is partial, and rejects the batch if it is complete', async () => {
    const some = await sent(batchOfNumbers(0, 3), inProtobuf(1, 'odd'))
    expect(some).toMatchObject({ fault: 'rejected', refused: [] })
    expect(some.message).toMatch(/rejected 1 of 3 records: odd$/)
    const every = await sent(batchOfNumbers(0, 2), inProtobuf(2, 'odd'))
    expect(every.fault).toBeUndefined()
    expect(every.refused.map(([index, reason]) => [index, reason.split(': ').at(-1)])).toEqual([
      [0, 'odd'],
      [1, 'odd'],
    ])
    const json = await sent(batchOfNumbers(0, 3), inJson({ partialSuccess: { rejectedLogRecords: '2' } }))
    expect(json).toMatchObject({ fault: 'rejected' })
  })

  it('is ignored if it is only a warning or plain text', async () => {
    for (const script of [inProtobuf(0, 'slow down'), inJson({}), inJson({ partialSuccess: {} })])
      expect(await sent(batchOfNumbers(0, 2), script)).toMatchObject({ refused: [] })
    const words: Script = (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('ok')
    expect((await sent(batchOfNumbers(0, 2), words)).fault).toBeUndefined()
  })

  it('is retried if the answer cannot be read', async () => {
    const cut: Script = (_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/x-protobuf' })
        .end(Buffer.from([0x0a, 0x50, 0x08]))
    expect((await sent(batchOfNumbers(0, 2), cut)).fault).toBe('retry')
  })
})
