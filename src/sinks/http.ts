import { asObject, type JsonObject } from '../model/json.ts'
import { createDoubt } from './doubt.ts'
import { jsonIn } from './http-answer.ts'
import { createArchiveWatch } from './http-archive.ts'
import { createSender, type HttpOptions, RECORDS_PATH } from './http-request.ts'
import { type Batch, linesOf, packedOf, type Refuse, type Sink, SinkError } from './sink.ts'

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
        const response = asObject(jsonIn(answer, name))
        watch.see(response)
        readAnswer(response, batch, name, refuse)
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
      let response: JsonObject | undefined
      try {
        response = asObject(jsonIn(await send(NOTHING, { 'content-type': RECORDS_TYPE }, stop), name))
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

/**
 * Reads what the response says about single records. If it is empty or not JSON, it acknowledges all of them.
 */
function readAnswer(
  response: JsonObject | undefined,
  { ids }: Batch,
  name: string,
  refuse: Refuse | undefined,
): void {
  const rejected = Array.isArray(response?.rejected) ? response.rejected : []
  const refused = new Map<number, string>()
  for (const each of rejected as unknown[]) {
    const { index, id, reason } = (each ?? {}) as { index?: unknown; id?: unknown; reason?: unknown }
    const position = typeof id === 'string' && ids[Number(index)] !== id ? ids.indexOf(id) : Number(index)
    if (index === undefined && id === undefined) continue
    if (Number.isInteger(position) && position >= 0 && position < ids.length)
      refused.set(position, typeof reason === 'string' ? reason.slice(0, 300) : 'no reason')
  }
  const { accepted, repeated = 0 } = (response ?? {}) as { accepted?: unknown; repeated?: unknown }
  if (
    refused.size < rejected.length ||
    (typeof accepted === 'number' && accepted + Number(repeated) + refused.size < ids.length)
  )
    throw new SinkError('retry', `${name} did not accept all records and does not say which`)
  for (const [index, reason] of refused) refuse?.(index, `${name} rejected it: ${reason}`)
}
