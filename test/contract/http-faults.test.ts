import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createHttpSink } from '../../src/sinks/http.ts'
import type { HttpOptions } from '../../src/sinks/http-request.ts'
import { createOtlpSink } from '../../src/sinks/otlp.ts'
import { type Sink, SinkError } from '../../src/sinks/sink.ts'
import { batchOf, batchOfNumbers, envelope } from '../envelopes.ts'
import { sharedHome } from '../records.ts'
import { type Script, scriptedServer } from '../scripted-server.ts'

const top = sharedHome()
const token = 'a-token-of-the-tests'
const now = Date.parse('2026-11-20T10:00:00Z')

const makers = { http: createHttpSink, otlp: createOtlpSink }
type Kind = keyof typeof makers

const opened = (kind: Kind, address: string, more: Partial<HttpOptions> = {}): Sink =>
  makers[kind]({
    address,
    tokenEnv: 'TOKEN',
    variables: { TOKEN: token },
    nowMs: () => now,
    connectMs: 20_000,
    answerMs: 20_000,
    ...more,
  })

/** The fault with which a write ends, or undefined if it succeeds. No fault contains the token. */
async function faultOf(sink: Sink): Promise<SinkError | undefined> {
  try {
    await sink.write(batchOfNumbers(0, 3))
    return undefined
  } catch (error) {
    if (!(error instanceof SinkError)) throw error
    expect(`${error.message} ${error.wayOut} ${String(error.cause ?? '')}`).not.toContain(token)
    return error
  } finally {
    await sink.close?.()
  }
}

async function answered(kind: Kind, script: Script, more: Partial<HttpOptions> = {}) {
  await using server = await scriptedServer(script)
  const fault = await faultOf(opened(kind, server.address, more))
  return { fault, server }
}

const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Script =>
  (_, response) =>
    response.writeHead(code, headers).end(body)

