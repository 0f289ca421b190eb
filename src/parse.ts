import { parseText } from './io/parse-line.ts'
import type { Artifact, PlatformId } from './model/artifact.ts'
import type { Draft } from './model/event.ts'
import { createFold, foldEntries } from './model/fold/fold.ts'
import { askingCommand } from './model/fold/tool-arguments.ts'
import { mapStrings } from './model/json.ts'
import type { Item, Session } from './model/session.ts'
import { foldTraits } from './platforms/identity.ts'
import { readers } from './platforms/normalizers.ts'
import { redact } from './redact/redact.ts'

export type { PlatformId } from './model/artifact.ts'
export type { SessionKind, Usage } from './model/event.ts'
export type { Accounting, Item, Session, Who } from './model/session.ts'

/**
 * How a transcript is parsed.
 *
 * @example
 * import { type ParseOptions, parseTranscript } from 'agent-scrollback/parse'
 *
 * const options: ParseOptions = { platform: 'openclaw', session: 'fern', agent: 'ops' }
 * const { id, agent } = await parseTranscript('', options).session()
 * const named = [id, agent]
 * named // => ['fern', 'ops']
 */
export interface ParseOptions {
  /** The platform that wrote the transcript. */
  platform: PlatformId
  /** The session id, if the records do not contain it. */
  session?: string
  /** OpenClaw's agent id. Default: `main`. */
  agent?: string
  /** False keeps secrets in the texts. Default: true. */
  redact?: boolean
}

/**
 * The items of a transcript, in order. The source is read when the first item or the session is requested.
 *
 * @example
 * import { parseTranscript } from 'agent-scrollback/parse'
 *
 * const transcript = parseTranscript('no JSON', { platform: 'claude-code' })
 * const malformed = (await transcript.session()).accounting.malformed
 * malformed // => 1
 */
export interface Transcript extends AsyncIterable<Item> {
  /**
   * The session: title, message counts, usage and the accounting of its lines. Resolves after all of the
   * source is read.
   */
  session(): Promise<Session>
}

/**
 * Condenses a transcript from its text, its lines or a stream of its bytes. Needs no file system, so it also
 * runs in browsers. All of the source is read before the first item is yielded, because the last message may
 * decide the speaker of the first. Problems with the data are counted in the session's `accounting`. Errors
 * of the source are passed on; an unknown platform throws a TypeError.
 *
 * @example
 * import { parseTranscript } from 'agent-scrollback/parse'
 *
 * const message = { content: 'Which soil?' }
 * const record = { type: 'user', uuid: '1', sessionId: 's', timestamp: '2026-11-01T10:00:00Z', message }
 * const lines = [JSON.stringify(record)]
 * const items = await Array.fromAsync(parseTranscript(lines, { platform: 'claude-code' }))
 * items.map(({ text, line }) => [text, line]) // => [['Which soil?', 1]]
 */
export function parseTranscript(source: LineSource, options: ParseOptions): Transcript {
  if (!readers.has(options.platform))
    throw new TypeError(`platform: ${options.platform} is none of ${[...readers.keys()].join(', ')}`)
  let read: Promise<{ session: Session; items: Item[] }> | undefined
  const once = () => {
    read ??= readAll(source, options)
    return read
  }
  return {
    async session() {
      return (await once()).session
    },
    async *[Symbol.asyncIterator]() {
      yield* (await once()).items
    },
  }
}

async function readAll(
  source: LineSource,
  options: ParseOptions,
): Promise<{ session: Session; items: Item[] }> {
  const { platform, session = '', agent } = options
  const { normalize, facts } = readers.get(platform)!
  const asks = askingCommand([...readers.values()].flatMap((reader) => reader.facts.commands))
  const artifact: Artifact = {
    ...{ platform, root: '', path: '', kind: 'transcript', state: 'live' },
    ...{ sessionId: session, agent: agent ?? facts.defaultAgent, bytes: 0, modifiedMs: 0 },
  }
  const normalizeOwn = (entry: unknown): Draft[] => normalize(entry, artifact)
  const clean = (text: string): string => (options.redact === false ? text : redact(text)).toWellFormed()
  const fold = createFold(artifact, { keep: 'condensed', traits: foldTraits(facts, asks), clean })
  let bytes = 0
  for await (const { text, ...origin } of textLines(source)) {
    fold.line(origin)
    const parsed = parseText(text)
    artifact.sessionId ||= sessionIn(normalizeOwn(parsed.entries[0])) ?? ''
    foldEntries(parsed, origin, { normalize: normalizeOwn, record: facts.record }, fold)
    bytes = origin.offset + origin.length
  }
  const { session: row, items } = fold.finish()
  return mapStrings({ session: { ...row, bytes }, items }, clean)
}

/** The session id in a record: of each record, or of the header. */
function sessionIn(drafts: readonly Draft[]): string | undefined {
  for (const { payload, sessionId } of drafts) {
    const id = (payload.type === 'session' ? payload.sessionId : undefined) ?? sessionId
    if (id !== undefined) return id
  }
  return undefined
}

/** The lines of a transcript, or its bytes or text in chunks of any size. */
export type LineSource =
  | string
  | ReadableStream<Uint8Array | string>
  | Iterable<string>
  | AsyncIterable<string | Uint8Array>

/** A line with its position: `offset` and `length` in bytes, `line` from 1. */
interface TextLine {
  text: string
  line: number
  offset: number
  length: number
}

const NEWLINE = 10

/** The non-blank lines of any source. Each string of an array is one line. Does not depend on Node. */
async function* textLines(source: LineSource): AsyncGenerator<TextLine> {
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
