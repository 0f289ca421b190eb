import type { CollectedRow, TableRow } from '../../model/delivery.ts'

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
export const table: readonly TableRow[] = [
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
  {
    pattern: 'cron/runs/*.jsonl{,.migrated,.migrated.*}',
    ...{ kind: 'cron-runs', priority: 'P1', mode: 'incremental', content: 'jsonl' },
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
    ...{ kind: 'persona', ...TEXT },
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
