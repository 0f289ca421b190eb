import { signal } from '@preact/signals'
import type { Changed } from '../api/shapes.ts'

/** `connecting` until the server has answered once. */
export type Connection = 'connecting' | 'live' | 'lost'

export const connection = signal<Connection>('connecting')

/** The last change of the store. After a reconnect it names no session: anything may have changed. */
export const changes = signal<Changed>({ version: 1, sessions: [] })

/** How long to wait before the next attempt; the browser itself gives up after some errors. */
const RETRY_MS = 2000

let source: EventSource | undefined

function connect(): void {
  source?.close()
  source = new EventSource('/api/events')
  source.addEventListener('hello', () => {
    const isBack = connection.value === 'lost'
    connection.value = 'live'
    if (isBack) changes.value = { version: 1, sessions: [] }
  })
  source.addEventListener('changed', (event) => {
    changes.value = JSON.parse(event.data) as Changed
  })
  source.addEventListener('error', () => {
    connection.value = 'lost'
    source?.close()
    setTimeout(connect, RETRY_MS)
  })
}

/** Listens for changes for as long as the page is open. */
export function startEvents(): void {
  connect()
  // A page that was hidden for long may have been dropped by the server.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && source?.readyState === EventSource.CLOSED) connect()
  })
}
