import type { FileOwner, RecordFacts, RecordOrigin, TableRow } from '../../model/delivery.ts'
import { asText, asTime, type JsonObject } from '../../model/json.ts'

/** The type whose records have an `id` of their own instead of a `uuid`. */
const REQUEST = 'api-request'

export function recordFacts(entry: JsonObject, { kind }: RecordOrigin): RecordFacts {
  const type = asText(entry.type)
  return {
    id: kind === 'transcript' ? ownId(entry, type) : undefined,
    at: asTime(entry.timestamp),
    cwd: asText(entry.cwd) ?? asText(entry.project),
    session: asText(entry.sessionId),
    type,
  }
}

function ownId(entry: JsonObject, type: string | undefined): string | undefined {
  const id = type === REQUEST ? asText(entry.id) : undefined
  return asText(entry.uuid) ?? (id && `${type} ${id} ${String(entry.timestamp)}`)
}

const SUBAGENTS = 'projects/*/*/subagents'

/** A session has its subagents in a folder with its name. */
export function ownerOf(below: string): FileOwner | undefined {
  const parent = /^projects\/[^/]+\/([^/]+)\/subagents\//.exec(below)?.[1]
  return parent === undefined ? undefined : { parent }
}

/** What is collected of Claude Code, and what is not. The first matching row applies. */
export const table: readonly TableRow[] = [
  { pattern: 'projects/*/*.jsonl.compact.tmp.*', skip: 'an unfinished file' },
  { pattern: 'projects/*/*.precompact.json', skip: 'a copy made before a compaction' },
  {
    pattern: 'projects/*/*.jsonl',
    kind: 'transcript',
    priority: 'P0',
    mode: 'incremental',
    content: 'jsonl',
  },
  {
    pattern: `${SUBAGENTS}/**/agent-*.jsonl`,
    kind: 'transcript',
    priority: 'P0',
    mode: 'incremental',
    content: 'jsonl',
  },
  {
    pattern: `${SUBAGENTS}/**/agent-*.meta.json`,
    kind: 'subagent-meta',
    priority: 'P0',
    mode: 'whole',
    content: 'json',
  },
  {
    pattern: 'projects/*/*/workflows/wf_*.json',
    kind: 'subagent-meta',
    priority: 'P0',
    mode: 'whole',
    content: 'json',
    ofFolder: 'above',
  },
  {
    pattern: 'projects/*/*/{custom-title,archived}.json',
    kind: 'session-index',
    priority: 'P0',
    mode: 'whole',
    content: 'json',
    ofFolder: true,
  },
  { pattern: 'history.jsonl', kind: 'prompt-history', priority: 'P1', mode: 'incremental', content: 'jsonl' },
  { pattern: 'todos/*.json', kind: 'todo', priority: 'P1', mode: 'whole', content: 'json' },
  { pattern: 'plans/*.md', kind: 'plan', priority: 'P1', mode: 'whole', content: 'markdown' },
  { pattern: 'projects/*/memory/*.md', kind: 'memory', priority: 'P2', mode: 'whole', content: 'markdown' },
  {
    pattern: 'projects/*/*.jsonl.{full_backup,bak,backup,old,orig,copy,save}*',
    skip: 'a copy of a transcript; --backups reads it, and it is not collected',
  },
  {
    pattern: 'projects/*/sessions-index.json',
    skip: 'a session index of older clients, which repeats the transcripts',
  },
  { pattern: `${SUBAGENTS}/**/journal.jsonl`, skip: 'bookkeeping of a workflow, without messages' },
  {
    pattern: 'projects/*/*/tool-results/*.{txt,json}',
    kind: 'tool-result',
    priority: 'P1',
    mode: 'whole',
    content: 'text',
    output: 'output of tools, large, with copies of files in it; --tool-results collects it',
  },
  { pattern: 'projects/*/*/remote-agents', skip: 'bookkeeping of agents elsewhere' },
  { pattern: 'projects/*/*.cast', skip: 'a recording of the screen' },
  { pattern: '{.credentials,hfi-auth}.json', skip: 'keys of your account' },
  { pattern: '{.claude.json,.claude.json.backup*,backups}', skip: 'account and keys of servers' },
  { pattern: '{settings,settings.local,managed-settings}.json', skip: 'settings, which may contain keys' },
  { pattern: '{shell-snapshots,session-env}', skip: 'environment variables' },
  { pattern: '{plugins,ide}', skip: 'configuration with tokens' },
  { pattern: '{debug,telemetry,statsig}', skip: 'logs that contain tokens' },
  { pattern: '{paste-cache,image-cache,file-history}', skip: 'copies of whole files, secrets included' },
  { pattern: '{daemon,sessions/*.key}', skip: 'keys for controlling background sessions' },
  { pattern: '{sessions,jobs,teams,tasks,usage-data}', skip: 'state and sums of programs that run or ran' },
  {
    pattern: 'projects/*/*/workflows/scripts',
    skip: 'scripts of workflows, whose messages are in transcripts',
  },
]
