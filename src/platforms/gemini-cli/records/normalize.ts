import type { Artifact } from '../../../model/artifact.ts'
import { type Draft, type Part, type Payload, type Usage, unknownValue } from '../../../model/event.ts'
import { append, wordSet } from '../../../model/iteration.ts'
import { asArray, asCount, asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { failed, prompted, skipped, spoken } from '../../messages.ts'
import type { KnownFields } from '../../platform.ts'
import { textOf } from '../../result-text.ts'
import { toolDrafts } from './tools.ts'

/** What the client says about itself before the first prompt. */
const isContext = (text: string): boolean => text.startsWith('<session_context>')

const WORKSPACE =
  /(?:\*\*Workspace Directories:\*\*|working in the following directories:)\n\s*- (.+)|working in the directory: (.+)/

/** The directory in the context of a session, which is needed where no other file names it. */
const directoryIn = (context: string): string | undefined =>
  isContext(context) ? WORKSPACE.exec(context)?.slice(1).find(Boolean)?.trim() : undefined

const SHELL = /^I ran the following shell command:\n```sh\n([\s\S]*?)\n```/
const FILES = /\n?--- Content from referenced files ---[\s\S]*$/

/** What the client says of the editor that it is connected to. */
const EDITOR =
  /^\s*Here is (?:the user's editor context|a summary of changes in the user's editor context)[^\n]*\n+```json\n[\s\S]*?\n```\s*/

/** What a person typed: without the files that it refers to, and a command of the shell with its sign. */
function promptIn(text: string): string {
  const command = SHELL.exec(text)?.[1]
  return command === undefined ? text.replace(EDITOR, '').replace(FILES, '').trim() : `!${command}`
}

const ACKNOWLEDGED = 'Got it. Thanks for the additional context!'

/** The summary in a list of messages that a compaction made: a prompt that the client acknowledges itself. */
function summaryIn(messages: readonly unknown[]): string | undefined {
  const texts = messages.map((message) => textOf(asObject(message)?.content))
  const at = texts.indexOf(ACKNOWLEDGED)
  return at > 0 && asObject(messages[at])?.type === 'gemini' ? texts[at - 1] : undefined
}

/**
 * Normalizes a line: the header of a session, a message, a change of what precedes it (`$set`, `$rewindTo`).
 * A message is written again under its id when its tool calls ended.
 */
export function normalize(value: unknown, artifact: Artifact): Draft[] {
  const line = asObject(value)
  if (!line) return [{ payload: unknownValue(value) }]
  const changes = asObject(line.$set)
  if (changes) return changed(changes, artifact)
  const rewound = asText(line.$rewindTo)
  if (rewound !== undefined) return [{ payload: { type: 'taken-back', turns: { from: rewound } } }]
  const type = asText(line.type)
  if (type === undefined)
    return line.sessionId === undefined
      ? [{ payload: { type: 'unknown', name: '(untyped)' } }]
      : header(line, artifact)
  const at = asTime(line.timestamp)
  const own = { id: asText(line.id), ...(at !== undefined && { at }) }
  return messageIn(type, line).map((payload) => ({ ...own, payload }))
}

function header(line: JsonObject, { directory, parentSessionId }: Artifact): Draft[] {
  const at = asTime(line.startTime)
  const cwd = directory ?? asText(asArray(line.directories)?.[0])
  const own = { ...(at !== undefined && { at }), ...(cwd !== undefined && { cwd }) }
  const session: Payload = {
    type: 'session',
    sessionId: asText(line.sessionId),
    parentSession: parentSessionId,
    ...(line.kind === 'subagent' && { kind: 'subagent' }),
  }
  const payloads = [{ type: 'turn' } as const, session, ...titleIn(line)]
  return [...payloads.map((payload) => ({ ...own, payload })), ...updateIn(line)]
}

/**
 * The time after which the client counts the days until it deletes the session. A resume alone states it,
 * too.
 */
function updateIn({ lastUpdated }: JsonObject): Draft[] {
  const at = asTime(lastUpdated)
  return at === undefined ? [] : [{ at, payload: skipped('lastUpdated') }]
}

function titleIn({ summary }: JsonObject): Payload[] {
  const title = asText(summary)
  return title ? [{ type: 'title', title, source: 'ai' }] : []
}

/** The whole list of messages is replaced after a resume and a compaction: what it repeats is in the file. */
function changed(changes: JsonObject, { directory }: Artifact): Draft[] {
  const messages = asArray(changes.messages)?.map((message) => asObject(message) ?? {})
  const drafts: Draft[] = []
  if (messages) {
    const cwd = directory ?? directoryIn(textOf(messages[0]?.content))
    drafts.push({ payload: { type: 'copied' }, ...(cwd !== undefined && { cwd }) })
    const ids = messages.flatMap((message) => {
      const isTurn = message.type === 'user' && prompt(message)[0]?.type === 'message'
      return isTurn ? (asText(message.id) ?? []) : []
    })
    if (ids.length > 0) drafts.push({ payload: { type: 'turns', ids } })
    const summary = summaryIn(messages)
    if (summary !== undefined)
      drafts.push({ payload: { type: 'marker', marker: 'compaction', text: summary } })
  }
  append(
    drafts,
    titleIn(changes).map((payload) => ({ payload })),
  )
  append(drafts, updateIn(changes))
  return drafts.length > 0 ? drafts : [{ payload: skipped('$set') }]
}

function messageIn(type: string, line: JsonObject): Payload[] {
  if (type === 'user') return prompt(line)
  if (type === 'gemini') return reply(line)
  const text = textOf(line.content)
  if (type === 'error') return [failed(text)]
  if (type === 'info' && text === 'Request cancelled.')
    return [{ type: 'marker', marker: 'interruption', byHuman: true }]
  if (type === 'info' || type === 'warning') return [skipped(type)]
  return [{ type: 'unknown', name: type }]
}

/** What a hook adds to a prompt. */
const ADDED = /^<hook_context>[\s\S]*<\/hook_context>$/

/** A prompt, whose `displayContent` is what was typed, if a hook added to it or a command stands for it. */
function prompt({ content: sent, displayContent }: JsonObject): Payload[] {
  const content = Array.isArray(sent)
    ? sent.filter((part) => !ADDED.test(asText(asObject(part)?.text) ?? ''))
    : sent
  const parts = (asArray(content) ?? []).map((part) => asObject(part) ?? {})
  if (parts.some((part) => part.functionResponse !== undefined)) return [skipped('user:result')]
  const text = textOf(content)
  // When a call was rejected, the client writes all earlier messages again, with new ids, up to a `$set`.
  if (isContext(text)) return [{ type: 'session', copies: 'again' }]
  const typed = promptIn(textOf(displayContent) || text)
  const shown: Part[] = typed === '' ? [] : [{ type: 'text', text: typed }]
  for (const { inlineData } of parts) {
    const mime = asText(asObject(inlineData)?.mimeType)
    if (mime !== undefined) shown.push({ type: 'media', name: mime.startsWith('image/') ? 'image' : 'file' })
  }
  if (shown.length === 0) return [skipped('user:empty')]
  return [prompted(shown)]
}

function reply(line: JsonObject): Payload[] {
  const messageId = asText(line.id)
  const usage = usageOf(asObject(line.tokens))
  const parts: Part[] = (asArray(line.thoughts) ?? []).map((thought) => ({
    type: 'thinking',
    text: asText(asObject(thought)?.description) ?? '',
  }))
  const text = textOf(line.content)
  if (text !== '') parts.push({ type: 'text', text })
  const whole = spoken(parts, { messageId, mayGrow: true, model: asText(line.model), usage })
  // Only what the model returned has tokens: a copy ends here at the latest.
  return [...(usage ? [{ type: 'copied' } as const] : []), whole, ...toolDrafts(line, messageId)]
}

/** `input` includes the cache, and `output` leaves out the thoughts. */
function usageOf(tokens: JsonObject | undefined): Usage | undefined {
  if (!tokens) return undefined
  const [input, output, cached, thoughts, tool] = ['input', 'output', 'cached', 'thoughts', 'tool'].map(
    (name) => asCount(tokens[name]) ?? 0,
  ) as [number, number, number, number, number]
  return {
    input: Math.max(0, input - cached) + tool,
    output: output + thoughts,
    cacheRead: cached,
    cacheWrite: 0,
    ...(thoughts > 0 ? { reasoning: thoughts } : {}),
  }
}

/** The known fields of records up to 0.61. `doctor --drift` reports any others. */
export const knownFields = (): KnownFields => ({
  record: wordSet(
    `$rewindTo $set content directories displayContent id kind lastUpdated model projectHash sessionId startTime summary thoughts timestamp tokens
    toolCalls type`,
  ),
  message: new Set(),
  part: new Set(),
  usage: { at: 'tokens', fields: wordSet('cached input output thoughts tool total') },
})
