/** The lines of a transcript, or its bytes or text in chunks of any size. */
export type LineSource =
  | string
  | ReadableStream<Uint8Array | string>
  | Iterable<string>
  | AsyncIterable<string | Uint8Array>

/** A line with its position: `offset` and `length` in bytes, `line` from 1. */
export interface TextLine {
  text: string
  line: number
  offset: number
  length: number
}

const NEWLINE = 10

/** The non-blank lines of any source. Each string of an array is one line. Does not depend on Node. */
export async function* textLines(source: LineSource): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let held: Uint8Array[] = []
  let line = 0
  let offset = 0
  const finished = (last: Uint8Array): TextLine | undefined => {
    const bytes = held.length === 0 ? last : joined([...held, last])
    held = []
    line++
    const at = offset
    offset += bytes.length + 1
    const text = decoder.decode(bytes)
    return /^[ \t\r]*$/.test(text) ? undefined : { text, line, offset: at, length: bytes.length }
  }
  for await (const chunk of chunks(source)) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const found = finished(chunk.subarray(start, end))
      if (found) yield found
      start = end + 1
    }
    if (start < chunk.length) held.push(chunk.slice(start))
  }
  const last = held.length === 0 ? undefined : finished(new Uint8Array(0))
  if (last) yield last
}

async function* chunks(source: LineSource): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const bytesOf = (piece: string | Uint8Array): Uint8Array =>
    typeof piece === 'string' ? encoder.encode(piece) : piece
  if (typeof source === 'string') yield encoder.encode(source)
  else if ('getReader' in source) yield* streamed(source, bytesOf)
  // Chunks of a stream may end anywhere. Items of a list are lines, with or without a newline.
  else if (Symbol.asyncIterator in source) for await (const piece of source) yield bytesOf(piece)
  else for (const each of source) yield encoder.encode(each.endsWith('\n') ? each : `${each}\n`)
}

async function* streamed(
  stream: ReadableStream<Uint8Array | string>,
  bytesOf: (piece: string | Uint8Array) => Uint8Array,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield bytesOf(step.value)
  } finally {
    await reader.cancel()
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
