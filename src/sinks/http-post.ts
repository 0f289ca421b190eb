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
  /** For people. */
  place: string
  variables: Readonly<Record<string, string | undefined>>
  /** Connections at a time. */
  connections: number
  connectMs?: number
  /** For an answer, whole, once the request was sent; and the longest standstill while it is. */
  answerMs?: number
  /** What is under way may still end so long after somebody wants us to stop. */
  graceMs?: number
}

export interface Poster {
  /** Resolves with an answer that was read to its end, whatever it says. Throws a `SinkError`. */
  post(body: Uint8Array, headers: Record<string, string>, stop?: AbortSignal): Promise<HttpAnswer>
  close(): void
}

const CONNECT_MS = 10_000
const ANSWER_MS = 60_000
const GRACE_MS = 5000
const PROXIES = ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()])

/** Posts to one address over connections that stay open, through a proxy where the variables name one. Redirects are not followed. */
export function createPoster({
  url,
  place,
  variables,
  connections,
  connectMs = CONNECT_MS,
  answerMs = ANSWER_MS,
  graceMs = GRACE_MS,
}: PostOptions): Poster {
  const secure = url.protocol === 'https:'
  // What is sent to this machine never leaves it, whatever proxy the variables name.
  const proxyEnv = isLoopback(url)
    ? {}
    : Object.fromEntries(PROXIES.flatMap((name) => (variables[name] ? [[name, variables[name]]] : [])))
  const settings = { keepAlive: true, maxSockets: connections, proxyEnv }
  // Said here, so that no variable turns it off.
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
    throw new SinkError('retry', `${place}: the connection broke`)
  }

  /** `stale`: the server had closed a connection that was kept open. */
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
        reject(faultOfNetwork(error, place))
        return
      }
      let answered = false
      let timer = setTimeout(late, connectMs, 'nobody let us connect')
      const stopped = (): void => rearm(graceMs, 'stopped before it answered')
      if (stop?.aborted) stopped()
      stop?.addEventListener('abort', stopped, { once: true })
      sent.once('socket', (socket: Socket) => whenConnected(socket, () => stop?.aborted || stand(socket)))
      sent.once('finish', () => stop?.aborted || rearm(answerMs, 'it did not answer'))
      sent.once('response', (response: IncomingMessage) => {
        answered = true
        readWhole(response).then((answer) => {
          done()
          // Who says yes before all was sent has not kept it.
          const early = answer !== undefined && answer.status < 300 && !sent.writableFinished
          if (!answer || !sent.writableFinished) sent.destroy()
          if (answer && !early) return resolve(answer)
          const reason = early
            ? 'it answered before it had everything'
            : 'its answer broke off or is too long'
          reject(new SinkError('retry', `${place}: ${reason}`))
        })
      })
      sent.on('error', (error: NodeJS.ErrnoException) => {
        done()
        const broke = error.code === 'ECONNRESET' || error.code === 'EPIPE'
        if (broke && sent.reusedSocket && !answered) resolve('stale')
        else reject(error instanceof SinkError ? error : faultOfNetwork(error, place))
      })
      sent.end(body)

      /** A connection that takes nothing more is as good as none. */
      function stand(socket: Socket): void {
        rearm(answerMs, 'it takes nothing more')
        let written = socket.bytesWritten
        const look = setInterval(() => {
          if (socket.bytesWritten === written || sent.writableFinished) return
          written = socket.bytesWritten
          rearm(answerMs, 'it takes nothing more')
        }, answerMs / 2)
        sent.once('finish', () => clearInterval(look))
        sent.once('close', () => clearInterval(look))
      }
      function rearm(ms: number, reason: string): void {
        clearTimeout(timer)
        timer = setTimeout(late, ms, reason)
      }
      function late(reason: string): void {
        sent.destroy(new SinkError('retry', `${place}: ${reason}`))
      }
      function done(): void {
        clearTimeout(timer)
        stop?.removeEventListener('abort', stopped)
      }
    })
  }
}

/** Calls back when bytes of ours can flow. */
function whenConnected(socket: Socket, connected: () => void): void {
  const { secureConnecting } = socket as Partial<Pick<TLSSocket, 'encrypted'>> & {
    secureConnecting?: boolean
  }
  if (secureConnecting) socket.once('secureConnect', connected)
  else if (socket.connecting) socket.once('connect', connected)
  else connected()
}
