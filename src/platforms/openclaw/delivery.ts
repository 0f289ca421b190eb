import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type {
  CollectedRow,
  RecordFacts,
  RecordKind,
  RecordOrigin,
  TableEntry,
  TableRow,
} from '../../model/delivery.ts'
import { asArray, asObject, asText, asTime, firstOf, type JsonObject } from '../../model/json.ts'
import type { Delivery } from '../platform.ts'
import { ask, askState } from './database/connection.ts'
import { pendingRows, sessionsOf } from './database/sessions.ts'
import { UNPACKED_PENDING } from './pending.ts'
import { CRON_STATEMENTS, SUBAGENT_STATEMENTS } from './statements.ts'
import { unpackedState } from './unpacked-state.ts'

/** Fields with a session key, the most reliable first. */
const KEYS = ['childSessionKey', 'sessionKey', 'key'] as const
const SESSION_PATH = /^(.*)\/agent\/openclaw-agent\.sqlite(#.*)?$/s

function record(entry: JsonObject, origin: RecordOrigin): RecordFacts {
  const type = asText(entry.type)
  const id = origin.kind === 'transcript' ? asText(entry.id) : undefined
  return {
    // Ids have eight digits, and the header's is that of its session.
    id: id && `${String(entry.type)} ${id} ${String(entry.timestamp)}`,
    at:
      asTime(entry.timestamp) ??
      asTime(asObject(entry.message)?.timestamp) ??
      asTime(entry.ts) ??
      asTime(entry.runAtMs),
    cwd: asText(entry.cwd),
    session: sessionOf(entry, origin),
    type,
  }
}

/**
 * The id in the record, the one at the end of a key, or the one that the session index has for the key. A row
 * of a database has the record in a column. The task of a subagent whose session is not known is of the
 * session that started it.
 */
function sessionOf(entry: JsonObject, { kind, sessions }: RecordOrigin): string | undefined {
  const isRun = kind === 'cron-runs' || kind === 'subagent-runs'
  const records = [entry, ...(isRun ? [asObject(entry.payload) ?? {}, asObject(entry.entry) ?? {}] : [])]
  /** The first of these fields, in the first record that makes something of it. */
  const first = (names: readonly string[], made: (value: string) => string | undefined) => {
    for (const record of records)
      for (const name of names) {
        const value = asText(record[name])
        const id = value === undefined ? undefined : made(value)
        if (id !== undefined) return id
      }
    return undefined
  }
  const stated = (id: string): string => id
  const ofKey = (key: string): string | undefined =>
    /:run:([^:]+)$/.exec(key)?.[1] ?? (sessions && Object.hasOwn(sessions, key) ? sessions[key] : undefined)
  const own = first(['sessionId', 'activeSessionId'], stated) ?? first(KEYS, ofKey)
  if (own !== undefined || !isRun) return own
  return (
    first(['child'], ofKey) ??
    first(['completionRequesterSessionId'], stated) ??
    first(['requesterSessionKey', 'parent'], ofKey)
  )
}

/** Splits a session index by session, and lists by job or run. */
function entries(value: unknown, kind: RecordKind): TableEntry[] | undefined {
  const root = asObject(value)
  const list = asArray(value) ?? asArray(root?.jobs) ?? asArray(root?.runs)
  if (list && list.length > 0)
    return list.map((raw, index) => ({ key: keyIn(raw) ?? String(index), at: timeIn(raw), raw }))
  if (list) return undefined
  const inner = firstOf(asObject, root, 'agents', 'jobs', 'runs')
  const named = Object.entries(inner ?? (kind === 'session-index' ? root : undefined) ?? {})
  return named.length > 0
    ? named.map(([key, raw]) => ({ key, at: timeIn(raw), raw: { [key]: raw } }))
    : undefined
}

const keyIn = (value: unknown): string | undefined => {
  const fields = asObject(value)
  return firstOf(asText, fields, 'key', 'id', 'jobId', 'runId')
}

const timeIn = (value: unknown): number | undefined => {
  const fields = asObject(value)
  return firstOf(asTime, fields, 'updatedAt', 'updatedAtMs', 'createdAt')
}

/** Sessions in a database are unpacked as the files of older versions, and other rows as rows. */
function fileOf(path: string, kind: RecordKind, session: string | null): string[] | undefined {
  if (path === STATE) return ['state', unpackedState(kind)]
  const found = SESSION_PATH.exec(path)
  if (!found) return undefined
  const folder = [...found[1]!.split('/'), 'sessions']
  if (kind === 'prompt-history') return [...found[1]!.split('/'), 'agent', UNPACKED_PENDING]
  if (kind === 'session-index' && found[2] === undefined) return [...folder, 'sessions.json']
  return kind === 'transcript' && found[2] !== undefined
    ? [...folder, `${session ?? 'unknown'}.jsonl`]
    : undefined
}

/**
 * The statements for each kind in the state database. Of alternatives, the first that fits the schema is
 * used.
 */
const STATEMENTS: Partial<
  Record<RecordKind, readonly (readonly [table: string, ...statements: string[]])[]>
> = {
  'cron-jobs': [['cron_jobs', CRON_STATEMENTS.jobs, CRON_STATEMENTS.olderJobs]],
  'cron-runs': [
    ['cron_run_logs', CRON_STATEMENTS.runLogs],
    ['task_runs', CRON_STATEMENTS.taskRuns],
    ['cron_run_receipts', CRON_STATEMENTS.receipts],
  ],
  'subagent-runs': [
    ['subagent_runs', SUBAGENT_STATEMENTS.runs],
    ['task_runs', SUBAGENT_STATEMENTS.tasks],
  ],
}
/** Columns that contain JSON. */
const JSON_COLUMNS: readonly string[] = ['job', 'state', 'entry', 'payload']

/** Named columns of named tables in OpenClaw's databases. Throws engine errors. */
function tableRows(root: string, kind: RecordKind, path: string): TableEntry[] {
  if (kind === 'prompt-history') return ask(path, pendingRows)
  return kind === 'session-index' ? sessionRows(root, path) : stateRows(kind, path)
}

/** What an agent's database says about its sessions, without their transcripts. */
function sessionRows(root: string, path: string): TableEntry[] {
  const agent = /[/\\]agents[/\\]([^/\\]+)[/\\]/.exec(path)?.[1] ?? 'main'
  const sessions = ask(path, (connection) => sessionsOf(connection, path, root, agent)) ?? []
  return sessions.map(
    ({ sessionId, sessionKey, titleHint, titleHintByHand, entry, state, modifiedMs, parentSessionId }) => ({
      key: sessionKey ?? sessionId,
      at: modifiedMs,
      raw: {
        ...{
          sessionId,
          sessionKey: sessionKey ?? '',
          title: titleHint,
          state,
          updatedAt: modifiedMs,
          parentSessionId,
          ...entry,
        },
        ...(titleHint !== undefined && !titleHintByHand && { titleByHand: false }),
      },
    }),
  )
}

function stateRows(kind: RecordKind, path: string): TableEntry[] {
  return askState(path, (database) =>
    (STATEMENTS[kind] ?? []).flatMap(([table, ...statements]) => entriesOf(table, database, statements)),
  )
}

/** The error for a table or column that an older or newer schema lacks. */
const UNKNOWN_NAME = /^no such (?:table|column)/

function entriesOf(table: string, database: DatabaseSync, statements: readonly string[]): TableEntry[] {
  for (const statement of statements)
    try {
      return database
        .prepare(statement)
        .all()
        .map((row, index) => entryOf(table, row, index))
    } catch (error) {
      if (!UNKNOWN_NAME.test((error as Error).message)) throw error
    }
  return []
}

function entryOf(table: string, row: Record<string, unknown>, index: number): TableEntry {
  const raw = Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      value === null ? [] : [[name, JSON_COLUMNS.includes(name) ? parsed(value) : value]],
    ),
  )
  const at = asTime(row.started) ?? asTime(row.updated) ?? asTime((raw.entry as { ts?: unknown })?.ts)
  return { key: `${table} ${row.id ?? index}`, at, raw: { table, ...raw } }
}

