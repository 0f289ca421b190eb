import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/

/**
 * Whether the Host header names this server. A browser page with a rebound name sends another Host, and an
 * Origin.
 */
export function isMeantForUs({ headers, socket }: IncomingMessage, names: readonly string[]): boolean {
  if (headers.origin !== undefined) return false
  const local = socket.localAddress ?? ''
  const name = /^(?:\[([^\]]+)\]|([^:]*))(?::\d+)?$/.exec(headers.host ?? '')
  const host = (name?.[1] ?? name?.[2] ?? '').toLowerCase()
  if (isIP(host)) return host === local || `::ffff:${host}` === local
  return host !== '' && ((host === 'localhost' && LOOPBACK.test(local)) || names.includes(host))
}

/** Whether the token is correct. Takes the same time for every wrong one. */
export function holdsToken({ headers }: IncomingMessage, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(digest(given), digest(token))
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')
