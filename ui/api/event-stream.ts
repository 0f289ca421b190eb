/** One server-sent event. */
export interface ServerEvent {
  name: string
  data: string
}

/**
 * The events of an answer, as they arrive. The browser's own reader of events cannot send a header. Our server sends
 * each event as one line with its name and one with its data; other lines keep the connection open.
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
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
