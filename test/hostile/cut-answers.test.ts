import { createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createHttpSink } from '../../src/sinks/http.ts'
import { createOtlpSink } from '../../src/sinks/otlp.ts'
import { SinkError } from '../../src/sinks/sink.ts'
import { batchOfNumbers } from '../envelopes.ts'

const makers = { http: createHttpSink, otlp: createOtlpSink }

/** A server that answers every request with the same bytes. */
async function serverOf(answer: () => Buffer) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let got = ''
    socket.on('error', () => {})
    socket.on('data', (piece) => {
      got += piece.toString('latin1')
      const [, length] = /content-length: (\d+)/i.exec(got) ?? []
      const head = got.indexOf('\r\n\r\n')
      if (head >= 0 && got.length >= head + 4 + Number(length)) socket.end(answer())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    address: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Whether three records count as acknowledged, for each of several answers. */
async function acknowledgedBy(kind: keyof typeof makers, answers: readonly Buffer[]): Promise<boolean[]> {
  let current = Buffer.alloc(0)
  await using server = await serverOf(() => current)
  const found: boolean[] = []
  for (const answer of answers) {
    current = Buffer.from(answer)
    const sink = makers[kind]({ address: server.address, variables: {}, nowMs: Date.now })
    const fault = await sink.write(batchOfNumbers(0, 3)).catch((error: unknown) => error)
    if (fault !== undefined && !(fault instanceof SinkError)) throw fault
    if (fault instanceof SinkError) expect(fault.fault).toBe('retry')
    found.push(fault === undefined)
    await sink.close?.()
  }
  return found
}

const JSON_BODY = Buffer.from('{"version":1,"accepted":2,"repeated":1,"rejected":[]}')
/** `partial_success { rejected_log_records: 0, error_message: "fine" }` */
const PROTOBUF = Buffer.from([0x0a, 0x08, 0x08, 0x00, 0x12, 0x04, ...Buffer.from('fine')])

const answer = (type: string | undefined, body: Buffer, length: boolean): Buffer =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 200 OK\r\n${type === undefined ? '' : `content-type: ${type}\r\n`}` +
        `${length ? `content-length: ${body.length}\r\n` : ''}connection: close\r\n\r\n`,
    ),
    body,
  ])

const cuts = (body: Buffer): Buffer[] => Array.from({ length: body.length }, (_, at) => body.subarray(0, at))

describe('a truncated 200 response', () => {
  it.each([
    ['http', 'application/json', JSON_BODY],
    ['http', 'application/problem+json; charset=utf-8', JSON_BODY],
    ['http', undefined, JSON_BODY],
    ['otlp', 'application/json', Buffer.from('{"partialSuccess":{"errorMessage":"fine"}}')],
    ['otlp', 'application/x-protobuf', PROTOBUF],
  ] as const)('acknowledges nothing, wherever it is truncated: %s, %s', async (kind, type, body) => {
    for (const length of [true, false]) {
      // An empty body is a different answer.
      const pieces = cuts(body).slice(1)
      const found = await acknowledgedBy(
        kind,
        pieces.map((piece) => answer(type, piece, length)),
      )
      expect(found).toEqual(pieces.map(() => false))
      expect(await acknowledgedBy(kind, [answer(type, body, length)])).toEqual([true])
    }
  })

  it('acknowledges nothing if its body is missing, unless it declares an empty one', async () => {
    const nothing = Buffer.alloc(0)
    for (const kind of ['http', 'otlp'] as const) {
      for (const type of ['application/json', 'application/x-protobuf'])
        expect(
          await acknowledgedBy(kind, [answer(type, nothing, false), answer(type, nothing, true)]),
        ).toEqual([false, true])
      expect(await acknowledgedBy(kind, [answer(undefined, nothing, true)])).toEqual([true])
      expect(await acknowledgedBy(kind, [Buffer.from('HTTP/1.1 204 No Content\r\n\r\n')])).toEqual([true])
    }
  })

  it('acknowledges everything if it is complete and not JSON', async () => {
    for (const text of ['ok', 'Accepted.', '<p>fine</p>'])
      expect(await acknowledgedBy('http', [answer('text/plain', Buffer.from(text), true)])).toEqual([true])
  })
})
