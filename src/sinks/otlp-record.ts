import { JsonLogsSerializer, ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer'
import { memberText } from '../io/json-member.ts'
import type { Envelope } from '../model/delivery.ts'
import { asObject } from '../model/json.ts'
import { type Attributes, generativeAttributes } from './otlp-attributes.ts'

type LogRecord = Parameters<typeof ProtobufLogsSerializer.serializeRequest>[0][number]

const SCOPE = { name: 'scrollback' }

/** Encodes the records of a batch, one per line, as an OTLP request in protobuf. */
export function logsRequest(records: Iterable<Uint8Array>, nowMs: number): Uint8Array {
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
export function rejectedOf(body: Uint8Array, type: string): { count: number; reason: string } {
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
      ...{ 'service.name': 'scrollback', 'host.name': device },
      ...(deviceId === undefined ? {} : { 'service.instance.id': deviceId }),
    }),
  }) as LogRecord['resource']

/** Seconds and nanoseconds. The protocol has no times before 1970. */
function timeOf(ms: number): [number, number] {
  const since = Math.max(0, Math.trunc(ms) || 0)
  return [Math.floor(since / 1000), (since % 1000) * 1_000_000]
}
