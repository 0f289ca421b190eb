import { createDoubt } from './doubt.ts'
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
      const { body, headers } = await send(content, { 'content-type': 'application/x-protobuf' }, stop).catch(
        (error) => {
          throw doubt.judge(error, batch.ids.length)
        },
      )
      doubt.took()
      const { count, reason } = readAnswer(body, String(headers['content-type'] ?? ''), place)
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

function readAnswer(body: Buffer, type: string, place: string): { count: number; reason: string } {
  if (body.length === 0 || !/protobuf|json/.test(type)) return { count: 0, reason: '' }
  try {
    return rejectedOf(body, type)
  } catch (error) {
    throw new SinkError('retry', `${place} gave an answer that cannot be read`, { cause: error })
  }
}
