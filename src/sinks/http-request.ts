import { faultOfStatus, type HttpAnswer } from './http-answer.ts'
import { type Compression, type Content, packed, simplerThan } from './http-compression.ts'
import { createPoster } from './http-post.ts'
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
}

export interface Sender {
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