/** A server at the level of TCP. */
async function rawServer(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    talk(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    address: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe.each(['http', 'otlp'] as const)('over %s', (kind) => {
  it.each([
    ...[200, 201, 202, 204].map((code) => [code, undefined] as const),
    ...[301, 302, 307, 308].map((code) => [code, 'stop'] as const),
    ...[401, 403, 404, 405, 407, 410].map((code) => [code, 'stop'] as const),
    ...[400, 409, 422].map((code) => [code, 'rejected'] as const),
    [413, 'too-large'] as const,
    ...[408, 425, 429, 500, 502, 503, 504, 599].map((code) => [code, 'retry'] as const),
  ])('treats %i as: %s', async (code, fault) => {
    const { fault: found, server } = await answered(kind, status(code))
    expect(found?.fault).toBe(fault)
    if (found) expect(found.message).toContain(`127.0.0.1:${server.port}`)
    if (found) expect(found.message).toContain(String(code))
    if (fault === 'stop') expect(found?.wayOut).toMatch(/\w+/)
  })

  it('stops at a server that rejects everything, while there are still records to deliver', async () => {
    let takes = false
    await using server = await scriptedServer((_, response) => response.writeHead(takes ? 200 : 400).end())
    const faults = async (sink: Sink): Promise<(string | undefined)[]> => {
      const found: (string | undefined)[] = []
      for (let number = 0; number < 25; number++)
        found.push(
          await sink.write(batchOfNumbers(number, number + 1)).then(
            () => undefined,
            (error: SinkError) => error.fault,
          ),
        )
      await sink.close?.()
      return found
    }
    const wrong = opened(kind, server.address)
    expect(await faults(wrong)).toEqual([...Array(20).fill('rejected'), ...Array(5).fill('stop')])
    takes = true
    const right = opened(kind, server.address)
    await right.write(batchOfNumbers(0, 1))
    takes = false
    expect(await faults(right)).toEqual(Array(25).fill('rejected'))
  })

  it('waits as long as the server asks, in seconds or until a date, and at most an hour', async () => {
    const waited = async (text: string) =>
      (await answered(kind, status(503, { 'retry-after': text }))).fault?.retryAfterMs
    expect(await waited('7')).toBe(7000)
    expect(await waited('Fri, 20 Nov 2026 10:00:30 GMT')).toBe(30_000)
    expect(await waited('Fri, 20 Nov 2026 09:00:00 GMT')).toBe(0)
    expect(await waited('99999999')).toBe(3_600_000)
    expect(await waited('soon')).toBeUndefined()
    expect(await waited('-5')).toBeUndefined()
  })

  it('follows no redirect, and names its target without possible secrets', async () => {
    await using other = await scriptedServer(status(200))
    const { fault } = await answered(kind, status(307, { location: `${other.address}/login?state=secret` }))
    expect(fault?.message).toContain(`${other.address}/login.`)
    expect(fault?.message).not.toContain('secret')
    expect(other.seen).toEqual([])
  })

  it('reads a token file again once after 401, because the token may have been replaced', async () => {
    const path = join(top, `token-${kind}`)
    writeFileSync(path, 'old\n', { mode: 0o600 })
    const script: Script = ({ headers }, response) => {
      writeFileSync(path, 'new\n')
      response.writeHead(headers.authorization === 'Bearer new' ? 200 : 401).end()
    }
    const fromFile = { tokenEnv: undefined, tokenFile: path }
    const renewed = await answered(kind, script, fromFile)
    expect(renewed.fault).toBeUndefined()
    expect(renewed.server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer old',
      'Bearer new',
    ])
    const refused = await answered(kind, status(401), fromFile)
    expect(refused.fault?.fault).toBe('stop')
    expect(refused.server.seen).toHaveLength(1)
  })

  it('rejects a token that others may read, that is missing or that is invalid', () => {
    const path = join(top, 'open-token')
    writeFileSync(path, `${token}\n`)
    const open = (more: Partial<HttpOptions>) => () => opened(kind, 'http://127.0.0.1:1', more)
    const fromFile = { tokenEnv: undefined, tokenFile: path }
    chmodSync(path, 0o640)
    expect(open(fromFile)).toThrow(/can be read by others/)
    chmodSync(path, 0o600)
    expect(open(fromFile)).not.toThrow()
    expect(open({ ...fromFile, tokenFile: join(top, 'none') })).toThrow(/ENOENT/)
    expect(open({ ...fromFile, tokenEnv: 'TOKEN' })).toThrow(/cannot be combined/)
    expect(open({ tokenEnv: 'OTHER' })).toThrow(/OTHER contains no token/)
    expect(open({ variables: { TOKEN: 'a\r\nX-Other: b' } })).toThrow(/token is invalid/)
  })

  it('uses the compression that the server supports, and remembers it', async () => {
    const script: Script = ({ headers }, response) =>
      response.writeHead(headers['content-encoding'] === undefined ? 200 : 415).end()
    await using server = await scriptedServer(script)
    const sink = opened(kind, server.address, { compression: 'zstd' })
    await sink.write(batchOfNumbers(0, 3))
    await sink.write(batchOfNumbers(3, 6))
    await sink.close?.()
    const used = server.seen.map(({ headers }) => headers['content-encoding'])
    expect(used).toEqual(['zstd', 'gzip', undefined, undefined])
  })

  it('retries if a server is missing, closes the connection or does not answer', async () => {
    const hurried = { connectMs: 150, answerMs: 150 }
    const half = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"accepted":'
    const talks: Record<string, (socket: Socket) => void> = {
      'no answer': (socket) => socket.resume(),
      'not even read': (socket) => socket.pause(),
      'closed at once': (socket) => socket.destroy(),
      'half closed': (socket) => socket.once('data', () => socket.end()),
      'broken off in its head': (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 O')),
      'broken off in its body': (socket) => socket.once('data', () => socket.end(half)),
      'reset in its body': (socket) =>
        socket.once('data', () => socket.write(half, () => socket.resetAndDestroy())),
      'stopped in its body': (socket) => socket.once('data', () => socket.write(half)),
      'dripping without an end': (socket) =>
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
          const drip = setInterval(() => socket.write('1\r\n \r\n'), 20)
          socket.once('close', () => clearInterval(drip))
        }),
      'no HTTP': (socket) => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')),
    }
    await Promise.all(
      Object.entries(talks).map(async ([what, talk]) => {
        await using server = await rawServer(talk)
        expect((await faultOf(opened(kind, server.address, hurried)))?.fault, what).toBe('retry')
      }),
    )
    expect((await faultOf(opened(kind, 'http://127.0.0.1:1')))?.message).toContain('connection refused')
  })

  it('limits the length of an answer', async () => {
    const endless: Script = (_, response) => {
      response.writeHead(200)
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', more)
      more()
    }
    expect((await answered(kind, endless)).fault?.message).toContain('too long')
  })

  it('ignores an acknowledgement that arrives before everything was sent', async () => {
    await using server = await rawServer((socket) =>
      socket.once('data', () => {
        socket.pause()
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      }),
    )
    const sink = opened(kind, server.address, { compression: 'none' })
    const large = batchOf([envelope(0, JSON.stringify('x'.repeat(20_000_000)))])
    await expect(sink.write(large)).rejects.toThrow('before it had received everything')
    await sink.close?.()
  })

  it('sends again at once if the server had closed a reused connection', async () => {
    let connections = 0
    await using server = await rawServer((socket) => {
      connections++
      let requests = 0
      socket.on('data', () => {
        if (++requests > 1) socket.resetAndDestroy()
        else socket.write('HTTP/1.1 204 No Content\r\n\r\n')
      })
    })
    const sink = opened(kind, server.address)
    await sink.write(batchOfNumbers(0, 1))
    await sink.write(batchOfNumbers(1, 2))
    await sink.close?.()
    expect(connections).toBe(2)
  })

  it('ends a request soon after it is stopped', async () => {
    await using server = await scriptedServer(() => {})
    const stop = new AbortController()
    const sink = opened(kind, server.address, { answerMs: 60_000, graceMs: 50 })
    const write = sink.write(batchOfNumbers(0, 1), stop.signal)
    stop.abort()
    await expect(write).rejects.toMatchObject({ fault: 'retry' })
    await sink.close?.()
  })

  it('uses the proxy from the environment, but not for hosts that are excluded there', async () => {
    let tunnels = 0
    await using proxy = await scriptedServer(({ path }, response) => response.end(path.slice(0, 0)))
    await using tunnel = await rawServer((socket) =>
      socket.once('data', (head) => {
        tunnels += String(head).startsWith('CONNECT shop.invalid:443') ? 1 : 0
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      }),
    )
    const secret = 'proxy-password'
    const through = (address: string, variables: Record<string, string>) =>
      faultOf(opened(kind, address, { variables: { TOKEN: token, ...variables } }))
    for (const name of ['HTTP_PROXY', 'http_proxy']) {
      const before = proxy.seen.length
      expect(await through('http://shop.invalid/in', { [name]: proxy.address })).toBeUndefined()
      expect(proxy.seen.slice(before).map(({ path }) => path)).toEqual(['http://shop.invalid/in'])
    }
    const refused = await through('https://shop.invalid/in', {
      HTTPS_PROXY: `http://ann:${secret}@127.0.0.1:${tunnel.port}`,
    })
    expect(tunnels).toBe(1)
    expect(refused).toMatchObject({ fault: 'stop' })
    expect(`${refused?.message} ${refused?.wayOut}`).not.toContain(secret)
    await using direct = await scriptedServer(status(200))
    await through(direct.address, { http_proxy: proxy.address, NO_PROXY: '127.0.0.1' })
    expect(direct.seen).toHaveLength(1)
  })

  it('says that the proxy may be what refuses, if there is one', async () => {
    const variables = { TOKEN: token, HTTP_PROXY: 'http://127.0.0.1:1' }
    const fault = await faultOf(opened('http', 'http://collector.test/', { variables }))
    expect(fault).toMatchObject({ fault: 'retry', message: expect.stringContaining('there or at the proxy') })
    const direct = await faultOf(opened('http', 'http://127.0.0.1:1/', { variables }))
    expect(direct!.message).not.toContain('proxy')
  })

  it('stops at an untrusted certificate, whatever the environment allows', async () => {
    const [key, cert] = [join(top, 'key.pem'), join(top, 'cert.pem')]
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '1',
    ]
    execFileSync('openssl', [...request, '-subj', '/CN=127.0.0.1', '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    })
    await using server = await scriptedServer(status(200), {
      key: readFileSync(key, 'utf8'),
      cert: readFileSync(cert, 'utf8'),
    })
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const fault = await faultOf(opened(kind, server.address))
      expect(fault).toMatchObject({ fault: 'stop', message: expect.stringContaining('certificate') })
      expect(fault?.wayOut).toContain('NODE_EXTRA_CA_CERTS')
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
    expect(server.seen).toEqual([])
  })

  it('rejects an invalid address', () => {
    for (const address of ['http:', 'ftp://host/', 'https://', 'nonsense'])
      expect(() => opened(kind, address), address).toThrow(/address of the server is invalid/)
  })
})

describe('the part of an answer about single records', () => {
  const says =
    (body: unknown, code = 200): Script =>
    (_: unknown, response: ServerResponse) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  async function refusedBy(body: unknown, code?: number) {
    await using server = await scriptedServer(says(body, code))
    const sink = opened('http', server.address)
    const refused: [number, string][] = []
    const batch = batchOfNumbers(0, 3)
    try {
      await sink.write(batch, undefined, (index, reason) => refused.push([index, reason]))
      return refused.map(([index, reason]) => [index, reason.split(': ').at(-1)])
    } catch (error) {
      return (error as SinkError).fault
    } finally {
      await sink.close?.()
    }
  }

  it('rejects the named records, by index or by id', async () => {
    const { ids } = batchOfNumbers(0, 3)
    expect(await refusedBy({ accepted: 2, rejected: [{ index: 1, reason: 'odd' }] })).toEqual([[1, 'odd']])
    expect(await refusedBy({ accepted: 2, rejected: [{ id: ids[2], reason: 'odd' }] }, 207)).toEqual([
      [2, 'odd'],
    ])
    expect(await refusedBy({ accepted: 0, repeated: 3, rejected: [] })).toEqual([])
  })

  it('is not trusted if it does not add up', async () => {
    for (const accepted of [0, 2, 4]) expect(await refusedBy({ accepted, rejected: [] })).toBe('retry')
    expect(await refusedBy({ repeated: 2 })).toBe('retry')
    expect(await refusedBy({ rejected: [{ index: 7, reason: 'odd' }] })).toBe('retry')
    expect(await refusedBy({ rejected: [null, 'odd'] })).toBe('retry')
  })

  it('means success if it is not JSON or does not mention records', async () => {
    for (const body of [undefined, 'ok', null, [], 7, { ok: true }]) expect(await refusedBy(body)).toEqual([])
  })
})
