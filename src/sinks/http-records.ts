import { asObject } from '../model/json.ts'
import { type HttpAnswer, jsonIn } from './http-answer.ts'
import { type Refuse, SinkError } from './sink.ts'

/** A record that a server rejects, by its line, its id or both. */
interface Rejection {
  index?: number
  id?: string
  reason?: string
}

/** What a response says about a batch. Servers need not say anything. */
export interface RecordsAnswer {
  version?: number
  accepted?: number
  repeated?: number
  rejected?: readonly Rejection[]
  /** The archive that the server writes to, and how many records it contains. */
  archive?: string
  holds?: number
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
const isText = (value: unknown): boolean => typeof value === 'string'

function isRejection(value: unknown): boolean {
  const { index, id, reason } = asObject(value) ?? {}
  return (
    (index === undefined || isCount(index)) &&
    (id === undefined || isText(id)) &&
    (index !== undefined || id !== undefined) &&
    (reason === undefined || isText(reason))
  )
}

const FIELDS: Readonly<Record<keyof RecordsAnswer, (value: unknown) => boolean>> = {
  ...{ version: isCount, accepted: isCount, repeated: isCount, holds: isCount, archive: isText },
  rejected: (value) => Array.isArray(value) && value.every(isRejection),
}

/**
 * Reads a successful response. Without JSON, or with other fields, it says nothing. Throws a `SinkError` if a
 * field is not what the protocol says: then it is unknown what was accepted.
 */
export function recordsAnswer(answer: HttpAnswer, name: string): RecordsAnswer {
  const response = asObject(jsonIn(answer, name)) ?? {}
  for (const [field, isRight] of Object.entries(FIELDS))
    if (response[field] !== undefined && !isRight(response[field]))
      throw new SinkError(
        'retry',
        `${name} sent a response that cannot be read: "${field}" is of the wrong type`,
      )
  return response as RecordsAnswer
}

/**
 * Refuses the records that a response rejects, and acknowledges the others. Throws a `SinkError` if it does
 * not account for all of them.
 */
export function refuseRejected(
  { accepted, repeated, rejected = [] }: RecordsAnswer,
  ids: readonly string[],
  name: string,
  refuse: Refuse | undefined,
): void {
  const refused = new Map<number, string>()
  for (const { index, id, reason = 'no reason' } of rejected) {
    const position = id === undefined || ids[index ?? -1] === id ? index! : ids.indexOf(id)
    if (position >= 0 && position < ids.length) refused.set(position, reason.slice(0, 300))
  }
  const counted = (accepted ?? 0) + (repeated ?? 0) + refused.size
  const counts = accepted !== undefined || repeated !== undefined
  if (refused.size < rejected.length || (counts && counted !== ids.length))
    throw new SinkError('retry', `${name} did not accept all records and does not say which`)
  for (const [index, reason] of refused) refuse?.(index, `${name} rejected it: ${reason}`)
}
