import { JsonLogsSerializer, ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer'
import { memberText } from '../io/parse-line.ts'
import type { Envelope } from '../model/delivery.ts'
import { asArray, asNumber, asObject, asText, type JsonObject } from '../model/json.ts'
import { identityOf } from '../platforms/identities.ts'
import { type HttpAnswer, jsonIn } from './http-answer.ts'
import { createDoubt, createSender, type HttpOptions, LOGS_PATH } from './http-request.ts'
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

type LogRecord = Parameters<typeof ProtobufLogsSerializer.serializeRequest>[0][number]

const SCOPE = { name: 'scrollback' }

/** Encodes the records of a batch, one per line, as an OTLP request in protobuf. */
function logsRequest(records: Iterable<Uint8Array>, nowMs: number): Uint8Array {
  const resources = new Map<string, LogRecord['resource']>()
  const observed = timeOf(nowMs)
  const logs = [...records].map((record): LogRecord => {
    const text = Buffer.from(record).toString('utf8')
    const envelope = JSON.parse(text) as Envelope
    const { device, deviceId, kind, at } = envelope
    const name = JSON.stringify([device, deviceId])
    const resource = resources.get(name) ?? resourceOf(device, deviceId)
    resources.set(name, resource)
    return {
      hrTime: timeOf(Date.parse(at)),
      hrTimeObserved: observed,
      eventName: `scrollback.${kind}`,
      // As text, so that readers get the record unchanged, whatever numbers and nesting it contains.
      ...(envelope.stub ? {} : { body: memberText(text, 'raw') }),
      resource,
      instrumentationScope: SCOPE,
      attributes: whole({
        ...generativeAttributes(envelope),
        ...ownAttributes(envelope),
        ...('normalized' in envelope
          ? { 'scrollback.normalized': memberText(text, 'normalized') ?? '' }
          : {}),
      }),
      droppedAttributesCount: 0,
    }
  })
  return ProtobufLogsSerializer.serializeRequest(logs) ?? new Uint8Array()
}

/** What the response says about rejected records. Throws an error if a field is of the wrong type. */
function rejectedOf(body: Uint8Array, type: string): { count: number; reason: string } {
  const serializer = type.includes('json') ? JsonLogsSerializer : ProtobufLogsSerializer
  const { partialSuccess } = serializer.deserializeResponse(body) as { partialSuccess?: unknown }
  const partial = asObject(partialSuccess ?? {})
  const { rejectedLogRecords: rejected = 0, errorMessage = '' } = partial ?? {}
  // JSON has such numbers as text.
  const isCount = ['number', 'string', 'bigint'].includes(typeof rejected) && /^\d+$/.test(String(rejected))
  if (!partial || !isCount || typeof errorMessage !== 'string')
    throw new TypeError('A field of the response is of the wrong type.')
  return { count: Number(rejected), reason: errorMessage || 'no reason' }
}

function ownAttributes(envelope: Envelope): Attributes {
  const { id, platform, kind, agent, path, line, offset, generation, session, project } = envelope
  const { state, part, malformed, stub, redactions } = envelope
  const found: Record<string, string | number | boolean | undefined> = {
    'event.name': `scrollback.${kind}`,
    'log.record.uid': id,
    'session.id': session ?? undefined,
    'scrollback.id': id,
    'scrollback.platform': platform,
    'scrollback.kind': kind,
    'scrollback.agent': agent,
    'scrollback.project': project ?? undefined,
    'scrollback.path': path,
    'scrollback.line': line,
    'scrollback.offset': offset,
    'scrollback.generation': generation,
    'scrollback.state': state,
    'scrollback.part': part,
    'scrollback.malformed': malformed,
    'scrollback.redactions': redactions,
    'scrollback.stub.bytes': stub?.bytes,
    'scrollback.stub.sha256': stub?.sha256,
    'scrollback.stub.reason': stub?.reason,
  }
  return Object.fromEntries(
    Object.entries(found).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
}

/** UTF-8 cannot represent half a surrogate pair. */
const whole = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? value.toWellFormed()
        : Array.isArray(value)
          ? value.map((each) => each.toWellFormed())
          : value,
    ]),
  )

const resourceOf = (device: string, deviceId: string | undefined): LogRecord['resource'] =>
  ({
    attributes: whole({
      'service.name': 'scrollback',
      'host.name': device,
      ...(deviceId === undefined ? {} : { 'service.instance.id': deviceId }),
    }),
  }) as LogRecord['resource']

/** Seconds and nanoseconds. The protocol has no times before 1970. */
function timeOf(ms: number): [number, number] {
  const since = Math.max(0, Math.trunc(ms) || 0)
  return [Math.floor(since / 1000), (since % 1000) * 1_000_000]
}

