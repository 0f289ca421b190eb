import type { Artifact } from '../../../model/artifact.ts'
import type { Payload } from '../../../model/event.ts'
import { asText, type JsonObject } from '../../../model/json.ts'
import { plain } from './entry.ts'
import { replyPayloads } from './reply.ts'
import { summarized } from './summary.ts'
import { toolPayload } from './tool-message.ts'
import { bashPayloads, userPayloads } from './user-message.ts'

/** The payloads of a `message` record, which may contain several messages. */
export function messagePayloads(message: JsonObject, artifact: Artifact): Payload[] {
  const role = asText(message.role)
  switch (role === undefined ? undefined : plain(role)) {
    case undefined:
      return roleless(message)
    case 'user':
    case 'human':
      return userPayloads(message, artifact)
    case 'assistant':
      return replyPayloads(message)
    case 'toolresult':
    case 'tool':
    case 'function':
      return [toolPayload({ ...message, id: undefined })]
    case 'bashexecution':
      return bashPayloads(message, artifact)
    case 'custom':
    case 'hookmessage':
      return [{ type: 'skipped', name: named('custom_message', message.customType) }]
    case 'branchsummary':
      return [summarized('branch', message)]
    case 'compactionsummary':
      return [summarized('compaction', message)]
    case 'system':
    case 'developer':
      return [{ type: 'skipped', name: `message:${role}` }]
    default:
      return [{ type: 'unknown', name: `message:${role}` }]
  }
}

/** `custom_message:openclaw.runtime-context`, or just the type if there is no kind. */
export const named = (type: string, kind: unknown): string =>
  asText(kind) ? `${type}:${asText(kind)}` : type

/** A text that was spread into an object, `{"0":"e","1":"v",…}`. Occurs in place of replies. */
function roleless(message: JsonObject): Payload[] {
  const characters: string[] = []
  for (let index = 0; typeof message[String(index)] === 'string'; index++)
    characters.push(message[String(index)] as string)
  const isReply =
    message.usage !== undefined || message.stopReason !== undefined || message.model !== undefined
  if (characters.length > 0 && isReply) return replyPayloads({ ...message, content: characters.join('') })
  return [{ type: 'unknown', name: 'message:(no role)' }]
}
