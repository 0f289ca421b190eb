import { asArray, asNumber, asObject, asText, type JsonObject, parsedJson } from '../../../model/json.ts'
import { type Connection, hasColumns } from '../../database-connections.ts'
import { textOf } from '../../result-text.ts'
import type { StoredMessage, StoredSession } from '../lines.ts'
import { STATEMENTS } from '../statements.ts'

/** The tables of OpenCode 2. It leaves those of version 1 as they were when it took their sessions over. */
export const hasVersionTwo = (connection: Connection): boolean =>
  hasColumns(connection, 'session_v2', 'id', 'parent_id', 'directory', 'title', 'version', 'time_created') &&
  hasColumns(connection, 'session_v2', 'time_updated', 'revert', 'fork_session_id') &&
  hasColumns(connection, 'session_message', 'id', 'session_id', 'type', 'seq', 'time_created', 'data') &&
  hasColumns(connection, 'session_message', 'time_updated')

interface Contents {
  session: StoredSession
  messages: StoredMessage[]
}

/** A session of version 2. Undefined if it is none, or if none of its messages were taken over yet. */
export function contentsOf2(
  connection: Connection,
  id: string,
  { alsoEmpty }: { alsoEmpty: boolean },
): Contents | undefined {
  const row = connection.database.prepare(STATEMENTS.sessionOf2).get(id)
  if (!row) return undefined
  const rows = messagesOf(connection, id)
  if (rows.length === 0 && !alsoEmpty) return undefined
  return {
    session: {
      id,
      parent: asText(row.parent),
      directory: asText(row.directory),
      title: asText(row.title),
      version: asText(row.version),
      created: asNumber(row.created),
      forkOf: asText(row.fork),
    },
    messages: withReverted(rows.map(stored), rows, parsedJson(row.revert)),
  }
}

interface MessageRow {
  id: string
  type: string
  seq: number
  at: number
  data: JsonObject | undefined
  raw: string
}

const messagesOf = ({ database }: Connection, session: string): MessageRow[] =>
  database
    .prepare(STATEMENTS.messagesOf2)
    .all(session)
    .map(({ id, type, seq, at, data }) => ({
      id: String(id),
      type: String(type),
      seq: Number(seq) || 0,
      at: Number(at) || 0,
      data: asObject(parsedJson(data)),
      raw: String(data),
    }))

/** Marks what a person took back and may still restore: `revert` names the first message. */
function withReverted(
  messages: StoredMessage[],
  rows: readonly MessageRow[],
  revert: unknown,
): StoredMessage[] {
  const named = asObject(revert)
  const first = rows.findIndex(({ id }) => id === asText(named?.messageID))
  if (first < 0 || asText(named?.partID) !== undefined) return messages
  return messages.map((message, index) => (index >= first ? { ...message, removed: true } : message))
}

/** A message in the form of version 1. */
function stored({ id, type, seq, at, data, raw }: MessageRow): StoredMessage {
  const own = { id, at: seq, removed: false }
  if (!data) return { ...own, data: raw, parts: [] }
  const message = (facts: object, parts: readonly unknown[] = [], command?: string): StoredMessage => ({
    ...own,
    data: JSON.stringify({ time: { created: at, ...asObject(data.time) }, ...facts }),
    parts: parts.map((part) => JSON.stringify(part)),
    command,
  })
  switch (type) {
    case 'user':
      return message({ role: 'user' }, [
        ...(asText(data.text) ? [{ type: 'text', text: data.text }] : []),
        ...(asArray(data.files) ?? []).map((file) => ({ type: 'file', mime: asObject(file)?.mime })),
      ])
    case 'assistant':
      return message(replyFrom(data), (asArray(data.content) ?? []).map(partFrom))
    case 'shell':
      return message({ role: 'user' }, [], asText(data.command))
    case 'compaction':
      return message({ role: 'assistant', summary: true }, [
        { type: 'text', text: data.summary ?? data.text },
      ])
    case 'synthetic':
    case 'system':
      return message({ role: 'user' }, [{ type: 'text', text: data.text, synthetic: true }])
    case 'agent-switched':
    case 'model-switched':
      return message({ role: 'user' })
    default:
      return message({ role: type })
  }
}

function replyFrom({ model, tokens, cost, finish, error }: JsonObject): object {
  const failure = asObject(error)
  const name = asText(failure?.type) ?? asText(failure?.name)
  return {
    role: 'assistant',
    modelID: asObject(model)?.id,
    providerID: asObject(model)?.providerID,
    tokens,
    cost,
    finish,
    ...(failure && {
      error: {
        name: /abort|interrupt/i.test(name ?? '') ? 'MessageAbortedError' : name,
        data: { message: failure.message },
      },
    }),
  }
}

function partFrom(value: unknown): unknown {
  const part = asObject(value)
  if (part?.type !== 'tool') return value
  const state = asObject(part.state) ?? {}
  const output = textOf(state.content)
  const failure = asObject(state.error)
  return {
    type: 'tool',
    callID: part.id,
    tool: part.name,
    state: {
      status: state.status,
      input: state.input,
      output,
      metadata: state.structured,
      ...(failure && { error: asText(failure.message) ?? output }),
    },
  }
}
