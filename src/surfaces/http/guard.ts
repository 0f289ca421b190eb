import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/

/**
 * Whether the Host header names this server: its own address, `localhost` on loopback, or one of `names`. A
 * browser page with a rebound name sends another Host.
 */
export function namesUs(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  names: readonly string[],
): boolean {
  const local = socket.localAddress ?? ''
  const name = /^(?:\[([^\]]+)\]|([^:]*))(?::\d+)?$/.exec(headers.host ?? '')
  const host = (name?.[1] ?? name?.[2] ?? '').toLowerCase()
  if (isIP(host)) return host === local || `::ffff:${host}` === local || names.includes(host)
  return host !== '' && ((host === 'localhost' && LOOPBACK.test(local)) || names.includes(host))
}

/** The token of the `Authorization` header. Empty if there is none. */
export const bearerOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''

/** Whether a secret is correct. Takes the same time for every wrong one. */
export const isSame = (given: string, secret: string): boolean =>
  timingSafeEqual(digest(given), digest(secret))

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')
