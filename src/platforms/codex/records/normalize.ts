import type { Artifact } from '../../../model/artifact.ts'
import {
  type Draft,
  type Part,
  type Payload,
  type SessionKind,
  type Usage,
  unknownValue,
} from '../../../model/event.ts'
import { wordSet } from '../../../model/iteration.ts'
import { asArray, asCount, asNumber, asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { NO_TOKENS } from '../../../model/usage.ts'
import { attached } from '../../attached.ts'
import { failed, skipped, spoken } from '../../messages.ts'
import type { KnownFields } from '../../platform.ts'
import { textOf } from '../../result-text.ts'
import { patched } from './patches.ts'
import { callIn, failureIn, resultIn } from './tools.ts'

/** Texts that the client puts before prompts, as messages with the role of a user. */
const ELEMENTS =
  'environment_context|user_instructions|INSTRUCTIONS|turn_aborted|user_action|skill|skills_instructions|' +
  'subagent_notification|permissions instructions|collaboration_mode|personality_spec|model_switch|' +
  'hook_prompt|goal_context'
const CONTEXT = new RegExp(`^\\s*(?:# AGENTS\\.md instructions\\b|<(?:${ELEMENTS})\\b)`)
const SHELL = /^\s*<user_shell_command>\s*<command>\n?([\s\S]*?)\n?<\/command>/

/**
 * What a message with the role of a user is, if no person wrote it as a prompt: `context`, or the command
 * that a person typed after `!`.
 */
function injected(text: string): string | undefined {
  const command = SHELL.exec(text)?.[1]
  if (command !== undefined) return `!${command}`
  return CONTEXT.test(text) ? 'context' : undefined
}

/** `# Context from my IDE setup:`, `# Files mentioned by the user:` and the like. */
const IDE = /^\s*# [A-Z][^\n]*:\s*\n/
const REQUEST = '## My request for Codex:'
/** Headings of an editor that a person does not type, so that nothing is left without a request. */
const ONLY_IDE =
  /^\s*# (?:Context from my IDE setup|In app browser|\w[\w ]* mentioned by the user):\s*(?:\n|$)/

/** The words of a person without what an editor puts before them. Empty if it has no request of a person. */
function typedWords(text: string): string {
  const at = IDE.test(text) ? text.lastIndexOf(REQUEST) : -1
  if (at < 0) return ONLY_IDE.test(text) ? '' : text
  return text.slice(at + REQUEST.length).trim()
}

/** The prompt in these parts of a message, unless only an editor wrote into it. */
function typedParts(parts: readonly Part[]): Part[] {
  return parts.flatMap((part) => {
    if (part.type !== 'text') return part
    const text = typedWords(part.text)
    return text === '' ? [] : { ...part, text }
  })
}

/** The directory that the oldest versions only state in the context of a prompt. */
const directoryIn = (text: string): string | undefined =>
  /<cwd>(.+)<\/cwd>|^Current working directory: (.+)$/m.exec(text)?.slice(1).find(Boolean)

/**
 * Normalizes a record of a rollout: `{ timestamp, type, payload }`, in files before September 2025 the bare
 * item. Records have no id and no parent.
 */
export function normalize(entry: unknown, artifact: Artifact): Draft[] {
  const record = asObject(entry)
  if (!record) return [{ payload: unknownValue(entry) }]
  const at = asTime(record.timestamp)
  const payload = asObject(record.payload)
  const type = asText(record.type)
  const undone: Payload[] =
    artifact.undoneFrom !== undefined && record.ordinal === artifact.undoneFrom
      ? [{ type: 'taken-back', turns: 'following' }]
      : []
  const drafts = (payloads: readonly Payload[], facts: Partial<Draft> = {}): Draft[] =>
    [...undone, ...payloads].map((each) => ({ ...(at !== undefined && { at }), ...facts, payload: each }))
  if (payload === undefined) return drafts(bare(record, type, artifact), { cwd: statedDirectory(record) })
  switch (type) {
    case 'session_meta':
      return drafts(header(payload, at, artifact), whereabouts(payload))
    case 'turn_context': {
      const turn: Payload = { type: 'turn', ...turnOf(payload), model: asText(payload.model) }
      return drafts([...endOfCopy(payload, artifact), turn], { cwd: asText(payload.cwd) })
    }
    case 'response_item': {
      const metadata = asObject(record.metadata)
      if (metadata?.compaction_output === true) return drafts([skipped('message:compaction')])
      // The client tells the model something in the form of a result, such as the goal of the thread.
      if (metadata?.additional_context_tool_output === true && payload.call_id === undefined)
        return drafts([skipped('function_call_output:context')])
      return drafts(item(payload))
    }
    case 'event_msg':
      return drafts(event(payload, artifact))
    case 'compacted':
      return drafts([{ type: 'marker', marker: 'compaction', text: asText(payload.message) || undefined }])
    case 'token_usage_record':
      return drafts(used(payload.usage, payload.thread_token_usage, payload.service_tier, artifact))
    default:
      return drafts([SILENT.has(type ?? '') ? skipped(type!) : { type: 'unknown', name: type ?? 'untyped' }])
  }
}

/** Records that contain nothing to show. */
const SILENT = wordSet(
  'world_state inter_agent_communication inter_agent_communication_metadata retained_context',
)

/** Events that repeat response items, or tell how a turn goes. */
const SILENT_EVENTS = wordSet(
  `agent_message agent_reasoning agent_reasoning_raw_content agent_reasoning_section_break
  apply_patch_approval_request background_event context_compacted deprecation_notice
  dynamic_tool_call_request dynamic_tool_call_response elicitation_request entered_review_mode
  exec_approval_request exited_review_mode get_history_entry_response
  guardian_assessment guardian_warning hook_completed hook_started item_started
  list_custom_prompts_response list_skills_response mcp_list_tools_response mcp_startup_complete
  mcp_startup_update model_reroute model_verification patch_apply_updated plan_update raw_response_item
  realtime_conversation_closed realtime_conversation_started request_permissions request_user_input
  safety_buffering session_configured shutdown_complete stream_info sub_agent_activity
  turn_moderation_metadata skills_update_available terminal_interaction
  thread_goal_updated turn_diff undo_completed undo_started
  view_image_tool_call warning`,
)

/** What begins, comes in parts and ends. */
const SILENT_STAGES = wordSet(
  `agent_message agent_reasoning agent_reasoning_raw_content collab_agent_interaction collab_agent_spawn
  collab_close collab_resume collab_waiting exec_command exec_command_output image_generation mcp_tool_call
  patch_apply plan reasoning_content reasoning_raw_content web_search`,
)
const STAGE = /_(?:begin|delta|end)$/

/** Items of a turn that response items repeat, or that only mark where something happened. */
const SILENT_ITEMS = wordSet(
  `AgentMessage CollabAgentToolCall CommandExecution ContextCompaction DynamicToolCall EnteredReviewMode
  ExitedReviewMode FileChange HookPrompt ImageGeneration ImageView McpToolCall Plan Reasoning Sleep SubAgentActivity
  WebSearch`,
)

/** Response items without words and calls. */
const SILENT_RESPONSES = wordSet(
  `additional_tools compaction compaction_summary compaction_trigger context_compaction ghost_snapshot item_reference
  other`,
)

export const knownFields = (): KnownFields => ({
  record: wordSet(
    `timestamp type payload ordinal metadata id instructions git record_type role content name arguments call_id output
    summary encrypted_content status action input`,
  ),
  message: new Set(),
  part: new Set(),
  usage: {
    at: 'payload.info.last_token_usage',
    fields: wordSet(
      `cache_write_input_tokens cached_input_tokens input_tokens output_tokens
      reasoning_output_tokens total_tokens`,
    ),
  },
})

const THREAD = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** The id at the end of a file's name. A file outside of the roots may have any other name. */
const threadOf = ({ sessionId }: Artifact): string | undefined => THREAD.exec(sessionId)?.[0]

/** Records of the first era have no type, or that of a response item. */
function bare(record: JsonObject, type: string | undefined, artifact: Artifact): Payload[] {
  if (type !== undefined) return item(record, true)
  if (record.record_type !== undefined) return [skipped(String(record.record_type))]
  return 'id' in record ? header(record, undefined, artifact) : [{ type: 'unknown', name: 'untyped' }]
}

function statedDirectory({ role, content }: JsonObject): string | undefined {
  const [part] = role === 'user' ? textParts(content) : []
  return part?.type === 'text' && injected(part.text) === 'context' ? directoryIn(part.text) : undefined
}

/** Where the session ran, for the turn that stands for its start. */
const whereabouts = (meta: JsonObject): Partial<Draft> => ({
  cwd: asText(meta.cwd),
  version: asText(meta.cli_version),
  branch: asText(asObject(meta.git)?.branch),
})

/** How rollouts say that they are written. */
const FORMS = wordSet('legacy paginated')

/** The header of the thread. That of the thread it was forked from may follow it, before copied records. */
function header(meta: JsonObject, at: number | undefined, artifact: Artifact): Payload[] {
  const id = asText(meta.id)
  const base = asObject(meta.history_base)
  const continues = base !== undefined && base.thread_id === id
  const thread = threadOf(artifact) ?? id
  if (id !== undefined && id !== thread && !continues) return [{ type: 'session', origin: id }]
  const forkedFrom = asText(meta.forked_from_id)
  const kind = kindOf(meta)
  // With a base, the records of the parent stay in its file.
  const copies = forkedFrom !== undefined && base === undefined
  const subagent = asObject(asObject(meta.source)?.subagent)
  const spawned = asObject(subagent?.thread_spawn)
  const parentSession = asText(meta.parent_thread_id) ?? asText(spawned?.parent_thread_id)
  const form = asText(meta.history_mode)
  const path = asText(meta.agent_path) ?? asText(spawned?.agent_path)
  const name = path?.slice(path.lastIndexOf('/') + 1) || undefined
  // A turn without a model says in which directory, branch and version the session begins.
  const start: Payload = { type: 'turn', startedBy: starterOf(meta) }
  return [
    start,
    {
      type: 'session',
      sessionId: id,
      parentSession,
      kind,
      ...(name !== undefined && { subagent: { description: name } }),
      ...(form !== undefined && !FORMS.has(form) && { laterForm: form }),
      forkOf: forkedFrom ?? (continues ? id : undefined),
      // A reviewer works in the turn of its parent, and both have its answer.
      ...(kind !== 'subagent' && { namesTurns: true }),
      ...(copies &&
        (kind === 'subagent'
          ? { copies: copiesFrom(asText(meta.cli_version), at) }
          : at !== undefined && { forkedAt: at + AFTER_COPYING_MS })),
    },
  ]
}

/**
 * Sources of threads that a program drives. Versions whose turns do not say who started them have this only.
 */
const OF_PROGRAMS = wordSet('exec mcp')

function starterOf({ source, originator }: JsonObject): 'human' | { program: string } {
  const program = source ?? (originator === 'codex_exec' ? 'exec' : undefined)
  return typeof program === 'string' && OF_PROGRAMS.has(program) ? { program } : 'human'
}

/** Names of what starts a turn. */
const TRIGGER = /^[a-z][a-z_-]{0,20}$/i

/** Who started a turn, since 0.169. Those of subagents have the trigger of the turn that they serve. */
function startedTurn({ turn_attribution }: JsonObject): Payload[] {
  const attribution = asObject(turn_attribution)
  const trigger = asText(attribution?.turn_trigger)
  if (trigger === undefined || !TRIGGER.test(trigger) || asText(attribution?.parent_turn_id)) return []
  return [{ type: 'turn', startedBy: trigger === 'user' ? 'human' : { program: trigger } }]
}

function kindOf({ source, thread_source }: JsonObject): SessionKind | undefined {
  if (asObject(source)?.subagent !== undefined || source === 'subagent' || thread_source === 'subagent')
    return 'subagent'
  return source === 'cli' || source === 'vscode' ? 'human' : undefined
}

/** Nobody types a prompt sooner after a fork, and copying takes less. */
const AFTER_COPYING_MS = 2000
/** Since this version, turns have ids. */
const HAS_TURN_IDS = /^(?:0\.1[1-9]\d|0\.[2-9]\d\d|[1-9])/

/**
 * What a subagent copied of its parent, which is left out. The records have new times, that of the copying,
 * and their old turns: the first turn that is younger than the thread is its own. Where turns had no ids, the
 * time alone tells them.
 */
const copiesFrom = (version: string | undefined, at: number | undefined): true | { olderThan: number } =>
  at === undefined || HAS_TURN_IDS.test(version ?? '') ? true : { olderThan: at + AFTER_COPYING_MS }

/** The ids of threads and turns begin with their time. */
function endOfCopy({ turn_id: turn }: JsonObject, artifact: Artifact): Payload[] {
  const thread = threadOf(artifact)
  const id = THREAD.exec(asText(turn) ?? '')?.[0]
  return id !== undefined && thread !== undefined && id > thread ? [{ type: 'copied' }] : []
}

/** A turn by its id, which begins with the time in ms. */
function turnOf({ turn_id }: JsonObject): { id?: string; begunMs?: number } {
  const id = asText(turn_id)
  if (id === undefined) return {}
  const begunMs = id[14] === '7' ? Number.parseInt(id.replace('-', '').slice(0, 12), 16) : Number.NaN
  return Number.isNaN(begunMs) ? { id } : { id, begunMs }
}

/** A prompt of a person. */
const typed = (parts: readonly Part[], name: string): Payload =>
  parts.length > 0 ? message('human', [...parts]) : skipped(name)

const message = (speaker: 'human' | 'program', parts: Part[], label?: string): Payload => ({
  type: 'message',
  role: 'user',
  speaker,
  parts,
  ...(label === undefined ? { unmarked: true } : { label }),
})

/** A reply of the model. The next record of usage is that of its request. */
const ofModel = (parts: Part[]): Extract<Payload, { type: 'message' }> =>
  spoken(parts, { usageFollows: 'next' })

/** `isAlone`: nothing else in the file repeats the prompts. */
function item(record: JsonObject, isAlone = false): Payload[] {
  const type = asText(record.type) ?? 'untyped'
  switch (type) {
    case 'message':
      return messagePayloads(record, isAlone)
    case 'agent_message':
      return [
        message(
          'program',
          sentParts(record.content),
          record.recipient === '/root' ? 'subagent' : 'parent agent',
        ),
      ]
    case 'reasoning': {
      const text = textOf([...(asArray(record.summary) ?? []), ...(asArray(record.content) ?? [])])
      return text === '' ? [skipped(type)] : [ofModel([{ type: 'thinking', text }])]
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
    case 'tool_search_output':
      return resultIn(record)
    default: {
      const call = callIn(record)
      if (call) return [ofModel([call])]
      return [{ type: SILENT_RESPONSES.has(type) ? 'skipped' : 'unknown', name: type }]
    }
  }
}

/** What the client puts before the words of an agent to another one. */
const HEADER = /^Message Type: [A-Z_]+\nTask name: (.*)\nSender: .*\nPayload:(?:\n|$)/

/**
 * What an agent sent to another one. Mostly the model's servers encrypt a task, whose name is left; what they
 * did not encrypt has spaces.
 */
function sentParts(content: unknown): Part[] {
  const parts = (asArray(content) ?? [content]).flatMap((each): Part[] => {
    const hidden = asText(asObject(each)?.encrypted_content)
    return hidden?.includes(' ')
      ? [{ type: 'text', text: hidden }]
      : textParts(asArray(content) ? [each] : each)
  })
  const [first, ...others] = parts
  const name = first?.type === 'text' ? HEADER.exec(first.text)?.[1] : undefined
  if (first?.type !== 'text' || name === undefined) return parts
  const text = first.text.replace(HEADER, '')
  if (text.trim() !== '') return [{ ...first, text }, ...others]
  return others.length > 0 ? others : [{ ...first, text: name }]
}

/**
 * A message of the model, or one to it. Those of people are in events of their own, except in the first era.
 */
function messagePayloads(record: JsonObject, isAlone: boolean): Payload[] {
  const role = asText(record.role) ?? 'unknown'
  const parts = textParts(record.content)
  if (role === 'assistant') {
    const id = asText(record.id)
    const shown = parts.map((part) =>
      part.type === 'text' ? { ...part, text: withoutTags(part.text) } : part,
    )
    return [{ ...ofModel(shown), ...(id !== undefined && { messageId: id }) }]
  }
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const command = role === 'user' ? injected(text) : 'context'
  if (command !== undefined && command !== 'context')
    return [{ ...message('human', [{ type: 'text', text: command }]), unmarked: false } as Payload]
  if (isAlone && command === undefined) return [typed(typedParts(parts), 'message:user')]
  return [skipped(`message:${role}`)]
}

/** Whether such a message is skipped, as most instructions of the client are. */
export const isSkippedMessage = (record: JsonObject): boolean =>
  record.type === 'message' && messagePayloads(record, false).every(({ type }) => type === 'skipped')

/** In plan mode the client has the model put its plan between tags. */
const withoutTags = (text: string): string =>
  text.includes('<proposed_plan>') ? text.replace(/<\/?proposed_plan>\n?/g, '').trim() : text

function textParts(content: unknown): Part[] {
  const text = asText(content)
  if (text !== undefined) return [{ type: 'text', text }]
  return (asArray(content) ?? []).flatMap((each): Part | [] => {
    const part = asObject(each)
    switch (part?.type) {
      case 'input_text':
      case 'output_text':
      case 'text':
      case 'Text':
        return { type: 'text', text: asText(part.text) ?? '' }
      case 'input_image':
      case 'image':
      case 'local_image':
      case 'localImage':
        return attached(part.path, 'image')
      case 'encrypted_content':
      case 'mention':
      case 'skill':
        return []
      default:
        return { type: 'opaque', name: asText(part?.type) ?? 'untyped' }
    }
  })
}

function event(payload: JsonObject, artifact: Artifact): Payload[] {
  const type = asText(payload.type) ?? 'untyped'
  switch (type) {
    case 'user_message': {
      const kind = asText(payload.kind)
      if (kind !== undefined && kind !== 'plain') return [skipped(`user_message:${kind}`)]
      const media = [
        ...(asArray(payload.images) ?? []).map(() => attached(undefined, 'image')),
        ...(asArray(payload.local_images) ?? []).map((path) => attached(path, 'image')),
      ]
      const text: Part = { type: 'text', text: asText(payload.message) ?? '' }
      return [typed([...typedParts([text]), ...media], type)]
    }
    case 'patch_apply_end':
      return [patched(payload) ?? skipped(type)]
    case 'mcp_tool_call_end':
      return [failureIn(payload) ?? skipped(type)]
    case 'item_completed':
      return completed(asObject(payload.item) ?? {}, isOfOther(payload.thread_id, artifact))
    case 'task_started':
    case 'turn_started': {
      const turn = turnOf(payload)
      const begun: Payload[] = turn.id === undefined ? [] : [{ type: 'turn', ...turn }]
      const payloads = [...endOfCopy(payload, artifact), ...begun, ...startedTurn(payload)]
      return payloads.length > 0 ? payloads : [skipped(type)]
    }
    case 'task_complete':
    case 'turn_complete': {
      const text = asText(asObject(payload.error)?.message)
      return [text === undefined ? skipped(type) : failed(text)]
    }
    case 'error':
      return [failed(asText(payload.message))]
    case 'stream_error':
      return [{ type: 'marker', marker: 'retry', text: asText(payload.message) }]
    case 'thread_settings_applied': {
      const settings = asObject(payload.thread_settings)
      const model = asText(settings?.model)
      return model === undefined || isOfOther(payload.thread_id, artifact)
        ? [skipped(type)]
        : [{ type: 'turn', model, ...termsOf(settings?.service_tier) }]
    }
    case 'turn_aborted':
      return payload.reason === 'interrupted'
        ? [{ type: 'marker', marker: 'interruption', byHuman: true }]
        : [skipped(type)]
    case 'thread_rolled_back':
      return [{ type: 'taken-back', turns: asNumber(payload.num_turns) ?? 1 }]
    case 'thread_name_updated': {
      const title = asText(payload.thread_name)
      return [title ? { type: 'title', title, source: 'custom' } : skipped(type)]
    }
    case 'token_count': {
      const info = asObject(payload.info)
      // With this field, the usage is in a record of its own.
      return info && !('last_usage_includes_reasoning' in info)
        ? used(
            info.last_token_usage,
            info.total_token_usage,
            payload.service_tier ?? info.service_tier,
            artifact,
          )
        : [skipped(type)]
    }
    default:
      return [{ type: isSilent(type) ? 'skipped' : 'unknown', name: type }]
  }
}

const isSilent = (type: string): boolean =>
  SILENT_EVENTS.has(type) || (STAGE.test(type) && SILENT_STAGES.has(type.replace(STAGE, '')))

/** Whether an event is one of another thread, such as the reviewer's. */
const isOfOther = (thread: unknown, { path }: Artifact): boolean =>
  typeof thread === 'string' && !path.includes(thread)

function completed(item: JsonObject, isOther: boolean): Payload[] {
  const type = asText(item.type) ?? 'untyped'
  const outcome = type === 'UserMessage' ? undefined : (failureIn(item) ?? patched(item))
  if (outcome) return [outcome]
  if (type !== 'UserMessage') return [{ type: SILENT_ITEMS.has(type) ? 'skipped' : 'unknown', name: type }]
  const parts = typedParts(textParts(item.content))
  return [isOther ? message('program', parts, 'review') : typed(parts, type)]
}

/**
 * The usage of one request. The thread's total identifies the request, because clients repeat records of it
 * without a new request.
 */
function used(request: unknown, total: unknown, tier: unknown, artifact: Artifact): Payload[] {
  const sum = usageOf(total)
  if (!sum) return [skipped('token_count')]
  // Without the request's own figures, the rise of the total counts.
  const usage = usageOf(request) ?? NO_TOKENS
  const key = [artifact.sessionId, sum.input, sum.cacheRead, sum.cacheWrite, sum.output].join('/')
  return [{ type: 'usage', key, usage, total: sum, ...termsOf(tier) }]
}

/** What a service tier changes in the price of requests. `fast` is the name of `priority` in the settings. */
function termsOf(tier: unknown): { terms?: string[] } {
  if (typeof tier !== 'string') return {}
  if (tier === 'priority' || tier === 'fast') return { terms: ['priority'] }
  return { terms: tier === 'flex' ? [tier] : [] }
}

/** `input_tokens` includes those of the cache, `output_tokens` those of reasoning. */
function usageOf(value: unknown): Usage | undefined {
  const counts = asObject(value)
  const all = asCount(counts?.input_tokens)
  if (!counts || all === undefined) return undefined
  const cacheRead = asCount(counts.cached_input_tokens) ?? 0
  const cacheWrite = asCount(counts.cache_write_input_tokens) ?? 0
  const reasoning = asCount(counts.reasoning_output_tokens) ?? 0
  return {
    input: Math.max(0, all - cacheRead - cacheWrite),
    output: asCount(counts.output_tokens) ?? 0,
    cacheRead,
    cacheWrite,
    ...(reasoning > 0 ? { reasoning } : {}),
  }
}
