import { setTimeout as pause } from 'node:timers/promises'
import { SinkError } from '../sinks/sink.ts'
import { asOnlyWriter, type Store } from '../store/store.ts'
import { type Encoder, isSameEncoder, type VectorBatch } from '../store/vectors.ts'
import { createEncoder, type Encoded } from './encoder.ts'

/** Messages of one request. */
const BATCH = 32
/** How long to wait for another writer, and how often, in ms. */
const BUSY_MS = 500
const BUSY_TIMES = 60
/** How often a request is repeated that may succeed later, and the first wait, in ms. */
const TRIES = 4
const RETRY_MS = 500

interface FillOptions {
  variables: Readonly<Record<string, string | undefined>>
  stop?: AbortSignal | undefined
  /** Called after each batch, with the number of its messages. */
  advanced?(messages: number): void
}

/** How filling ended: everything has a vector, somebody stopped it, or the encoder or the store could not. */
export interface Filled {
  messages: number
  tokens: number
  ended: 'done' | 'stopped' | 'failed'
  /** Why it failed, and what to do. */
  fault?: { message: string; wayOut: string | undefined }
}

/**
 * Gives messages vectors until all have one. Each batch is written before the next is sent, so it can stop
 * at any time and goes on from there. Fails with the fault of the encoder, which the store remembers.
 */
export async function fillVectors(store: Store, options: FillOptions): Promise<Filled> {
  const { variables, stop, advanced } = options
  const filled: Filled = { messages: 0, tokens: 0, ended: 'done' }
  const encoder = store.vectors?.set()
  if (!encoder || store.readOnly) return filled
  let client: ReturnType<typeof createEncoder> | undefined
  try {
    client = createEncoder(encoder, variables)
    for (;;) {
      if (stop?.aborted) return { ...filled, ended: 'stopped' }
      // Somebody may have turned it off, or chosen another encoder.
      const now = store.vectors!.set()
      if (!now || !isSameEncoder(now, encoder)) return filled
      const { messages, until } = store.vectors!.waiting(BATCH)
      if (messages.length === 0 && until <= now.until) return filled
      const { vectors, tokens } = await encoded(
        client,
        messages.map(({ text }) => text),
        stop,
      )
      const batch: VectorBatch = {
        vectors: messages.flatMap(({ message }, index) => {
          const vector = vectors[index]
          return vector ? [{ message, vector }] : []
        }),
        until,
        tokens,
      }
      if (!(await written(store, batch, encoder, stop))) return { ...filled, ended: 'stopped' }
      filled.messages += messages.length
      filled.tokens += tokens
      advanced?.(messages.length)
    }
  } catch (error) {
    if (stop?.aborted) return { ...filled, ended: 'stopped' }
    if (!(error instanceof SinkError)) throw error
    const { message, wayOut } = error
    asOnlyWriter(store, () => store.vectors!.noteFault(message))
    return { ...filled, ended: 'failed', fault: { message, wayOut } }
  } finally {
    client?.close()
  }
}

/** Texts that are rejected alone are cut to half, down to so many characters. */
const SHORTEST_CUT = 250

/** Sends texts. Repeats what may succeed later, and divides what is too large. */
async function encoded(
  client: ReturnType<typeof createEncoder>,
  texts: readonly string[],
  stop: AbortSignal | undefined,
): Promise<Encoded> {
  if (texts.length === 0) return { vectors: [], tokens: 0 }
  for (let tries = 1; ; tries++)
    try {
      return await client.encode(texts, 'message', stop)
    } catch (error) {
      if (!(error instanceof SinkError)) throw error
      const { fault, retryAfterMs } = error
      if (fault === 'too-large' || fault === 'rejected') return divided(error)
      if (fault !== 'retry' || tries === TRIES) throw error
      await pause(retryAfterMs ?? RETRY_MS * 2 ** tries, undefined, stop && { signal: stop })
    }

  async function divided(error: SinkError): Promise<Encoded> {
    const [first = ''] = texts
    if (texts.length === 1 && first.length > SHORTEST_CUT)
      return encoded(client, [first.slice(0, first.length / 2).toWellFormed()], stop)
    if (texts.length === 1) {
      // It may reject this text, or all. Without a vector, the message is found by words.
      await client.encode(['hello'], 'message', stop).catch(() => {
        throw error
      })
      return { vectors: [undefined], tokens: 0 }
    }
    const half = Math.ceil(texts.length / 2)
    const left = await encoded(client, texts.slice(0, half), stop)
    const right = await encoded(client, texts.slice(half), stop)
    return { vectors: [...left.vectors, ...right.vectors], tokens: left.tokens + right.tokens }
  }
}

/** Writes a batch as the only writer. False if another process writes for long, or somebody stops it. */
async function written(
  store: Store,
  batch: VectorBatch,
  encoder: Encoder,
  stop: AbortSignal | undefined,
): Promise<boolean> {
  for (let tries = 0; tries < BUSY_TIMES && !stop?.aborted; tries++) {
    const done = asOnlyWriter(store, () => {
      store.vectors!.put(batch, encoder)
      return true
    })
    if (done) return true
    await pause(BUSY_MS, undefined, stop && { signal: stop })
  }
  return false
}
