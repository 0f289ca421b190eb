import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { fileInside, NO_LINKS } from '../../io/directories.ts'
import { databaseFault } from '../../io/sqlite.ts'
import type { Root } from '../../model/artifact.ts'
import { asArray, asObject, asText, asTime, type JsonObject, parsedJson } from '../../model/json.ts'
import {
  beginOfRun,
  runStatus,
  type Spawn,
  type SubagentBook,
  type SubagentRun,
} from '../../model/subagent-run.ts'
import { hasColumns, tablesOf } from '../database-connections.ts'
import { blocksOf, callIdOf } from '../pi-records/entry.ts'
import { agentOfKey } from './cron/records.ts'
import { askState } from './database/connection.ts'
import { createLister, hasFolder, readJson } from './files.ts'
import { SUBAGENT_STATEMENTS } from './statements.ts'
import { unpackedStateRows } from './unpacked-state.ts'

const FILE = /^runs\.json(?:\.migrated(?:\.\d+)?)?$/

/**
 * The subagent runs of a state directory. The allow-list: `subagents/runs.json` with the copies that a
 * migration left, and named columns of `state/openclaw.sqlite`, or those that an archive has of it. What
 * cannot be read becomes a notice.
 */
export function subagentRuns(root: Root): SubagentBook {
  const { notices, notice, list } = createLister()
  const runs = new Map<string, SubagentRun>()
  let strange = 0
  const add = (run: SubagentRun | undefined): void => {
    if (!run) strange++
    else runs.set(run.id, runs.has(run.id) ? mergedRun(runs.get(run.id)!, run) : run)
  }
  database(join(root.path, 'state', 'openclaw.sqlite'))
  if (enters(root.path, 'subagents'))
    for (const name of names(join(root.path, 'subagents'))) file(join(root.path, 'subagents', name))
  const begin = (run: SubagentRun): number => beginOfRun(run) ?? 0
  return { runs: [...runs.values()].sort((a, b) => begin(b) - begin(a) || (a.id < b.id ? -1 : 1)), notices }

  function database(path: string): void {
    if (enters(root.path, 'state') && fileInside(dirname(path), path, NO_LINKS))
      attempt(path, () => askState(path, (connection) => read(connection, path)))
    else attempt(path, () => fromArchive(path))
  }

  function fromArchive(path: string): void {
    for (const row of unpackedStateRows(root.path, 'subagent-runs') ?? [])
      add(
        row.table === 'subagent_runs'
          ? runOf(row.payload, root.path, path, asText(row.id))
          : runOfTask(row, root.path, path),
      )
  }

  function read(connection: DatabaseSync, path: string): void {
    const tables = tablesOf(connection, SUBAGENT_STATEMENTS.columns)
    const has = (table: string, ...names: string[]): boolean => hasColumns({ tables }, table, ...names)
    if (has('subagent_runs', 'run_id', 'payload_json'))
      for (const { id, payload } of connection.prepare(SUBAGENT_STATEMENTS.runs).iterate())
        add(runOf(parsedJson(payload), root.path, path, asText(id)))
    if (
      has('task_runs', 'runtime', 'source_id', 'child_session_key', 'requester_session_key', 'task') &&
      has('task_runs', 'label', 'status', 'error', 'terminal_summary', 'progress_summary', 'created_at')
    )
      for (const row of connection.prepare(SUBAGENT_STATEMENTS.tasks).all())
        add(runOfTask(row, root.path, path))
  }

  function file(path: string): void {
    attempt(path, () => {
      const value = readJson(path)
      const found = asObject(value)?.runs ?? value
      for (const each of asArray(found) ?? Object.entries(asObject(found) ?? {}))
        add(Array.isArray(each) ? runOf(each[1], root.path, path, each[0]) : runOf(each, root.path, path))
    })
  }

  /** The file itself, then its copies. */
  function names(folder: string): string[] {
    return list(folder)
      .flatMap(({ name }) =>
        FILE.test(name) && fileInside(folder, join(folder, name), (target) => FILE.test(target)) ? name : [],
      )
      .sort()
  }

  function enters(directory: string, name: string): boolean {
    return hasFolder(directory, list(directory), name)
  }

  function attempt(path: string, work: () => void): void {
    const before = strange
    try {
      work()
    } catch (error) {
      const reason =
        error instanceof SyntaxError
          ? error.message
          : path.endsWith('.sqlite')
            ? databaseFault(error).what
            : String(error)
      notice(path, `its subagent runs cannot be read (${reason})`)
    }
    const left = strange - before
    if (left > 0) notice(path, `${left === 1 ? 'an entry' : `${left} entries`} not valid as a subagent run`)
  }
}

