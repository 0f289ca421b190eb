import type { Usage } from '../model/event.ts'
import type { JsonObject } from '../model/json.ts'
import type { Item, Session } from '../model/session.ts'

/** The version of the Agent Trajectory Interchange Format that is written. */
const VERSION = 'ATIF-v1.7'

interface Metrics {
  prompt_tokens: number
  completion_tokens: number
  cached_tokens: number
  cost_usd?: number
  extra?: JsonObject
}

interface ToolCall {
  tool_call_id: string
  function_name: string
  arguments: JsonObject
}

interface Result {
  source_call_id?: string
  content?: string
  subagent_trajectory_ref?: SubagentRef[]
  extra?: JsonObject
}

/** Where the trajectory of a subagent is. */
export interface SubagentRef {
  trajectory_id: string
  trajectory_path: string
  session_id: string
}

/** A step of a trajectory. Only steps of the agent have a model, calls and metrics. */
export interface Step {
  step_id: number
  timestamp?: string
  source: 'system' | 'user' | 'agent'
  model_name?: string
  message: string
  reasoning_content?: string
  tool_calls?: ToolCall[]
  observation?: { results: Result[] }
  metrics?: Metrics
  llm_call_count?: number
  extra?: JsonObject
}

/** What a record has besides the item: a thought, an output or a summary, or the arguments of a call. */
export interface Contents {
  detail?: string
  arguments?: JsonObject
}

/** A step that may still get results, or more of the same reply. */
interface OpenStep {
  step: Step
  reply: number | string | undefined
  /** The calls that have no result yet. */
  waiting: Set<string>
}

/** A step whose call never gets a result is written after so many others. */
const MOST_OPEN = 500

/**
 * Makes steps of items, in order. A step of the agent is one reply with its calls and their results, so it is
 * returned when all results are there.
 */
export function createSteps(model: string | undefined, subagents: ReadonlyMap<string, SubagentRef[]>) {
  const open: OpenStep[] = []
  const counted = new Set<number>()
  let written = 0
  let abandoned = 0

  function begin(item: Item, step: Omit<Step, 'step_id' | 'timestamp'>, reply?: OpenStep['reply']): OpenStep {
    const timestamp = item.at === undefined ? {} : { timestamp: new Date(item.at).toISOString() }
    const begun = { step: { step_id: 0, ...timestamp, ...step }, reply, waiting: new Set<string>() }
    open.push(begun)
    return begun
  }

  /** The step that an item of the agent belongs to: the last one, if it is of the same reply. */
  function ofAgent(item: Item): OpenStep {
    const reply = item.reply ?? item.messageId
    const last = open.at(-1)
    const joins =
      last?.step.source === 'agent' &&
      last.reply === reply &&
      (reply !== undefined || last.step.observation === undefined)
    const own = joins ? last : begin(item, { source: 'agent', message: '' }, reply)
    const { step } = own
    const { usage } = item
    if (usage?.model !== undefined && usage.model !== model) step.model_name = usage.model
    if (usage && item.reply !== undefined && !counted.has(item.reply)) {
      counted.add(item.reply)
      step.metrics = metricsOf(usage)
      step.llm_call_count = 1
    }
    return own
  }

  function addText(
    { step }: OpenStep,
    field: 'message' | 'reasoning_content',
    text: string | undefined,
  ): void {
    if (text !== undefined && text !== '') step[field] = step[field] ? `${step[field]}\n\n${text}` : text
  }

  function called(item: Item, { arguments: given = {} }: Contents): void {
    const { step, waiting } = ofAgent(item)
    const id = item.callId ?? `${item.line}-${item.order}`
    step.tool_calls ??= []
    step.tool_calls.push({ tool_call_id: id, function_name: item.tool?.name ?? 'unknown', arguments: given })
    if (item.callId !== undefined) waiting.add(id)
  }

  function answered(item: Item, { detail }: Contents): void {
    const id = item.callId
    const own = id === undefined ? undefined : open.findLast(({ waiting }) => waiting.has(id))
    const content = detail === undefined ? {} : { content: detail }
    if (!own || id === undefined) {
      // Its call is in no step: the client cut it off, or gave it no id.
      const extra = id === undefined ? {} : { extra: { tool_call_id: id } }
      begin(item, { source: 'system', message: '', observation: { results: [content] }, ...extra })
      return
    }
    own.waiting.delete(id)
    const refs = subagents.get(id)
    own.step.observation ??= { results: [] }
    own.step.observation.results.push({
      source_call_id: id,
      ...content,
      ...(refs ? { subagent_trajectory_ref: refs } : {}),
    })
  }

  /** An error follows the result that it is about. One of the client itself is a step. */
  function failed(item: Item): void {
    const id = item.callId
    const about = open.flatMap(({ step }) => step.observation?.results ?? [])
    const result = id === undefined ? undefined : about.findLast((each) => each.source_call_id === id)
    if (result) result.extra = { error: item.sure === false ? 'possible' : true }
    else begin(item, { source: 'system', message: item.text ?? '', extra: { error: true } })
  }

  function take(isLast: boolean): Step[] {
    const done: Step[] = []
    while (open.length > (isLast ? 0 : 1)) {
      if (!isLast && open[0]!.waiting.size > 0 && open.length <= MOST_OPEN) break
      const { step } = open.shift()!
      written++
      done.push({ ...step, step_id: written })
    }
    return done
  }

  return {
    /** Returns the steps that are complete now. */
    add(item: Item, contents: Contents): Step[] {
      if (item.offBranch) {
        abandoned++
        return []
      }
      const { who, text, label, media } = item
      if (who === 'human' || who === 'program') {
        const extra = {
          ...(who === 'program' ? { speaker: 'program' } : {}),
          ...(label === undefined ? {} : { label }),
          ...(media === undefined ? {} : { media }),
        }
        const more = Object.keys(extra).length > 0 ? { extra } : {}
        begin(item, { source: 'user', message: text ?? '', ...more })
      } else if (who === 'agent') {
        const isThought = label === 'thinking'
        addText(ofAgent(item), isThought ? 'reasoning_content' : 'message', contents.detail ?? text)
      } else if (who === 'tool') {
        if (label === 'output') answered(item, contents)
        else called(item, contents)
      } else if (who === 'error') failed(item)
      else if (who === 'marker')
        begin(item, {
          source: 'system',
          message: contents.detail ?? text ?? '',
          extra: { marker: item.marker ?? 'note' },
        })
      return take(false)
    },
    /** Returns the rest. */
    end: (): Step[] => take(true),
    count: (): { steps: number; abandoned: number } => ({ steps: written, abandoned }),
  }
}

