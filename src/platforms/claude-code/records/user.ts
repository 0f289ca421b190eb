import type { Artifact } from '../../../model/artifact.ts'
import type { Part, Payload } from '../../../model/event.ts'
import { append } from '../../../model/iteration.ts'
import { asNumber, asObject, asText, type JsonObject } from '../../../model/json.ts'
import { condensedPayloads } from '../../condensed.ts'
import { returned, skipped } from '../../messages.ts'
import { textOf } from '../../result-text.ts'
import { blocksOf, toolResult } from './blocks.ts'
import { failureIn, isNotice } from './notices.ts'
import { cleanUserText, firstWrapper, isControl, isRelayed, speakerOf } from './words.ts'

/** The payloads of a `user` line: a prompt, tool results, or context injected by the client. */
export function userPayloads(entry: JsonObject, artifact: Artifact): Payload[] {
  const message = asObject(entry.message)
  const content = message?.content
  if (!message || (typeof content !== 'string' && !Array.isArray(content)))
    return [{ type: 'unknown', name: 'user' }]
  const results: Part[] = []
  const media: Part[] = []
  const texts: string[] = []
  const comments: string[] = []
  for (const block of blocksOf(message)) {
    if (block.type === 'text') texts.push(typeof block.text === 'string' ? block.text : '')
    else if (block.type === 'tool_result') results.push(resultPart(block, entry.toolUseResult, comments))
    else if (block.type === 'image' || block.type === 'document')
      media.push({ type: 'media', name: block.type })
    else results.push({ type: 'opaque', name: asText(block.type) ?? 'untyped' })
  }
  const payloads: Payload[] = []
  if (results.length > 0) payloads.push(returned(results))
  const feedback = typed(asText(entry.userFeedback))
  if (feedback && !comments.includes(feedback) && !texts.some((text) => text.trim() === feedback))
    comments.push(feedback)
  for (const words of comments) payloads.push(answerPayload(entry, words))
  if (results.length > 0 || !isToolOutput(entry))
    append(payloads, promptPayloads(entry, artifact, texts, media))
  if (isNotice(entry)) append(payloads, failureIn(texts.join('\n')))
  return payloads.length > 0 ? payloads : [skipped(skippedName(entry, texts))]
}

/** An answer typed or chosen in a dialog. In a subagent's file it counts as the parent agent's. */
function answerPayload(entry: JsonObject, words: string): Payload {
  const { speaker } = speakerOf(entry)
  return { type: 'message', role: 'user', speaker, parts: [{ type: 'text', text: words }], label: 'answer' }
}

/** Text from a tool, or from a skill that the agent called, without a result block. */
const isToolOutput = (entry: JsonObject): boolean =>
  (entry.toolUseResult !== undefined && entry.toolUseResult !== null) ||
  asText(entry.sourceToolUseID) !== undefined

function promptPayloads(entry: JsonObject, artifact: Artifact, texts: string[], media: Part[]): Payload[] {
  const condensed = condensedPayloads(texts[0] ?? '')
  if (condensed) return condensed
  const payloads: Payload[] = []
  const words: string[] = []
  let summary = entry.isCompactSummary === true
  for (const text of texts) {
    const cleaned = cleanUserText(text)
    if (cleaned.interrupted)
      payloads.push({
        type: 'marker',
        marker: 'interruption',
        ...(cleaned.interrupted === 'by human' ? { byHuman: true } : {}),
      })
    if (cleaned.summary) summary = true
    if (cleaned.words !== '') words.push(cleaned.words)
  }
  if (summary) {
    const text = texts.join('\n') || undefined
    return [...payloads, ...summaryWords(entry), { type: 'marker', marker: 'compaction', text }]
  }
  if (words.length > 0 && isHookFeedback(entry, texts)) {
    const parts: Part[] = [{ type: 'text', text: words.join('\n') }]
    return [...payloads, { type: 'message', role: 'user', speaker: 'program', label: 'hook', parts }]
  }
  if (isInjected(entry)) return payloads
  const ownLine = texts.length > 0 && artifact.fork === 'side_question'
  if (
    words.length === 0 &&
    (media.length === 0 || texts.some((text) => text.trim() !== '') || entry.isSidechain === true)
  )
    return payloads
  const all = entry.isSidechain === true ? withoutFrame(words.join('\n')) : words.join('\n')
  if (media.length === 0 && isControl(all))
    return [...payloads, { type: 'marker', marker: 'local-command', text: all }]
  const speaker = ownLine
    ? { speaker: 'human' as const, lastOnly: true }
    : isSubagentDirective(entry, artifact, texts)
      ? { speaker: 'program' as const, label: 'directive' }
      : speakerOf(entry, texts.join('\n').trimStart())
  const unmarked = speaker.speaker === 'human' && !('lastOnly' in speaker) && isUnmarked(entry)
  const parts: Part[] = words.length > 0 ? [{ type: 'text', text: all }, ...media] : media
  // A prompt that was stored again has another id and names the one it was sent under.
  const messageId = asText(entry.sentAsUuid)
  payloads.push({
    type: 'message',
    role: 'user',
    ...speaker,
    parts,
    ...(messageId ? { messageId } : {}),
    ...(unmarked && { unmarked }),
    ...(speaker.speaker === 'human' && isQueuedInBackground(entry) && { mayBeDirective: true }),
  })
  return payloads
}

