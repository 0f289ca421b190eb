import { createDoubt } from './doubt.ts'
import { type HttpAnswer, jsonIn } from './http-answer.ts'
import { createSender, type HttpOptions, LOGS_PATH } from './http-request.ts'
import { logsRequest, rejectedOf } from './otlp-record.ts'
import { recordsOf, type Sink, SinkError } from './sink.ts'

const RECORD_LIMIT = 1024 * 1024
const WINDOW = 4

/**
 * A collector of OpenTelemetry: each record as a log record, over HTTP in protobuf. Of records that it rejects it says only how many;
 * smaller batches find out which. Throws a `SinkError` where address or token cannot be used.
 */
export function createOtlpSink(options: HttpOptions): Sink {
  const { place, send, close } = createSender(options, LOGS_PATH, 'gzip', WINDOW)
  const doubt = createDoubt(place)
  return {
    name: `otlp:${place}`,
    window: WINDOW,
    recordLimit: RECORD_LIMIT,
    async write(batch, stop, refuse) {
      const request = logsRequest(recordsOf(batch), options.nowMs())
      const content = { bytes: () => request }
      const answer = await send(content, { 'content-type': 'application/x-protobuf' }, stop).catch(
        (error) => {
          throw doubt.judge(error, batch.ids.length)
        },
      )
      const { count, reason } = readAnswer(answer, place)
      doubt.took()
      if (count <= 0) return
      const told = `${place} rejected it: ${reason.slice(0, 300)}`
      if (count < batch.ids.length)
        throw new SinkError(
          'rejected',
          `${place} rejected ${count} of ${batch.ids.length} records: ${reason}`,
        )
      for (const index of batch.ids.keys()) refuse?.(index, told)
    },
    async close() {
      close()
    },
  }
}

/** An empty answer takes everything: that is how the protocol says so in protobuf. */
function readAnswer(answer: HttpAnswer, place: string): { count: number; reason: string } {
  const type = String(answer.headers['content-type'] ?? '')
  const said = jsonIn(answer, place)
  if (answer.body.length === 0) return NONE
  if (said === undefined && !/protobuf/.test(type)) return NONE
  try {
    return rejectedOf(answer.body, said === undefined ? type : 'application/json')
  } catch (error) {
    throw new SinkError('retry', `${place} gave an answer that cannot be read`, { cause: error })
  }
}

const NONE = { count: 0, reason: '' }
