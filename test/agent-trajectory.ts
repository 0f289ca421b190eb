import * as z from 'zod'

const extra = z.record(z.string(), z.unknown()).optional()
const tokens = z.int().min(0).optional()

const image = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
    path: z.string(),
  }),
})
const content = z.union([
  z.string(),
  z.array(z.union([z.strictObject({ type: z.literal('text'), text: z.string() }), image])),
])

const subagent = z
  .strictObject({
    trajectory_id: z.string().optional(),
    trajectory_path: z.string().optional(),
    session_id: z.string().optional(),
    extra,
  })
  .refine(({ trajectory_id: id, trajectory_path: path }) => id !== undefined || path !== undefined)

const metrics = z.strictObject({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  cached_tokens: tokens,
  cost_usd: z.number().min(0).optional(),
  prompt_token_ids: z.array(z.int()).optional(),
  completion_token_ids: z.array(z.int()).optional(),
  logprobs: z.array(z.number()).optional(),
  extra,
})

const common = {
  step_id: z.int().min(1),
  timestamp: z.iso.datetime({ offset: true }).optional(),
  message: content,
  observation: z
    .strictObject({
      results: z.array(
        z.strictObject({
          source_call_id: z.string().optional(),
          content: content.optional(),
          subagent_trajectory_ref: z.array(subagent).optional(),
          extra,
        }),
      ),
    })
    .optional(),
  is_copied_context: z.boolean().optional(),
  llm_call_count: tokens,
  extra,
}

/** Only steps of the agent have what a model does. */
const step = z.discriminatedUnion('source', [
  z.strictObject({ ...common, source: z.enum(['system', 'user']) }),
  z
    .strictObject({
      ...common,
      source: z.literal('agent'),
      model_name: z.string().optional(),
      reasoning_effort: z.union([z.string(), z.number()]).optional(),
      reasoning_content: z.string().optional(),
      tool_calls: z
        .array(
          z.strictObject({
            tool_call_id: z.string(),
            function_name: z.string(),
            arguments: z.record(z.string(), z.unknown()),
            extra,
          }),
        )
        .optional(),
      metrics: metrics.optional(),
    })
    .refine((each) => each.llm_call_count !== 0 || (!each.metrics && each.reasoning_content === undefined)),
])

type Step = z.output<typeof step>

const resultsOf = ({ observation }: Step) => observation?.results ?? []
const callsOf = (each: Step): string[] =>
  (each.source === 'agent' ? each.tool_calls : undefined)?.map(({ tool_call_id: id }) => id) ?? []

/**
 * The Agent Trajectory Interchange Format 1.7 with every rule of its published models (Harbor 0.20): no other
 * fields, steps numbered from 1, no id twice among the calls of a step, each result with its call in the same step.
 */
export const trajectory = z
  .strictObject({
    schema_version: z.literal('ATIF-v1.7'),
    session_id: z.string().optional(),
    trajectory_id: z.string().optional(),
    agent: z.strictObject({
      name: z.string(),
      version: z.string(),
      model_name: z.string().optional(),
      tool_definitions: z.array(z.record(z.string(), z.unknown())).optional(),
      extra,
    }),
    steps: z.array(step).min(1),
    notes: z.string().optional(),
    final_metrics: z
      .strictObject({
        total_prompt_tokens: tokens,
        total_completion_tokens: tokens,
        total_cached_tokens: tokens,
        total_cost_usd: z.number().min(0).optional(),
        total_steps: tokens,
        extra,
      })
      .optional(),
    continued_trajectory_ref: z.string().optional(),
    extra,
  })
  .refine(({ steps }) => steps.every(({ step_id: id }, index) => id === index + 1), 'steps are numbered')
  .refine(
    ({ steps }) =>
      steps.every((each) =>
        resultsOf(each).every(({ source_call_id: id }) => id === undefined || callsOf(each).includes(id)),
      ),
    'results have their call',
  )
  .refine(
    ({ steps }) => steps.every((each) => new Set(callsOf(each)).size === callsOf(each).length),
    'calls have an id of their own',
  )