/** What the client writes before the task that the script of a workflow gives an agent, which it indents. */
const FRAME = /^\[Workflow harness — [^\]\n]+\][^\n]*:\n(?= {2})/

const withoutFrame = (text: string): string =>
  FRAME.test(text) ? text.replace(FRAME, '').replaceAll(/^ {2}/gm, '') : text

/** The text of a hook that makes the agent go on. It drives the conversation, unlike other text of hooks. */
const HOOK_FEEDBACK = /^\s*(?:(?:Subagent)?Stop|TeammateIdle|TaskCreated|TaskCompleted) hook feedback:\n/
const isHookFeedback = (entry: JsonObject, texts: readonly string[]): boolean =>
  entry.isVisibleInTranscriptOnly !== true && texts.some((text) => HOOK_FEEDBACK.test(text))

/**
 * Whether the client injected the line as context. A scheduled prompt is not context, because it drives the
 * conversation. Neither is a message of another agent.
 */
const isInjected = (entry: JsonObject): boolean =>
  (entry.isMeta === true &&
    entry.scheduledTaskId === undefined &&
    entry.turnOrigin !== 'scheduled' &&
    !isRelayed(entry)) ||
  entry.isVisibleInTranscriptOnly === true ||
  entry.isVirtual === true ||
  Boolean(entry.turnCompanion)

/**
 * Whether the line repeats to a subagent what the human typed after `/subtask`. The command itself is in the
 * parent's transcript. When the agent starts a fork, the line contains a tool result, or a file next to the
 * transcript names the tool call.
 */
const isSubagentDirective = (entry: JsonObject, artifact: Artifact, texts: string[]): boolean =>
  entry.isSidechain === true &&
  artifact.parentCallId === undefined &&
  !blocksOf(entry.message).some(({ type }) => type === 'tool_result') &&
  texts.some((text) => text.includes('</fork-boilerplate>'))

/** The client queues the directive of a background session as if the human had typed it there. */
const isQueuedInBackground = (entry: JsonObject): boolean =>
  entry.sessionKind === 'bg' && entry.promptSource === 'queued'

/** Clients up to 2.1.32 do not distinguish typed prompts from those of `claude -p`. */
const isUnmarked = (entry: JsonObject): boolean =>
  ['origin', 'promptSource', 'turnOrigin', 'entrypoint'].every((name) => entry[name] === undefined) &&
  !isLaterThan(asText(entry.version) ?? '', LAST_UNMARKED)

const LAST_UNMARKED = [2, 1, 32]

function isLaterThan(version: string, other: readonly number[]): boolean {
  const numbers = version.split('.').map(Number)
  const at = other.findIndex((number, index) => numbers[index] !== number)
  return at >= 0 && (numbers[at] ?? 0) > other[at]!
}

