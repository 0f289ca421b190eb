import type { Artifact } from '../../../model/artifact.ts'
import type { Draft, Payload } from '../../../model/event.ts'
import { asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { assistantPayloads } from './assistant.ts'
import { REQUESTS } from './entry-types.ts'
import { otherPayloads } from './other-entries.ts'
import { userPayloads } from './user.ts'

const requests = new Set(REQUESTS)
/** Normalizes one line. Every entry yields at least one draft, and no content makes it throw. */
export function normalize(value: unknown, artifact: Artifact): Draft[] {
  const entry = asObject(value)
  if (!entry)
    return [
      {
        payload: {
          type: 'unknown',
          name: Array.isArray(value) ? '(array)' : value === null ? '(null)' : `(${typeof value})`,
        },
      },
    ]
  const type = asText(entry.type)
  if (type !== undefined && requests.has(type)) return [{ payload: { type: 'skipped', name: type } }]
  const envelope = envelopeOf(entry)
  return payloadsOf(entry, artifact).map((payload) => ({ ...envelope, payload }))
}

function payloadsOf(entry: JsonObject, artifact: Artifact): Payload[] {
  const type = asText(entry.type)
  switch (type) {
    case undefined:
      return [{ type: 'unknown', name: '(untyped)' }]
    case 'user':
      return userPayloads(entry, artifact)
    case 'assistant':
      return assistantPayloads(entry)
    default:
      return otherPayloads(type, entry)
  }
}

function envelopeOf(entry: JsonObject): Omit<Draft, 'payload'> {
  return {
    id: asText(entry.uuid),
    parentId: asText(entry.parentUuid) ?? asText(entry.logicalParentUuid),
    at: asTime(entry.timestamp),
    cwd: asText(entry.cwd),
    sessionId: asText(entry.sessionId),
    version: asText(entry.version),
    branch: asText(entry.gitBranch),
    forkedFrom: asText(asObject(entry.forkedFrom)?.messageUuid),
  }
}
