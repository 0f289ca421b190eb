import type { Root } from '../../../model/artifact.ts'
import { asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import type { SubagentRun } from '../../../model/subagent-run.ts'
import { agentOfKey } from '../cron/job.ts'

/** Where the record of a run was found, and the columns next to it. */
interface RunContext {
  root: Root
  path: string
  id?: string
  child?: string
  parent?: string
  created?: unknown
}

/**
 * Parses the record of a run, of any version. Newer versions moved the outcome into `execution` and the
 * report from `frozenResultText` into `completion`. Undefined if it is not a record.
 */
export function runOf(value: unknown, context: RunContext): SubagentRun | undefined {
  const fields = asObject(value)
  if (!fields) return undefined
  const id = asText(fields.runId) ?? context.id
  const childKey = asText(fields.childSessionKey) ?? context.child
  const task = asText(fields.task)
  if (id === undefined || (childKey === undefined && task === undefined)) return undefined
  const execution = asObject(fields.execution)
  const completion = asObject(fields.completion)
  const outcome = asObject(fields.outcome) ?? asObject(execution?.outcome)
  const parentKey = asText(fields.requesterSessionKey) ?? context.parent
  const endedMs = asTime(fields.endedAt) ?? asTime(execution?.endedAt) ?? asTime(outcome?.endedAt)
  return {
    platform: 'openclaw',
    root: context.root.path,
    id,
    agent: agentOfKey(childKey) ?? asText(fields.requesterAgentId) ?? agentOfKey(parentKey) ?? 'main',
    task: task ?? '',
    label: asText(fields.label),
    model: asText(fields.model),
    status: statusOf(fields, outcome, endedMs),
    error: asText(outcome?.error) ?? asText(asObject(outcome?.error)?.message) ?? asText(fields.error),
    result: asText(fields.frozenResultText) ?? asText(completion?.resultText),
    createdMs: asTime(fields.createdAt) ?? asTime(context.created),
    startedMs: asTime(fields.startedAt) ?? asTime(execution?.startedAt) ?? asTime(outcome?.startedAt),
    endedMs,
    childKey,
    parentKey,
    parentSessionId: asText(fields.completionRequesterSessionId),
    path: context.path,
  }
}

function statusOf(fields: JsonObject, outcome: JsonObject | undefined, endedMs: number | undefined): string {
  const recorded = asText(outcome?.status) ?? asText(fields.outcome) ?? asText(fields.status)
  if (recorded !== undefined) return recorded
  const reason = asText(fields.endedReason)
  if (reason !== undefined) return reason.replace(/^subagent-/, '').replace(/^complete$/, 'ok')
  return endedMs === undefined ? 'running' : 'unknown'
}

/** Maps statuses of the later task table to those of the records. */
const TASK_WORDS: Readonly<Record<string, string>> = {
  succeeded: 'ok',
  completed: 'ok',
  failed: 'error',
  cancelled: 'killed',
  timed_out: 'timeout',
  queued: 'running',
}

/** Parses a row of the task table, which remains after the run's own record was deleted. */
export function runOfTask(row: JsonObject, root: Root, path: string): SubagentRun | undefined {
  const status = asText(row.status)
  return runOf(
    {
      task: row.task,
      label: row.label,
      status: status === undefined ? undefined : (TASK_WORDS[status] ?? status),
      error: row.error,
      frozenResultText: row.summary ?? row.progress,
      createdAt: row.created,
      startedAt: row.started,
      endedAt: row.ended,
    },
    { root, path, id: asText(row.id), child: asText(row.child), parent: asText(row.parent) },
  )
}

/** Merges two records of one run. The first takes precedence. */
export const mergedRun = (one: SubagentRun, other: SubagentRun): SubagentRun =>
  ({
    ...other,
    ...Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined && value !== '')),
    // A record of a finished run is newer than one of a running one.
    ...(one.status === 'running' && other.endedMs !== undefined
      ? { status: other.status, endedMs: other.endedMs, error: other.error }
      : {}),
  }) as SubagentRun