function parsed(value: unknown): unknown {
  try {
    return JSON.parse(String(value))
  } catch {
    return value
  }
}

/** A job and a subagent have one row, a job has one of each of its runs. */
function rowKey(row: JsonObject, kind: RecordKind): string {
  if (kind === 'prompt-history') return `${row.sessionId} ${row.seq}`
  if (kind !== 'cron-runs') return `${row.table} ${row.id}`
  return `${row.table} ${row.id} ${row.started ?? hash('sha256', JSON.stringify(row), 'hex')}`
}

const TRANSCRIPT = {
  kind: 'transcript',
  priority: 'P0',
  mode: 'incremental',
  content: 'jsonl',
} as const satisfies Omit<CollectedRow, 'pattern'>
const WHOLE = { mode: 'whole', content: 'json' } as const
const TEXT = { priority: 'P2', mode: 'whole', content: 'markdown' } as const
const SESSIONS = 'agents/*/sessions'
const ARCHIVE = 'agents/*/session-sqlite-import-archive'
const DATABASE = 'agents/*/agent/openclaw-agent.sqlite'
const STATE = 'state/openclaw.sqlite'

/**
 * What is collected of OpenClaw, of every agent and version, and what is not. The first matching row applies.
 */
const table: readonly TableRow[] = [
  {
    pattern: '{sessions,agents/*/sessions}/*.jsonl.deleted.*',
    ...TRANSCRIPT,
    deleted: 'deleted sessions; --deleted collects them',
  },
  {
    pattern: `${SESSIONS}/**/*.checkpoint.*.jsonl`,
    skip: 'a copy made before a compaction: it repeats its session',
  },
  { pattern: `${SESSIONS}/**/*.jsonl.bak*`, skip: 'a copy: it repeats its session' },
  {
    pattern: `${SESSIONS}/**/*.{trajectory,acp-stream}.jsonl`,
    skip: 'a trace of the program, not a transcript',
  },
  { pattern: `${SESSIONS}/sessions.json.bak*`, skip: 'a copy of the index' },
  { pattern: '{sessions,agents/*/sessions}/*.jsonl', ...TRANSCRIPT },
  { pattern: '{sessions,agents/*/sessions}/*.jsonl.reset.*', ...TRANSCRIPT },
  { pattern: `${SESSIONS}/_archived/*.jsonl*`, ...TRANSCRIPT },
  { pattern: `${ARCHIVE}/*.jsonl*.imported-*`, ...TRANSCRIPT },
  { pattern: `${DATABASE}#*`, ...TRANSCRIPT, content: 'rows' },
  { pattern: '{sessions,agents/*/sessions}/sessions.json', kind: 'session-index', priority: 'P0', ...WHOLE },
  { pattern: `${ARCHIVE}/*sessions.json.imported-*`, kind: 'session-index', priority: 'P0', ...WHOLE },
  {
    pattern: `${SESSIONS}/*.jsonl.{full_backup,backup,old,orig,copy,save}*`,
    skip: 'a copy of a transcript; --backups reads it, and it is not collected',
  },
  { pattern: DATABASE, kind: 'session-index', priority: 'P0', mode: 'whole', content: 'rows' },
  { pattern: DATABASE, kind: 'prompt-history', priority: 'P1', mode: 'whole', content: 'rows' },
  {
    pattern: 'cron/runs/*.jsonl{,.migrated,.migrated.*}',
    kind: 'cron-runs',
    priority: 'P1',
    mode: 'incremental',
    content: 'jsonl',
  },
  { pattern: 'cron/jobs{,-state}.json{,.migrated,.migrated.*}', kind: 'cron-jobs', priority: 'P1', ...WHOLE },
  { pattern: STATE, kind: 'cron-jobs', priority: 'P1', mode: 'whole', content: 'rows' },
  { pattern: STATE, kind: 'cron-runs', priority: 'P1', mode: 'whole', content: 'rows' },
  { pattern: 'subagents/runs.json{,.migrated,.migrated.*}', kind: 'subagent-runs', priority: 'P1', ...WHOLE },
  { pattern: STATE, kind: 'subagent-runs', priority: 'P1', mode: 'whole', content: 'rows' },
  { pattern: '{workspace,workspace-*}/{MEMORY,memory}.md', kind: 'memory', ...TEXT },
  { pattern: '{workspace,workspace-*}/memory/*.md', kind: 'memory', ...TEXT },
  {
    pattern: '{workspace,workspace-*}/{SOUL,IDENTITY,USER,AGENTS,TOOLS,HEARTBEAT,BOOT,BOOTSTRAP}.md',
    kind: 'persona',
    ...TEXT,
  },
  { pattern: '{workspace,workspace-*}/reports', skip: 'made by agents, and too large' },
  { pattern: '{openclaw,clawdbot,moltbot,moldbot}.json{,.bak*}', skip: 'configuration with keys' },
  { pattern: '{.env,secrets.json}', skip: 'keys' },
  { pattern: '{credentials,identity,devices,nodes,mcp-oauth}', skip: 'keys of accounts and devices' },
  { pattern: 'exec-approvals.json', skip: 'a token' },
  { pattern: 'agents/*/agent/{auth-profiles,auth,models}.json*', skip: 'keys of model providers' },
  { pattern: 'agents/*/agent/codex-home', skip: 'keys of another program' },
  { pattern: '{telegram,whatsapp,signal,discord,slack}', skip: 'the state of a channel with its keys' },
  { pattern: '{browser,sandboxes}', skip: 'profiles and cookies' },
  { pattern: '{hooks,logs}', skip: 'may contain tokens' },
  { pattern: '{media,canvas,cache,extensions,skills}', skip: 'contain no messages' },
  { pattern: 'memory/*.sqlite*', skip: 'an index that repeats the memory files and transcripts' },
]

export const delivery: Delivery = {
  table,
  record,
  entries,
  rows: tableRows,
  fileOf,
  rowKey,
}
