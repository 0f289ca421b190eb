import { signal } from '@preact/signals'
import type { QuestionProgress } from '../../src/surfaces/http/page/protocol.ts'
import type { IndexProgress } from '../../src/surfaces/server-store.ts'
import type { Changed } from '../api/ask.ts'
import { keyHeader } from '../api/client.ts'

// A browser opens six connections to a server, for all of its tabs together. So one tab listens to the server and
// tells the others. When it is closed, the next one takes over.

/** `connecting` until the server has answered once, `stranger` if this browser is not signed in. */
type Connection = 'connecting' | 'live' | 'lost' | 'stranger'

export const connection = signal<Connection>('connecting')

/** The last change of the store. After a reconnect it names no session: anything may have changed. */
export const changes = signal<Changed>({ version: 1, sessions: [] })

/** The index that is running, if one is. */
export const indexing = signal<Exclude<IndexProgress, { done: true }> | undefined>(undefined)

/** How far the long question is that is answered now. */
export const answering = signal<QuestionProgress | undefined>(undefined)

/** How often everything had to be asked again: when an index has ended, and after a gap. */
export const indexed = signal(0)

/** What the listening tab sends to the others. `ask` comes from a tab that was just opened. */
type Message =
  | { type: 'connection'; state: Connection }
  | { type: 'changed'; changed: Changed }
  | { type: 'index'; progress: IndexProgress }
  | { type: 'progress'; progress: QuestionProgress }
  | { type: 'ask' }

const NAME = 'scrollback-events'
/** How long to wait before the next attempt. */
const RETRY_MS = 2000

/** After a gap, such as the one before another tab takes over, anything may have changed. */
const anything = (): Changed => ({ version: 1, sessions: [] })

function take(message: Message): void {
  if (message.type === 'changed') changes.value = message.changed
  if (message.type === 'index') takeProgress(message.progress)
  if (message.type === 'progress') answering.value = message.progress
  if (message.type !== 'connection') return
  const wasGone = connection.value === 'lost' || connection.value === 'stranger'
  const isBack = wasGone && message.state === 'live'
  connection.value = message.state
  // A server that is started again says so again.
  if (message.state !== 'live') indexing.value = undefined
  if (!isBack) return
  changes.value = anything()
  // What was asked meanwhile was refused.
  indexed.value++
}

function takeProgress(progress: IndexProgress): void {
  const isDone = 'done' in progress
  indexing.value = isDone ? undefined : progress
  if (isDone) indexed.value++
}

/** Tells what the server sends, and begins again when that ends. */
async function listen(send: (message: Message) => void, isTakeover = false): Promise<void> {
  send({ type: 'connection', state: await readEvents(send, isTakeover).catch(() => 'lost' as const) })
  setTimeout(() => void listen(send), RETRY_MS)
}

/** Resolves when the connection has ended, to the state that is left. */
async function readEvents(
  send: (message: Message) => void,
  isTakeover: boolean,
): Promise<'lost' | 'stranger'> {
  const response = await fetch('/api/events', { headers: keyHeader(), cache: 'no-store' })
  if (response.status === 401) return 'stranger'
  if (!response.ok || !response.body) return 'lost'
  for await (const { name, data } of eventsOf(response.body)) {
    if (name === 'changed') send({ type: 'changed', changed: JSON.parse(data) as Changed })
    if (name === 'index') send({ type: 'index', progress: JSON.parse(data) as IndexProgress })
    if (name === 'progress') send({ type: 'progress', progress: JSON.parse(data) as QuestionProgress })
    if (name !== 'hello') continue
    send({ type: 'connection', state: 'live' })
    if (isTakeover) send({ type: 'changed', changed: anything() })
  }
  return 'lost'
}

/** Listens for changes for as long as the page is open. */
export function startEvents(): void {
  // Locks exist only where the connection is safe from others: on this machine, or with encryption.
  if (!navigator.locks) {
    void listen(take)
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
    void listen((message) => {
      take(message)
      channel.postMessage(message)
    }, connection.value !== 'connecting')
    // The lock is held until the tab is closed.
    return new Promise<void>(() => {})
  })
}

/** One server-sent event. */
interface ServerEvent {
  name: string
  data: string
}

/**
 * The events of an answer, as they arrive. The browser's own reader of events cannot send a header. Our server sends
 * each event as one line with its name and one with its data; other lines keep the connection open.
 */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let held = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const parts = (held + value).split('\n\n')
      held = parts.pop()!
      for (const part of parts) {
        const [, name, data] = /^event: (.+)\ndata: (.*)$/.exec(part) ?? []
        if (name !== undefined && data !== undefined) yield { name, data }
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