/** Tokens of the prompt include those from the cache. */
function metricsOf({ input, output, cacheRead, cacheWrite, cost }: Usage): Metrics {
  return {
    prompt_tokens: input + cacheRead + cacheWrite,
    completion_tokens: output,
    cached_tokens: cacheRead,
    ...(cost === undefined ? {} : { cost_usd: cost }),
    ...(cacheWrite > 0 ? { extra: { cache_write_tokens: cacheWrite } } : {}),
  }
}

/** The fields of a trajectory that precede its steps. */
export const trajectoryHead = ({ id, platform, agent, version, model }: Session): JsonObject => ({
  schema_version: VERSION,
  session_id: id,
  trajectory_id: id,
  agent: {
    name: platform,
    version: version ?? 'unknown',
    ...(model === undefined ? {} : { model_name: model }),
    extra: { agent },
  },
})

/** The fields that follow. `isWhole`: the steps are all of the session, so that its totals are theirs. */
export function trajectoryEnd(
  { title, kind, cwds, branches, parentSessionId, parentCallId, usage }: Session,
  { steps, abandoned }: { steps: number; abandoned: number },
  { isWhole, redacted }: { isWhole: boolean; redacted: boolean },
): JsonObject {
  const totals = isWhole && usage ? metricsOf(usage) : undefined
  const notes = [
    `Exported by Scrollback${redacted ? '; secrets are redacted' : ''}.`,
    ...(isWhole ? [] : ['Only a part of the session.']),
    ...(abandoned > 0 ? [`${abandoned} records of abandoned branches are left out.`] : []),
  ]
  return {
    notes: notes.join(' '),
    final_metrics: {
      ...(totals
        ? {
            total_prompt_tokens: totals.prompt_tokens,
            total_completion_tokens: totals.completion_tokens,
            total_cached_tokens: totals.cached_tokens,
          }
        : {}),
      ...(totals?.cost_usd === undefined ? {} : { total_cost_usd: totals.cost_usd }),
      total_steps: steps,
      ...(totals?.extra ? { extra: totals.extra } : {}),
    },
    extra: {
      kind,
      ...(title === undefined ? {} : { title }),
      ...(cwds[0] === undefined ? {} : { cwd: cwds[0][0] }),
      ...(branches === undefined ? {} : { git_branch: branches.at(-1) }),
      ...(parentSessionId === undefined ? {} : { parent_session_id: parentSessionId }),
      ...(parentCallId === undefined ? {} : { parent_tool_call_id: parentCallId }),
    },
  }
}
