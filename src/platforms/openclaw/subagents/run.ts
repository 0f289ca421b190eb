import type { Root } from '../../../model/artifact.ts'
import { asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import type { SubagentRun } from '../../../model/subagent-run.ts'
import { agentOfKey } from '../cron/job.ts'

/** Where a record of a run stands, and what columns beside it tell. */
export interface Beside {
  root: Root
  path: string
  id?: string
  child?: string
  parent?: string
  created?: unknown
}

/**
 * A record of a run, of any version: what ended it moved from the record itself into `execution`, its report from
 * `frozenResultText` into `completion`. Undefined for what is no record.
 */
export function runOf(value: unknown, beside: Beside): SubagentRun | undefined {
  const fields = asObject(value)
  if (!fields) return undefined
  const id = asText(fields.runId) ?? beside.id
  const childKey = asText(fields.childSessionKey) ?? beside.child
  const task = asText(fields.task)
  if (id === undefined || (childKey === undefined && task === undefined)) return undefined
  const execution = asObject(fields.execution)
  const completion = asObject(fields.completion)
  const outcome = asObject(fields.outcome) ?? asObject(execution?.outcome)
  const parentKey = asText(fields.requesterSessionKey) ?? beside.parent
  const endedMs = asTime(fields.endedAt) ?? asTime(execution?.endedAt) ?? asTime(outcome?.endedAt)
  return {
    platform: 'openclaw',
    root: beside.root.path,
    id,
    agent: agentOfKey(childKey) ?? asText(fields.requesterAgentId) ?? agentOfKey(parentKey) ?? 'main',
    task: task ?? '',
    label: asText(fields.label),
    model: asText(fields.model),
    status: statusOf(fields, outcome, endedMs),
    error: asText(outcome?.error) ?? asText(asObject(outcome?.error)?.message) ?? asText(fields.error),
    result: asText(fields.frozenResultText) ?? asText(completion?.resultText),
    createdMs: asTime(fields.createdAt) ?? asTime(beside.created),
    startedMs: asTime(fields.startedAt) ?? asTime(execution?.startedAt) ?? asTime(outcome?.startedAt),
    endedMs,
    childKey,
    parentKey,
    parentSessionId: asText(fields.completionRequesterSessionId),
    path: beside.path,
  }
}

function statusOf(fields: JsonObject, outcome: JsonObject | undefined, endedMs: number | undefined): string {
  const told = asText(outcome?.status) ?? asText(fields.outcome) ?? asText(fields.status)
  if (told !== undefined) return told
  const reason = asText(fields.endedReason)
  if (reason !== undefined) return reason.replace(/^subagent-/, '').replace(/^complete$/, 'ok')
  return endedMs === undefined ? 'running' : 'unknown'
}

/** Statuses of the later table of tasks in the words of the records. */
const TASK_WORDS: Readonly<Record<string, string>> = {
  succeeded: 'ok',
  completed: 'ok',
  failed: 'error',
  cancelled: 'killed',
  timed_out: 'timeout',
  queued: 'running',
}

/** A row of the table of tasks: what is left of a run once its own record was swept. */
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

/** Two records of one run: what the first does not tell, the other may. */
export const mergedRun = (one: SubagentRun, other: SubagentRun): SubagentRun =>
  ({
    ...other,
    ...Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined && value !== '')),
    // Whoever saw it end knows more than whoever saw it run.
    ...(one.status === 'running' && other.endedMs !== undefined
      ? { status: other.status, endedMs: other.endedMs, error: other.error }
      : {}),
  }) as SubagentRun
