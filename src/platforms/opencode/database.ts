import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { identityOf } from '../../io/directories.ts'
import { bufferSource, type SeekableSource } from '../../io/source.ts'
import { openReadOnly } from '../../io/sqlite.ts'
import type { Artifact } from '../../model/artifact.ts'
import { asNumber, asObject, asText, parsedJson } from '../../model/json.ts'
import { opencodeIdentity } from './identity.ts'
import { SHELL } from './records/words.ts'
import { STATEMENTS } from './statements.ts'

const { id: platform, defaultAgent: agent } = opencodeIdentity

/** Approximate size of a message. A database does not report the size of a session without reading it. */
const USUAL_MESSAGE = 2048

/** How often a question is asked again if the database was written to meanwhile. */
const TRIES = 3

/** Asks a question on one snapshot of a database. Throws engine errors. */
function ask<Answer>(path: string, question: (database: DatabaseSync) => Answer): Answer {
  for (let left = TRIES; ; left--) {
    const before = stateOf(path)
    const { database, frozen } = openReadOnly(path)
    try {
      database.exec(STATEMENTS.begin)
      const answer = question(database)
      database.exec(STATEMENTS.end)
      if (!frozen || left === 1 || before === stateOf(path)) return answer
    } finally {
      database.close()
    }
  }
}

const stateOf = (path: string): string =>
  [path, `${path}-wal`]
    .map((each) => statSync(each, { throwIfNoEntry: false }))
    .map((stats) => (stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : ''))
    .join(', ')

/** The sessions in a database. Undefined if it has other tables. Throws engine errors. */
export function sessionsIn(path: string, root: string): Artifact[] | undefined {
  const file = identityOf(statSync(path))
  return ask(path, (database) => {
    if (!tablesOf(database).has('part')) return undefined
    return database
      .prepare(STATEMENTS.sessions)
      .all()
      .map(({ id, parent, archived, messages, updated, changed }) => ({
        platform,
        agent,
        root,
        path: `${path}#${id}`,
        database: path,
        kind: 'transcript' as const,
        state: archived === null ? ('live' as const) : ('archived' as const),
        sessionId: String(id),
        bytes: (Number(messages) + 1) * USUAL_MESSAGE,
        modifiedMs: Number(updated),
        // Messages change in place, so that every change begins a new reading.
        identity: `${file}#${id} ${changed} ${messages}`,
        ...(typeof parent === 'string' && { kindHint: 'subagent' as const, parentSessionId: parent }),
      }))
  })
}

const tablesOf = (database: DatabaseSync): ReadonlySet<string> =>
  new Set(
    database
      .prepare(STATEMENTS.tables)
      .all()
      .map(({ name }) => String(name)),
  )

/** A message with its parts, as JSON. */
interface Stored {
  id: string
  data: string
  parts: string[]
  /** A person took it back. */
  removed: boolean
}

/** The header of a session and its messages with their parts, as lines. Throws engine errors. */
export function openSession(
  { sessionId, modifiedMs, identity = '' }: Artifact,
  path: string,
): SeekableSource {
  const lines = ask(path, (database) => linesOf(database, sessionId))
  const content = Buffer.from(lines.map((line) => `${line.replace(/[\r\n]/g, ' ')}\n`).join(''))
  return bufferSource(content, 0, { size: content.length, mtimeMs: modifiedMs, identity })
}

function linesOf(database: DatabaseSync, sessionId: string): string[] {
  const session = database.prepare(STATEMENTS.session).get(sessionId)
  if (!session) throw Object.assign(new Error('the session is gone'), { code: 'ENOENT' })
  const stored = [...present(database, sessionId), ...removed(database, sessionId)]
  stored.sort((one, other) => timeOf(one) - timeOf(other) || (one.id < other.id ? -1 : 1))
  const first = stored[0] === undefined ? undefined : timeOf(stored[0])
  const isCopied = first !== undefined && first < Number(session.created)
  const original = isCopied ? database.prepare(STATEMENTS.original).get(sessionId, first) : undefined
  const header = { type: 'session', ...session, ...(original && { forkOf: original.id }) }
  // Each message follows the one before. What was taken back is followed by nothing that remained.
  let last: string | null = null
  let lastRemoved: string | null = null
  return [
    JSON.stringify(header),
    ...stored.map((message, index) => {
      const parent = message.removed ? (lastRemoved ?? last) : last
      if (message.removed) lastRemoved = message.id
      else {
        last = message.id
        lastRemoved = null
      }
      const command = commandIn(message, stored[index + 1])
      const isShell = index > 0 && commandIn(stored[index - 1]!, message) !== undefined
      const facts = {
        type: 'message',
        id: message.id,
        parentId: parent,
        command,
        ...(isShell && { isShell }),
      }
      const own = JSON.stringify(facts).slice(0, -1)
      return `${own},"message":${message.data},"parts":[${message.parts.join(',')}]}`
    }),
  ]
}

/** The command of the shell that a message stands for: the reply to it contains the call. */
function commandIn({ parts }: Stored, next: Stored | undefined): string | undefined {
  const [only] = parts.map((part) => asObject(parsedJson(part)))
  if (parts.length !== 1 || only?.synthetic !== true || !asText(only.text)?.startsWith(SHELL))
    return undefined
  const call = next?.parts.map((part) => asObject(parsedJson(part))).find((part) => part?.type === 'tool')
  return asText(asObject(asObject(call?.state)?.input)?.command)
}

const timeOf = ({ data }: Stored): number =>
  asNumber(asObject(asObject(parsedJson(data))?.time)?.created) ?? 0

function present(database: DatabaseSync, sessionId: string): Stored[] {
  const parts = Map.groupBy(database.prepare(STATEMENTS.parts).all(sessionId), ({ message }) => message)
  return database
    .prepare(STATEMENTS.messages)
    .all(sessionId)
    .map(({ id, data }) => ({
      id: String(id),
      data: String(data),
      parts: (parts.get(id!) ?? []).map((part) => String(part.data)),
      removed: false,
    }))
}

/** Messages that were taken back, as the log of changes has them. */
function removed(database: DatabaseSync, sessionId: string): Stored[] {
  if (!tablesOf(database).has('event')) return []
  const here = new Set(present(database, sessionId).map(({ id }) => id))
  const message = database.prepare(STATEMENTS.removedMessage)
  const parts = database.prepare(STATEMENTS.removedParts)
  const ids = database
    .prepare(STATEMENTS.removed)
    .all(sessionId)
    .map(({ id }) => String(id))
  return [...new Set(ids)].flatMap((id) => {
    const found = message.get(sessionId, id)
    if (here.has(id) || typeof found?.data !== 'string') return []
    const latest = new Map(parts.all(sessionId, id).map((part) => [part.id, String(part.data)]))
    return [{ id, data: found.data, parts: [...latest.values()], removed: true }]
  })
}
