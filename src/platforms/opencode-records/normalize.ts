import {
  type Draft,
  type Part,
  type Payload,
  stopReasonOf,
  type Usage,
  unknownValue,
} from '../../model/event.ts'
import { append, wordSet } from '../../model/iteration.ts'
import { asArray, asCount, asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import { addUsage } from '../../model/usage.ts'
import { attached } from '../attached.ts'
import { failed, prompted, returned, skipped, spoken } from '../messages.ts'
import type { KnownFields } from '../platform.ts'
import { toolParts } from './tools.ts'
import { promptIn, typedWords } from './words.ts'

/**
 * Normalizes a line of a session: its header, or a message with its parts, which are made from rows of a
 * database or from small files. Also a line of the history of prompts.
 */
export function normalize(value: unknown): Draft[] {
  const line = asObject(value)
  if (!line) return [{ payload: unknownValue(value) }]
  if (line.type === 'session') return header(line)
  if (line.type === 'leaf') return [{ payload: { type: 'leaf', target: asText(line.target) ?? '' } }]
  if (line.type === undefined && asText(line.input) !== undefined) return [{ payload: leftPrompt(line) }]
  const message = asObject(line.message)
  const type = asText(line.type) ?? '(untyped)'
  if (type !== 'message' || !message) return [{ payload: { type: 'unknown', name: type } }]
  const at = asTime(asObject(message.time)?.created)
  const cwd = asText(asObject(message.path)?.cwd)
  const parts = (asArray(message.content) ?? []).map((part) => asObject(part) ?? DAMAGED)
  const payloads =
    message.role === 'user'
      ? prompt(parts, asText(line.command))
      : message.role === 'assistant'
        ? line.isShell === true
          ? shellResult(parts)
          : reply(line, message, parts)
        : [{ type: 'unknown' as const, name: `message:${String(message.role)}` }]
  return payloads.map((payload) => ({
    id: asText(line.id),
    parentId: asText(line.parentId),
    ...(at !== undefined && { at }),
    sharedId: asText(line.shared),
    ...(cwd !== undefined && { cwd }),
    payload,
  }))
}

/** A part that is no JSON. */
const DAMAGED = { type: 'damaged' }

/** Titles until the model has made one. */
const UNTITLED = /^(?:New|Child) session - /

function header(line: JsonObject): Draft[] {
  const at = asTime(line.created)
  const parent = asText(line.parent)
  const title = asText(line.title)
  const own = { ...(at !== undefined && { at }), cwd: asText(line.directory), version: asText(line.version) }
  const session: Payload = {
    type: 'session',
    sessionId: asText(line.id),
    parentSession: parent,
    ...(parent !== undefined && { kind: 'subagent' }),
    forkOf: asText(line.forkOf),
    // What is older than its session was copied, with its time.
    ...(at !== undefined && parent === undefined && { forkedAt: at }),
  }
  const payloads: Payload[] = [{ type: 'turn' }, session]
  if (title && !UNTITLED.test(title)) payloads.push({ type: 'title', title, source: 'ai' })
  return payloads.map((payload) => ({ ...own, payload }))
}

/** Commands of the client leave their effect in a session, not their words. */
const COMMAND = /^\/[\w:.-]+(?:\s|$)/

/** A prompt of the history, which is shown if no session has it. */
function leftPrompt(line: JsonObject): Payload {
  const text = promptIn(line)
  if (line.isInSession === true) return skipped('prompt:in-session')
  if (text.trim() === '' || COMMAND.test(text)) return skipped('prompt:command')
  return { type: 'message', role: 'user', speaker: 'human', parts: [{ type: 'text', text }] }
}

/** The name of an image that was pasted. */
const PASTED = 'clipboard'

/** `command`: what a person ran in the shell, if the message stands for that. */
function prompt(parts: readonly JsonObject[], command?: string): Payload[] {
  const texts = parts.filter(({ type }) => type === 'text')
  const typed = texts.flatMap(({ text, synthetic, ignored }) =>
    synthetic === true || ignored === true ? [] : (asText(text) ?? []),
  )
  // A command that starts a subagent has its prompt in a part of its own.
  if (typed.length === 0)
    append(
      typed,
      parts.flatMap(({ type, prompt: task }) => (type === 'subtask' ? (asText(task) ?? []) : [])),
    )
  const shown: Part[] = typed.map((text) => ({ type: 'text', text: typedWords(text) }))
  for (const { type, mime, filename } of parts)
    if (type === 'file')
      shown.push(
        attached(
          filename === PASTED ? undefined : filename,
          asText(mime)?.startsWith('image/') ? 'image' : 'file',
        ),
      )
  if (shown.length === 0) {
    if (command !== undefined) return [prompted([{ type: 'text', text: `!${command}` }])]
    const [wakened] = texts.flatMap(programPrompt)
    if (wakened) return [wakened]
    const name = parts.some(({ type }) => type === 'compaction') ? 'compaction' : 'user'
    return [skipped(`message:${name}`)]
  }
  return [prompted(shown)]
}

/** What the client sends of a task in the background that has ended, with the session of its subagent. */
const ENDED_TASK = /^<task id="[^"]*" state="[^"]*">/
const TAG = /<\/?(?:task|summary|task_result|task_error)\b[^>]*>/g

/** What begins a turn in the place of a person: something in the background, or a time that the agent set. */
function programPrompt({ text, synthetic, metadata }: JsonObject): Payload[] {
  const words = asText(text)?.trim() ?? ''
  const about = asObject(metadata)
  if (synthetic !== true || words === '') return []
  const isTask = ENDED_TASK.test(words)
  if (!isTask && about?.background !== true) return []
  return [
    {
      type: 'message',
      role: 'user',
      speaker: 'program',
      parts: [
        {
          type: 'text',
          text: isTask
            ? words
                .replace(TAG, '')
                .replace(/\n{2,}/g, '\n')
                .trim()
            : words,
        },
      ],
      label: about?.wakeup === true ? 'wakeup' : 'notification',
    },
  ]
}

/** How the command of a person ended. Only a failure is shown. */
function shellResult(parts: readonly JsonObject[]): Payload[] {
  const failed = parts.flatMap((part) =>
    part.type === 'tool'
      ? toolParts(part).parts.filter((each) => each.type === 'tool-result' && each.error !== undefined)
      : [],
  )
  return failed.length === 0 ? [skipped('message:shell')] : [returned(failed)]
}

/** Parts that say how a reply went, and repeat nothing that is shown. */
const SILENT = wordSet('step-start step-finish patch snapshot agent subtask compaction file')

function reply(line: JsonObject, message: JsonObject, all: readonly JsonObject[]): Payload[] {
  const id = asText(line.shared) ?? asText(line.id)
  const model = asText(message.modelID)
  const usage = usageOf(message, all)
  const parts: Part[] = []
  const after: Payload[] = []
  for (const part of all) {
    const type = asText(part.type) ?? 'untyped'
    const text = asText(part.text) ?? ''
    if (type === 'text') {
      if (part.synthetic !== true && text !== '') parts.push({ type: 'text', text })
    } else if (type === 'reasoning') parts.push({ type: 'thinking', text })
    else if (type === 'tool') {
      const tool = toolParts(part)
      append(parts, tool.parts)
      append(after, tool.words ?? [])
    } else if (type === 'retry')
      after.push({ type: 'marker', marker: 'retry', text: messageOf(asObject(part.error)) })
    else if (!SILENT.has(type)) parts.push({ type: 'opaque', name: type })
  }
  append(after, failure(asObject(message.error)))
  if (message.summary === true) {
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const used: Payload[] = usage ? [{ type: 'usage', key: id, model, usage }] : []
    return [{ type: 'marker', marker: 'compaction', text: text || undefined }, ...used, ...after]
  }
  if (parts.length === 0 && !usage && after.length > 0) return after
  const stopReason = stopReasonOf(message.finish)
  return [spoken(parts, { messageId: id, model, usage, stopReason }), ...after]
}

function failure(error: JsonObject | undefined): Payload[] {
  if (!error) return []
  const name = asText(error.name)
  if (name === 'MessageAbortedError') return [{ type: 'marker', marker: 'interruption', byHuman: true }]
  return [failed(messageOf(error))]
}

const messageOf = (error: JsonObject | undefined): string | undefined =>
  asText(asObject(error?.data)?.message) ?? asText(error?.name)

/**
 * What a reply used. Older versions ran several requests in one message, whose own counts are those of the
 * last one, so that the larger of it and of the sum of its steps counts. Undefined if nothing was used.
 */
function usageOf(message: JsonObject, parts: readonly JsonObject[]): Usage | undefined {
  const steps = parts.filter(({ type }) => type === 'step-finish').map(countsOf)
  const ofSteps = steps.reduce(summed, NOTHING)
  const own = countsOf(message)
  const used = weight(ofSteps) > weight(own) ? ofSteps : own
  const cost = asCount(message.cost) ?? 0
  return weight(used) === 0 ? undefined : { ...used, ...(cost > 0 && { cost }) }
}

const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** `input` leaves out the cache, and `output` the reasoning. */
function countsOf({ tokens }: JsonObject): Usage {
  const counts = asObject(tokens)
  const cache = asObject(counts?.cache)
  const reasoning = asCount(counts?.reasoning) ?? 0
  return {
    input: asCount(counts?.input) ?? 0,
    output: (asCount(counts?.output) ?? 0) + reasoning,
    cacheRead: asCount(cache?.read) ?? 0,
    cacheWrite: asCount(cache?.write) ?? 0,
    ...(reasoning > 0 ? { reasoning } : {}),
  }
}

const weight = ({ input, output, cacheRead, cacheWrite }: Usage): number =>
  input + output + cacheRead + cacheWrite

function summed(one: Usage, other: Usage): Usage {
  const sum = { ...one }
  addUsage(sum, other)
  return sum
}

/** The known fields of lines and messages, and types of parts, up to 1.18.33. */
export const knownFields = (): KnownFields => ({
  record: wordSet(
    `command created directory forkOf id input isInSession isShell message mode parent parentId parts shared target title type
    version`,
  ),
  message: wordSet(
    `agent content cost error finish format id mode model modelID parentID path providerID role sessionID structured summary
    system time tokens tools variant`,
  ),
  part: wordSet(
    `agent compaction file patch reasoning retry snapshot step-finish step-start subtask text tool`,
  ),
  usage: { at: 'message.tokens', fields: wordSet('cache input output reasoning total') },
})
