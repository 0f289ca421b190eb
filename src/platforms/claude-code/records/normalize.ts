import type { Line } from '../../../io/lines.ts'
import type { Artifact } from '../../../model/artifact.ts'
import type { Draft, Payload } from '../../../model/event.ts'
import { asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { assistantPayloads } from './assistant.ts'
import { REQUESTS } from './entry-types.ts'
import { otherPayloads } from './other-entries.ts'
import { userPayloads } from './user.ts'

const requests = new Set(REQUESTS)
const TYPE = Buffer.from('{"type":"')
/** A key of every other record. A string that contains it has backslashes before its quotes. */
const RECORD = Buffer.from('"uuid":')
const QUOTE = 34
const CLOSE = 125
const LONGEST_TYPE = 40

/**
 * Recognizes a request by its first bytes, unless a lost newline has joined it with another record, or it
 * ends early.
 */
export function skip({ bytes, start, end }: Pick<Line, 'bytes' | 'start' | 'end'>): string | undefined {
  const at = start + TYPE.length
  if (end - at < LONGEST_TYPE || bytes.compare(TYPE, 0, TYPE.length, start, at) !== 0) return undefined
  const close = bytes.indexOf(QUOTE, at)
  const type = close - at > LONGEST_TYPE ? undefined : bytes.toString('latin1', at, close)
  if (type === undefined || !requests.has(type) || bytes[end - 1] !== CLOSE) return undefined
  return bytes.subarray(close, end).includes(RECORD) ? undefined : type
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
