import type { Artifact } from '../../model/artifact.ts'
import type { Part, Payload } from '../../model/event.ts'
import { asArray, asObject, asText, type JsonObject } from '../../model/json.ts'
import { resultText, toolResult } from './blocks.ts'
import { answersIn, cleanUserText, rejection } from './human-words.ts'
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
    else if (block.type === 'tool_result') results.push(resultPart(block, said))
    else if (block.type === 'image' || block.type === 'document')
      media.push({ type: 'media', name: block.type })
    else results.push({ type: 'opaque', name: asText(block.type) ?? 'untyped' })
  }
  const payloads: Payload[] = []
  if (results.length > 0) payloads.push({ type: 'message', role: 'tool', speaker: 'program', parts: results })
  const feedback = asText(entry.userFeedback)
  if (feedback && !said.includes(feedback.trim())) said.push(feedback.trim())
  if (entry.isSidechain !== true)
    for (const words of said)
      payloads.push({
        type: 'message',
        role: 'user',
        speaker: 'human',
        parts: [{ type: 'text', text: words }],
        label: 'answer',
      })
  payloads.push(...promptPayloads(entry, artifact, texts, media))
  return payloads.length > 0 ? payloads : [{ type: 'skipped', name: skippedName(entry, texts) }]
}

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
  if (summary) return [...payloads, { type: 'marker', marker: 'compaction' }]
  if (
    entry.isMeta === true ||
    entry.isVisibleInTranscriptOnly === true ||
    entry.isVirtual === true ||
    entry.turnCompanion
  )
    return payloads
  const ownLine = artifact.fork === 'aside_question' && texts.length > 0
  if (
    words.length === 0 &&
    (media.length === 0 || texts.some((text) => text.trim() !== '') || entry.isSidechain === true)
  )
    return payloads
  const speaker = ownLine ? { speaker: 'human' as const, lastOnly: true } : speakerOf(entry)
  const parts: Part[] = words.length > 0 ? [{ type: 'text', text: words.join('\n') }, ...media] : media
  payloads.push({ type: 'message', role: 'user', ...speaker, parts })
  return payloads
}

/** Sessions that a program opened: their prompts may be typed or not, and nothing on disk tells. */
const PROGRAM_ENTRY = /^sdk-/

/** Who spoke a prompt. What says plainly that a human did outweighs the way the session was opened. */
export function speakerOf(entry: JsonObject): { speaker: 'human' | 'program'; label?: string } {
  const origin = asText(asObject(entry.origin)?.kind)
  const source = asText(entry.promptSource)
  const turn = asText(entry.turnOrigin)
  if (entry.isSidechain === true) return { speaker: 'program', label: 'parent agent' }
  if (origin !== undefined && origin !== 'human') return { speaker: 'program', label: origin }
  if (source === 'sdk' || source === 'system' || turn === 'sdk')
    return { speaker: 'program', label: source ?? 'sdk' }
  if (entry.scheduledTaskId !== undefined) return { speaker: 'program', label: 'scheduled task' }
  if (typeof entry.planContent === 'string') return { speaker: 'program', label: 'plan' }
  if (origin === 'human' || source === 'typed' || source === 'queued' || turn === 'human')
    return { speaker: 'human' }
  const entrypoint = asText(entry.entrypoint)
  if (entrypoint && PROGRAM_ENTRY.test(entrypoint)) return { speaker: 'program', label: entrypoint }
  if (asText(entry.sessionKind)?.startsWith('daemon')) return { speaker: 'program', label: 'daemon' }
  return { speaker: 'human' }
}

function resultPart(block: JsonObject, said: string[]): Part {
  const part = toolResult(block)
  const text = resultText(block.content)
  if (part.type !== 'tool-result') return part
  if (part.error) {
    const refused = rejection(text)
    if (!refused) return part
    if (refused.words) said.push(refused.words)
    return { type: 'tool-result', callId: part.callId, body: part.body, denied: true }
  }
  const answers = answersIn(text)
  if (answers) said.push(answers)
  return part
}

function skippedName(entry: JsonObject, texts: string[]): string {
  if (entry.isMeta === true) return 'user:meta'
  const wrapper = texts.map(firstWrapper).find((name) => name !== undefined)
  return wrapper ? `user:${wrapper}` : 'user:empty'
}
