import { hash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** In the tables of keys of every database that is created here. */
export const OPENCODE_TABLE_CANARY = 'canary-of-the-account-tweet'

/** A message with its parts. Ids and times of parts are derived from those of the message. */
export interface OpenCodeMessage {
  id: string
  /** In ms. */
  at: number
  role?: 'user' | 'assistant'
  parts: object[]
  /** Further fields of the message, or others. */
  data?: object
}

export interface OpenCodeSession {
  id: string
  /** In ms. */
  at: number
  parent?: string
  title?: string
  directory?: string
  archived?: number
  /** Of an undo that a redo may still take back. */
  revert?: object
  messages: OpenCodeMessage[]
  /** Messages that a person took back: only the log of changes has them. */
  removed?: OpenCodeMessage[]
  todos?: string[]
}

const KEYS: Record<string, string> = {
  account: 'id text, email text, url text, access_token text, refresh_token text',
  control_account: 'email text, url text, access_token text, refresh_token text, active integer',
  credential: 'id text, integration_id text, label text, value text',
  session_share: 'session_id text, id text, secret text, url text',
}

/** The tables of 1.18 that are read, and those with keys. */
const TABLES = `CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL,
    directory text NOT NULL, title text NOT NULL, version text NOT NULL, revert text, time_created integer NOT NULL,
    time_updated integer NOT NULL, time_compacting integer, time_archived integer);
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE event (id text PRIMARY KEY, aggregate_id text NOT NULL, seq integer NOT NULL, type text NOT NULL,
    data text NOT NULL);
  CREATE TABLE todo (session_id text NOT NULL, content text NOT NULL, status text NOT NULL, priority text NOT NULL,
    position integer NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL);
  CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
  CREATE INDEX part_message_id_id_idx ON part (message_id, id);
  CREATE INDEX part_session_idx ON part (session_id);
  ${Object.entries(KEYS)
    .map(([name, columns]) => `CREATE TABLE ${name} (${columns});`)
    .join(' ')}`

/** What a message is stored as, without its parts. */
export const dataOf = ({ at, role = 'user', data }: OpenCodeMessage): object => ({
  role,
  time: { created: at, ...(role === 'assistant' && { completed: at + 1 }) },
  agent: 'build',
  ...(role === 'user'
    ? { model: { providerID: 'moss', modelID: 'fern-1' } }
    : {
        mode: 'build',
        modelID: 'fern-1',
        providerID: 'moss',
        path: { cwd: '/home/ann/garden', root: '/' },
        cost: 0,
        tokens: { input: 10, output: 4, reasoning: 1, cache: { read: 20, write: 2 } },
      }),
  ...data,
})

/**
 * Creates a database as a release of OpenCode with one does, and keeps it open for changes. `keys`: whether
 * the tables of accounts contain any.
 */
export function opencodeDatabase(
  path: string,
  sessions: readonly OpenCodeSession[] = [],
  { keys = true } = {},
) {
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA page_size = 1024; ${TABLES}`)
  for (const name of keys ? Object.keys(KEYS) : []) {
    const columns = KEYS[name]!.split(', ').length
    const given = Array.from({ length: columns }, () => `'${OPENCODE_TABLE_CANARY}'`)
    database.exec(`INSERT INTO ${name} VALUES (${given.join(', ')})`)
  }
  for (const each of sessions) session(each)

  function session(each: OpenCodeSession): void {
    const { id, at, parent = null, title = 'A garden', directory = '/home/ann/garden', removed = [] } = each
    database
      .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)')
      .run(
        ...[id, 'global', parent, 'quiet-fern', directory, title, '1.18.33'],
        ...[each.revert ? JSON.stringify(each.revert) : null, at, at, each.archived ?? null],
      )
    for (const each_ of each.messages) message(id, each_)
    for (const [position, content] of (each.todos ?? []).entries())
      database
        .prepare('INSERT INTO todo VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(id, content, 'pending', 'medium', position, at, at)
    let seq = 0
    const log = database.prepare('INSERT INTO event VALUES (?, ?, ?, ?, ?)')
    const note = (type: string, data: object): void =>
      void log.run(`evt_${id}_${seq}`, id, seq++, type, JSON.stringify({ sessionID: id, ...data }))
    for (const each_ of removed) {
      note('message.updated.1', { info: { id: each_.id, sessionID: id, ...dataOf(each_) } })
      for (const [index, part] of each_.parts.entries()) {
        const own = { id: `prt_${index}`, messageID: each_.id, sessionID: id }
        note('message.part.updated.1', { part: { ...own, type: 'text', text: '' } })
        note('message.part.updated.1', { part: { ...own, ...part } })
      }
      note('message.removed.1', { messageID: each_.id })
    }
  }

  function message(sessionId: string, each: OpenCodeMessage): void {
    database
      .prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
      .run(each.id, sessionId, each.at, each.at, JSON.stringify(dataOf(each)))
    for (const [index, part] of each.parts.entries())
      database
        .prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)')
        .run(`${each.id}-${index}`, each.id, sessionId, each.at, each.at, JSON.stringify(part))
  }

  return { database, session, message, close: () => database.close() }
}

export const text = (words: string, more: object = {}): object => ({ type: 'text', text: words, ...more })

export const tool = (name: string, input: object, state: object): object => ({
  type: 'tool',
  tool: name,
  callID: `call_${hash('sha256', JSON.stringify([name, input]), 'hex').slice(0, 12)}`,
  state: { input, ...state },
})

export const bash = (command: string, output: string, exit = 0): object =>
  tool('bash', { command }, { status: 'completed', output, title: command, metadata: { output, exit } })
