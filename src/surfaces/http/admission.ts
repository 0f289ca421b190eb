import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Connections whose clients have not sent the token yet. */
const MOST_STRANGERS = 128

export interface Admission {
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
