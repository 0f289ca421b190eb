import type { Gate, Printed } from '../../../render/gate.ts'
import type { Head, Message } from './protocol.ts'

/** Text of an answer is sent in parts of at least so many characters, except the last. */
const GATHER = 256 * 1024

/** The answer to one request, sent in parts. */
export interface Parts {
  begun(): boolean
  /** Sets what precedes the bytes. Nothing was sent yet, and what was printed is dropped. */
  begin(head: Head): void
  /** Sends all pieces, and waits while the reader is slow. Rejects if the reader is gone. */
  send(pieces: Iterable<Printed>): Promise<void>
  /** Sends one text, and waits while the reader is slow. */
  print(text: string): Promise<void>
  /** Sends the last part. */
  end(texts: readonly Printed[]): void
  /** Sends bytes that are not text, unchanged. */
  file(bytes: Uint8Array): void
  /** Ends an answer that cannot be completed. */
  breakOff(): void
  /** The reader has taken the last part. */
  more(): void
}

export function createParts(
  id: number,
  post: (message: Message) => void,
  gate: Gate,
  stop: AbortSignal,
): Parts {
  let head: Head | undefined
  let isBegun = false
  let taken: PromiseWithResolvers<void> | undefined
  stop.addEventListener('abort', () => taken?.resolve(), { once: true })
  const held = { texts: [] as Printed[], length: 0 }
  return {
    begun: () => isBegun,
    begin(first) {
      head = first
      held.texts = []
      held.length = 0
    },
    async send(pieces) {
      for (const piece of pieces) await add(piece)
      flush(true)
    },
    print: add,
    end(texts) {
      for (const text of texts) hold(text)
      flush(true)
    },
    file(bytes) {
      post({ type: 'part', id, bytes: new Uint8Array(bytes), last: true, head })
      isBegun = true
    },
    breakOff: () => post({ type: 'part', id, bytes: new Uint8Array(), last: true, broken: true }),
    more: () => taken?.resolve(),
  }

  function hold(text: Printed): void {
    held.texts.push(text)
    held.length += text.length
  }

  async function add(text: Printed): Promise<void> {
    hold(text)
    if (held.length < GATHER) return
    taken = Promise.withResolvers()
    flush(false)
    await taken.promise
    stop.throwIfAborted()
  }

  function flush(last: boolean): void {
    const bytes = together(joined(held.texts).map(gate.bytes))
    held.texts = []
    held.length = 0
    post({ type: 'part', id, bytes, last, ...(isBegun ? {} : { head }) })
    isBegun = true
  }
}

/** The bytes in memory of their own, because it goes to another thread. */
function together(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Joins neighboring texts, so that the gate sees what is split between them. */
function joined(texts: readonly Printed[]): Printed[] {
  const all: Printed[] = []
  for (const text of texts) {
    const before = all.at(-1)
    if (typeof text === 'string' && typeof before === 'string') all[all.length - 1] = before + text
    else all.push(text)
  }
  return all
}
