import type { Artifact } from '../../../model/artifact.ts'
import { type Draft, type Part, type Payload, unknownValue } from '../../../model/event.ts'
import { wordSet } from '../../../model/iteration.ts'
import { asArray, asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { attached } from '../../attached.ts'
import { failed, prompted, returned, skipped, spoken } from '../../messages.ts'
import type { KnownFields } from '../../platform.ts'
import { textOf } from '../../result-text.ts'
import { answersIn, callOf, isInterrupted, resultOf } from './tools.ts'
import { requestOf, usageOf } from './usage.ts'

/** Normalizes a record. Those that a fork copied name the session they are from. */
export function normalize(value: unknown, artifact: Artifact): Draft[] {
  const line = asObject(value)
  if (!line) return [{ payload: unknownValue(value) }]
  const copied = asObject(line.forkedFrom)
  const original = asText(copied?.sessionId)
  const own = {
    id: asText(line.uuid),
    parentId: asText(line.parentUuid),
    at: asTime(line.timestamp),
    cwd: asText(line.cwd),
    sessionId: artifact.kindHint === 'subagent' ? undefined : asText(line.sessionId),
    version: asText(line.version),
    branch: asText(line.gitBranch),
    forkedFrom: asText(copied?.messageUuid),
  }
  const payloads = payloadsOf(line)
  if (original !== undefined) payloads.unshift({ type: 'session', forkOf: original })
  return payloads.map((payload) => ({ ...own, payload }))
}

function payloadsOf(line: JsonObject): Payload[] {
  const parts = (asArray(asObject(line.message)?.parts) ?? []).map((part) => asObject(part) ?? {})
  switch (line.type) {
    case 'user':
      return [prompt(line, parts)]
    case 'assistant':
      return reply(line, parts)
    case 'tool_result':
      return results(line, parts)
    case 'system':
      return system(asText(line.subtype) ?? 'untyped', line)
    default:
      return [{ type: 'unknown', name: asText(line.type) ?? '(untyped)' }]
  }
}

/** What a hook adds to a prompt. */
const ADDED = /^\s*<qwen:user-prompt-submit-context>[\s\S]*<\/qwen:user-prompt-submit-context>\s*$/

/** Prompts of programs by the subtype of the record. `goal_runtime` is the client that pursues a goal. */
const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['cron', 'cron'],
  ['notification', 'notification'],
  ['goal_runtime', 'goal'],
  ['agent_launch_prompt', 'parent agent'],
])

/**
 * A prompt: what was typed, where the client put files into it, too. A person is the sender if the record
 * says so or, as those of subagents and of older versions, nothing.
 */
function prompt({ provenance, subtype, systemPayload }: JsonObject, parts: readonly JsonObject[]): Payload {
  const typed = asText(asObject(systemPayload)?.displayText)
  const texts = ownTexts(parts).filter((text) => !ADDED.test(text))
  const words = typed ?? texts.join('\n')
  const shown: Part[] = words.trim() === '' ? [] : [{ type: 'text', text: words }]
  for (const { inlineData, fileData } of parts) {
    const { mimeType, displayName } = asObject(inlineData ?? fileData) ?? {}
    const mime = asText(mimeType)
    if (mime !== undefined) shown.push(attached(displayName, mime.startsWith('image/') ? 'image' : 'file'))
  }
  if (shown.length === 0) return skipped('user:empty')
  const whole = { type: 'message', role: 'user', parts: shown } as const
  const label = PROGRAMS.get(asText(subtype) ?? '')
  if (label !== undefined || (provenance !== undefined && provenance !== 'real_user'))
    return { ...whole, speaker: 'program', label: label ?? String(provenance) }
  const isQueued = subtype === 'mid_turn_user_message'
  return { ...prompted(shown), ...(isQueued ? { queued: true } : { mayBeDirective: true }) }
}

/** The first of the parts with the files that a prompt mentions. They are behind its words. */
const FILES = /^\n?--- Content from referenced files ---/

/** The texts of a prompt without the files that it mentions. */
function ownTexts(parts: readonly JsonObject[]): string[] {
  const files = parts.findIndex(({ text }, number) => number > 0 && FILES.test(asText(text) ?? ''))
  return (files < 0 ? parts : parts.slice(0, files)).flatMap(({ text }) => asText(text) ?? [])
}

