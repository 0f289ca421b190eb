import type { IncomingMessage } from 'node:http'
import { SinkError } from './sink.ts'

/** A response that was read completely. */
export interface HttpAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

const LONGEST_ANSWER = 1024 * 1024
/** The longest wait that a server may request. */
const LONGEST_WAIT_MS = 60 * 60 * 1000

/** Errors of the address or the request itself, which are the same for every record. */
const OF_THE_ADDRESS = new Set([402, 404, 405, 406, 407, 410, 411, 414, 415, 417, 421, 426, 431, 451])
const AGAIN = new Set([408, 425, 429])

const WAYS_OUT: Record<number, string> = {
  401: 'Give a valid token with --token-env or --token-file.',
  403: 'Give a token that may write there with --token-env or --token-file.',
  404: 'Check the path of the address.',
  405: 'Check the path of the address.',
  407: 'Put name and password into the address of the proxy (HTTPS_PROXY), or leave it out with NO_PROXY.',
  415: 'Check the address, or choose another --compression.',
}

/** Interprets an unsuccessful response to a batch. `name` is the destination as shown to users. */
export function faultOfStatus({ status, headers }: HttpAnswer, name: string, nowMs: number): SinkError {
  const answered = `${name} answered ${status}`
  if (status >= 300 && status < 400)
    return new SinkError('stop', `${answered} with a redirect to ${destinationOf(headers.location)}.`, {
      wayOut: 'Redirects are not followed. If records should go there, use that address.',
    })
  if (status === 401 || status === 403)
    return new SinkError('stop', `${answered}: access denied.`, { wayOut: WAYS_OUT[status] })
  if (status === 413) return new SinkError('too-large', `${answered}: too large`)
  if (AGAIN.has(status) || status >= 500)
    return new SinkError('retry', answered, { retryAfterMs: retryAfterMs(headers['retry-after'], nowMs) })
  if (OF_THE_ADDRESS.has(status))
    return new SinkError('stop', `${answered}.`, { wayOut: WAYS_OUT[status] ?? WAYS_OUT[404] })
  if (status >= 400) return new SinkError('rejected', answered)
  return new SinkError('stop', `${answered}, which does not acknowledge records.`, { wayOut: WAYS_OUT[404] })
}

/** Removes parts of the address that may be secret. */
function destinationOf(location: string | string[] | undefined): string {
  const [first] = [location].flat()
  const url = first !== undefined && URL.canParse(first) ? new URL(first) : undefined
  return url ? `${url.protocol}//${url.host}${url.pathname}` : 'another address'
}

/** The wait that `Retry-After` requests, as seconds or a date, in ms. Undefined if it is invalid. */
function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | undefined {
  const text = [header].flat()[0]?.trim() ?? ''
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : /[a-z]/i.test(text)
      ? Date.parse(text) - nowMs
      : Number.NaN
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), LONGEST_WAIT_MS)
}

/** Undefined if the response broke off or is too long. */
export async function readWhole(
  response: IncomingMessage,
  longest = LONGEST_ANSWER,
): Promise<HttpAnswer | undefined> {
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > longest) return undefined
      pieces.push(piece)
    }
  } catch {
    return undefined
  }
  if (!response.complete) return undefined
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }
}

/**
 * The JSON of a successful response. Undefined if it contains no JSON, for instance if the body is empty.
 * Throws a `SinkError` if the JSON is incomplete, or if an empty body may be the rest of a truncated one:
 * then it is unknown what was accepted.
 */
export function jsonIn(answer: HttpAnswer, name: string): unknown {
  const { headers, body } = answer
  const type = String(headers['content-type'] ?? '').toLowerCase()
  const cut = (cause?: unknown): SinkError =>
    new SinkError('retry', `${name} sent an incomplete response`, { cause })
  if (body.length === 0) {
    if (/json|protobuf/.test(type) && !saysItsLength(answer)) throw cut()
    return undefined
  }
  const looksLikeIt = /^[\s\ufeff]*[[{]/.test(body.toString('utf8', 0, 64))
  if (!/[/+]json\b/.test(type) && !looksLikeIt) return undefined
  try {
    return JSON.parse(decoder.decode(body))
  } catch (error) {
    throw cut(error)
  }
}

/** If the end of the connection ends the response, the server may not have sent all of it. */
const saysItsLength = ({ status, headers }: HttpAnswer): boolean =>
  status === 204 ||
  status === 205 ||
  headers['content-length'] !== undefined ||
  headers['transfer-encoding'] !== undefined

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Error codes of certificates that are not trusted. */
const CERTIFICATE =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name cannot be resolved now',
  ENETUNREACH: 'the network cannot be reached',
  EHOSTUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'connection timed out',
}

/**
 * Describes an error of the network or of TLS by its code only. The system's message may quote a proxy or a
 * header.
 */
export function faultOfNetwork(error: unknown, name: string, hasProxy: boolean): SinkError {
  const { code = '', statusCode } = error as { code?: string; statusCode?: number }
  if (CERTIFICATE.test(code))
    return new SinkError('stop', `${name}: its certificate is not trusted (${code}).`, {
      wayOut: 'Fix the certificate. To trust one of your own, set NODE_EXTRA_CA_CERTS to its file.',
    })
  if (code === 'ERR_PROXY_TUNNEL' && (statusCode === 407 || statusCode === 403))
    return new SinkError('stop', `${name}: the proxy answered ${statusCode}.`, {
      wayOut: 'Put name and password into HTTPS_PROXY, or leave the host out with NO_PROXY.',
    })
  if (code === 'ERR_PROXY_INVALID_CONFIG' || code === 'ERR_INVALID_URL')
    return new SinkError('stop', `${name}: the address of the proxy cannot be used.`, {
      wayOut: 'Fix HTTP_PROXY or HTTPS_PROXY, or leave the host out with NO_PROXY.',
    })
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return new SinkError('stop', `${name} failed to negotiate TLS (${code}).`, {
      wayOut: 'Check whether the address should begin with http:, or whether the server is too old.',
    })
  const reason = REASONS[code] ?? `the connection failed (${code || 'no code'})`
  const where = hasProxy ? ', there or at the proxy of HTTP_PROXY or HTTPS_PROXY' : ''
  return new SinkError('retry', `${name}: ${reason}${where}`)
}
