import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import { type AddressInfo, isIP, type Socket } from 'node:net'

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/

/**
 * Whether the Host header names this server: its own address, `localhost` on loopback, or one of `names`. A
 * browser page with a rebound name sends another Host. Several names name nobody.
 */
export function namesUs(
  { headers, headersDistinct, socket }: Pick<IncomingMessage, 'headers' | 'headersDistinct' | 'socket'>,
  names: readonly string[],
): boolean {
  // Node keeps the first one and says nothing of the others.
  if ((headersDistinct.host?.length ?? 0) > 1) return false
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

/** Connections whose clients have not sent the token yet. */
const MOST_STRANGERS = 128

interface Admission {
  /** Marks the connection as one whose client has sent the token. */
  trust(socket: Socket): void
}

/**
 * Reserves connections for clients with the token. If there are too many connections without it, the oldest
 * one of the address with most of them is closed. So slow clients displace each other, a client that sends a
 * request immediately gets through, and a trusted connection is never closed for others.
 */
export function admit(server: Server, most = MOST_STRANGERS): Admission {
  /** By address, the oldest connection first. */
  const strangers = new Map<string, Set<Socket>>()
  let count = 0
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    let own = strangers.get(address)
    if (!own) {
      own = new Set()
      strangers.set(address, own)
    }
    own.add(socket)
    count++
    socket.once('close', () => forget(socket, address))
    if (count > most) closeOldest()
  })
  return { trust: (socket) => forget(socket, socket.remoteAddress ?? '') }

  function forget(socket: Socket, address: string): void {
    const own = strangers.get(address)
    if (!own?.delete(socket)) return
    count--
    if (own.size === 0) strangers.delete(address)
  }

  function closeOldest(): void {
    let largest: Set<Socket> | undefined
    for (const own of strangers.values()) if (own.size > (largest?.size ?? 0)) largest = own
    const [oldest] = largest ?? []
    oldest?.destroy()
  }
}

/** A request that cannot be read, with the status of the response. */
export class Unreadable extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Reads a request to its end, so that its sender receives the response. Discards a body that is too large,
 * and stops after four times the limit, or if the client is silent for longer than `silenceMs`. Throws
 * `Unreadable`.
 */
export async function readBody(request: IncomingMessage, limit: number, silenceMs: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  let silent = false
  const timer = setTimeout(() => {
    silent = true
    request.destroy()
  }, silenceMs)
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      timer.refresh()
      bytes += piece.length
      if (bytes <= limit) pieces.push(piece)
      else pieces.length = 0
      if (bytes > 4 * limit) break
    }
  } catch (error) {
    if (silent) throw new Unreadable(408, `nothing came for ${silenceMs / 1000} s`)
    throw error
  } finally {
    clearTimeout(timer)
  }
  if (bytes > limit) throw new Unreadable(413, `more than ${limit} bytes`)
  return Buffer.concat(pieces)
}

interface ListenAt {
  host: string
  port: number
  fault(message: string): void
}

/** Listens, and returns the port. Rejects with the system's error; later errors are faults. */
export function listenAt(server: Server, { host, port, fault }: ListenAt): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      server.on('error', (error) => fault(String(error)))
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Stops listening. Requests that take longer than `graceMs` are cut off. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const late = setTimeout(() => server.closeAllConnections(), graceMs)
  server.closeIdleConnections()
  await closed
  clearTimeout(late)
}
