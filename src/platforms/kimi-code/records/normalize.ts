import type { Artifact } from '../../../model/artifact.ts'
import { type Draft, type Part, type Payload, type Usage, unknownValue } from '../../../model/event.ts'
import { wordSet } from '../../../model/iteration.ts'
import { asArray, asCount, asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { explainingLine } from '../../error-lines.ts'
import { answered, failed, prompted, returned, skipped, spoken } from '../../messages.ts'
import type { KnownFields } from '../../platform.ts'
import { callOf, resultOf } from './tools.ts'

/**
 * Records of the client that hold nothing to show, or repeat others: prompts stand in up to three records,
 * replies in two, figures in three.
 */
const SILENT = wordSet(
  `agent.message.appended agent.switched agent.turn.ended agent.turn.started config.update context.undone cron.add cron.cursor
  cron.delete file_history.checkpoint file_history.tracked forked full_compaction.begin full_compaction.cancel
  full_compaction.complete goal.account_usage goal.clear goal.continuation goal.create goal.update interaction.request
  interruptionReminder.recorded llm.tools_snapshot mcp.tools_discovered permission.set_mode plan.revision plan_mode.cancel plan_mode.enter plan_mode.exit plugin.session_start profile.bind
  prompt.aborted prompt.completed prompt.steered runtime.set_binding subagent.cancelled subagent.completed subagent.failed
  subagent.spawned subagent.started subagent.suspended swarm_mode.enter swarm_mode.exit task.started task.terminated
  task.waitDelivered token_counting.measured token_counting.rebased token_counting.truncated token_counting.turn_recorded
  tools.register_user_tool tools.reset_active_tools tools.set_active_tools tools.unregister_user_tool tools.update_store
  tower_mode.enter tower_mode.exit turn.step.interrupted`,
)

/** Normalizes a record of `wire.jsonl`. */
export function normalize(value: unknown, artifact: Artifact): Draft[] {
  const line = asObject(value)
  if (!line) return [{ payload: unknownValue(value) }]
  const type = asText(line.type)
  if (type === undefined) return [{ payload: { type: 'unknown', name: '(untyped)' } }]
  if (type === 'metadata') return header(artifact, asText(line.protocol_version))
  const at = asTime(line.time)
  const id = asText(line.promptId) ?? asText(asObject(line.event)?.uuid) ?? ''
  const own = at === undefined ? {} : { at, sharedId: `${type}@${at} ${id}` }
  return payloadsOf(type, line).map((payload) => ({ ...own, payload }))
}

/** The first number of the protocol. */
const KNOWN_PROTOCOL = 1

/** A fork begins with the records of its original, byte for byte. They have times, and mostly no ids. */
function header(
  { directory, parentSessionId, copiedUntilMs, kindHint }: Artifact,
  protocol: string | undefined,
): Draft[] {
  const isFork = kindHint !== 'subagent' && parentSessionId !== undefined
  const session: Payload = {
    type: 'session',
    ...(isFork ? { forkOf: parentSessionId } : { parentSession: parentSessionId }),
    ...(copiedUntilMs !== undefined && { forkedAt: copiedUntilMs }),
    ...(Number.parseInt(protocol ?? '', 10) > KNOWN_PROTOCOL && { laterForm: protocol! }),
  }
  const cwd = directory === undefined ? {} : { cwd: directory }
  return [{ ...cwd, payload: { type: 'turn' } }, { payload: session }]
}

function payloadsOf(type: string, line: JsonObject): Payload[] {
  if (SILENT.has(type)) return [skipped(type)]
  switch (type) {
    case 'turn.prompt':
    case 'turn.steer':
      return [prompt(type, line)]
    case 'context.append_message':
      return [appended(asObject(line.message) ?? {})]
    case 'context.append_loop_event':
      return [step(asObject(line.event) ?? {})]
    // What a person answered to questions of the agent, or why they rejected a call or a plan.
    case 'interaction.resolved':
      return answerIn(type, asObject(line.response)?.answers)
    case 'permission.record_approval_result': {
      const { decision, feedback } = asObject(line.result) ?? {}
      return answerIn(type, decision === 'cancelled' ? undefined : feedback)
    }
    case 'llm.request':
      return [{ type: 'turn', model: asText(line.model) }]
    case 'usage.record':
      return [used(asObject(line.usage) ?? {}, line.time)]
    case 'context.apply_compaction':
      return [{ type: 'marker', marker: 'compaction', text: asText(line.summary) }]
    case 'context.undo':
      return [{ type: 'taken-back', turns: asCount(line.count) ?? 1 }]
    case 'context.clear':
      return [{ type: 'marker', marker: 'reset' }]
    case 'turn.cancel':
      return [{ type: 'marker', marker: 'interruption', byHuman: true }]
    case 'turn.step.retrying':
      return [{ type: 'marker', marker: 'retry', text: asText(line.errorMessage) }]
    case 'turn.ended':
      return line.reason === 'failed' ? [failed(asText(asObject(line.error)?.message))] : [skipped(type)]
    default:
      return [{ type: 'unknown', name: type }]
  }
}

function answerIn(type: string, words: unknown): Payload[] {
  const payloads = answered(words)
  return payloads.length > 0 ? payloads : [skipped(type)]
}

/** What a person or a program sent. `origin` says who. */
function prompt(type: string, { input, origin }: JsonObject): Payload {
  const from = asObject(origin) ?? {}
  const kind = asText(from.kind) ?? 'user'
  const command = kind === 'user' ? undefined : commandIn(from)
  const parts = command === undefined ? partsOf(input) : [{ type: 'text' as const, text: command }]
  if (parts.length === 0) return skipped(`${type}:empty`)
  const queued = type === 'turn.steer' ? { queued: true } : {}
  if (kind === 'user' || command !== undefined) return { ...prompted(parts), ...queued }
  // The task of a subagent is its parent's, as the kind of the session says.
  const name = asText(from.name) ?? PROGRAMS.get(kind) ?? kind
  if (name === 'notification') return notification(parts)
  if (name === 'subagent') return prompted(parts)
  return { type: 'message', role: 'user', speaker: 'program', label: name, parts, ...queued }
}

/** Where the output of a task is. */
const OUTPUT_FILE = /\n<output-file [^>]*>[\s\S]*?<\/output-file>/

/** What became of a task in the background, without the frame of the client. */
function notification(parts: Part[]): Payload {
  const shown = parts.map(
    (part): Part =>
      part.type === 'text'
        ? {
            ...part,
            text: part.text
              .replace(/^<notification [^>]*>\n?/, '')
              .replace(/\n?<\/notification>\s*$/, '')
              .replace(OUTPUT_FILE, ''),
          }
        : part,
  )
  if (shown.length === 0) return skipped('notification:empty')
  return { type: 'message', role: 'user', speaker: 'program', label: 'notification', parts: shown }
}

/** What a person typed to start a skill, whose text the client sends in its place. */
function commandIn({
  kind,
  trigger,
  skillName,
  skillArgs,
  commandName,
  commandArgs,
}: JsonObject): string | undefined {
  if (trigger !== 'user-slash') return undefined
  const name = asText(kind === 'skill_activation' ? skillName : commandName)
  const given = asText(skillArgs) ?? asText(commandArgs)
  return name && [`/${name}`, ...(given ? [given] : [])].join(' ')
}

function partsOf(content: unknown): Part[] {
  return (asArray(content) ?? []).flatMap((each): Part[] => {
    const part = asObject(each)
    const type = asText(part?.type) ?? 'untyped'
    if (type === 'text') return asText(part?.text)?.trim() ? [{ type: 'text', text: String(part!.text) }] : []
    return [{ type: 'media', name: type.startsWith('image') ? 'image' : 'file' }]
  })
}

const UNESCAPED: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

/** Prompts of programs by the kind of their origin. */
const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['task', 'notification'],
  ['background_task', 'notification'],
  ['cron_job', 'cron'],
  ['cron_missed', 'cron'],
])

