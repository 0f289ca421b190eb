import { type ClientRequest, type IncomingMessage, Agent as PlainAgent, request } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'
import { faultOfNetwork, faultOfStatus, type HttpAnswer, readWhole } from './http-answer.ts'
import { type KnownSink, SinkError } from './sink.ts'
import { type TokenSource, tokenFrom } from './token.ts'

/** Default paths if the address names only a host: for our receiver, and for an OpenTelemetry collector. */
export const RECORDS_PATH = '/v1/records'
export const LOGS_PATH = '/v1/logs'

export interface HttpOptions extends TokenSource {
  /** The URL, without name and password. */
  address: string
  compression?: Compression
  /** The archive of earlier deliveries. */
  known?: KnownSink | undefined
  nowMs(): number
  /**
   * Time limits for connecting, for a response after the request was sent, and for running requests after a
   * stop, in ms.
   */
  connectMs?: number
  answerMs?: number
  graceMs?: number
  /** The longest response, in bytes. */
  longestAnswer?: number
}

interface Sender {
  /** The destination as shown to users, without secrets. */
  name: string
  /** Resolves with a successful response. Throws a `SinkError`. */
  send(content: Content, headers: Record<string, string>, stop?: AbortSignal): Promise<HttpAnswer>
  close(): void
}

/** Posts bodies to one address: compressed, with a token, over persistent connections. */
export function createSender(
  options: HttpOptions,
  path: string,
  first: Compression,
  connections: number,
): Sender {
  const url = addressOf(options.address, path)
  const name = `${url.protocol}//${url.host}${url.pathname}`
  const token = tokenFrom(options)
  const poster = createPoster({ ...options, url, name, connections })
  let compression = options.compression ?? first
  return { name, send, close: () => poster.close() }

  async function send(
    content: Content,
    headers: Record<string, string>,
    stop?: AbortSignal,
  ): Promise<HttpAnswer> {
    for (let renewed = false; ; ) {
      const used = compression
      const { body, headers: own } = await packed(content, used)
      const authorization = token.header()
      const answer = await poster.post(
        body,
        { 'user-agent': 'scrollback', ...headers, ...own, ...(authorization ? { authorization } : {}) },
        stop,
      )
      if (answer.status >= 200 && answer.status < 300) return answer
      const simpler = answer.status === 415 ? simplerThan(used) : undefined
      if (simpler) {
        if (compression === used) compression = simpler
      } else if (answer.status === 401 && !renewed && (token.renew() || token.header() !== authorization))
        // The token was replaced while the old one was in use.
        renewed = true
      else throw faultOfStatus(answer, name, options.nowMs())
    }
  }
}

function addressOf(address: string, path: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new SinkError('stop', 'The address of the server is invalid.', {
      wayOut: 'Use https://host/path.',
    })
  url.hash = ''
  if (url.pathname === '/') url.pathname = path
  return url
}

interface PostOptions {
  url: URL
  /** The destination as shown to users. */
  name: string
  variables: Readonly<Record<string, string | undefined>>
  /** The maximum number of open connections. */
  connections: number
  connectMs?: number
  /** The time limit for a complete response after the request was sent, and for a stalled upload. */
  answerMs?: number
  /** How long running requests may continue after a stop was requested. */
  graceMs?: number
  longestAnswer?: number
}

interface Poster {
  /** Resolves with a complete response of any status. Throws a `SinkError`. */
  post(body: Uint8Array, headers: Record<string, string>, stop?: AbortSignal): Promise<HttpAnswer>
  close(): void
}

const CONNECT_MS = 10_000
const ANSWER_MS = 60_000
const GRACE_MS = 5000
/** How many preliminary responses (1xx) a request may get. */
const MOST_PRELIMINARY = 32
const PROXIES = ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()])

/**
 * Posts to one address over persistent connections, through a proxy if the variables name one. Does not
 * follow redirects.
 */
