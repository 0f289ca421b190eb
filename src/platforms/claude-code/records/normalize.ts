import type { Line } from '../../../io/lines.ts'
import type { Artifact } from '../../../model/artifact.ts'
import type { Draft, Payload } from '../../../model/event.ts'
import { asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { assistantPayloads } from './assistant.ts'
import { REQUESTS } from './entry-types.ts'
import { otherPayloads } from './other-entries.ts'
import { userPayloads } from './user.ts'

const requests = new Set(REQUESTS)

const TYPE = '{"type":"'
/** A key of messages. A string that contains it has backslashes before its quotes. */
const UUID = '"uuid":'
const OBJECT = '{"'
/** What precedes an object inside of another one, in JSON without white space. */
const BEFORE_OBJECT = new Set([...'[,:'].map((character) => character.charCodeAt(0)))
const QUOTE = 34
const CLOSE = 125
const LONGEST_TYPE = 40

/**
 * Recognizes a request by its first bytes, unless it ends early, or a lost newline has joined it with another
 * record.
 */
export function skip({ bytes, start, end }: Pick<Line, 'bytes' | 'start' | 'end'>): string | undefined {
  const at = start + TYPE.length
  if (end - at < LONGEST_TYPE || bytes.toString('latin1', start, at) !== TYPE) return undefined
  const close = bytes.indexOf(QUOTE, at)
  const type = close - at > LONGEST_TYPE ? undefined : bytes.toString('latin1', at, close)
  if (type === undefined || !requests.has(type) || bytes[end - 1] !== CLOSE) return undefined
  const rest = bytes.subarray(close, end)
  if (rest.includes(UUID)) return undefined
  for (let object = rest.indexOf(OBJECT); object >= 0; object = rest.indexOf(OBJECT, object + 1))
    if (!BEFORE_OBJECT.has(rest[object - 1]!)) return undefined
  return type
}

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