/**
 * What the client puts before the model. Commands of the shell, what became of tasks during a turn, and a
 * hook that makes the agent go on have no record of their own. What begins a turn has an id here, as in its
 * own record.
 */
function appended({ id, role, content, origin }: JsonObject): Payload {
  const from = asObject(origin)
  const name = `context.append_message:${asText(from?.kind) ?? String(role)}`
  const parts = partsOf(content)
  if (id === undefined && PROGRAMS.get(String(from?.kind)) === 'notification') return notification(parts)
  if (from?.name === 'stop_hook' && parts.length > 0)
    return { type: 'message', role: 'user', speaker: 'program', label: 'hook', parts }
  if (from?.kind !== 'shell_command') return skipped(name)
  const [text] = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (from.phase === 'input') {
    const command = /^<bash-input>\n?([\s\S]*?)\n?<\/bash-input>$/.exec(text ?? '')?.[1]
    const typed = (command ?? text ?? '').replace(/&(?:lt|gt|quot|#39|amp);/g, (sign) => UNESCAPED[sign]!)
    return { type: 'message', role: 'user', speaker: 'human', parts: [{ type: 'text', text: `!${typed}` }] }
  }
  if (from.isError !== true) return skipped(name)
  const body = (text ?? '').replace(/<\/?bash-std(?:out|err)>/g, '')
  return returned([
    { type: 'tool-result', toolName: 'Bash', body, error: 'sure', errorLine: explainingLine(body) },
  ])
}

/** A step of the agent: its words, its calls and their results. Its figures are those of `usage.record`. */
function step(event: JsonObject): Payload {
  const type = asText(event.type) ?? 'untyped'
  const messageOf = (part: Part): Payload => spoken([part], { messageId: asText(event.stepUuid) })
  switch (type) {
    case 'content.part': {
      const part = asObject(event.part)
      const text = asText(part?.text) ?? asText(part?.think) ?? ''
      if (part?.type === 'text') return messageOf({ type: 'text', text })
      if (part?.type === 'think') return messageOf({ type: 'thinking', text })
      return messageOf({ type: 'opaque', name: asText(part?.type) ?? 'untyped' })
    }
    case 'tool.call':
      return messageOf(callOf(event))
    case 'tool.result':
      return returned([resultOf(event)])
    case 'step.begin':
    case 'step.end':
      return skipped(`context.append_loop_event:${type}`)
    default:
      return { type: 'unknown', name: `context.append_loop_event:${type}` }
  }
}

/** The model of a request is in the record before. Here it has the name that the settings give it. */
function used(counts: JsonObject, time: unknown): Payload {
  const count = (name: string): number => asCount(counts[name]) ?? 0
  const usage: Usage = {
    input: count('inputOther'),
    output: count('output'),
    cacheRead: count('inputCacheRead'),
    cacheWrite: count('inputCacheCreation'),
  }
  const isNothing = usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0
  if (isNothing) return skipped('usage.record:nothing')
  // The same in a fork, which copies it.
  const key = asTime(time) === undefined ? {} : { key: `usage@${JSON.stringify([time, usage])}` }
  return { type: 'usage', ...key, usage }
}

/** The known fields up to 2.1.0. `doctor --drift` reports any others. */
export const knownFields = (): KnownFields => ({
  record: wordSet(
    `abortedAt action activeToolNames actor agentId agentsMdPaths attempt base betaApi branch budgetLimits callerAgentId
    collisions compactedCount completionCriterion content contextSummary contextTokens count created_at delayMs description
    disallowedTools disclosure droppedCount durationMs enabledNames entries entry environmentDisclosure error errorMessage
    errorName event failedAttempt finishedAt fromTurnId goalId hash id ids info input instruction keptUserMessageCount key keys
    kind lastFiredAt legacyUndoLine length maxAttempts maxTokens measured message messageCount messageId mode model modelAlias
    name names nextAttempt objective origin outcome outputTail parameters parentAgentId parentToolCallId path phase profileName
    projection promptId promptIds protocol_version provider queueItemId reason renderGeneration request response result
    resultSummary runInBackground runtimeId serverName sessionApprovalRule sessionId source status statusCode step stepId
    subagentId subagentName subagents summary summaryOutputTokens swarmIndex systemPrompt systemPromptHash target task taskId
    temperature thinkingEffort thinkingKeep thinkingLevel time tokens tokensAfter tokensBefore tokensUsed toolCallId toolName
    tools toolSelect toolsHash topP trigger turnId turns turnStep turnsUsed type usage usageScope value wallClockMs
    wallClockResumedAt wireLines workspaceId`,
  ),
  message: wordSet('content id message meta origin role toolCallId toolCalls'),
  part: wordSet('audio_url image_url text think video_url'),
  usage: {
    at: 'usage',
    fields: wordSet(`inputCacheCreation inputCacheRead inputOther output`),
  },
})