/** A reply of a subagent with calls is two records, of which the first has the usage and no parts. */
function reply(line: JsonObject, parts: readonly JsonObject[]): Payload[] {
  const usage = usageOf(asObject(line.usageMetadata))
  const shown = parts.flatMap((part): Part[] => {
    const text = asText(part.text)
    if (text !== undefined) return [{ type: part.thought === true ? 'thinking' : 'text', text }]
    const call = asObject(part.functionCall)
    if (!call) return [{ type: 'opaque', name: Object.keys(part)[0] ?? 'empty' }]
    return [callOf(call)]
  })
  const model = asText(line.model)
  if (shown.length === 0) return usage ? [{ type: 'usage', model, usage }] : [skipped('assistant:empty')]
  return [spoken(shown, { messageId: asText(line.uuid), model, usage, usageBefore: true })]
}

function results({ toolCallResult }: JsonObject, parts: readonly JsonObject[]): Payload[] {
  const state = asObject(toolCallResult) ?? {}
  const shown = parts.flatMap(({ functionResponse }) => {
    const response = asObject(functionResponse)
    return response ? [resultOf(response, state)] : []
  })
  if (shown.length === 0) return [skipped('tool_result:empty')]
  const message: Payload = returned(shown)
  const isStopped = shown.some(
    (part) => part.type === 'tool-result' && isInterrupted(state, asText(part.body) ?? ''),
  )
  return [
    message,
    ...answersIn(state),
    ...(isStopped ? [{ type: 'marker' as const, marker: 'interruption' as const }] : []),
  ]
}

/** Within a millisecond, unless a hook looks at it first. */
const SUBMITTED_MS = 10_000

/** Records of the client itself that hold nothing to show. */
const SILENT = wordSet(
  `agent_bootstrap agent_retry agent_session_ready at_command attribution_snapshot background_task_completed
  branch_checkpoint file_history_snapshot goal_control goal_state goal_turn_end omni_recall session_artifact_event
  session_artifact_snapshot session_model session_source session_sources_snapshot turn_result`,
)

function system(subtype: string, line: JsonObject): Payload[] {
  const payload = asObject(line.systemPayload) ?? {}
  const name = `system:${subtype}`
  if (SILENT.has(subtype)) return [skipped(name)]
  switch (subtype) {
    case 'ui_telemetry':
      return [telemetry(asObject(payload.uiEvent) ?? {})]
    case 'slash_command': {
      const typed = asText(payload.rawCommand)?.trim()
      if (payload.phase !== 'invocation' || !typed) return [skipped(name)]
      if (payload.sentToModel !== true) return [{ type: 'marker', marker: 'local-command', text: typed }]
      // What the command stands for follows as a prompt of its own, unless a hook stops it.
      return [
        prompted([{ type: 'text', text: typed }]),
        { type: 'directive-follows', label: 'command', withinMs: SUBMITTED_MS },
      ]
    }
    case 'custom_title': {
      const title = asText(payload.customTitle)?.trim()
      if (!title) return [skipped(name)]
      return [{ type: 'title', title, source: payload.titleSource === 'auto' ? 'ai' : 'custom' }]
    }
    case 'chat_compression': {
      const [summary] = asArray(payload.compressedHistory) ?? []
      return [{ type: 'marker', marker: 'compaction', text: textOf(asObject(summary)?.parts) || undefined }]
    }
    case 'parent_session':
      return [{ type: 'session', parentSession: asText(payload.parentSessionId) }]
    // What follows goes on from the record before the turn that was taken back.
    case 'rewind': {
      const target = asText(line.parentUuid)
      return [target === undefined ? { type: 'taken-back', turns: { from: '' } } : { type: 'leaf', target }]
    }
    default:
      return [{ type: 'unknown', name }]
  }
}

/** What the client measured. The figures of a reply follow in its own record, if there is one. */
function telemetry(event: JsonObject): Payload {
  const what = asText(event['event.name'])?.replace(/^qwen-code\./, '') ?? 'untyped'
  const name = `system:ui_telemetry:${what}`
  if (what === 'api_error') {
    const text = asText(event.error_message) ?? asText(event.error)
    return failed(text)
  }
  const usage = what === 'api_response' ? requestOf(event) : undefined
  if (!usage) return skipped(name)
  return { type: 'usage', key: asText(event.response_id), model: asText(event.model), usage }
}

/** The known fields up to 0.24.4. `doctor --drift` reports any others. */
export const knownFields = (): KnownFields => ({
  record: wordSet(
    `agentColor agentId agentName agentRound agentRunId backgroundTurn contextWindowSize cwd daemonPromptId forkedFrom gitBranch
    goalContext isSidechain message model parentUuid provenance sessionId subtype systemPayload timestamp toolCallResult type
    usageMetadata uuid version`,
  ),
  message: wordSet('parts role'),
  part: new Set(),
  usage: {
    at: 'usageMetadata',
    fields: wordSet(
      `cachedContentTokenCount candidatesTokenCount promptTokenCount thoughtsTokenCount totalTokenCount`,
    ),
  },
})
