import { hash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TrustedProxy } from '../../../commands/kit/server/listening.ts'
import { bearerOf, isSame, namesUs } from '../guard.ts'

/** How long a ticket opens the page, in ms. */
const TICKET_MS = 60_000

export interface AccessOptions {
  token: string
  /** Accepted host names besides those of this machine. */
  names: readonly string[]
  secure: boolean
  /** The proxy that signs users in. */
  proxy?: TrustedProxy | undefined
}

type Verdict = 'welcome' | 'strange-host' | 'foreign-page'

export interface Access {
  /** Whether the request is meant for us and does not come from a page of somebody else. */
  check(request: IncomingMessage): Verdict
  /**
   * Whether the request has the token, as a cookie or in a header, or comes from the trusted proxy with the
   * name of a user.
   */
  isKnown(request: IncomingMessage): boolean
  /** Whether the text is the token or a ticket. A ticket is valid once. */
  opens(given: string): boolean
  /** The header that gives the cookie to a browser. */
  cookieFor(request: IncomingMessage): string
  ticket(): string
}

export function createAccess({ token, names, secure, proxy }: AccessOptions): Access {
  // A cookie that is stolen from a browser does not reveal the token.
  const cookie = hash('sha256', `page ${token}`, 'base64url')
  const tickets = new Map<string, number>()
  return {
    check(request) {
      if (!namesUs(request, names)) return 'strange-host'
      return isForeign(request) ? 'foreign-page' : 'welcome'
    },
    isKnown(request) {
      if (proxy && isSignedIn(request, proxy)) return true
      const bearer = bearerOf(request)
      return bearer === '' ? isSame(cookieIn(request), cookie) : isSame(bearer, token)
    },
    opens(given) {
      const until = tickets.get(given)
      tickets.delete(given)
      return isSame(given, token) || (until !== undefined && performance.now() < until)
    },
    cookieFor: (request) =>
      `${cookieName(request)}=${cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000${secure ? '; Secure' : ''}`,
    ticket() {
      const ticket = randomBytes(24).toString('base64url')
      tickets.set(ticket, performance.now() + TICKET_MS)
      return ticket
    },
  }
}

/** Whether the trusted proxy names a user. From anywhere else, the header says nothing. */
function isSignedIn({ headers, socket }: IncomingMessage, { header, addresses }: TrustedProxy): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const user = headers[header]
  return addresses.includes(address) && typeof user === 'string' && user.trim() !== ''
}

/** Servers on all ports of a host share cookies. */
const cookieName = ({ socket }: IncomingMessage): string => `scrollback-${socket.localPort}`

function cookieIn(request: IncomingMessage): string {
  const name = cookieName(request)
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return ''
}

/**
 * Whether a page of somebody else sent the request. A link on another page may open this one, which holds no
 * data before it asks for them itself.
 */
function isForeign({ method, url = '/', headers }: IncomingMessage): boolean {
  const { origin, host } = headers
  if (origin !== undefined && hostOf(origin) !== host?.toLowerCase()) return true
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  const opens = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return !(opens && method === 'GET' && !url.startsWith('/api'))
}

function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host
  } catch {
    return undefined
  }
}
