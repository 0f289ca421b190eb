import type { SeekableSource } from '../../../io/source.ts'
import type { Artifact } from '../../../model/artifact.ts'
import { asNumber, asText, asTime, parsedJson } from '../../../model/json.ts'
import type { Connection } from '../../database-connections.ts'
import { sourceOf } from '../../folders.ts'
import { linesOf, type StoredMessage, withReverted } from '../lines.ts'
import { STATEMENTS } from '../statements.ts'
import { ask, hasVersionOne, originalsIn } from './sessions.ts'
import { contentsOf2, hasVersionTwo } from './version-two.ts'

/** The lines of a session in a database, in a consistent snapshot. Throws engine errors. */
export const openSession = (artifact: Artifact, path: string): SeekableSource =>
  sourceOf(
    ask(path, (connection) => contentOf(connection, artifact)),
    artifact,
  )

function contentOf(connection: Connection, { sessionId }: Artifact): Buffer {
  const known = hasVersionOne(connection)
  const second = hasVersionTwo(connection)
    ? contentsOf2(connection, sessionId, { alsoEmpty: !known })
    : undefined
  if (second) return linesOf(second.session, second.messages)
  if (!known) throw Object.assign(new Error('the session is gone'), { code: 'ENOENT' })
  const session = connection.database.prepare(STATEMENTS.session).get(sessionId)
  if (!session) throw Object.assign(new Error('the session is gone'), { code: 'ENOENT' })
  const { parent, directory, title, version, created, revert } = session
  const present = presentMessages(connection, sessionId)
  const removed = removedMessages(connection, sessionId, new Set(present.map(({ id }) => id)))
  const forkOf = originalsIn(connection, sessionId).get(sessionId)
  return linesOf(
    {
      id: sessionId,
      parent: asText(parent),
      directory: asText(directory),
      title: asText(title),
      version: asText(version),
      created: asNumber(created),
      ...(forkOf !== undefined && { forkOf }),
    },
    [...withReverted(present, parsedJson(revert)), ...removed],
  )
}

function presentMessages({ database }: Connection, sessionId: string): StoredMessage[] {
  const parts = Map.groupBy(database.prepare(STATEMENTS.parts).all(sessionId), ({ message }) => message)
  return database
    .prepare(STATEMENTS.messages)
    .all(sessionId)
    .map(({ id, at, data }) => ({
      id: String(id),
      at: asTime(at) ?? 0,
      data: String(data),
      parts: (parts.get(id!) ?? []).map((part) => String(part.data)),
      removed: false,
    }))
}

/** Messages that were taken back, as the log of changes has them. Older versions have none. */
function removedMessages(
  { database, tables }: Connection,
  sessionId: string,
  present: ReadonlySet<string>,
): StoredMessage[] {
  if (!tables.has('event')) return []
  const message = database.prepare(STATEMENTS.removedMessage)
  const parts = database.prepare(STATEMENTS.removedParts)
  const ids = new Set(
    database
      .prepare(STATEMENTS.removed)
      .all(sessionId)
      .map(({ id }) => String(id)),
  )
  return [...ids].flatMap((id) => {
    const found = message.get(sessionId, id)
    if (present.has(id) || typeof found?.data !== 'string') return []
    // Each change of a part is logged. The last one counts.
    const latest = new Map(parts.all(sessionId, id).map((part) => [part.id, String(part.data)]))
    return [{ id, at: asTime(found.at) ?? 0, data: found.data, parts: [...latest.values()], removed: true }]
  })
}
