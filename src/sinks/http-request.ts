import { faultOfStatus, type HttpAnswer } from './http-answer.ts'
import { type Compression, type Content, packed, simplerThan } from './http-compression.ts'
import { createPoster } from './http-post.ts'
import { type KnownSink, SinkError } from './sink.ts'
import { type TokenPlace, tokenFrom } from './token.ts'

/** Where records go at a server of which only the host is named: at our receiver, and at a collector of OpenTelemetry. */
export const RECORDS_PATH = '/v1/records'
export const LOGS_PATH = '/v1/logs'

export interface HttpOptions extends TokenPlace {
  /** Where to post to: without name and password. */
  address: string
  compression?: Compression
  /** What was delivered to before. */
  known?: KnownSink | undefined
  nowMs(): number
  /** For a connection, for an answer once the request was sent, and for what is under way when we are to stop, in ms. */
  connectMs?: number
  answerMs?: number
  graceMs?: number
}

export interface Sender {
  /** For people: without anything that may be secret. */
  place: string
  /** Resolves with an answer that says success. Throws a `SinkError`. */
  send(content: Content, headers: Record<string, string>, stop?: AbortSignal): Promise<HttpAnswer>
  close(): void
}

/** Sends what it is given to one address: packed, with a token, over connections that stay open. */
export function createSender(
  options: HttpOptions,
  path: string,
  first: Compression,
  connections: number,
): Sender {
  const url = addressOf(options.address, path)
  const place = `${url.protocol}//${url.host}${url.pathname}`
  const token = tokenFrom(options)
  const poster = createPoster({ ...options, url, place, connections })
  let compression = options.compression ?? first
  return { place, send, close: () => poster.close() }

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
        // It was exchanged while we used the old one.
        renewed = true
      else throw faultOfStatus(answer, place, options.nowMs())
    }
  }
}

function addressOf(address: string, path: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new SinkError('stop', 'That is no address of a server.', {
      wayOut: 'Write it as https://host/path.',
    })
  url.hash = ''
  if (url.pathname === '/') url.pathname = path
  return url
}
