import { asObject } from '../model/json.ts'
import { type HttpAnswer, jsonIn } from './http-answer.ts'
import { createDoubt, createSender, type HttpOptions, RECORDS_PATH } from './http-request.ts'
import {
  type KnownSink,
  linesOf,
  packedOf,
  type Refuse,
  type Sink,
  type SinkArchive,
  SinkError,
} from './sink.ts'

const RECORD_LIMIT = 1024 * 1024
const WINDOW = 4
const FIRST = 'zstd'
const RECORDS_TYPE = 'application/x-ndjson'
const NOTHING = { bytes: () => new Uint8Array(), plain: true }

/**
 * A server that accepts records as JSON lines. A successful response that was read completely acknowledges
 * the batch. Records that it lists as rejected are refused one by one. Throws a `SinkError` if the address or
 * the token cannot be used.
 */
export function createHttpSink(options: HttpOptions): Sink {
  const { name, send, close } = createSender(options, RECORDS_PATH, FIRST, WINDOW)
  const doubt = createDoubt(name)
  const watch = createArchiveWatch(name, options.known)
  return {
    name,
    window: WINDOW,
    recordLimit: RECORD_LIMIT,
    // A frame is sent unchanged.
    frames: (options.compression ?? FIRST) === 'zstd',
    async write(batch, stop, refuse) {
      const headers = { 'content-type': RECORDS_TYPE, 'idempotency-key': batch.key }
      try {
        const content = { bytes: () => linesOf(batch), zstd: packedOf(batch) }
        const answer = await send(content, headers, stop)
        const response = recordsAnswer(answer, name)
        watch.see(response)
        refuseRejected(response, batch.ids, name, refuse)
        doubt.accepted()
      } catch (error) {
        throw doubt.judge(error, batch.ids.length)
      }
    },
    archive: () => watch.archive(),
    /**
     * Sends a request without records. If the server cannot be reached now, the first batch will check it.
     */
    async check(stop) {
      if (!watch.expects() || watch.archive()) return
      let response: RecordsAnswer
      try {
        response = recordsAnswer(await send(NOTHING, { 'content-type': RECORDS_TYPE }, stop), name)
      } catch (error) {
        if (error instanceof SinkError) return
        throw error
      }
      watch.see(response)
    },
    async close() {
      close()
    },
  }
}

/** A record that a server rejects, by its line, its id or both. */
interface Rejection {
  index?: number
  id?: string
  reason?: string
}

/** What a response says about a batch. Servers need not say anything. */
interface RecordsAnswer {
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
  version: isCount,
  accepted: isCount,
  repeated: isCount,
  holds: isCount,
  archive: isText,
  rejected: (value) => Array.isArray(value) && value.every(isRejection),
}

/**
 * Reads a successful response. Without JSON, or with other fields, it says nothing. Throws a `SinkError` if a
 * field is not what the protocol says: then it is unknown what was accepted.
 */
function recordsAnswer(answer: HttpAnswer, name: string): RecordsAnswer {
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
function refuseRejected(
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

/**
 * Remembers the archive that a receiver writes to and how many records it contains, if its responses say so
 * (our receiver does). A different archive, or one with fewer records, is not the one of earlier deliveries.
 */
function createArchiveWatch(name: string, known: KnownSink | undefined) {
  let seen: (SinkArchive & { holds: number }) | undefined
  const stop = (what: string): SinkError => new SinkError('stop', `${name} ${what}`, { wayOut: WAY_OUT })
  return {
    archive: (): SinkArchive | undefined => seen && { id: seen.id, position: String(seen.holds) },
    /** Whether a response can be compared with a known archive. */
    expects: () => known?.id !== undefined,
    /** Throws a `SinkError` if a response comes from another archive. */
    see({ archive: id = '', holds = 0 }: RecordsAnswer): void {
      if (id === '') return
      if (id !== (seen?.id ?? known?.id ?? id)) throw stop('writes to a different archive than before.')
      // Later responses may arrive out of order.
      if (!seen && holds < Number(known?.position ?? 0))
        throw stop('lacks records that were delivered before.')
      seen = { id, holds: Math.max(holds, seen?.holds ?? 0) }
    },
  }
}

const WAY_OUT =
  'Restore the right archive. To continue with this one, use --redeliver: it delivers everything that is still on this machine again.'
