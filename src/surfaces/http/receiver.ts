import { hash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Listening, ListenOptions } from '../../context/context.ts'
import { unpackZstdAside } from '../../io/zstd.ts'
import { createGate } from '../../render/gate.ts'
import { admit, bearerOf, closeServer, isSame, listenAt, namesUs, readBody, Unreadable } from './guard.ts'

const RECORDS = '/v1/records'
const HEALTH = '/v1/health'
/** The number of concurrent requests. Clients are asked to retry further ones. */
const AT_ONCE = 16
const CONNECTIONS = 1024
/** The time limits for a whole request, for its header, and between two pieces of its body. */
const REQUEST_MS = 120_000
const HEADERS_MS = 10_000
const SILENCE_MS = 20_000
/** A connection without the token is closed this long after the response, whatever its client still sends. */
const REFUSED_MS = 2000
const LONGEST_KEY = 200
/** How long open requests may take after a stop was requested. */
const GRACE_MS = 10_000

interface Reply {
  status: number
  body: object
  headers?: Record<string, string>
}

/** Responses may quote the request. */
const gate = createGate({ redact: true, colors: false })

const refusal = (status: number, error: string, headers?: Record<string, string>): Reply => ({
  status,
  body: { version: 1, error },
  headers,
})

/** Listens for records. Resolves when listening, and rejects with the system's error. */
export async function startReceiver(options: ListenOptions): Promise<Listening> {
  const { token, names, maxBody, take, fault } = options
  const replay = createReplay()
  let underWay = 0
  let closing = false
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: HEADERS_MS, connectionsCheckingInterval: 1000 },
    (request, response) => {
      answer(request)
        .catch((error): Reply => {
          if (error instanceof Unreadable) return refusal(error.status, error.message)
          if (request.destroyed && !request.complete) {
            fault(
              'A sender closed the connection before all of its records had arrived. Nothing of them was stored.',
            )
            return refusal(400, 'the request was cut off')
          }
          fault(String((error as Error)?.message ?? error))
          return refusal(503, 'the records cannot be stored now', { 'retry-after': '5' })
        })
        .then((reply) => give(reply, request, response, closing))
    },
  )
  server.maxConnections = CONNECTIONS
  const admission = admit(server)
  const port = await listenAt(server, options)
  return { host: options.host, port, close }

  async function answer(request: IncomingMessage): Promise<Reply> {
    const { headers, method } = request
    // A browser sends an Origin, and no page delivers records.
    if (headers.origin !== undefined || !namesUs(request, names))
      return refusal(403, 'this host is not known here')
    const [path] = (request.url ?? '').split('?')
    const wanted = path === RECORDS ? 'POST' : path === HEALTH ? 'GET' : undefined
    if (!wanted) return refusal(404, `there is ${RECORDS}, and nothing else`)
    if (method !== wanted) return refusal(405, `${wanted} is required`, { allow: wanted })
    if (path === HEALTH) return { status: 200, body: { version: 1, ok: true } }
    if (!isSame(bearerOf(request), token))
      return refusal(401, 'a valid token is required', { 'www-authenticate': 'Bearer' })
    admission.trust(request.socket)
    if (underWay >= AT_ONCE) return refusal(429, 'too many at a time', { 'retry-after': '1' })
    underWay++
    try {
      const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
      if (type !== 'application/x-ndjson') return refusal(415, 'application/x-ndjson is required')
      const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
      if (!ENCODINGS.includes(encoding))
        return refusal(415, 'it is packed in a way that is not known', {
          'accept-encoding': ENCODINGS.join(', '),
        })
      if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
        return refusal(411, 'Content-Length is required')
      return await received(
        await readBody(request, maxBody, SILENCE_MS),
        encoding,
        headers['idempotency-key'],
      )
    } finally {
      underWay--
    }
  }

  async function received(
    body: Buffer,
    encoding: string,
    given: string | string[] | undefined,
  ): Promise<Reply> {
    const key = typeof given === 'string' && given.length <= LONGEST_KEY ? given : undefined
    const before = key === undefined ? undefined : replay.find(key, body)
    if (before) return { status: before.partly ? 207 : 200, body: before.answer }
    const { lines, packed } = await unpacked(body, encoding, maxBody)
    const taken = await take(lines, packed)
    if (taken === 'too-large') return refusal(413, 'a record is too large, or they are too many')
    if (key !== undefined) replay.keep(key, body, taken.answer, taken.partly)
    return { status: taken.partly ? 207 : 200, body: taken.answer }
  }

  async function close(): Promise<void> {
    closing = true
    await closeServer(server, GRACE_MS)
  }
}

/** Sends a response. Discards the rest of an unread request, so that its sender receives the response. */
function give(
  { status, body, headers }: Reply,
  request: IncomingMessage,
  response: ServerResponse,
  closing: boolean,
): void {
  const text = JSON.stringify(gate.plain(body))
  const last = !request.complete
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(last || closing ? { connection: 'close' } : {}),
    ...headers,
  })
  response.end(text)
  if (!last) return
  request.resume()
  if (status === 401 || status === 403) setTimeout(() => request.socket.destroy(), REFUSED_MS).unref()
}

const MOST = 1000

/** Recent responses by idempotency key. A repeated request gets the same response without any work. */
export function createReplay() {
  const answers = new Map<string, { digest: string; answer: object; partly: boolean }>()
  return {
    /** Undefined if the key is new, or came with another body. */
    find(key: string, body: Buffer) {
      const known = answers.get(key)
      return known?.digest === digestOf(body) ? known : undefined
    },
    keep(key: string, body: Buffer, answer: object, partly: boolean): void {
      // Inserting a key again makes it the latest.
      answers.delete(key)
      if (answers.size >= MOST) answers.delete(answers.keys().next().value!)
      answers.set(key, { digest: digestOf(body), answer, partly })
    },
  }
}

const digestOf = (body: Buffer): string => hash('sha256', body, 'base64')

const gunzipped = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

const ENCODINGS = ['zstd', 'gzip', 'identity']

/** Lines, and the request body itself if it is exactly one zstd frame of them. */
interface Unpacked {
  lines: Buffer
  packed?: Buffer
}

/** Unpacks a request, up to a limit. Throws `Unreadable`. */
async function unpacked(body: Buffer, encoding: string, limit: number): Promise<Unpacked> {
  if (encoding === 'identity') return { lines: body }
  try {
    if (encoding === 'gzip') return { lines: await gunzipped(body, { maxOutputLength: limit }) }
    const { bytes, frames } = await unpackZstdAside(body, limit)
    return { lines: bytes, ...(frames === 1 && { packed: body }) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Unreadable(413, `more than ${limit} bytes when unpacked`)
    throw new Unreadable(400, `this is not ${encoding}, or a part of it is damaged or missing`)
  }
}
