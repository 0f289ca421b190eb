import type { Artifact } from '../../model/artifact.ts'
import type { Part, Payload } from '../../model/event.ts'
import { asArray, asObject, asText, type JsonObject } from '../../model/json.ts'
import { append } from '../../model/lists.ts'
import { answersIn, rejection, typed } from './answers.ts'
import { resultText, toolResult } from './blocks.ts'
import { summaryWords } from './compaction.ts'
import { cleanUserText } from './human-words.ts'
import { speakerOf } from './speaker.ts'
import { firstWrapper } from './wrappers.ts'

/** A `user` line: a prompt, tool results, or context the client put there. */
export function userPayloads(entry: JsonObject, artifact: Artifact): Payload[] {
  const message = asObject(entry.message)
  const content = message?.content
  if (!message || (typeof content !== 'string' && !Array.isArray(content)))
    return [{ type: 'unknown', name: 'user' }]
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (asArray(content) ?? [])
  const results: Part[] = []
  const media: Part[] = []
  const texts: string[] = []
  const said: string[] = []
  for (const value of blocks) {
    const block: JsonObject =
      typeof value === 'string' ? { type: 'text', text: value } : (asObject(value) ?? {})
    if (block.type === 'text') texts.push(typeof block.text === 'string' ? block.text : '')
    else if (block.type === 'tool_result') results.push(resultPart(block, entry.toolUseResult, said))
    else if (block.type === 'image' || block.type === 'document')
      media.push({ type: 'media', name: block.type })
    else results.push({ type: 'opaque', name: asText(block.type) ?? 'untyped' })
  }
  const payloads: Payload[] = []
  if (results.length > 0) payloads.push({ type: 'message', role: 'tool', speaker: 'program', parts: results })
  const feedback = typed(asText(entry.userFeedback))
  if (feedback && !said.includes(feedback) && !texts.some((text) => text.trim() === feedback))
    said.push(feedback)
  for (const words of said) payloads.push(answerPayload(entry, words))
  if (results.length > 0 || !isToolOutput(entry))
    append(payloads, promptPayloads(entry, artifact, texts, media))
  return payloads.length > 0 ? payloads : [{ type: 'skipped', name: skippedName(entry, texts) }]
}

/** What was typed or chosen in a dialog. In a subagent's file the place decides that it is told as the parent's. */
function answerPayload(entry: JsonObject, words: string): Payload {
  const { speaker } = speakerOf(entry)
  return { type: 'message', role: 'user', speaker, parts: [{ type: 'text', text: words }], label: 'answer' }
}

/** Text that a tool, or a skill the agent called, put there without a result block. */
const isToolOutput = (entry: JsonObject): boolean =>
  (entry.toolUseResult !== undefined && entry.toolUseResult !== null) ||
  asText(entry.sourceToolUseID) !== undefined

function promptPayloads(entry: JsonObject, artifact: Artifact, texts: string[], media: Part[]): Payload[] {
  const payloads: Payload[] = []
  const words: string[] = []
  let summary = entry.isCompactSummary === true
  for (const text of texts) {
    const cleaned = cleanUserText(text)
    if (cleaned.interrupted) payloads.push({ type: 'marker', marker: 'interruption' })
    if (cleaned.summary) summary = true
    if (cleaned.words !== '') words.push(cleaned.words)
  }
  if (summary) {
    const text = texts.join('\n') || undefined
    return [...payloads, ...summaryWords(entry), { type: 'marker', marker: 'compaction', text }]
  }
  if (isInjected(entry)) return payloads
  const ownLine =
    texts.length > 0 && (artifact.fork === 'side_question' || isDirective(entry, artifact, texts))
  if (
    words.length === 0 &&
    (media.length === 0 || texts.some((text) => text.trim() !== '') || entry.isSidechain === true)
  )
    return payloads
  const speaker = ownLine ? { speaker: 'human' as const, lastOnly: true } : speakerOf(entry)
  const unmarked = speaker.speaker === 'human' && !('lastOnly' in speaker) && isUnmarked(entry)
  const parts: Part[] = words.length > 0 ? [{ type: 'text', text: words.join('\n') }, ...media] : media
  // A prompt that was stored anew has another id, and names the one it was sent under.
  const messageId = asText(entry.sentAsUuid)
  payloads.push({
    type: 'message',
    role: 'user',
    ...speaker,
    parts,
    ...(messageId ? { messageId } : {}),
    ...(unmarked && { unmarked }),
  })
  return payloads
}

/** Whether the client put the line there for the agent alone. What a schedule asks of the agent drives the conversation all the same. */
const isInjected = (entry: JsonObject): boolean =>
  (entry.isMeta === true && entry.scheduledTaskId === undefined && entry.turnOrigin !== 'scheduled') ||
  entry.isVisibleInTranscriptOnly === true ||
  entry.isVirtual === true ||
  Boolean(entry.turnCompanion)

/**
 * A fork of the conversation that the human started with words of his own. One that the agent started answers its
 * call in the same line or names it beside the file.
 */
const isDirective = (entry: JsonObject, artifact: Artifact, texts: string[]): boolean =>
  entry.isSidechain === true &&
  artifact.parentCallId === undefined &&
  !(asArray(asObject(entry.message)?.content) ?? []).some(
    (block) => asObject(block)?.type === 'tool_result',
  ) &&
  texts.some((text) => text.includes('</fork-boilerplate>'))

/** Clients up to 2.1.32 write the same of what was typed and of what `claude -p` was given. */
const isUnmarked = (entry: JsonObject): boolean =>
  ['origin', 'promptSource', 'turnOrigin', 'entrypoint'].every((name) => entry[name] === undefined) &&
  !isLaterThan(asText(entry.version) ?? '', LAST_UNMARKED)

const LAST_UNMARKED = [2, 1, 32]

function isLaterThan(version: string, other: readonly number[]): boolean {
  const numbers = version.split('.').map(Number)
  const at = other.findIndex((number, index) => numbers[index] !== number)
  return at >= 0 && (numbers[at] ?? 0) > other[at]!
}

function resultPart(block: JsonObject, recorded: unknown, said: string[]): Part {
  const part = toolResult(block)
  const text = resultText(block.content)
  if (part.type !== 'tool-result') return part
  if (part.error) {
    const refused = rejection(text)
    if (!refused) return part
    if (refused.words) said.push(refused.words)
    return { type: 'tool-result', callId: part.callId, body: part.body, denied: true }
  }
  const answers = answersIn(text, recorded)
  if (answers) said.push(answers)
  return part
}

function skippedName(entry: JsonObject, texts: string[]): string {
  if (entry.isMeta === true) return 'user:meta'
  if (entry.isVisibleInTranscriptOnly === true || entry.isVirtual === true) return 'user:display-only'
  if (isToolOutput(entry)) return 'user:tool-output'
  const wrapper = texts.map(firstWrapper).find((name) => name !== undefined)
  if (wrapper) return `user:${wrapper}`
  return texts.some((text) => text.trim() !== '') ? 'user:injected' : 'user:empty'
}