function resultPart(block: JsonObject, recorded: unknown, comments: string[]): Part {
  const part = toolResult(block)
  const text = textOf(block.content)
  if (part.error) {
    const refused = rejection(text)
    if (!refused) return part
    if (refused.words) comments.push(refused.words)
    return { type: 'tool-result', callId: part.callId, body: part.body, denied: true }
  }
  const answers = answersIn(text, recorded)
  if (answers) comments.push(answers)
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

/** Tool results of calls or plans that the human declined. They are not errors and may contain a comment. */
const REFUSED =
  /^(?:The user doesn't want to (?:proceed with this tool use|take this action right now)|Permission for this tool use was denied\. The tool use was rejected|The agent proposed a plan that was rejected by the user)/
const COMMENT = /(?:the user said|The user said):\n/
/** Default texts of a question menu, used when the human typed nothing. */
const CANNED = /^\s*(?:The user wants to clarify these questions|The user has indicated|User chose)/
const NOTE = "\n\nNote: The user's next message may contain"

/** Whether the human declined the tool call, with the comment they typed. */
function rejection(text: string): { words?: string } | undefined {
  if (!REFUSED.test(text)) return undefined
  const match = COMMENT.exec(text)
  if (!match) return {}
  const rest = text.slice(match.index + match[0].length)
  const note = rest.indexOf(NOTE)
  return { words: typed(note < 0 ? rest : rest.slice(0, note)) }
}

/** The text typed into a dialog. Undefined if the dialog filled it in itself. */
function typed(text: string | undefined): string | undefined {
  const words = text?.trim()
  return words === undefined || words === '' || CANNED.test(words) ? undefined : words
}

const RESPONDED = 'The user responded: '
/**
 * The beginnings of a result with the human's answers: chosen, typed, typed instead of any option, given
 * before more questions were requested, and given before the human left.
 */
const ANSWERED = [
  'User has answered your question',
  'Your questions have been answered',
  'The user answered: ',
  RESPONDED,
  'The user asked for more questions',
  'No response after ',
] as const

/** Whether a result has answers of the human. Its beginning tells. */
export const isAnswer = (text: string): boolean => ANSWERED.some((opening) => text.startsWith(opening))

/** Texts that the client writes for an empty answer. */
const WORDLESS = new Set(['', '(notes only)', '(no option selected)'])

/**
 * The human's answers to the agent's questions. Taken from the structured record next to the result if there
 * is one, else from the text, in which a quotation mark inside an answer is ambiguous.
 */
function answersIn(text: string, recorded: unknown): string | undefined {
  if (!isAnswer(text)) return undefined
  const answers = recordedAnswers(asObject(recorded))
  return (answers.length > 0 ? answers : answersInText(text)).join('\n') || undefined
}

function answersInText(text: string): string[] {
  if (text.startsWith(RESPONDED)) return textsOf(text.slice(RESPONDED.length))
  const answers: string[] = []
  for (const match of text.matchAll(
    /"="((?:[^"\\]|\\.|"(?!(?:, "|\.\s|\.$| selected preview:| (?:user )?notes:)))*)"/g,
  ))
    append(answers, textsOf(match[1]))
  const more = /They also wrote: "(.*)"\. Call /s.exec(text)?.[1]
  return [...answers, ...textsOf(more)]
}

function recordedAnswers(recorded: JsonObject | undefined): string[] {
  const answers: string[] = []
  const given = asObject(recorded?.answers) ?? {}
  const notes = asObject(recorded?.annotations) ?? {}
  // A question may have been answered by a note alone.
  for (const question of new Set([...Object.keys(given), ...Object.keys(notes)])) {
    const answer = given[question]
    const words = Array.isArray(answer)
      ? answer.filter((each) => typeof each === 'string').join(', ')
      : asText(answer)
    append(answers, textsOf(words))
    append(answers, textsOf(asText(asObject(notes[question])?.notes)))
  }
  return [...answers, ...textsOf(asText(recorded?.response))]
}

/** A list with the trimmed text, or an empty one if there is none. */
function textsOf(text: string | undefined): string[] {
  const words = text?.trim() ?? ''
  return WORDLESS.has(words) ? [] : [words]
}

/**
 * The human's instructions for a summary of a part of the conversation. They occur at the boundary and again
 * at the summary; the number of summarized messages identifies the pair. The arguments of `/compact` are in
 * the line of that command.
 */
export function summaryWords(entry: JsonObject): Payload[] {
  const metadata = asObject(entry.compactMetadata) ?? asObject(entry.summarizeMetadata)
  const text = asText(metadata?.userContext)?.trim()
  if (!text) return []
  const messageId = `summary of ${asNumber(metadata?.messagesSummarized) ?? ''}`
  const speaker = { label: 'for the summary', ...speakerOf(entry) }
  return [{ type: 'message', role: 'user', ...speaker, messageId, parts: [{ type: 'text', text }] }]
}
