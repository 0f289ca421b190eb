import { signal } from '@preact/signals'
import type { IndexProgress } from '../../src/surfaces/background-index.ts'
import type { Changed } from '../api/shapes.ts'

// A browser opens six connections to a server, for all of its tabs together. So one tab listens to the server and
// tells the others. When it is closed, the next one takes over.

/** `connecting` until the server has answered once. */
type Connection = 'connecting' | 'live' | 'lost'

export const connection = signal<Connection>('connecting')

/** The last change of the store. After a reconnect it names no session: anything may have changed. */
export const changes = signal<Changed>({ version: 1, sessions: [] })

/** The index that is running, if one is. */
export const indexing = signal<Exclude<IndexProgress, { done: true }> | undefined>(undefined)

/** How often an index has ended: every answer from before is incomplete. */
export const indexed = signal(0)

/** What the listening tab sends to the others. `ask` comes from a tab that was just opened. */
type Message =
  | { type: 'connection'; state: Connection }
  | { type: 'changed'; changed: Changed }
  | { type: 'index'; progress: IndexProgress }
  | { type: 'ask' }

const NAME = 'scrollback-events'
/** How long to wait before the next attempt; the browser itself gives up after some errors. */
const RETRY_MS = 2000

/** After a gap, such as the one before another tab takes over, anything may have changed. */
const anything = (): Changed => ({ version: 1, sessions: [] })

function take(message: Message): void {
  if (message.type === 'changed') changes.value = message.changed
  if (message.type === 'index') takeProgress(message.progress)
  if (message.type !== 'connection') return
  const isBack = connection.value === 'lost' && message.state === 'live'
  connection.value = message.state
  // A server that is started again says so again.
  if (message.state === 'lost') indexing.value = undefined
  if (isBack) changes.value = anything()
}

function takeProgress(progress: IndexProgress): void {
  const isDone = 'done' in progress
  indexing.value = isDone ? undefined : progress
  if (isDone) indexed.value++
}

function listen(send: (message: Message) => void, isTakeover = false): void {
  const source = new EventSource('/api/events')
  source.addEventListener('hello', () => {
    send({ type: 'connection', state: 'live' })
    if (isTakeover) send({ type: 'changed', changed: anything() })
  })
  source.addEventListener('changed', (event) =>
    send({ type: 'changed', changed: JSON.parse(event.data) as Changed }),
  )
  source.addEventListener('index', (event) =>
    send({ type: 'index', progress: JSON.parse(event.data) as IndexProgress }),
  )
  source.addEventListener('error', () => {
    send({ type: 'connection', state: 'lost' })
    source.close()
    setTimeout(() => listen(send), RETRY_MS)
  })
}

/** Listens for changes for as long as the page is open. */
export function startEvents(): void {
  // Locks exist only where the connection is safe from others: on this machine, or with encryption.
  if (!navigator.locks) {
    listen(take)
    return
  }
  const channel = new BroadcastChannel(NAME)
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => take(data))
  channel.postMessage({ type: 'ask' } satisfies Message)
  void navigator.locks.request(NAME, () => {
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if (data.type !== 'ask') return
      channel.postMessage({ type: 'connection', state: connection.value } satisfies Message)
      if (indexing.value) channel.postMessage({ type: 'index', progress: indexing.value } satisfies Message)
    })
    listen((message) => {
      take(message)
      channel.postMessage(message)
    }, connection.value !== 'connecting')
    // The lock is held until the tab is closed.
    return new Promise<void>(() => {})
  })
}
