import type { RecordFacts, RecordOrigin } from '../../model/delivery.ts'
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
