import { type ClientRequest, type IncomingMessage, Agent as PlainAgent, request } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type HttpAnswer, readWhole } from './http-answer.ts'
import { faultOfNetwork } from './http-faults.ts'
import { isLoopback } from './loopback.ts'
import { SinkError } from './sink.ts'

export interface PostOptions {
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
}

export interface Poster {
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
export function createPoster({
  url,
  name,
  variables,
  connections,
  connectMs = CONNECT_MS,
  answerMs = ANSWER_MS,
  graceMs = GRACE_MS,
}: PostOptions): Poster {
  const secure = url.protocol === 'https:'
  // Requests to this machine never go through a proxy.
  const proxyEnv = isLoopback(url)
    ? {}
    : Object.fromEntries(PROXIES.flatMap((name) => (variables[name] ? [[name, variables[name]]] : [])))
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
          ...{ method: 'POST', agent, headers: { ...headers, 'content-length': String(body.length) } },
        })
      } catch (error) {
        reject(faultOfNetwork(error, name))
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
        readWhole(response).then((answer) => {
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
        else reject(error instanceof SinkError ? error : faultOfNetwork(error, name))
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
