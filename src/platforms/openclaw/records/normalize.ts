import type { Artifact } from '../../../model/artifact.ts'
import type { Draft, Payload } from '../../../model/event.ts'
import { asObject, asText, type JsonObject } from '../../../model/json.ts'
import { timeOf, typeOf } from './entry.ts'
import { messagePayloads, named } from './messages.ts'
import { summarized } from './summary.ts'

/** Normalizes one record. Yields at least one draft, and no content makes it throw. */
export function normalize(value: unknown, artifact: Artifact): Draft[] {
  const entry = asObject(value)
  if (!entry) return [{ payload: { type: 'unknown', name: `(${kindOf(value)})` } }]
  const { type, customType } = typeOf(entry)
  const at = timeOf(entry)
  const own: Omit<Draft, 'payload'> = {
    // The header's id is the session id.
    ...(type !== 'session' && asText(entry.id) ? { id: asText(entry.id) } : {}),
    ...(asText(entry.parentId) ? { parentId: asText(entry.parentId) } : {}),
    ...(at === undefined ? {} : { at }),
    ...(type === 'session' && asText(entry.cwd) ? { cwd: asText(entry.cwd) } : {}),
  }
  return payloadsOf(type, customType, entry, artifact).map((payload) => ({ ...own, payload }))
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function payloadsOf(
  type: string | undefined,
  customType: string | undefined,
  entry: JsonObject,
  artifact: Artifact,
): Payload[] {
  switch (type) {
    case undefined:
      return untyped(entry, artifact)
    case 'message': {
      const message = asObject(entry.message)
      if (!message) return [{ type: 'unknown', name: 'message' }]
      const payloads = messagePayloads(message, artifact)
      // A prompt in a database that was accepted but not sent yet.
      if (entry.pendingInput === true)
        for (const payload of payloads) if (payload.type === 'message') payload.label ??= 'waiting'
      return payloads
    }
    case 'session':
      return [{ type: 'session', sessionId: asText(entry.id), parentSession: parentOf(entry) }]
    case 'model_change':
      return [{ type: 'marker', marker: 'model-change', text: modelName(entry) }]
    case 'compaction':
      return [summarized('compaction', entry)]
    case 'branch_summary':
      return [summarized('branch', entry)]
    case 'reset':
      return [{ type: 'marker', marker: 'reset', text: asText(entry.reason) }]
    case 'leaf': {
      const target = asText(entry.targetId)
      return [target ? { type: 'leaf', target } : { type: 'skipped', name: 'leaf' }]
    }
    case 'session_info':
    case 'title': {
      const title = asText(entry.name) ?? asText(entry.title)
      return [
        title
          ? { type: 'title', title, source: entry.source === 'auto' ? 'ai' : 'custom' }
          : { type: 'skipped', name: type },
      ]
    }
    case 'custom':
    case 'custom_message':
      return [{ type: 'skipped', name: named(type, customType) }]
    case 'thinking_level_change':
    case 'label':
    case 'usage':
    case 'context_edit':
      return [{ type: 'skipped', name: type }]
    default:
      return [{ type: 'unknown', name: type }]
  }
}

/**
 * The parent is recorded as a file path, possibly of another machine. The file name contains the session id.
 */
function parentOf(entry: JsonObject): string | undefined {
  const file = asText(entry.parentSession) ?? asText(entry.branchedFrom)
  return file
    ?.split(/[\\/]/)
    .at(-1)
    ?.replace(/\.jsonl.*$/, '')
}

function modelName(entry: JsonObject): string | undefined {
  const model = asText(entry.modelId) ?? asText(entry.model)
  const provider = asText(entry.provider)
  return model && provider ? `${provider}/${model}` : model
}

/** In the first versions a record may be the message itself. */
function untyped(entry: JsonObject, artifact: Artifact): Payload[] {
  const message = asObject(entry.message)
  if (message) return messagePayloads(message, artifact)
  return asText(entry.role) ? messagePayloads(entry, artifact) : [{ type: 'unknown', name: '(untyped)' }]
}
