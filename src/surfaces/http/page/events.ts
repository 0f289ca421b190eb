import type { ServerResponse } from 'node:http'
import { HEADERS } from './headers.ts'

/** A client that reads more slowly is dropped when so many bytes wait for it. */
const MOST_BYTES = 256 * 1024
const MOST_CLIENTS = 512
const PING_MS = 25_000
const PING = Buffer.from(': ping\n\n')

/** The connected pages. All of them are sent the same events. */
export interface Events {
  /** Connects a client, and calls `hold` for as long as it stays. Returns false if there are too many. */
  add(response: ServerResponse, hold?: () => { ended(): void }): boolean
  send(name: string, data: string): void
  /** The bytes that wait for clients, and how many of them are connected. */
  state(): { bytes: number; clients: number }
  end(): void
}

/** `watch` is called with true when the first page connects, and with false when the last one is gone. */
export function createEvents(watch: (on: boolean) => void): Events {
  const clients = new Set<ServerResponse>()
  let timer: NodeJS.Timeout | undefined
  return {
    add(response, hold) {
      if (clients.size >= MOST_CLIENTS) return false
      response.writeHead(200, {
        ...Object.fromEntries(HEADERS),
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        // Proxies must not wait for the end.
        'x-accel-buffering': 'no',
      })
      clients.add(response)
      const held = hold?.()
      response.once('close', () => {
        held?.ended()
        remove(response)
      })
      if (clients.size === 1) {
        watch(true)
        timer = setInterval(() => broadcast(PING), PING_MS)
      }
      write(response, eventOf('hello', '{"version":1}'))
      return true
    },
    send: (name, data) => broadcast(eventOf(name, data)),
    state: () => ({
      bytes: [...clients].reduce((sum, { writableLength }) => sum + writableLength, 0),
      clients: clients.size,
    }),
    end() {
      for (const response of clients) response.end()
    },
  }

  function remove(response: ServerResponse): void {
    if (!clients.delete(response) || clients.size > 0) return
    clearInterval(timer)
    watch(false)
  }

  /** All clients share the bytes, so those that wait are held once. */
  function broadcast(bytes: Buffer): void {
    for (const response of clients) write(response, bytes)
  }

  function write(response: ServerResponse, bytes: Buffer): void {
    // It connects again and loads what it missed.
    if (response.writableLength + bytes.length > MOST_BYTES) response.destroy()
    else response.write(bytes)
  }
}

/** JSON has no line ends, so it is one line of data. */
const eventOf = (name: string, data: string): Buffer => Buffer.from(`event: ${name}\ndata: ${data}\n\n`)
