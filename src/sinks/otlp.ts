import { createDoubt } from './doubt.ts'
import { type HttpAnswer, jsonIn } from './http-answer.ts'
import { createSender, type HttpOptions, LOGS_PATH } from './http-request.ts'
import { logsRequest, rejectedOf } from './otlp-record.ts'
import { recordsOf, type Sink, SinkError } from './sink.ts'

const RECORD_LIMIT = 1024 * 1024
const WINDOW = 4

/**
 * An OpenTelemetry collector. Each record becomes a log record, sent over HTTP in protobuf. The collector
 * only says how many records it rejects; smaller batches find out which. Throws a `SinkError` if the address
 * or the token cannot be used.
 */
export function createOtlpSink(options: HttpOptions): Sink {
  const { name, send, close } = createSender(options, LOGS_PATH, 'gzip', WINDOW)
  const doubt = createDoubt(name)
  return {
    name: `otlp:${name}`,
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
      const { count, reason } = readAnswer(answer, name)
      if (count > batch.ids.length)
        throw new SinkError('retry', `${name} rejected more records than there are`)
      doubt.accepted()
      if (count === 0) return
      const rejection = `${name} rejected it: ${reason.slice(0, 300)}`
      if (count < batch.ids.length)
        throw new SinkError('rejected', `${name} rejected ${count} of ${batch.ids.length} records: ${reason}`)
      for (const index of batch.ids.keys()) refuse?.(index, rejection)
    },
    async close() {
      close()
    },
  }
}

/** In protobuf, an empty response accepts everything. */
function readAnswer(answer: HttpAnswer, name: string): { count: number; reason: string } {
  const type = String(answer.headers['content-type'] ?? '')
  const response = jsonIn(answer, name)
  if (answer.body.length === 0) return NONE
  if (response === undefined && !/protobuf/.test(type)) return NONE
  try {
    return rejectedOf(answer.body, response === undefined ? type : 'application/json')
  } catch (error) {
    throw new SinkError('retry', `${name} sent a response that cannot be read`, { cause: error })
  }
}

const NONE = { count: 0, reason: '' }
