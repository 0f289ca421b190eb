import * as z from 'zod/mini'
import type { Context } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { faultOf } from '../../context/read-files.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Part } from '../../model/event.ts'
import { cleaner } from '../../selection/read-messages.ts'
import { editsIn } from '../../sync/read/edits-in.ts'
import { imagesIn, type RecordImage } from '../../sync/read/images-in.ts'
import { bodyText } from '../../sync/read/read-detail.ts'
import { type FoundRecord, type LineStart, type RecordLine, readRecord } from '../../sync/read/read-record.ts'
import { defineQuestion, findSession, sessionField } from './question.ts'

/** How many characters of a text are sent. */
const MOST = 200_000

const imageShape = () =>
  z.object({ line: z.number(), index: z.number(), type: z.string(), bytes: z.number() })

const output = () => {
  const text = z.optional(z.string())
  const flag = z.optional(z.boolean())
  return z.object({
    version: z.literal(1),
    line: z.number(),
    text,
    thinking: text,
    calls: z.array(
      z.object({
        id: z.nullable(z.string()),
        name: z.string(),
        input: z.string(),
        /** Absent if the transcript has no result. */
        output: text,
        isError: flag,
        outputLine: z.optional(z.number()),
        images: z.array(imageShape()),
        /** What the call changes in files. Without `before`, it writes the whole file. */
        diff: z.optional(z.array(z.object({ path: z.string(), before: text, after: z.string() }))),
        cut: flag,
      }),
    ),
    /** Results of calls in other lines. */
    results: z.array(z.object({ id: z.nullable(z.string()), output: z.string(), isError: flag, cut: flag })),
    images: z.array(imageShape()),
    /** A text was longer than what is sent. */
    cut: flag,
  })
}

type Answer = z.output<ReturnType<typeof output>>

/** What a record contains besides its item. Read from the file by byte range. */
export const record = defineQuestion({
  name: 'record',
  summary: 'what a record and the results of its tool calls contain, read from the file',
  input: z.object({ session: sessionField, line: field.whole({ description: 'line of the record' }) }),
  output,
  run(input, context): Answer {
    const found = recordAt(input, { results: true, thinking: true }, context)
    const { parts, line } = found.record
    const clean = cleaner(context.redact)
    const text = shorten(textsOf(parts, 'text'), clean)
    const thoughts = [...found.thinking.flatMap((each) => each.parts), ...parts]
    const thinking = shorten(textsOf(thoughts, 'thinking'), clean)
    const isCut = text.cut || thinking.cut
    return {
      version: 1,
      line,
      ...(text.text === '' ? {} : { text: text.text }),
      ...(thinking.text === '' ? {} : { thinking: thinking.text }),
      calls: parts.flatMap((part) =>
        part.type === 'tool-call' ? [callOf(part, [found.record, ...found.results], clean)] : [],
      ),
      results: parts.flatMap((part) => (part.type === 'tool-result' ? [resultOf(part, clean)] : [])),
      images: imagesOf(found.record),
      ...(isCut ? { cut: true } : {}),
    }
  },
})

type Clean = (text: string) => string

function callOf(
  { callId, name, input }: Extract<Part, { type: 'tool-call' }>,
  lines: readonly RecordLine[],
  clean: Clean,
): Answer['calls'][number] {
  const given = shorten(typeof input === 'string' ? input : (JSON.stringify(input, null, 2) ?? ''), clean)
  const answered = lines
    .flatMap((each) => each.parts.map((part) => ({ part, from: each })))
    .find(({ part }) => part.type === 'tool-result' && callId !== undefined && part.callId === callId)
  const result = answered && resultOf(answered.part as Result, clean)
  const edits = editsIn(input).map(({ path, before, after }) => ({
    path: clean(path),
    ...(before === undefined ? {} : { before: shorten(before, clean).text }),
    after: shorten(after, clean).text,
  }))
  return {
    id: callId ?? null,
    name,
    input: given.text,
    ...(result ? { output: result.output, outputLine: answered.from.line } : {}),
    ...(result?.isError ? { isError: true } : {}),
    images: answered ? imagesOf(answered.from) : [],
    ...(edits.length > 0 ? { diff: edits } : {}),
    ...(given.cut || result?.cut ? { cut: true } : {}),
  }
}

type Result = Extract<Part, { type: 'tool-result' }>