function createPoster({
  url,
  name,
  variables,
  connections,
  connectMs = CONNECT_MS,
  answerMs = ANSWER_MS,
  graceMs = GRACE_MS,
  longestAnswer,
}: PostOptions): Poster {
  const secure = url.protocol === 'https:'
  // Requests to this machine never go through a proxy.
  const proxyEnv = isLoopback(url)
    ? {}
    : Object.fromEntries(PROXIES.flatMap((name) => (variables[name] ? [[name, variables[name]]] : [])))
  const hasProxy = Object.keys(proxyEnv).some((each) => !/^no_/i.test(each))
  const settings = { keepAlive: true, maxSockets: connections, proxyEnv }
  // Set explicitly, so that no environment variable can turn it off.
  const agent = secure ? new SecureAgent({ ...settings, rejectUnauthorized: true }) : new PlainAgent(settings)
  return { post, close: () => agent.destroy() }

  async function post(
    body: Uint8Array,
    headers: Record<string, string>,
    stop?: AbortSignal,
  ): Promise<HttpAnswer> {
    const first = await once(body, headers, stop)
    if (first !== 'stale') return first
    const second = await once(body, headers, stop)
    if (second !== 'stale') return second
    throw new SinkError('retry', `${name}: the connection broke`)
  }

  /** `stale` if the server had closed the persistent connection. */
  function once(
    body: Uint8Array,
    headers: Record<string, string>,
    stop?: AbortSignal,
  ): Promise<HttpAnswer | 'stale'> {
    return new Promise((resolve, reject) => {
      let sent: ClientRequest
      try {
        sent = (secure ? secureRequest : request)(url, {
          method: 'POST',
          agent,
          headers: { ...headers, 'content-length': String(body.length) },
        })
      } catch (error) {
        reject(faultOfNetwork(error, name, hasProxy))
        return
      }
      let answered = false
      let timer = setTimeout(late, connectMs, 'connecting timed out')
      const stopped = (): void => rearm(graceMs, 'stopped before it responded')
      if (stop?.aborted) stopped()
      stop?.addEventListener('abort', stopped, { once: true })
      sent.once('socket', (socket: Socket) =>
        whenConnected(socket, () => stop?.aborted || watchForStall(socket)),
      )
      sent.once('finish', () => stop?.aborted || rearm(answerMs, 'it did not respond'))
      let preliminary = 0
      sent.on('information', () => {
        if (++preliminary > MOST_PRELIMINARY) late('it sent preliminary responses without end')
      })
      sent.once('response', (response: IncomingMessage) => {
        answered = true
        readWhole(response, longestAnswer).then((answer) => {
          done()
          // A success that arrives before everything was sent does not acknowledge the batch.
          const early = answer !== undefined && answer.status < 300 && !sent.writableFinished
          if (!answer || !sent.writableFinished) sent.destroy()
          if (answer && !early) return resolve(answer)
          const reason = early
            ? 'it responded before it had received everything'
            : 'its response broke off or is too long'
          reject(new SinkError('retry', `${name}: ${reason}`))
        })
      })
      sent.on('error', (error: NodeJS.ErrnoException) => {
        done()
        const broke = error.code === 'ECONNRESET' || error.code === 'EPIPE'
        if (broke && sent.reusedSocket && !answered) resolve('stale')
        else reject(error instanceof SinkError ? error : faultOfNetwork(error, name, hasProxy))
      })
      sent.end(body)

      /** Watches for a connection that accepts no more data. */
      function watchForStall(socket: Socket): void {
        rearm(answerMs, 'it accepts no more data')
        let written = socket.bytesWritten
        const look = setInterval(() => {
          if (socket.bytesWritten === written || sent.writableFinished) return
          written = socket.bytesWritten
          rearm(answerMs, 'it accepts no more data')
        }, answerMs / 2)
        sent.once('finish', () => clearInterval(look))
        sent.once('close', () => clearInterval(look))
      }
      function rearm(ms: number, reason: string): void {
        clearTimeout(timer)
        timer = setTimeout(late, ms, reason)
      }
      function late(reason: string): void {
        sent.destroy(new SinkError('retry', `${name}: ${reason}`))
      }
      function done(): void {
        clearTimeout(timer)
        stop?.removeEventListener('abort', stopped)
      }
    })
  }
}

/** Calls back when our data can be sent. */
function whenConnected(socket: Socket, connected: () => void): void {
  const { secureConnecting } = socket as Partial<Pick<TLSSocket, 'encrypted'>> & {
    secureConnecting?: boolean
  }
  if (secureConnecting) socket.once('secureConnect', connected)
  else if (socket.connecting) socket.once('connect', connected)
  else connected()
}

export const COMPRESSIONS = ['zstd', 'gzip', 'none'] as const

export type Compression = (typeof COMPRESSIONS)[number]

/** A body to send. */
interface Content {
  bytes(): Uint8Array
  /** The same bytes, if they are already compressed with zstd. */
  zstd?: Uint8Array | undefined
  /** Too small to compress. */
  plain?: boolean
}

const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** Compresses a body. Returns it with the header that names the compression. */
async function packed(
  content: Content,
  compression: Compression,
): Promise<{ body: Uint8Array; headers: Record<string, string> }> {
  if (compression === 'none' || content.plain) return { body: content.bytes(), headers: {} }
  const body = await (compression === 'zstd'
    ? (content.zstd ?? promisify(zstdCompress)(content.bytes(), LEVEL))
    : promisify(gzip)(content.bytes()))
  return { body, headers: { 'content-encoding': compression } }
}

/** The compression to try if the server does not support this one. Undefined if there is none left. */
const simplerThan = (compression: Compression): Compression | undefined =>
  COMPRESSIONS[COMPRESSIONS.indexOf(compression) + 1]

/** Whether an address means this machine. */
const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** Whether a token sent to this address can be intercepted. */
export const exposesToken = (address: string): boolean => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.protocol === 'http:' && !isLoopback(url)
}

/** After this many rejected records in a row, and none accepted, the address is assumed to be wrong. */
const MOST = 20

/**
 * Distinguishes bad records from an address that accepts no records at all. Such an address would reject
 * every record, and nothing would be left to deliver once it is fixed.
 */
export function createDoubt(name: string) {
  let rejected = 0
  let trusted = false
  return {
    accepted(): void {
      trusted = true
    },
    /** Interprets the error of a request with this many records. */
    judge(error: unknown, records: number): unknown {
      if (trusted || !(error instanceof SinkError) || error.fault !== 'rejected' || records > 1) return error
      rejected++
      if (rejected <= MOST) return error
      return new SinkError('stop', `${name} has rejected all ${rejected} records so far.`, {
        wayOut: 'Check the address.',
        cause: error,
      })
    },
  }
}
