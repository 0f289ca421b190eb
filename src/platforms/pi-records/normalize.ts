import type { Artifact } from '../../model/artifact.ts'
import { type Draft, type Payload, unknownValue } from '../../model/event.ts'
import { asArray, asCount, asObject, asText, type JsonObject } from '../../model/json.ts'
import { skipped } from '../messages.ts'
import type { Dialect } from './dialect.ts'
import { plain, timeOf, typeOf, usageOf } from './entry.ts'
import { bashPayloads, replyPayloads } from './messages.ts'
import { nestedPayloads, toolPayload } from './tool-results.ts'

/** Normalizes one record. Yields at least one draft, and no content makes it throw. */
export function normalizeRecord(value: unknown, artifact: Artifact, dialect: Dialect): Draft[] {
  const entry = asObject(value)
  if (!entry) return [{ payload: unknownValue(value) }]
  const { type, customType } = typeOf(entry)
  const at = timeOf(entry)
  const own: Omit<Draft, 'payload'> = {
    // The header's id is the session id.
    ...(type !== 'session' && asText(entry.id) ? { id: asText(entry.id) } : {}),
    // The first version has no ids.
    ...(at !== undefined && !asText(entry.id) && { sharedId: `${type}@${at}` }),
    ...(asText(entry.parentId) ? { parentId: asText(entry.parentId) } : {}),
    ...(at === undefined ? {} : { at }),
    ...(type === 'session' && asText(entry.cwd) ? { cwd: asText(entry.cwd) } : {}),
  }
  return payloadsOf(type, customType, entry, artifact, dialect).map((payload) => ({ ...own, payload }))
}

function payloadsOf(
  type: string | undefined,
  customType: string | undefined,
  entry: JsonObject,
  artifact: Artifact,
  dialect: Dialect,
): Payload[] {
  switch (type) {
    case undefined:
      return untyped(entry, artifact, dialect)
    case 'message': {
      const message = asObject(entry.message)
      if (!message) return [{ type: 'unknown', name: 'message' }]
      return messagePayloads(message, artifact, dialect)
    }
    case 'session': {
      const header = dialect.header(entry, artifact)
      const form = asCount(entry.version) ?? 0
      return [header.type === 'session' && form > dialect.form ? { ...header, laterForm: form } : header]
    }
    case 'model_change':
      return [{ type: 'marker', marker: 'model-change', text: modelName(entry) }]
    case 'compaction':
      return [summarized('compaction', entry), ...ownUsage(entry)]
    case 'branch_summary':
      return [summarized('branch', entry), ...ownUsage(entry)]
    case 'usage': {
      const used = ownUsage(entry)
      return used.length > 0 ? used : [skipped(type)]
    }
    case 'reset':
      return [{ type: 'marker', marker: 'reset', text: asText(entry.reason) }]
    case 'leaf': {
      const target = asText(entry.targetId)
      return [target ? { type: 'leaf', target } : skipped('leaf')]
    }
    case 'session_info':
    case 'title': {
      const title = asText(entry.name) ?? asText(entry.title)
      return [
        title ? { type: 'title', title, source: entry.source === 'auto' ? 'ai' : 'custom' } : skipped(type),
      ]
    }
    case 'custom':
    case 'custom_message':
      return [skipped(named(type, customType))]
    case 'thinking_level_change':
    case 'label':
    case 'context_edit':
      return [skipped(type)]
    default:
      return [{ type: 'unknown', name: type }]
  }
}

/**
 * The name of the parent's file, without its ending. The header has its path, possibly that of another
 * machine.
 */
export function parentOf(entry: JsonObject): string | undefined {
  const file = asText(entry.parentSession) ?? asText(entry.branchedFrom)
  return file
    ?.split(/[\\/]/)
    .at(-1)
    ?.replace(/\.jsonl.*$/, '')
}

/**
 * What a summary, a tool or the warming of a cache cost: requests without a reply. Ids of records are short,
 * so that only the time tells them apart from those of other sessions.
 */
function ownUsage(record: JsonObject): Payload[] {
  const usage = usageOf(record.usage)
  if (!usage) return []
  const id = asText(record.id) ?? asText(record.toolCallId)
  const key = id === undefined ? undefined : `${id} ${String(record.timestamp)}`
  return [{ type: 'usage', usage, key, model: asText(record.model) }]
}