type Attributes = Record<string, string | number | boolean | string[]>

/** Providers that OpenClaw and the conventions name differently. */
const PROVIDERS: Record<string, string> = {
  google: 'gcp.gemini',
  'google-gemini-cli': 'gcp.gemini',
  'google-vertex': 'gcp.vertex_ai',
  'amazon-bedrock': 'aws.bedrock',
  'azure-openai-responses': 'azure.ai.openai',
  'openai-codex': 'openai',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  xai: 'x_ai',
}
/** Models that do not exist: messages that the client itself wrote. */
const NO_MODEL = new Set(['<synthetic>', 'delivery-mirror', 'gateway-injected'])
const CALL = /^(?:tool_use|tooluse|tool_call|toolcall)$/i
const RESULT = /^(?:tool_result|toolresult)$/i

/**
 * The attributes of the conventions for generative AI that the record itself contains. Nothing is guessed
 * from its neighbors.
 */
function generativeAttributes({ platform, kind, session, agent, raw }: Envelope): Attributes {
  const attributes: Attributes = { 'gen_ai.agent.name': agent }
  if (session !== null) attributes['gen_ai.conversation.id'] = session
  const entry = kind === 'transcript' ? asObject(raw) : undefined
  const message = asObject(entry?.message)
  if (!entry || !message) return attributes
  const role = asText(message.role) ?? asText(entry.type)
  const blocks = (asArray(message.content) ?? []).map(asObject).filter((block) => block !== undefined)
  if (role === 'assistant') Object.assign(attributes, replyAttributes(message, platform))
  Object.assign(attributes, toolAttributes(role, message, blocks))
  return attributes
}

function replyAttributes(message: JsonObject, platform: Envelope['platform']): Attributes {
  const model = asText(message.model)
  if (model === undefined || NO_MODEL.has(model)) return {}
  const provider = asText(message.provider)
  const found: Record<string, string | number | string[] | undefined> = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.response.id': asText(message.responseId) ?? asText(message.id),
    ...usageAttributes(asObject(message.usage)),
  }
  const only = identityOf(platform).provider
  if (only !== undefined) {
    found['gen_ai.provider.name'] = only
    found['gen_ai.response.model'] = model
  } else {
    found['gen_ai.provider.name'] = provider && (PROVIDERS[provider] ?? provider)
    found['gen_ai.request.model'] = model
    found['gen_ai.response.model'] = asText(message.responseModel)
  }
  // The attribute's name until version 1.36 of the conventions.
  found['gen_ai.system'] = found['gen_ai.provider.name']
  const reason = asText(message.stop_reason) ?? asText(message.stopReason)
  if (reason !== undefined) found['gen_ai.response.finish_reasons'] = [reason]
  return defined(found)
}

/** Input tokens include cached ones. The platforms count those separately. */
function usageAttributes(usage: JsonObject | undefined): Record<string, number | undefined> {
  const tokens = (...names: string[]): number | undefined =>
    names.map((name) => asNumber(usage?.[name])).find((count) => Number.isSafeInteger(count) && count! >= 0)
  const input = tokens('input_tokens', 'input', 'inputTokens')
  const read = tokens('cache_read_input_tokens', 'cacheRead', 'cacheReadInputTokens')
  const created = tokens('cache_creation_input_tokens', 'cacheWrite', 'cacheCreationInputTokens')
  return {
    'gen_ai.usage.input_tokens': input === undefined ? undefined : input + (read ?? 0) + (created ?? 0),
    'gen_ai.usage.output_tokens': tokens('output_tokens', 'output', 'outputTokens'),
    'gen_ai.usage.cache_read.input_tokens': read,
    'gen_ai.usage.cache_creation.input_tokens': created,
  }
}

/** Attributes of a tool call. None if the record contains calls of several tools. */
function toolAttributes(
  role: string | undefined,
  message: JsonObject,
  blocks: readonly JsonObject[],
): Attributes {
  const calls = blocks.filter(({ type }) => CALL.test(String(type)))
  if (calls.length === 1)
    return defined({
      'gen_ai.tool.name': asText(calls[0]!.name),
      'gen_ai.tool.call.id': asText(calls[0]!.id),
    })
  const results = blocks.filter(({ type }) => RESULT.test(String(type)))
  if (role !== 'toolResult' && results.length !== 1) return {}
  return defined({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': asText(message.toolName),
    'gen_ai.tool.call.id': asText(message.toolCallId) ?? asText(results[0]?.tool_use_id),
  })
}

const defined = (found: Record<string, string | number | string[] | undefined>): Attributes =>
  Object.fromEntries(Object.entries(found).filter((pair): pair is [string, string] => pair[1] !== undefined))
