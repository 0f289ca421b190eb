import type { IncomingMessage } from 'node:http'
import { SinkError } from './sink.ts'

/** An answer that was read to its end. */
export interface HttpAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

const LONGEST_ANSWER = 1024 * 1024
/** The longest wait a server may ask for. */
const LONGEST_WAIT_MS = 60 * 60 * 1000

/** What is wrong with the address or the request as such: the same for every record. */
const OF_THE_ADDRESS = new Set([402, 404, 405, 406, 407, 410, 411, 414, 415, 417, 421, 426, 431, 451])
const AGAIN = new Set([408, 425, 429])

const WAYS_OUT: Record<number, string> = {
  401: 'Give a valid token with --token-env or --token-file.',
  403: 'Give a token that may write there with --token-env or --token-file.',
  404: 'See whether the path of the address is right.',
  405: 'See whether the path of the address is right.',
  407: 'Put name and password into the address of the proxy (HTTPS_PROXY), or leave it out with NO_PROXY.',
  415: 'See whether the address takes what is sent to it, or choose another with --compression.',
}

/** What an answer other than success means for a batch. `place` is shown to people. */
export function faultOfStatus({ status, headers }: HttpAnswer, place: string, nowMs: number): SinkError {
  const told = `${place} answered ${status}`
  if (status >= 300 && status < 400)
    return new SinkError('stop', `${told} and sends us to ${destinationOf(headers.location)}.`, {
      wayOut: 'If that is where records are to go, name it as the destination.',
    })
  if (status === 401 || status === 403)
    return new SinkError('stop', `${told}: it does not let us in.`, { wayOut: WAYS_OUT[status] })
  if (status === 413) return new SinkError('too-large', `${told}: too large`)
  if (AGAIN.has(status) || status >= 500)
    return new SinkError('retry', told, { retryAfterMs: retryAfterMs(headers['retry-after'], nowMs) })
  if (OF_THE_ADDRESS.has(status))
    return new SinkError('stop', `${told}.`, { wayOut: WAYS_OUT[status] ?? WAYS_OUT[404] })
  if (status >= 400) return new SinkError('rejected', told)
  return new SinkError('stop', `${told}, which is no answer to records.`, { wayOut: WAYS_OUT[404] })
}

/** Without what may be secret in it. */
function destinationOf(location: string | string[] | undefined): string {
  const [first] = [location].flat()
  const url = first !== undefined && URL.canParse(first) ? new URL(first) : undefined
  return url ? `${url.protocol}//${url.host}${url.pathname}` : 'another place'
}

/** The wait a `Retry-After` asks for, in seconds or as a date, in ms; undefined for anything else. */
function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | undefined {
  const text = [header].flat()[0]?.trim() ?? ''
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : /[a-z]/i.test(text)
      ? Date.parse(text) - nowMs
      : Number.NaN
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), LONGEST_WAIT_MS)
}

/** Undefined for an answer that broke off, or is longer than any answer of this kind. */
export async function readWhole(response: IncomingMessage): Promise<HttpAnswer | undefined> {
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > LONGEST_ANSWER) return undefined
      pieces.push(piece)
    }
  } catch {
    return undefined
  }
  if (!response.complete) return undefined
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }
}

/**
 * What an answer of success says as JSON; undefined where it says nothing in JSON, an empty body among others. Throws a `SinkError` where
 * it is JSON that is not whole, or where an empty body may be what is left of one: then nothing is known of what was taken.
 */
export function jsonIn(answer: HttpAnswer, place: string): unknown {
  const { headers, body } = answer
  const type = String(headers['content-type'] ?? '').toLowerCase()
  const cut = (cause?: unknown): SinkError =>
    new SinkError('retry', `${place} gave an answer that is cut off`, { cause })
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

/** Where the end of the connection is the end of the answer, nobody knows whether it was the server's. */
const saysItsLength = ({ status, headers }: HttpAnswer): boolean =>
  status === 204 ||
  status === 205 ||
  headers['content-length'] !== undefined ||
  headers['transfer-encoding'] !== undefined

const decoder = new TextDecoder('utf-8', { fatal: true })
