import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpSink } from '../../src/sinks/http.ts'
import { createOtlpSink } from '../../src/sinks/otlp.ts'
import { SinkError } from '../../src/sinks/sink.ts'
import { batchOfNumbers } from '../envelopes.ts'
import { sourceProgram, variablesOf } from '../program.ts'
import { claude, put, temporaryHome } from '../records.ts'
import { scriptedServer } from '../scripted-server.ts'

const makers = { http: createHttpSink, otlp: createOtlpSink }

/** What becomes of three records, and which of them are refused. */
async function written(kind: keyof typeof makers, address: string, answerMs = 20_000) {
  const sink = makers[kind]({ address, variables: {}, nowMs: Date.now, answerMs })
  const refused: number[] = []
  const fault = await sink
    .write(batchOfNumbers(0, 3), undefined, (index) => refused.push(index))
    .catch((error: unknown) => error)
  await sink.close?.()
  if (fault !== undefined && !(fault instanceof SinkError)) throw fault
  return { fault: fault?.fault, message: fault?.message, refused }
}

/** The same, if the server answers 200 with this JSON. */
async function answered(kind: keyof typeof makers, json: string) {
  await using server = await scriptedServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(json),
  )
  // Until then, the server has to answer.
  return await written(kind, server.address)
}

/** Values of every type that JSON has, without counts. */
const NO_COUNT = [
  '"0"',
  '"3"',
  'null',
  'true',
  'false',
  '{}',
  '[]',
  '[3]',
  '-1',
  '1.5',
  '1e400',
  '{"accepted":3}',
]
const NO_TEXT = ['null', 'true', '0', '{}', '["x"]']

describe('a 200 response with a field of the wrong type', () => {
  it.each([
    ...['accepted', 'repeated', 'holds', 'version'].flatMap((name) =>
      NO_COUNT.map((value) => `{"${name}":${value}}`),
    ),
    ...NO_COUNT.map((value) => `{"version":1,"accepted":${value},"repeated":3,"rejected":[]}`),
    ...NO_TEXT.map((value) => `{"accepted":3,"archive":${value}}`),
    ...['null', 'true', '0', '""', '{}', '"none"'].map((value) => `{"accepted":3,"rejected":${value}}`),
    ...['null', '0', '"x"', '[]', '{}', '{"reason":"x"}'].map(
      (value) => `{"accepted":2,"rejected":[${value}]}`,
    ),
    ...NO_COUNT.map((value) => `{"accepted":2,"rejected":[{"index":${value}}]}`),
    ...NO_TEXT.map((value) => `{"accepted":2,"rejected":[{"index":0,"id":${value}}]}`),
    ...NO_TEXT.map((value) => `{"accepted":2,"rejected":[{"index":0,"reason":${value}}]}`),
  ])('acknowledges and refuses nothing over HTTP: %s', async (json) => {
    expect(await answered('http', json)).toEqual({
      fault: 'retry',
      refused: [],
      message: expect.stringContaining('is of the wrong type'),
    })
  })

  it.each([
    ...['true', '0', '"x"', '[]'].map((value) => `{"partialSuccess":${value}}`),
    ...['"many"', 'true', '{}', '[]', '[1]', '-1', '1.5', '""', '4'].map(
      (value) => `{"partialSuccess":{"rejectedLogRecords":${value}}}`,
    ),
    ...['true', '0', '{}', '["x"]'].map((value) => `{"partialSuccess":{"errorMessage":${value}}}`),
  ])('acknowledges and refuses nothing over OTLP: %s', async (json) => {
    expect(await answered('otlp', json)).toEqual({
      fault: 'retry',
      refused: [],
      message: expect.stringMatching(/cannot be read|more records than there are/),
    })
  })

  it('is no acknowledgement for collect, which delivers the records later', async () => {
    const home = temporaryHome()
    put(`${home}/.claude/projects/-home-ann-garden/1.jsonl`, [claude.user(1, 'Water the fern')])
    for (const json of ['{"accepted":"0"}', '{"version":1,"accepted":"0","rejected":[]}']) {
      await using server = await scriptedServer((_, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(json),
      )
      const child = spawn(process.execPath, [sourceProgram, 'collect', server.address, '--history', 'all'], {
        cwd: home,
        env: variablesOf(home),
        stdio: 'pipe',
      })
      const [stdout, stderr] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit'),
      ])
      expect({ code: child.exitCode, stderr }).toEqual({
        code: 3,
        stderr: expect.stringContaining('cannot be read'),
      })
      expect(stdout).not.toMatch(/Delivered [1-9]/)
    }
  }, 120_000)
})

let flood: Server | undefined
afterEach(() => flood?.close())

describe('a server that sends preliminary responses without end', () => {
  it.each(
    ['100 Continue', '102 Processing', '103 Early Hints\r\nlink: </x>', '199 Never'].flatMap((status) =>
      (['http', 'otlp'] as const).map((kind) => [status, kind] as const),
    ),
  )('is given up and asked again later: %s, %s', async (status, kind) => {
    const piece = Buffer.from(`HTTP/1.1 ${status}\r\n\r\n`.repeat(50))
    flood = createServer((socket) => {
      const more = setInterval(() => socket.write(piece), 1)
      socket
        .on('error', () => {})
        .on('data', () => {})
        .on('close', () => clearInterval(more))
    })
    flood.listen(0, '127.0.0.1')
    await once(flood, 'listening')
    const { port } = flood.address() as { port: number }
    expect(await written(kind, `http://127.0.0.1:${port}`)).toEqual({
      fault: 'retry',
      refused: [],
      message: expect.stringContaining('preliminary responses without end'),
    })
  })

  it('may send some before its response', async () => {
    await using server = await scriptedServer((_, response) => {
      for (let count = 0; count < 20; count++) response.writeProcessing()
      response.writeHead(200).end()
    })
    expect(await written('http', server.address)).toMatchObject({ fault: undefined })
  })
})
