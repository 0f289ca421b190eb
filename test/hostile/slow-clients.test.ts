import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createHttpSink } from '../../src/sinks/http.ts'
import { exposesToken } from '../../src/sinks/http-request.ts'
import { startReceiver } from '../../src/surfaces/http/receiver.ts'
import { envelope } from '../envelopes.ts'
import { scriptedServer } from '../scripted-server.ts'

const token = 'a-token-of-the-tests'

async function receiver() {
  const { port, close } = await startReceiver({
    host: '127.0.0.1',
    port: 0,
    token,
    names: [],
    maxBody: 100_000,
    fault: () => {},
    take: async () => ({ answer: { version: 1 }, partly: false }) as never,
  })
  return { port, [Symbol.asyncDispose]: close }
}

/** Clients that never finish their request. */
async function slowClients(port: number, count: number, words: string) {
  const sockets: Socket[] = []
  for (let number = 0; number < count; number++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write(words)
    sockets.push(socket)
  }
  return {
    open: () => sockets.filter((socket) => !socket.destroyed && socket.readyState === 'open').length,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** The status of an ordinary request with the token. */
function deliver(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-ndjson', authorization: `Bearer ${token}` }
    const sent = request({
      host: '127.0.0.1',
      port,
      path: '/v1/records',
      method: 'POST',
      headers,
      agent: false,
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.end(envelope(1))
  })
}

const BEGINNINGS = [
  { what: 'nothing', words: '' },
  { what: 'half of the headers', words: 'POST /v1/records HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ' },
  {
    what: 'a wrong token and half of the body',
    words:
      'POST /v1/records HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer wrong\r\nContent-Type: application/x-ndjson\r\nContent-Length: 99999\r\n\r\nhalf',
  },
]

describe('400 clients without the token', () => {
  it.each(BEGINNINGS)('do not block a client that has it: they send $what', async ({ words }) => {
    await using server = await receiver()
    using _ = await slowClients(server.port, 400, words)
    expect(await deliver(server.port)).toBe(200)
  })

  it('do not close a connection that has sent it', async () => {
    await using server = await receiver()
    const trusted = connect(server.port, '127.0.0.1')
    let received = ''
    trusted.setEncoding('utf8').on('data', (piece) => (received += piece))
    const line = envelope(1)
    const head = `POST /v1/records HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${line.length}\r\n\r\n`
    trusted.write(head)
    using _ = await slowClients(server.port, 400, '')
    trusted.write(line)
    while (!received.includes('\r\n\r\n')) await once(trusted, 'data')
    expect(received).toContain('HTTP/1.1 200')
    trusted.destroy()
  })
})

it.each(['http_proxy', 'HTTP_PROXY'])(
  'a destination on this machine is never reached through the proxy that %s names',
  async (name) => {
    await using direct = await scriptedServer((_, response) => response.end('{}'))
    await using proxy = await scriptedServer((_, response) => response.end('{}'))
    const sink = await createHttpSink({
      address: direct.address,
      nowMs: () => 0,
      variables: { [name]: proxy.address },
    })
    const bytes = Buffer.from(envelope(1))
    await sink.write({ key: 'k', bytes, ids: ['1'], lengths: [bytes.length] }).catch(() => {})
    await sink.close?.()
    expect({ direct: direct.seen.length > 0, proxy: proxy.seen.length }).toEqual({ direct: true, proxy: 0 })
  },
)

it.each([
  ['http://collector.internal/v1/records', true],
  ['http://10.0.0.7:7788', true],
  ['http://127.0.0.1.evil.example', true],
  ['https://collector.internal', false],
  ['http://localhost:7788', false],
  ['http://127.0.0.1:7788', false],
  ['http://[::1]:7788', false],
])('a token that is sent to %s can be read by others: %s', (address, exposed) => {
  expect(exposesToken(address)).toBe(exposed)
})