function resultOf({ callId, body, error }: Result, clean: Clean): Answer['results'][number] {
  const { text, cut } = shorten(bodyText(body), clean)
  return {
    id: callId ?? null,
    output: text,
    ...(error === 'sure' ? { isError: true } : {}),
    ...(cut ? { cut } : {}),
  }
}

const textsOf = (parts: readonly Part[], type: 'text' | 'thinking'): string =>
  parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('\n\n')

/** Redacts before it cuts, because a part of a secret is not recognized. */
function shorten(text: string, clean: Clean): { text: string; cut?: true } {
  const whole = clean(text)
  return whole.length <= MOST ? { text: whole } : { text: whole.slice(0, MOST).toWellFormed(), cut: true }
}

const imagesOf = ({ line, entries }: RecordLine): Answer['images'] =>
  [...imagesIn(entries)].map(({ type, bytes }, index) => ({ line, index, type, bytes: bytes.length }))

/** How far before a line its thinking is searched, in bytes. It usually is in the line before. */
const THINKING_WITHIN = 16 * 1024 * 1024

/** What is read besides the line itself. */
interface RecordWants {
  results: boolean
  thinking: boolean
}

/** Reads a line of a session from its file. Throws `no-session` if it is not there. */
function recordAt(
  { session, line }: { session?: string; line?: number },
  wanted: RecordWants,
  context: Context,
): FoundRecord {
  if (line === undefined || line === 0)
    throw new ScrollbackError('bad-option', 'line: missing', 'Give the number of a line, from 1.')
  const fresh = freshStore(context)
  const { artifact, goneMs, session: found } = findSession(session, fresh)
  if (found.device !== undefined)
    throw new ScrollbackError(
      'no-session',
      `This transcript is on ${found.device}.`,
      'Tool input, tool output, images and thinking are only in the file.',
    )
  if (!artifact || goneMs !== undefined)
    throw new ScrollbackError(
      'no-session',
      `${found.path} is gone.`,
      'Its messages are in the store. Tool input, tool output and thinking are lost with the file.',
    )
  if (line < 0 && found.cut)
    throw new ScrollbackError(
      'no-session',
      `The client has cut this record off ${found.path}.`,
      'Its messages are in the store. Tool input, tool output and thinking are lost.',
    )
  const { start, thinkingFrom } = startOf(line, wanted, (slice) =>
    fresh.store.messages(found.path, slice, { usage: false }),
  )
  const needs = { results: wanted.results, thinkingFrom }
  const read = readOrFail(() => readRecord(artifact, start, line, needs), found.path)
  if (read) return read
  throw new ScrollbackError(
    'no-session',
    `${found.path} has no record in line ${line}.`,
    'Load the session again.',
  )
}

/**
 * Where reading a line starts: at the line itself, if it is an item. For its thinking, at the item before it,
 * unless that is far away.
 */
function startOf(
  line: number,
  { thinking }: RecordWants,
  messages: (slice: { line: number; count: number; before?: number }) => readonly LineStart[],
): { start: LineStart; thinkingFrom: number } {
  const [at] = messages({ line, count: 1 })
  const [before] = messages({ line, count: 0, before: 1 })
  const start = before ?? { line: 1, offset: 0 }
  const isFar = at?.line === line && at.offset - start.offset > THINKING_WITHIN
  if (at?.line === line && (isFar || !thinking)) return { start: at, thinkingFrom: line }
  return { start, thinkingFrom: before ? before.line + 1 : 1 }
}

function readOrFail<Result>(read: () => Result, path: string): Result {
  try {
    return read()
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new ScrollbackError(
      isGone ? 'no-session' : 'unreadable',
      `${path} ${faultOf(error)}.`,
      'Load the session again.',
      error,
    )
  }
}

/** An image of a record. Only types that cannot contain a script. */
export const image = defineQuestion({
  name: 'image',
  summary: 'an image in a record: PNG, JPEG, GIF or WebP',
  input: z.object({
    session: sessionField,
    line: field.whole({ description: 'line of the record' }),
    index: field.count({ description: 'position of the image in the record, from 0' }),
  }),
  output: () => z.object({ type: z.string(), bytes: z.instanceof(Uint8Array) }),
  run(input, context): RecordImage {
    const { record } = recordAt(input, { results: false, thinking: false }, context)
    let index = 0
    for (const found of imagesIn(record.entries)) if (index++ === (input.index ?? 0)) return found
    throw new ScrollbackError(
      'no-session',
      `Line ${input.line} has no such image.`,
      'The answer of record lists the images of a line.',
    )
  },
  file: (found) => found,
})
