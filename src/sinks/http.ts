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
 * A server that takes records as JSON lines. A batch is acknowledged by an answer of success that was read to its end; records that the
 * answer names as rejected are refused one by one. Throws a `SinkError` where address or token cannot be used.
 */
export function createHttpSink(options: HttpOptions): Sink {
  const { place, send, close } = createSender(options, RECORDS_PATH, FIRST, WINDOW)
  const doubt = createDoubt(place)
  const watch = createArchiveWatch(place, options.known)
  return {
    name: place,
    window: WINDOW,
    recordLimit: RECORD_LIMIT,
    // A frame is sent as it is.
    frames: (options.compression ?? FIRST) === 'zstd',
    async write(batch, stop, refuse) {
      const headers = { 'content-type': RECORDS_TYPE, 'idempotency-key': batch.key }
      try {
        const content = { bytes: () => linesOf(batch), zstd: packedOf(batch) }
        const answer = await send(content, headers, stop)
        const said = asObject(jsonIn(answer, place))
        watch.see(said)
        readAnswer(said, batch, place, refuse)
        doubt.took()
      } catch (error) {
        throw doubt.judge(error, batch.ids.length)
      }
    },
    archive: () => watch.archive(),
    /** Without records. A server that cannot be asked now is asked when there are some. */
    async check(stop) {
      if (!watch.expects() || watch.archive()) return
      let said: JsonObject | undefined
      try {
        said = asObject(jsonIn(await send(NOTHING, { 'content-type': RECORDS_TYPE }, stop), place))
      } catch (error) {
        if (error instanceof SinkError) return
        throw error
      }
      watch.see(said)
    },
    async close() {
      close()
    },
  }
}

/** Nothing but what the answer says of single records; one that is empty or no JSON says nothing of them, and acknowledges all. */
function readAnswer(
  said: JsonObject | undefined,
  { ids }: Batch,
  place: string,
  refuse: Refuse | undefined,
): void {
  const rejected = Array.isArray(said?.rejected) ? said.rejected : []
  const refused = new Map<number, string>()
  for (const each of rejected as unknown[]) {
    const { index, id, reason } = (each ?? {}) as { index?: unknown; id?: unknown; reason?: unknown }
    const place = typeof id === 'string' && ids[Number(index)] !== id ? ids.indexOf(id) : Number(index)
    if (index === undefined && id === undefined) continue
    if (Number.isInteger(place) && place >= 0 && place < ids.length)
      refused.set(place, typeof reason === 'string' ? reason.slice(0, 300) : 'no reason given')
  }
  const { accepted, repeated = 0 } = (said ?? {}) as { accepted?: unknown; repeated?: unknown }
  if (
    refused.size < rejected.length ||
    (typeof accepted === 'number' && accepted + Number(repeated) + refused.size < ids.length)
  )
    throw new SinkError('retry', `${place} did not take all records, and does not say which`)
  for (const [index, reason] of refused) refuse?.(index, `${place} rejected it: ${reason}`)
}
