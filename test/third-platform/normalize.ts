import type { Artifact } from '../../src/model/artifact.ts'
import type { Draft, Payload, SessionKind } from '../../src/model/event.ts'
import { asNumber, asObject, asText, asTime, type JsonObject } from '../../src/model/json.ts'

const KINDS: Readonly<Record<string, SessionKind>> = { person: 'human', timer: 'cron', helper: 'subagent' }

/** `{ when, kind, body }`: records have no id and no parent, and their folder is in the body. */
export function normalize(entry: unknown, artifact: Artifact): Draft[] {
  const record = asObject(entry)
  const body = asObject(record?.body) ?? {}
  const payload = payloadOf(asText(record?.kind), body, artifact)
  return [{ at: asTime(record?.when), cwd: asText(body.dir), payload }]
}

function payloadOf(kind: string | undefined, body: JsonObject, { sessionId }: Artifact): Payload {
  /** Calls are numbered within a log. */
  const call = asText(body.call) && `${asText(body.log) ?? sessionId}/${asText(body.call)}`
  switch (kind) {
    case 'start':
      return {
        type: 'session',
        sessionId: asText(body.log),
        parentSession: asText(body.startedBy),
        kind: KINDS[asText(body.by) ?? ''],
        forkOf: asText(body.forkOf),
        copies: body.forkOf !== undefined,
      }
    case 'grafted':
      return { type: 'copied' }
    case 'round':
      return { type: 'turn', model: asText(body.model) }
    case 'undone':
      return { type: 'taken-back', turns: asNumber(body.rounds) ?? 1 }
    case 'spent':
      return { type: 'usage', key: call, usage: usageOf(body) }
    case 'said':
      return message(body, call)
    case 'did':
      return {
        type: 'message',
        role: 'assistant',
        speaker: 'agent',
        messageId: call,
        usageFollows: true,
        parts: [
          { type: 'tool-call', callId: asText(body.id), name: asText(body.tool) ?? '', input: body.with },
        ],
      }
    case 'got': {
      const error = body.ok === false ? ('sure' as const) : undefined
      const errorLine = error && asText(body.text)
      return {
        type: 'message',
        role: 'tool',
        speaker: 'program',
        parts: [{ type: 'tool-result', callId: asText(body.id), error, errorLine, body: body.text }],
      }
    }
    case 'named':
      return { type: 'title', title: asText(body.name) ?? '', source: 'custom' }
    case 'weather':
      return { type: 'skipped', name: kind }
    default:
      return { type: 'unknown', name: kind ?? 'nothing' }
  }
}

function message(body: JsonObject, call: string | undefined): Payload {
  const parts = [{ type: 'text' as const, text: asText(body.words) ?? '' }]
  return body.by === 'fern'
    ? {
        type: 'message',
        role: 'assistant',
        speaker: 'agent',
        parts,
        messageId: call,
        usageFollows: true,
      }
    : { type: 'message', role: 'user', speaker: body.by === 'person' ? 'human' : 'program', parts }
}

const usageOf = (body: JsonObject) => ({
  input: asNumber(body.in) ?? 0,
  output: asNumber(body.out) ?? 0,
  cacheRead: asNumber(body.cached) ?? 0,
  cacheWrite: 0,
})
