import {
  type Draft,
  type Part,
  type Payload,
  stopReasonOf,
  type Usage,
  unknownValue,
} from '../../../model/event.ts'
import { wordSet } from '../../../model/iteration.ts'
import { asArray, asCount, asNumber, asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { attached } from '../../attached.ts'
import { answered, failed, prompted, returned, skipped, spoken } from '../../messages.ts'
import type { KnownFields } from '../../platform.ts'
import { callIn, callsIn, feedbackIn, resultIn } from './tools.ts'

/**
 * Normalizes an event: `{ type, data, id, timestamp, parentId, agentId }`. Events of a subagent stand in the
 * session that started it, with its `agentId`.
 */
export function normalize(value: unknown): Draft[] {
  const record = asObject(value)
  if (!record) return [{ payload: unknownValue(value) }]
  const data = asObject(record.data) ?? {}
  const type = asText(record.type) ?? 'untyped'
  const at = asTime(record.timestamp)
  const facts: Omit<Draft, 'payload'> = {
    id: asText(record.id),
    parentId: asText(record.parentId),
    ...(at !== undefined && { at }),
    ...whereabouts(type, data),
  }
  return payloadsOf(type, data, record, at).map((payload) => ({ ...facts, payload }))
}

function payloadsOf(type: string, data: JsonObject, record: JsonObject, at: number | undefined): Payload[] {
  const subagent = asText(record.agentId)
  switch (type) {
    case 'session.start':
      return header(data, at)
    case 'session.resume':
    case 'session.context_changed':
      return [{ type: 'turn' }]
    case 'session.info':
      return [info(data)]
    case 'session.title_changed': {
      const title = asText(data.title)
      return [title ? { type: 'title', title, source: 'ai' } : skipped(type)]
    }
    case 'session.error':
      return [failed(asText(data.message))]
    case 'session.compaction_complete':
      return compacted(data)
    case 'session.shutdown':
      return [...metrics(data, asText(record.id)), credits(data)]
    case 'session.usage_record':
      return used(asObject(data.usage), asText(asObject(data.usage)?.apiCallId))
    case 'user.message':
      return [prompt(data, subagent)]
    case 'assistant.message':
      return [reply(data, subagent)]
    case 'tool.user_requested':
      return [command(data)]
    case 'tool.execution_complete':
      return [resultIn(data), ...feedback(data, feedbackIn(data))]
    case 'system.notification':
      return [notification(data)]
    case 'permission.completed':
      return permission(data)
    case 'user_input.completed':
      return answer(data.answer, type, data)
    case 'exit_plan_mode.completed':
      return answer(data.feedback, type, data)
    // The answer where the agent asked for fields of a form.
    case 'human_response.recorded':
      return answer(asObject(data.response)?.content, type, data)
    case 'abort':
      return [{ type: 'marker', marker: 'interruption', ...(BY_HUMAN.has(asText(data.reason) ?? '') && BY) }]
    case 'subagent.failed':
      return [failed(asText(data.error))]
    default:
      return [{ type: SILENT.has(type) || GROUP.test(type) ? 'skipped' : 'unknown', name: type }]
  }
}

const BY = { byHuman: true } as const
/** Esc and Ctrl-C in the terminal, and a rejection that ends the turn. */
const BY_HUMAN = new Set(['user_abort', 'user_initiated', 'remote_command'])

/** Events that contain nothing to show, or repeat others. The schema of the client's SDK lists more. */
const SILENT = wordSet(
  `assistant.idle assistant.intent assistant.message_delta assistant.message_start assistant.reasoning
  assistant.reasoning_delta assistant.streaming_delta assistant.turn_end assistant.turn_start assistant.usage
  capabilities.changed commands.changed exit_plan_mode.requested pending_messages.modified session.binary_asset
  session.compaction_start session.idle session.mode_changed session.mode_notice_delivered session.model_change
  session.plan_changed session.remote_steerable_changed session.snapshot_rewind
  session.task_complete session.todos_changed session.truncation session.usage_checkpoint session.usage_info
  session.warning session.workspace_file_changed skill.invoked subagent.completed subagent.configured
  subagent.deselected subagent.selected subagent.started system.message
  tool.execution_partial_result tool.execution_progress tool.execution_start tool_search.activated
  user_input.requested`,
)
/** Groups of events that tell how the client works. */
const GROUP =
  /^(?:auto_mode_switch|command|elicitation|external_tool|factory|hook|mcp|mcp_app|model|permission|sampling|session_limits_exhausted|ui)\.|^session\.(?:auto|canvas|custom|extensions|fusion|managed|mcp|permissions|schedule|session_limits|skills|tools)\w*/

/** Where the session runs, and with which version. */
function whereabouts(type: string, data: JsonObject): Partial<Draft> {
  const context = type === 'session.context_changed' ? data : asObject(data.context)
  const version = type === 'session.start' ? asText(data.copilotVersion) : undefined
  if (!context && version === undefined) return {}
  return { cwd: asText(context?.cwd), branch: asText(context?.branch), version }
}

/**
 * When a session was forked, in ms: `/fork` rewrites the first event of the copy, whose time is then that of
 * the start, to the millisecond. Everything that is older was copied. Undefined if the session is no fork.
 */
export function forkedAt(data: JsonObject, at: number | undefined): number | undefined {
  const start = asTime(data.startTime)
  return start === at ? start : undefined
}

/** The latest number of the form that `session.start` states, up to 1.0.102. */
const KNOWN_FORM = 1

/** Which session a fork was copied from follows the copies. */
function header(data: JsonObject, at: number | undefined): Payload[] {
  const forked = forkedAt(data, at)
  const model = asText(data.selectedModel)
  return [
    { type: 'turn', ...(model !== undefined && { model }) },
    {
      type: 'session',
      sessionId: asText(data.sessionId),
      parentSession: asText(data.detachedFromSpawningParentSessionId),
      ...((asCount(data.version) ?? 0) > KNOWN_FORM && { laterForm: asCount(data.version) }),
      ...(forked !== undefined && { forkedAt: forked }),
    },
  ]
}

const ID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'
const FORKED = new RegExp(`^Forked from [\\s\\S]*\\((${ID})\\) as `)

/** The session that a fork was made from, if this event of it names it. */
function forkedFrom(event: JsonObject | undefined): string | undefined {
  const { infoType, message } = asObject(event?.data) ?? {}
  const isFork = event?.type === 'session.info' && infoType === 'fork'
  return isFork ? FORKED.exec(asText(message) ?? '')?.[1] : undefined
}

/** In a fork, a message names the session that it was made from. The others are for the terminal. */
function info(data: JsonObject): Payload {
  const { infoType } = data
  const forkOf = forkedFrom({ type: 'session.info', data })
  if (forkOf !== undefined) return { type: 'session', forkOf }
  // What was taken back is no longer in the file.
  if (infoType === 'rewind') return { type: 'marker', marker: 'note', text: 'rewound' }
  return skipped(`session.info:${asText(infoType) ?? 'untyped'}`)
}

/** `content` is what was typed; `transformedContent` adds the time and reminders. */
function prompt(data: JsonObject, subagent: string | undefined): Payload {
  const text = asText(data.content) ?? ''
  const parts: Part[] = [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...(asArray(data.attachments) ?? []).map((each): Part => {
      const { type, mimeType, path, filePath, displayName } = asObject(each) ?? {}
      const isImage = asText(mimeType)?.startsWith('image/') === true
      return attached(path ?? filePath ?? displayName, isImage ? 'image' : (asText(type) ?? 'file'))
    }),
  ]
  if (parts.length === 0) return skipped('user.message')
  const source = asText(data.source)
  const isOfProgram =
    subagent !== undefined ||
    data.isAutopilotContinuation === true ||
    (source !== undefined && source !== 'user')
  if (isOfProgram)
    return {
      type: 'message',
      role: 'user',
      speaker: 'program',
      parts,
      label: subagent === undefined ? (source?.split('-')[0] ?? 'autopilot') : 'parent agent',
    }
  const queued = data.delivery === 'queued' || data.delivery === 'steering'
  return { ...prompted(parts), ...(queued && { queued }) } as Payload
}

/** What a person typed after `!`. Its result follows like that of a tool. */
function command(data: JsonObject): Payload {
  const text = asText(asObject(data.arguments)?.command)
  return text === undefined ? spoken([callIn(data)]) : prompted([{ type: 'text', text: `!${text}` }])
}

/** A reply and the request for it share the id that the provider gave to its answer. */
function reply(data: JsonObject, subagent: string | undefined): Payload {
  const [thinking, text] = [asText(data.reasoningText), asText(data.content)]
  const parts: Part[] = [
    ...(thinking ? [{ type: 'thinking' as const, text: thinking }] : []),
    ...(text ? [{ type: 'text' as const, text }] : []),
    ...callsIn(data.toolRequests),
  ]
  if (parts.length === 0) return skipped('assistant.message')
  if (isMadeUp(data, parts)) return skipped('assistant.message:client')
  return spoken(parts, {
    messageId: asText(data.apiCallId) ?? asText(data.messageId),
    model: asText(data.model),
    stopReason: stopReasonOf(data.finishReason),
    ...(subagent !== undefined && { label: 'subagent' }),
  })
}

/** When something in the background ends, the client writes a call that reads it, as if the model made it. */
const isMadeUp = ({ model, apiCallId }: JsonObject, parts: readonly Part[]): boolean =>
  model === undefined &&
  apiCallId === undefined &&
  parts.every((part) => part.type === 'tool-call' && /^read_(?:agent|bash|powershell)$/.test(part.name))

/** A command in the background that failed. Its call ended well, as soon as it was started. */
function notification({ kind, content }: JsonObject): Payload {
  const { type, exitCode } = asObject(kind) ?? {}
  if (type !== 'shell_completed' || (asNumber(exitCode) ?? 0) === 0) return skipped('system.notification')
  const words = (asText(content) ?? '').replace(/<\/?system_notification>/g, '').trim()
  const errorLine = words || `exit code ${exitCode}`
  return returned([{ type: 'tool-result', callId: undefined, body: words, error: 'sure', errorLine }])
}

/** A person may say why. What rules deny fails as a call, which says so. */
function permission(data: JsonObject): Payload[] {
  const { kind, feedback: words } = asObject(data.result) ?? {}
  const denied = kind === 'cancelled' || kind === 'denied-interactively-by-user'
  const callId = asText(data.toolCallId)
  if (!denied || callId === undefined) return [skipped('permission.completed')]
  const parts: Part[] = [{ type: 'tool-result', callId, denied }]
  return [returned(parts), ...feedback(data, asText(words))]
}

/** What a person said when they refused a call. Its result may repeat the words, under the same id. */
const feedback = ({ toolCallId }: JsonObject, text: string | undefined): Payload[] =>
  answered(text, { messageId: `feedback ${toolCallId}` })

/** What a person answered to one request, which two records may have. */
function answer(words: unknown, type: string, { requestId }: JsonObject): Payload[] {
  const payloads = answered(words, requestId === undefined ? {} : { messageId: `answer ${requestId}` })
  return payloads.length > 0 ? payloads : [skipped(type)]
}

function compacted(data: JsonObject): Payload[] {
  if (data.success === false) return [failed(asText(data.error) ?? 'the compaction failed')]
  const usage = asObject(data.compactionTokensUsed)
  return [
    { type: 'marker', marker: 'compaction', text: asText(data.summaryContent) || undefined },
    ...(usage ? used(usage, asText(data.compactionAttemptId), 'aside') : []),
  ]
}

/**
 * What the session has cost a subscription until then: credits and premium requests, which are not dollars.
 * With a key of one's own there are none.
 */
function credits({ totalNanoAiu, totalPremiumRequests }: JsonObject): Payload {
  const amounts = [
    [(asNumber(totalNanoAiu) ?? 0) / 1e9, 'AI credits'],
    [asNumber(totalPremiumRequests) ?? 0, 'premium requests'],
  ] as const
  const words = amounts.flatMap(([amount, unit]) =>
    amount > 0 ? `${Number(amount.toFixed(3))} ${unit}` : [],
  )
  return words.length === 0
    ? skipped('session.shutdown')
    : { type: 'marker', marker: 'note', text: `${words.join(', ')} so far` }
}

/** The usage of one request. `key` identifies it. */
function used(usage: JsonObject | undefined, key: string | undefined, scope?: 'aside'): Payload[] {
  const counts = usageOf(usage)
  if (!usage || !counts) return [skipped('session.usage_record')]
  return [{ type: 'usage', key, model: asText(usage.model), usage: counts, ...(scope && { scope }) }]
}

/** What each model used since the client was started. Versions with a record for each request repeat it. */
function metrics({ modelMetrics }: JsonObject, id: string | undefined): Payload[] {
  return Object.entries(asObject(modelMetrics) ?? {}).flatMap(([model, metric]): Payload | [] => {
    const usage = usageOf(asObject(asObject(metric)?.usage))
    if (!usage || !(usage.input + usage.output + usage.cacheRead + usage.cacheWrite > 0)) return []
    return { type: 'usage', key: id && `${id} ${model}`, model, usage, scope: 'all' }
  })
}

/**
 * `inputTokens` includes those of the cache, `outputTokens` those of reasoning. `cost` is in credits of a
 * subscription, not in dollars.
 */
function usageOf(usage: JsonObject | undefined): Usage | undefined {
  const all = asCount(usage?.inputTokens)
  if (!usage || all === undefined) return undefined
  const cacheRead = asCount(usage.cacheReadTokens) ?? 0
  const cacheWrite = asCount(usage.cacheWriteTokens) ?? 0
  const reasoning = asCount(usage.reasoningTokens) ?? 0
  return {
    input: Math.max(0, all - cacheRead - cacheWrite),
    output: asCount(usage.outputTokens) ?? 0,
    cacheRead,
    cacheWrite,
    ...(reasoning > 0 ? { reasoning } : {}),
  }
}

/** The known fields of events up to 1.0.102. `doctor --drift` reports any others. */
export const knownFields = (): KnownFields => ({
  record: wordSet('agentId data ephemeral id parentId timestamp type'),
  message: new Set(),
  part: new Set(),
  usage: {
    at: 'data.usage',
    fields: wordSet(
      `accounting aiCreditsStatus apiCallId apiEndpoint availableToolCount byokKind cacheDetailsReported cacheReadTokens
      cacheWriteTokens contentFilterTriggered cost customToolCallCount duration finishReason frontierSource initiator
      inputTokens interTokenLatencyMs interactionType isAuto isByok maxOutputTokens maxPromptTokens model modelDisplayName
      modelProvider numToolCalls orphanToolCallCount outputTokens outputTtftMs parentToolCallId providerType reasoningEffort
      reasoningSummary reasoningTokens requestBodyBytes requestBodyEncoding requestBodyWireBytes rte timeToFirstTokenMs
      toolCounts toolTokenCount transport unmatchedToolResultCount`,
    ),
  },
})
