import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Connections whose clients have not shown the token yet. */
const MOST_STRANGERS = 128

export interface Admission {
  /** The client of this connection has shown the token. */
  trust(socket: Socket): void
}

/**
 * Keeps room for clients that hold the token. A connection is a stranger's until its client shows the token; where there are too many
 * of these, the oldest one of the address with most of them is closed. So slow clients push out each other, whoever sends a request
 * at once gets through, and a connection that was trusted is never closed for others.
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
