import type { RecordFacts } from '../../model/delivery.ts'
import { asNumber, asObject, asText, type JsonObject } from '../../model/json.ts'
import type { Delivery } from '../platform.ts'

/** What is collected of OpenCode, and what is not. The first matching row applies. */
export const delivery: Delivery = {
  table: [
    { pattern: 'opencode*.db', kind: 'transcript', priority: 'P0', mode: 'incremental', content: 'jsonl' },
    { pattern: '{auth,mcp-auth}.json*', skip: 'keys of your accounts' },
    { pattern: 'log', skip: 'logs that may contain tokens' },
    { pattern: '{snapshot,storage,bin,repos,worktree}', skip: 'contain no messages' },
  ],
  record,
  fileOf: (path, kind, session) =>
    kind === 'transcript' && path.includes('.db#')
      ? ['sessions', `${session ?? 'unknown'}.jsonl`]
      : undefined,
}

/** Ids of messages and sessions are unique. */
function record(line: JsonObject): RecordFacts {
  const id = asText(line.id)
  const message = asObject(line.message)
  const type = asText(line.type)
  return {
    id: id && `${type} ${id}`,
    at: asNumber(asObject(message?.time)?.created) ?? asNumber(line.created),
    cwd: asText(line.directory) ?? asText(asObject(message?.path)?.cwd),
    session: type === 'session' ? id : undefined,
    type: message ? asText(message.role) : type,
  }
}