function modelName(entry: JsonObject): string | undefined {
  const model = asText(entry.modelId) ?? asText(entry.model)
  const provider = asText(entry.provider)
  return model && provider ? `${provider}/${model}` : model
}

/** In the first versions a record may be the message itself. */
function untyped(entry: JsonObject, artifact: Artifact, dialect: Dialect): Payload[] {
  const message = asObject(entry.message) ?? (asText(entry.role) ? entry : undefined)
  return message ? messagePayloads(message, artifact, dialect) : [{ type: 'unknown', name: '(untyped)' }]
}

/** The payloads of a `message` record, which may contain several messages. */
function messagePayloads(message: JsonObject, artifact: Artifact, dialect: Dialect): Payload[] {
  const role = asText(message.role)
  switch (role === undefined ? undefined : plain(role)) {
    case undefined:
      return roleless(message, dialect)
    case 'user':
    case 'human':
      return dialect.prompts(message, artifact)
    case 'assistant':
      return replyPayloads(message, dialect)
    case 'toolresult':
    case 'tool':
    case 'function':
      return [toolPayload({ ...message, id: undefined }), ...nestedPayloads(message), ...ownUsage(message)]
    case 'bashexecution':
      return bashPayloads(message, artifact, dialect)
    case 'custom':
    case 'hookmessage':
      return [skipped(named('custom_message', message.customType))]
    case 'branchsummary':
      return [summarized('branch', message)]
    case 'compactionsummary':
      return [summarized('compaction', message)]
    case 'system':
    case 'developer':
      return [skipped(`message:${role}`)]
    default:
      return [{ type: 'unknown', name: `message:${role}` }]
  }
}

/** `custom_message:openclaw.runtime-context`, or just the type if there is no kind. */
const named = (type: string, kind: unknown): string => (asText(kind) ? `${type}:${asText(kind)}` : type)

/** A text that was spread into an object, `{"0":"e","1":"v",…}`. Occurs in place of replies. */
function roleless(message: JsonObject, dialect: Dialect): Payload[] {
  const characters: string[] = []
  for (let index = 0; typeof message[String(index)] === 'string'; index++)
    characters.push(message[String(index)] as string)
  const isReply =
    message.usage !== undefined || message.stopReason !== undefined || message.model !== undefined
  if (characters.length > 0 && isReply)
    return replyPayloads({ ...message, content: characters.join('') }, dialect)
  return [{ type: 'unknown', name: 'message:(no role)' }]
}

/** Lists of files at the end of a summary, as elements: `<read-files>`. */
const LISTS = ['read', 'modified'] as const
/** More than a conversation reads. */
const MOST_FILES = 1000

/** The marker of a compaction or an abandoned branch, with the files listed in fields or in its text. */
export function summarized(marker: 'compaction' | 'branch', record: JsonObject): Payload {
  let text = asText(record.summary)
  const found = new Map<string, string[]>()
  for (const list of LISTS) {
    const [open, close] = [`<${list}-files>`, `</${list}-files>`]
    const from = text?.indexOf(open) ?? -1
    const to = from < 0 ? -1 : text!.indexOf(close, from)
    if (to < 0) continue
    const names = text!.slice(from + open.length, to).trim()
    found.set(
      list,
      names.split('\n').map((name) => name.trim()),
    )
    text = text!.slice(0, from).trimEnd() + text!.slice(to + close.length)
  }
  const details = asObject(record.details)
  const readFiles = filesIn(details?.readFiles, found.get('read'))
  const modifiedFiles = filesIn(details?.modifiedFiles, found.get('modified'))
  const files = { ...(readFiles && { readFiles }), ...(modifiedFiles && { modifiedFiles }) }
  return { type: 'marker', marker, text: text || undefined, ...(readFiles || modifiedFiles ? { files } : {}) }
}

/** Undefined if neither lists any. */
function filesIn(field: unknown, listed: readonly string[] = []): string[] | undefined {
  const names = (asArray(field) ?? []).filter((name) => typeof name === 'string')
  const files = (names.length > 0 ? names : listed).filter((name) => name !== '')
  return files.length > 0 ? files.slice(0, MOST_FILES) : undefined
}
