import { type FileOwner, type RecordFacts, TRANSCRIPT } from '../../model/delivery.ts'
import { asText, asTime, type JsonObject } from '../../model/json.ts'
import type { Delivery } from '../platform.ts'

/** What is collected of Qwen Code, and what is not. The first matching row applies. */
export const delivery: Delivery = {
  table: [
    { pattern: 'projects/*/chats/*.jsonl', ...TRANSCRIPT },
    { pattern: 'projects/*/subagents/*/agent-*.jsonl', ...TRANSCRIPT },
    {
      pattern: 'projects/*/subagents/*/agent-*.meta.json',
      kind: 'subagent-meta',
      priority: 'P0',
      mode: 'whole',
      content: 'json',
    },
    { pattern: 'projects/*/memory/*.md', kind: 'memory', priority: 'P2', mode: 'whole', content: 'markdown' },
    { pattern: 'memories/*.md', kind: 'memory', priority: 'P2', mode: 'whole', content: 'markdown' },
    { pattern: 'todos/*.json', kind: 'todo', priority: 'P1', mode: 'whole', content: 'json' },
    { pattern: '{oauth_creds,mcp-oauth-tokens*}.json*', skip: 'keys of your accounts' },
    { pattern: '.env*', skip: 'keys' },
    { pattern: 'settings.json*', skip: 'settings, which may contain keys' },
    { pattern: 'installation_id', skip: 'identifies your installation' },
    { pattern: 'sessions', skip: 'tokens of running clients' },
    { pattern: '{file-history,history}', skip: 'copies of whole files' },
    { pattern: '{debug,log,logs,tmp}', skip: 'logs and outputs of tools' },
    { pattern: 'projects/*/{meta,extract-cursor}.json', skip: 'state of the client' },
    { pattern: 'projects/*/chats/*.runtime.json', skip: 'a client that runs, or ran' },
    { pattern: '{usage,usage_record.jsonl}', skip: 'sums of what the sessions record' },
  ],
  record,
  ownerOf,
}

/** A subagent has a transcript and what is said of it, in a folder of the session that started it. */
function ownerOf(below: string): FileOwner | undefined {
  const [, parent, session] =
    /^projects\/[^/]+\/subagents\/([^/]+)\/agent-([^/]+?)(?:\.meta\.json|\.jsonl)$/.exec(below) ?? []
  return session === undefined ? undefined : { session, parent }
}

/** A fork repeats the ids of its original in another session. */
function record(line: JsonObject): RecordFacts {
  return {
    id: asText(line.uuid),
    at: asTime(line.timestamp),
    cwd: asText(line.cwd),
    type: [asText(line.type), asText(line.subtype)].filter((each) => each !== undefined).join(':'),
  }
}
