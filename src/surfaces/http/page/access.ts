import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TrustedProxy } from '../../../context/context.ts'
import { bearerOf, isSame, namesUs } from '../guard.ts'

/** How long a code opens the page, in ms. */
const CODE_MS = 60_000
/** How long a browser stays signed in after its last request, in ms. */
const SIGNED_IN_MS = 4 * 3600_000
/** Of more browsers, the one that asked least recently is signed out. */
const MOST_BROWSERS = 256

export interface AccessOptions {
  token: string
  /** Accepted host names besides those of this machine. */
  names: readonly string[]
  secure: boolean
  /** The proxy that signs users in. */
  proxy?: TrustedProxy | undefined
}

type Verdict = 'welcome' | 'strange-host' | 'foreign-page'

/** What a browser gets that has signed in. It needs both, and has them in different places. */
interface SignedIn {
  /** The header that gives the browser its cookie, which all servers of this machine are sent. */
  cookie: string
  /** What the page keeps in its own storage and sends in a header, to this server alone. */
  key: string
}

export interface Access {
  /** Whether the request is meant for us and does not come from a page of somebody else. */
  check(request: IncomingMessage): Verdict
  /**
   * Whether the request has the token in a header, or the cookie and the key of a browser that is signed in,
   * or comes from the trusted proxy with the name of a user.
   */
  isKnown(request: IncomingMessage): boolean
  /** The browser of the request stays signed in until `ended`, and for some time after that. */
  hold(request: IncomingMessage): { ended(): void }
  /** Signs a browser in that has the token, or a code, which is valid once. */
  enter(given: string, request: IncomingMessage): SignedIn | undefined
  /** A code that signs in one browser, for a command line that others may see. */
  code(): string
}

/** A browser that is signed in. */
interface Browser {
  key: string
  /** When it is signed out, unless it holds a connection. */
  until: number
  held: number
}

export function createAccess({ token, names, secure, proxy }: AccessOptions): Access {
  // Nothing of this is stored: a cookie of another server, or from before a restart, is worth nothing.
  const browsers = new Map<string, Browser>()
  /** Codes with their end, and the browser that has used it. */
  const codes = new Map<string, { until: number; used?: string }>()
  return {
    check(request) {
      if (!namesUs(request, names)) return 'strange-host'
      return isForeign(request) ? 'foreign-page' : 'welcome'
    },
    isKnown(request) {
      if (proxy && isSignedIn(request, proxy)) return true
      const bearer = bearerOf(request)
      if (bearer !== '') return isSame(bearer, token)
      const browser = browserOf(request)
      if (!browser || !isSame(String(request.headers[KEY_HEADER] ?? ''), browser.key)) return false
      used(cookieIn(request), browser)
      return true
    },
    hold(request) {
      const browser = browserOf(request)
      if (browser) browser.held++
      return {
        ended() {
          if (!browser) return
          browser.held--
          browser.until = performance.now() + SIGNED_IN_MS
        },
      }
    },
    enter(given, request) {
      if (isSame(given, token)) return signedIn(request)
      const code = codes.get(given)
      if (!code || performance.now() > code.until) return undefined
      // Somebody else has read it. One of the two is not the user, so neither gets in.
      if (code.used) return void browsers.delete(code.used)
      const entered = signedIn(request)
      code.used = entered.id
      return entered
    },
    code() {
      const code = secret()
      codes.set(code, { until: performance.now() + CODE_MS })
      return code
    },
  }

  function browserOf(request: IncomingMessage): Browser | undefined {
    const id = cookieIn(request)
    const browser = browsers.get(id)
    if (!browser || browser.held > 0 || performance.now() < browser.until) return browser
    browsers.delete(id)
    return undefined
  }

  /** A browser that signs in again keeps its cookie and key, so that its other tabs stay signed in. */
  function signedIn(request: IncomingMessage): SignedIn & { id: string } {
    const known = browserOf(request)
    const id = known ? cookieIn(request) : secret()
    const browser = known ?? { key: secret(), until: 0, held: 0 }
    used(id, browser)
    for (const oldest of browsers.keys()) if (browsers.size > MOST_BROWSERS) browsers.delete(oldest)
    const cookie = `${cookieName(request)}=${id}; HttpOnly; SameSite=Strict; Path=/${secure ? '; Secure' : ''}`
    return { id, cookie, key: browser.key }
  }

  /** Those that ask are the last ones. */
  function used(id: string, browser: Browser): void {
    browser.until = performance.now() + SIGNED_IN_MS
    browsers.delete(id)
    browsers.set(id, browser)
  }
}

const secret = (): string => randomBytes(24).toString('base64url')

const KEY_HEADER = 'scrollback-key'

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
