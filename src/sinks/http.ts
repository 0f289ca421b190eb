import { createDoubt } from './doubt.ts'
import { createArchiveWatch } from './http-archive.ts'
import { type RecordsAnswer, recordsAnswer, refuseRejected } from './http-records.ts'
import { createSender, type HttpOptions, RECORDS_PATH } from './http-request.ts'
import { linesOf, packedOf, type Sink, SinkError } from './sink.ts'

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