/**
 * Parses the record of a run, of any version. Newer versions moved the outcome into `execution` and the
 * report from `frozenResultText` into `completion`. Undefined if it is not a record.
 */
function runOf(value: unknown, root: string, path: string, ownId?: string): SubagentRun | undefined {
  const fields = asObject(value)
  if (!fields) return undefined
  const id = asText(fields.runId) ?? ownId
  const childKey = asText(fields.childSessionKey)
  const task = asText(fields.task)
  if (id === undefined || (childKey === undefined && task === undefined)) return undefined
  const execution = asObject(fields.execution)
  const completion = asObject(fields.completion)
  const outcome = asObject(fields.outcome) ?? asObject(execution?.outcome)
  const parentKey = asText(fields.requesterSessionKey)
  const endedMs = asTime(fields.endedAt) ?? asTime(execution?.endedAt) ?? asTime(outcome?.endedAt)
  return {
    platform: 'openclaw',
    root,
    id,
    agent: agentOfKey(childKey) ?? asText(fields.requesterAgentId) ?? agentOfKey(parentKey) ?? 'main',
    task: task ?? '',
    label: asText(fields.label),
    model: asText(fields.model),
    status: statusOf(fields, outcome, endedMs),
    error: asText(outcome?.error) ?? asText(asObject(outcome?.error)?.message) ?? asText(fields.error),
    result: asText(fields.frozenResultText) ?? asText(completion?.resultText),
    createdMs: asTime(fields.createdAt),
    startedMs: asTime(fields.startedAt) ?? asTime(execution?.startedAt) ?? asTime(outcome?.startedAt),
    endedMs,
    childKey,
    parentKey,
    parentSessionId: asText(fields.completionRequesterSessionId),
    path,
  }
}

function statusOf(fields: JsonObject, outcome: JsonObject | undefined, endedMs: number | undefined): string {
  const recorded = asText(outcome?.status) ?? asText(fields.outcome) ?? asText(fields.status)
  if (recorded !== undefined) return recorded
  const reason = asText(fields.endedReason)
  if (reason !== undefined) return reason.replace(/^subagent-/, '').replace(/^complete$/, 'ok')
  return endedMs === undefined ? 'running' : 'unknown'
}

/** Parses a row of the task table, which remains after the run's own record was deleted. */
function runOfTask(row: JsonObject, root: string, path: string): SubagentRun | undefined {
  const status = asText(row.status)
  return runOf(
    {
      childSessionKey: row.child,
      requesterSessionKey: row.parent,
      task: row.task,
      label: row.label,
      status: status && runStatus(status),
      error: row.error,
      frozenResultText: row.summary ?? row.progress,
      createdAt: row.created,
      startedAt: row.started,
      endedAt: row.ended,
    },
    root,
    path,
    asText(row.id),
  )
}

/** Merges two records of one run. The first takes precedence. */
const mergedRun = (one: SubagentRun, other: SubagentRun): SubagentRun =>
  ({
    ...other,
    ...Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined && value !== '')),
    // A record of a finished run is newer than one of a running one.
    ...(one.status === 'running' && other.endedMs !== undefined
      ? { status: other.status, endedMs: other.endedMs, error: other.error }
      : {}),
  }) as SubagentRun

/** The tool that starts a subagent. */
const SPAWN = 'sessions_spawn'
/** A line without any of these cannot mention a subagent. */
export const SPAWN_WORDS = [SPAWN, 'childSessionKey'] as const

/** Tool calls that start a subagent, and results that contain the key of the started one. */
export function spawns(value: unknown): Spawn[] {
  const message = asObject(asObject(value)?.message) ?? asObject(value)
  if (!message) return []
  const found: Spawn[] = []
  const child = asText(asObject(message.details)?.childSessionKey)
  if (child !== undefined) found.push({ callId: callIdOf(message), child })
  for (const block of blocksOf(message.content))
    if (block.kind === 'call' && block.part.name === SPAWN) {
      const input = asObject(block.part.input)
      const prompt = asText(input?.task) ?? asText(input?.message)
      found.push({ callId: block.part.callId, prompt })
    }
  return found
}
